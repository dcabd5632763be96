#include "cuda_entry.h"

#include <stdint.h>

#include "codes.h"
#include "handle.h"
#include "version.h"

#define CONTEXTS 0x5e4000000000
#define CONTEXT_STEP 64

#define STREAM_LEGACY 1
#define STREAM_PER_THREAD 2

static bool initialized;

/* ---- the driver ----------------------------------------------------------------------------- */

int cuda_initialize(void)
{
    if (sim_option("stub", 0) != 0) {
        return RT_STUB_LIBRARY;
    }
    if (rt_device_count(RT_CUDA) == 0) {
        return RT_NO_DEVICE;
    }
    initialized = true;
    return RT_SUCCESS;
}

/* A runtime works with drivers of its own major or a newer one. */
static int initialize_for_runtime(void)
{
    if (sim_option("no_driver", 0) != 0 ||
        rt_version(RT_LIBRARY_CUDA) / 1000 < rt_version(RT_LIBRARY_CUDART) / 1000) {
        return RT_INSUFFICIENT_DRIVER;
    }
    return cuda_initialize();
}

/* ---- contexts ------------------------------------------------------------------------------- */

rt_device *cuda_current(void)
{
    const rt_thread *self = rt_thread_self();
    return self->depth > 0 ? self->context[self->depth - 1] : NULL;
}

int cuda_push(rt_device *device)
{
    rt_thread *self = rt_thread_self();
    if (self->depth == RT_CONTEXT_DEPTH) {
        return RT_OUT_OF_MEMORY;
    }
    self->context[self->depth++] = device;
    self->selected[RT_CUDA] = device->index;
    return RT_SUCCESS;
}

static void follow_top(rt_thread *self)
{
    if (self->depth > 0) {
        self->selected[RT_CUDA] = self->context[self->depth - 1]->index;
    }
}

rt_device *cuda_pop(void)
{
    rt_thread *self = rt_thread_self();
    if (self->depth == 0) {
        return NULL;
    }
    rt_device *device = self->context[--self->depth];
    follow_top(self);
    return device;
}

void cuda_replace(rt_device *device)
{
    (void)cuda_pop();
    if (device != NULL) {
        (void)cuda_push(device);
    }
}

void *cuda_context_handle(const rt_device *device)
{
    return (void *)(uintptr_t)(CONTEXTS + (uint64_t)CONTEXT_STEP * (uint64_t)device->index);
}

rt_device *cuda_context_device(const void *context)
{
    const uint64_t offset = (uint64_t)(uintptr_t)context - CONTEXTS;
    if (offset % CONTEXT_STEP != 0 || offset / CONTEXT_STEP >= RT_DEVICES_PER_VENDOR) {
        return NULL;
    }
    rt_device *device = rt_device_get(RT_CUDA, (int)(offset / CONTEXT_STEP));
    return device != NULL && device->active ? device : NULL;
}

/* ---- entering ------------------------------------------------------------------------------- */

int cudart_enter(const char *function, cuda_need need, rt_device **out_device)
{
    rt_thread *self = rt_thread_self();
    int code = rt_enter(function);
    if (out_device != NULL) {
        *out_device = NULL;
    }
    if (code == RT_SUCCESS && need != CUDA_NEED_NOTHING) {
        code = initialize_for_runtime();
    }
    if (code != RT_SUCCESS || need != CUDA_NEED_CONTEXT) {
        return code;
    }
    rt_device *device = rt_device_get(RT_CUDA, self->selected[RT_CUDA]);
    code = rt_device_activate(device);
    if (code == RT_SUCCESS && cuda_current() != device) {
        cuda_replace(device);
    }
    if (out_device != NULL) {
        *out_device = device;
    }
    return code;
}

int cudart_leave(int code)
{
    if (code != RT_SUCCESS) {
        rt_thread_self()->last[RT_CUDA] = code;
    }
    rt_unlock();
    return code;
}

int cu_enter(const char *function, cuda_need need, rt_device **out_device)
{
    int code = rt_enter(function);
    if (out_device != NULL) {
        *out_device = NULL;
    }
    if (code != RT_SUCCESS || need == CUDA_NEED_NOTHING) {
        return code;
    }
    if (!initialized) {
        return RT_NOT_INITIALIZED;
    }
    if (need == CUDA_NEED_CONTEXT) {
        rt_device *device = cuda_current();
        if (device == NULL || !device->active) {
            return RT_INVALID_CONTEXT;
        }
        if (out_device != NULL) {
            *out_device = device;
        }
        code = rt_device_error(device);
    }
    return code;
}

int cu_leave(int code)
{
    rt_unlock();
    return code;
}

/* ---- handles -------------------------------------------------------------------------------- */

rt_stream *cuda_find_stream(rt_device *device, void *handle, const char *function)
{
    if (handle == NULL || handle == (void *)STREAM_LEGACY) {
        return rt_stream_null(device);
    }
    if (handle == (void *)STREAM_PER_THREAD) {
        sim_finding("unsupported",
                    "function=%s text=\"per-thread default streams are not "
                    "simulated\"",
                    function + sizeof "rt_" - 1);
        return NULL;
    }
    return rt_handle_get(RT_KIND_STREAM, RT_CUDA, handle, function);
}

rt_event *cuda_find_event(void *handle, const char *function)
{
    return rt_handle_get(RT_KIND_EVENT, RT_CUDA, handle, function);
}
