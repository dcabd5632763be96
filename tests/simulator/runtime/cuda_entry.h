/* What the exported functions of the CUDA runtime and driver share. */
#ifndef RT_CUDA_ENTRY_H
#define RT_CUDA_ENTRY_H

#include "device.h"
#include "entry.h"
#include "event.h"
#include "graph.h"
#include "module.h"
#include "stream.h"

typedef enum cuda_need {
    CUDA_NEED_NOTHING,
    CUDA_NEED_DRIVER,  /* a driver with devices */
    CUDA_NEED_CONTEXT, /* the current device, with its context, which is made if need be */
} cuda_need;

/*
 * Begin and end a function of the runtime. On success of the first *out_device is the current
 * device, NULL if only a driver is needed; out_device may be NULL. leave() returns code, which
 * cudaGetLastError() will give.
 */
int cudart_enter(const char *function, cuda_need need, rt_device **out_device);
int cudart_leave(int code);

/* The same for a function of the driver, which makes no context: RT_INVALID_CONTEXT without one. */
int cu_enter(const char *function, cuda_need need, rt_device **out_device);
int cu_leave(int code);

/* cuInit, and what the runtime does in its place. */
int cuda_initialize(void);

/* The context on top of the thread's stack, as the device that it is of; NULL if none. */
rt_device *cuda_current(void);
int cuda_push(rt_device *device);     /* RT_OUT_OF_MEMORY if the stack is full */
rt_device *cuda_pop(void);            /* NULL if it was empty */
void cuda_replace(rt_device *device); /* the top; NULL takes it away */

/* CUcontext of a device, and back: NULL for what is none, or whose device has no context. */
void *cuda_context_handle(const rt_device *device);
rt_device *cuda_context_device(const void *context);

/* Objects behind handles; NULL if it is none. device: whose default stream handle 0 is. */
rt_stream *cuda_find_stream(rt_device *device, void *handle, const char *function);
rt_event *cuda_find_event(void *handle, const char *function);

#endif
