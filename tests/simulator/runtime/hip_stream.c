/* libamdhip64: streams, events, capture, graphs. */
#include "codes.h"
#include "handle.h"
#include "hip_entry.h"
#include "hip_exports.h"
#include "schedule.h"

static int create_stream(const char *function, void **out, unsigned flags, int priority)
{
    rt_device *device;
    int code = hip_enter(function, HIP_NEED_DEVICE, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_stream_create(device, flags, priority, out);
    }
    return hip_leave(code);
}

int rt_hipStreamCreate(void **out)
{
    return create_stream(__func__, out, 0, 0);
}

int rt_hipStreamCreateWithFlags(void **out, unsigned flags)
{
    return create_stream(__func__, out, flags, 0);
}

int rt_hipStreamCreateWithPriority(void **out, unsigned flags, int priority)
{
    return create_stream(__func__, out, flags, priority);
}

int rt_hipDeviceGetStreamPriorityRange(int *out_least, int *out_greatest)
{
    const int code = hip_enter(__func__, HIP_NEED_DEVICE, NULL);
    if (code == RT_SUCCESS) {
        *out_least = 1;
        *out_greatest = -1;
    }
    return hip_leave(code);
}

int rt_hipStreamDestroy(void *handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS && stream->handle == NULL) {
        code = RT_INVALID_HANDLE;
    } else if (code == RT_SUCCESS) {
        rt_stream_destroy(stream);
    }
    return hip_leave(code);
}

int rt_hipStreamSynchronize(void *handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(stream);
    }
    if (code == RT_SUCCESS) {
        code = rt_wait_stream(stream);
    }
    return hip_leave(code);
}

int rt_hipStreamQuery(void *handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(stream);
    }
    if (code == RT_SUCCESS) {
        code = rt_poll_stream(stream);
    }
    return hip_leave(code);
}

int rt_hipStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    rt_event *event = code == RT_SUCCESS ? hip_find_event(event_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event == NULL ? RT_INVALID_HANDLE
               : flags != 0  ? RT_INVALID_VALUE
                             : rt_event_wait(stream, event);
    }
    return hip_leave(code);
}

int rt_hipStreamGetFlags(void *handle, unsigned *out)
{
    rt_stream *stream = NULL;
    const int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = stream->flags;
    }
    return hip_leave(code);
}

int rt_hipStreamGetDevice(void *handle, int *out)
{
    rt_stream *stream = NULL;
    const int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = stream->device->index;
    }
    return hip_leave(code);
}

int rt_hipLaunchHostFunc(void *handle, void (*function)(void *user), void *user)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        rt_work work = {.kind = RT_WORK_CALL, .u.call = {function, user}};
        code = function != NULL ? rt_submit(stream, &work) : RT_INVALID_VALUE;
    }
    return hip_leave(code);
}

/* ---- events --------------------------------------------------------------------------------- */

static int create_event(const char *function, void **out, unsigned flags)
{
    rt_device *device;
    int code = hip_enter(function, HIP_NEED_DEVICE, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_event_create(device, flags, out);
    }
    return hip_leave(code);
}

int rt_hipEventCreate(void **out)
{
    return create_event(__func__, out, 0);
}

int rt_hipEventCreateWithFlags(void **out, unsigned flags)
{
    return create_event(__func__, out, flags);
}

int rt_hipEventDestroy(void *handle)
{
    rt_event *event = NULL;
    const int code = hip_enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        rt_event_destroy(event);
    }
    return hip_leave(code);
}

int rt_hipEventRecord(void *handle, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, stream_handle, &stream);
    rt_event *event = code == RT_SUCCESS ? hip_find_event(handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event != NULL ? rt_event_record(event, stream) : RT_INVALID_HANDLE;
    }
    return hip_leave(code);
}

int rt_hipEventQuery(void *handle)
{
    rt_event *event = NULL;
    int code = hip_enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        code = rt_event_query(event);
    }
    return hip_leave(code);
}

int rt_hipEventSynchronize(void *handle)
{
    rt_event *event = NULL;
    int code = hip_enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        code = rt_event_synchronize(event);
    }
    return hip_leave(code);
}

int rt_hipEventElapsedTime(float *out_ms, void *start_handle, void *end_handle)
{
    rt_event *start = NULL;
    int code = hip_enter_event(__func__, start_handle, &start);
    rt_event *end = code == RT_SUCCESS ? hip_find_event(end_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = end != NULL ? rt_event_elapsed(start, end, out_ms) : RT_INVALID_HANDLE;
    }
    return hip_leave(code);
}

/* ---- capture and graphs --------------------------------------------------------------------- */

int rt_hipStreamBeginCapture(void *handle, int mode)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_begin(stream, mode);
    }
    return hip_leave(code);
}

int rt_hipStreamEndCapture(void *handle, void **out_graph)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, handle, &stream);
    *out_graph = NULL;
    if (code == RT_SUCCESS) {
        code = rt_capture_end(stream, out_graph);
    }
    return hip_leave(code);
}

int rt_hipStreamIsCapturing(void *handle, int *out)
{
    rt_stream *stream = NULL;
    const int code = hip_enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = rt_capture_status(stream);
    }
    return hip_leave(code);
}

int rt_hipThreadExchangeStreamCaptureMode(int *mode)
{
    int code = hip_enter(__func__, HIP_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS && (*mode < RT_CAPTURE_GLOBAL || *mode > RT_CAPTURE_RELAXED)) {
        code = RT_INVALID_VALUE;
    }
    if (code == RT_SUCCESS) {
        rt_thread *self = rt_thread_self();
        const int before = self->capture_mode;
        self->capture_mode = *mode;
        *mode = before;
    }
    return hip_leave(code);
}

/* Enters, and finds a graph of a kind. */
static int enter_graph(const char *function, rt_kind kind, void *handle, rt_device **out_device,
                       rt_graph **out_graph)
{
    const int code = hip_enter(function, HIP_NEED_DEVICE, out_device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_graph = rt_handle_get(kind, RT_HIP, handle, function);
    return *out_graph != NULL ? RT_SUCCESS : RT_INVALID_VALUE;
}

int rt_hipGraphInstantiateWithFlags(void **out_exec, void *handle, unsigned long long flags)
{
    rt_device *device;
    rt_graph *graph = NULL;
    int code = enter_graph(__func__, RT_KIND_GRAPH, handle, &device, &graph);
    *out_exec = NULL;
    if (code == RT_SUCCESS) {
        code = flags != 0 ? RT_INVALID_VALUE : rt_graph_instantiate(graph, out_exec);
    }
    return hip_leave(code);
}

int rt_hipGraphLaunch(void *exec_handle, void *stream_handle)
{
    rt_device *device;
    rt_graph *exec = NULL;
    int code = enter_graph(__func__, RT_KIND_EXEC, exec_handle, &device, &exec);
    rt_stream *stream =
        code == RT_SUCCESS ? hip_find_stream(device, stream_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = stream != NULL ? rt_graph_launch(exec, stream) : RT_INVALID_HANDLE;
    }
    return hip_leave(code);
}

static int destroy_graph(const char *function, rt_kind kind, void *handle)
{
    rt_device *device;
    rt_graph *graph = NULL;
    const int code = enter_graph(function, kind, handle, &device, &graph);
    if (code == RT_SUCCESS) {
        rt_graph_destroy(graph);
    }
    return hip_leave(code);
}

int rt_hipGraphExecDestroy(void *handle)
{
    return destroy_graph(__func__, RT_KIND_EXEC, handle);
}

int rt_hipGraphDestroy(void *handle)
{
    return destroy_graph(__func__, RT_KIND_GRAPH, handle);
}
