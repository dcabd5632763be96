/* libcudart: streams, events, capture, graphs. */
#include "codes.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "handle.h"
#include "schedule.h"

#define LEAST_PRIORITY 0
#define GREATEST_PRIORITY (-5)

/* Enters, and finds a stream. */
static int enter_stream(const char *function, void *handle, rt_stream **out_stream)
{
    rt_device *device;
    const int code = cudart_enter(function, CUDA_NEED_CONTEXT, &device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_stream = cuda_find_stream(device, handle, function);
    return *out_stream != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

/* Enters, and finds an event. */
static int enter_event(const char *function, void *handle, rt_event **out_event)
{
    const int code = cudart_enter(function, CUDA_NEED_CONTEXT, NULL);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_event = cuda_find_event(handle, function);
    return *out_event != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

static int create_stream(const char *function, void **out, unsigned flags, int priority)
{
    rt_device *device;
    int code = cudart_enter(function, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                   : priority > LEAST_PRIORITY  ? LEAST_PRIORITY
                                                : priority;
        code = rt_stream_create(device, flags, priority, out);
    }
    return cudart_leave(code);
}

int rt_cudaStreamCreate(void **out)
{
    return create_stream(__func__, out, 0, 0);
}

int rt_cudaStreamCreateWithFlags(void **out, unsigned flags)
{
    return create_stream(__func__, out, flags, 0);
}

int rt_cudaStreamCreateWithPriority(void **out, unsigned flags, int priority)
{
    return create_stream(__func__, out, flags, priority);
}

int rt_cudaDeviceGetStreamPriorityRange(int *out_least, int *out_greatest)
{
    const int code = cudart_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    if (code == RT_SUCCESS) {
        *out_least = LEAST_PRIORITY;
        *out_greatest = GREATEST_PRIORITY;
    }
    return cudart_leave(code);
}

int rt_cudaStreamDestroy(void *handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        if (stream->handle != NULL) {
            rt_stream_destroy(stream);
        } else {
            code = RT_INVALID_HANDLE;
        }
    }
    return cudart_leave(code);
}

int rt_cudaStreamSynchronize(void *handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(stream);
    }
    if (code == RT_SUCCESS) {
        code = rt_wait_stream(stream);
    }
    return cudart_leave(code);
}

int rt_cudaStreamQuery(void *handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(stream);
    }
    if (code == RT_SUCCESS) {
        code = rt_poll_stream(stream);
    }
    return cudart_leave(code);
}

int rt_cudaStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(event_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event == NULL ? RT_INVALID_HANDLE
               : flags > 1   ? RT_INVALID_VALUE
                             : rt_event_wait(stream, event);
    }
    return cudart_leave(code);
}

int rt_cudaStreamGetFlags(void *handle, unsigned *out)
{
    rt_stream *stream = NULL;
    const int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = stream->flags;
    }
    return cudart_leave(code);
}

int rt_cudaStreamGetPriority(void *handle, int *out)
{
    rt_stream *stream = NULL;
    const int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = stream->priority;
    }
    return cudart_leave(code);
}

int rt_cudaStreamGetDevice(void *handle, int *out)
{
    rt_stream *stream = NULL;
    const int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = stream->device->index;
    }
    return cudart_leave(code);
}

int rt_cudaLaunchHostFunc(void *handle, void (*function)(void *user), void *user)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        rt_work work = {.kind = RT_WORK_CALL, .u.call = {function, user}};
        code = function != NULL ? rt_submit(stream, &work) : RT_INVALID_VALUE;
    }
    return cudart_leave(code);
}

/* ---- events --------------------------------------------------------------------------------- */

static int create_event(const char *function, void **out, unsigned flags)
{
    rt_device *device;
    int code = cudart_enter(function, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = flags > 7 ? RT_INVALID_VALUE : rt_event_create(device, flags, out);
    }
    return cudart_leave(code);
}

int rt_cudaEventCreate(void **out)
{
    return create_event(__func__, out, 0);
}

int rt_cudaEventCreateWithFlags(void **out, unsigned flags)
{
    return create_event(__func__, out, flags);
}

int rt_cudaEventDestroy(void *handle)
{
    rt_event *event = NULL;
    const int code = enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        rt_event_destroy(event);
    }
    return cudart_leave(code);
}

