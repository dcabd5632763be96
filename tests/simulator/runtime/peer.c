#include "peer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "codes.h"

int rt_peer_possible(const rt_device *device, const rt_device *peer, int *out)
{
    if (device == NULL || peer == NULL) {
        return RT_INVALID_DEVICE;
    }
    *out = device != peer && sim_option("peer", 1) != 0;
    return RT_SUCCESS;
}

int rt_peer_enable(rt_device *device, const rt_device *peer, unsigned flags)
{
    int possible = 0;
    const int code = rt_peer_possible(device, peer, &possible);
    if (code != RT_SUCCESS || flags != 0) {
        return code != RT_SUCCESS ? code : RT_INVALID_VALUE;
    }
    if (!possible) {
        return device == peer ? RT_INVALID_DEVICE : RT_PEER_ACCESS_UNSUPPORTED;
    }
    const unsigned bit = 1u << peer->index;
    if ((device->peers & bit) != 0) {
        return RT_PEER_ALREADY_ENABLED;
    }
    device->peers |= bit;
    return RT_SUCCESS;
}

int rt_peer_disable(rt_device *device, const rt_device *peer)
{
    if (peer == NULL) {
        return RT_INVALID_DEVICE;
    }
    const unsigned bit = 1u << peer->index;
    if ((device->peers & bit) == 0) {
        return RT_PEER_NOT_ENABLED;
    }
    device->peers &= ~bit;
    return RT_SUCCESS;
}

int rt_pci_write(const rt_device *device, char *out, int capacity)
{
    if (device == NULL) {
        return RT_INVALID_DEVICE;
    }
    if (out == NULL || capacity < 13) {
        return RT_INVALID_VALUE;
    }
    (void)snprintf(out, (size_t)capacity, "%04x:%02x:00.0", RT_PCI_DOMAIN, rt_device_bus(device));
    return RT_SUCCESS;
}

int rt_pci_find(rt_vendor vendor, const char *text, int *out_index)
{
    char pci[16];
    for (int i = 0; i < rt_device_count(vendor); i++) {
        if (rt_pci_write(rt_device_get(vendor, i), pci, sizeof pci) == RT_SUCCESS &&
            strcasecmp(pci, text) == 0) {
            *out_index = i;
            return RT_SUCCESS;
        }
    }
    return RT_INVALID_DEVICE;
}
