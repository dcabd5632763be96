/* Access of one device to another's memory; HIP and CUDA agree on it. */
#ifndef RT_PEER_H
#define RT_PEER_H

#include "device.h"

/* Whether there may be such access: option "peer", 1 if it is not given. */
int rt_peer_possible(const rt_device *device, const rt_device *peer, int *out);
int rt_peer_enable(rt_device *device, const rt_device *peer, unsigned flags);
int rt_peer_disable(rt_device *device, const rt_device *peer);

/* "0000:51:00.0" */
int rt_pci_write(const rt_device *device, char *out, int capacity);
int rt_pci_find(rt_vendor vendor, const char *text, int *out_index);

#endif
