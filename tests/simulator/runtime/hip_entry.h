/* What the exported functions of the HIP runtime share. */
#ifndef RT_HIP_ENTRY_H
#define RT_HIP_ENTRY_H

#include "device.h"
#include "entry.h"
#include "event.h"
#include "graph.h"
#include "module.h"
#include "stream.h"

typedef enum hip_need {
    HIP_NEED_NOTHING,
    HIP_NEED_DEVICES, /* some device */
    HIP_NEED_DEVICE,  /* the current device */
} hip_need;

/*
 * Begin and end an exported function; *out_device is the thread's current device, and out_device
 * may be NULL. leave() returns code, as HIP numbers it, which hipGetLastError() will give.
 */
int hip_enter(const char *function, hip_need need, rt_device **out_device);
int hip_leave(int code);

/* Objects behind handles; NULL if it is none. device: whose default stream handle 0 is. */
rt_stream *hip_find_stream(rt_device *device, void *handle, const char *function);
rt_event *hip_find_event(void *handle, const char *function);

/* Enters, and finds a stream or an event. */
int hip_enter_stream(const char *function, void *handle, rt_stream **out_stream);
int hip_enter_event(const char *function, void *handle, rt_event **out_event);

#endif