int rt_cudaEventRecord(void *handle, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &stream);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event != NULL ? rt_event_record(event, stream) : RT_INVALID_HANDLE;
    }
    return cudart_leave(code);
}

int rt_cudaEventQuery(void *handle)
{
    rt_event *event = NULL;
    int code = enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        code = rt_event_query(event);
    }
    return cudart_leave(code);
}

int rt_cudaEventSynchronize(void *handle)
{
    rt_event *event = NULL;
    int code = enter_event(__func__, handle, &event);
    if (code == RT_SUCCESS) {
        code = rt_event_synchronize(event);
    }
    return cudart_leave(code);
}

int rt_cudaEventElapsedTime(float *out_ms, void *start_handle, void *end_handle)
{
    rt_event *start = NULL;
    int code = enter_event(__func__, start_handle, &start);
    rt_event *end = code == RT_SUCCESS ? cuda_find_event(end_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = end != NULL ? rt_event_elapsed(start, end, out_ms) : RT_INVALID_HANDLE;
    }
    return cudart_leave(code);
}

/* ---- capture and graphs --------------------------------------------------------------------- */

int rt_cudaStreamBeginCapture(void *handle, int mode)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_begin(stream, mode);
    }
    return cudart_leave(code);
}

int rt_cudaStreamEndCapture(void *handle, void **out_graph)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    *out_graph = NULL;
    if (code == RT_SUCCESS) {
        code = rt_capture_end(stream, out_graph);
    }
    return cudart_leave(code);
}

int rt_cudaStreamIsCapturing(void *handle, int *out)
{
    rt_stream *stream = NULL;
    const int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        *out = rt_capture_status(stream);
    }
    return cudart_leave(code);
}

int rt_cudaThreadExchangeStreamCaptureMode(int *mode)
{
    int code = cudart_enter(__func__, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS && (*mode < RT_CAPTURE_GLOBAL || *mode > RT_CAPTURE_RELAXED)) {
        code = RT_INVALID_VALUE;
    }
    if (code == RT_SUCCESS) {
        rt_thread *self = rt_thread_self();
        const int before = self->capture_mode;
        self->capture_mode = *mode;
        *mode = before;
    }
    return cudart_leave(code);
}

/* Enters, and finds a graph of a kind. */
static int enter_graph(const char *function, rt_kind kind, void *handle, rt_graph **out_graph)
{
    const int code = cudart_enter(function, CUDA_NEED_CONTEXT, NULL);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_graph = rt_handle_get(kind, RT_CUDA, handle, function);
    return *out_graph != NULL ? RT_SUCCESS : RT_INVALID_VALUE;
}

int rt_cudaGraphInstantiateWithFlags(void **out_exec, void *handle, unsigned long long flags)
{
    rt_graph *graph = NULL;
    int code = enter_graph(__func__, RT_KIND_GRAPH, handle, &graph);
    *out_exec = NULL;
    if (code == RT_SUCCESS) {
        code = flags != 0 ? RT_INVALID_VALUE : rt_graph_instantiate(graph, out_exec);
    }
    return cudart_leave(code);
}

int rt_cudaGraphLaunch(void *exec_handle, void *stream_handle)
{
    rt_graph *exec = NULL;
    int code = enter_graph(__func__, RT_KIND_EXEC, exec_handle, &exec);
    rt_stream *stream =
        code == RT_SUCCESS ? cuda_find_stream(cuda_current(), stream_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = stream != NULL ? rt_graph_launch(exec, stream) : RT_INVALID_HANDLE;
    }
    return cudart_leave(code);
}

int rt_cudaGraphExecDestroy(void *exec_handle)
{
    rt_graph *exec = NULL;
    const int code = enter_graph(__func__, RT_KIND_EXEC, exec_handle, &exec);
    if (code == RT_SUCCESS) {
        rt_graph_destroy(exec);
    }
    return cudart_leave(code);
}

int rt_cudaGraphDestroy(void *handle)
{
    rt_graph *graph = NULL;
    const int code = enter_graph(__func__, RT_KIND_GRAPH, handle, &graph);
    if (code == RT_SUCCESS) {
        rt_graph_destroy(graph);
    }
    return cudart_leave(code);
}
