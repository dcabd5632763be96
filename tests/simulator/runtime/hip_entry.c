#include "hip_entry.h"

#include "codes.h"
#include "handle.h"
#include "version.h"

#define STREAM_PER_THREAD 2

int hip_enter(const char *function, hip_need need, rt_device **out_device)
{
    int code = rt_enter(function);
    if (out_device != NULL) {
        *out_device = NULL;
    }
    if (code != RT_SUCCESS || need == HIP_NEED_NOTHING) {
        return code;
    }
    rt_device *device = rt_device_get(RT_HIP, rt_thread_self()->selected[RT_HIP]);
    if (device == NULL) {
        return RT_INVALID_DEVICE; /* what ROCm 5.2 answers on a machine without one */
    }
    if (need == HIP_NEED_DEVICE) {
        code = rt_device_activate(device);
        if (out_device != NULL) {
            *out_device = device;
        }
    }
    return code;
}

/* HIP lacks some of the numbers. */
static int in_hip(int code)
{
    switch (code) {
    case RT_MISALIGNED_ADDRESS:
        return RT_LAUNCH_FAILURE;
    case RT_NOT_PERMITTED:
        return RT_NOT_SUPPORTED;
    default:
        return code;
    }
}

/* Until HIP 6 each call replaces the last result; from 7 on only failures do. */
int hip_leave(int code)
{
    code = in_hip(code);
    if ((code != RT_SUCCESS && code != RT_NOT_READY) || rt_version(RT_LIBRARY_HIP) < 70000000) {
        rt_thread_self()->last[RT_HIP] = code;
    }
    rt_unlock();
    return code;
}

rt_stream *hip_find_stream(rt_device *device, void *handle, const char *function)
{
    if (handle == NULL) {
        return rt_stream_null(device);
    }
    if (handle == (void *)STREAM_PER_THREAD) {
        sim_finding("unsupported",
                    "function=%s text=\"per-thread default streams are not "
                    "simulated\"",
                    function + sizeof "rt_" - 1);
        return NULL;
    }
    return rt_handle_get(RT_KIND_STREAM, RT_HIP, handle, function);
}

rt_event *hip_find_event(void *handle, const char *function)
{
    return rt_handle_get(RT_KIND_EVENT, RT_HIP, handle, function);
}

int hip_enter_stream(const char *function, void *handle, rt_stream **out_stream)
{
    rt_device *device;
    const int code = hip_enter(function, HIP_NEED_DEVICE, &device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_stream = hip_find_stream(device, handle, function);
    return *out_stream != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

int hip_enter_event(const char *function, void *handle, rt_event **out_event)
{
    const int code = hip_enter(function, HIP_NEED_DEVICE, NULL);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_event = hip_find_event(handle, function);
    return *out_event != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}
