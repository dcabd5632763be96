/* libcuda: memory, copies, fills. Device addresses are passed as pointers: the same to a caller. */
#include "codes.h"
#include "copy.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "memory.h"
#include "schedule.h"

/* Enters, and finds a stream. */
static int enter_stream(const char *function, void *handle, rt_stream **out_stream)
{
    rt_device *device;
    const int code = cu_enter(function, CUDA_NEED_CONTEXT, &device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_stream = cuda_find_stream(device, handle, function);
    return *out_stream != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

int rt_cuMemAlloc_v2(void **out, size_t bytes)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = bytes == 0 ? RT_INVALID_VALUE : rt_memory_alloc(device, bytes, out);
    }
    return cu_leave(code);
}

int rt_cuMemFree_v2(void *address)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free(device, address);
    }
    return cu_leave(code);
}

int rt_cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = flags > 7 ? RT_INVALID_VALUE : rt_memory_alloc_host(device, bytes, out);
    }
    return cu_leave(code);
}

int rt_cuMemFreeHost(void *address)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free_host(device, address);
    }
    return cu_leave(code);
}

int rt_cuMemGetInfo_v2(size_t *out_free, size_t *out_total)
{
    rt_device *device;
    const int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        rt_memory_info(device, out_free, out_total);
    }
    return cu_leave(code);
}

int rt_cuMemGetAddressRange_v2(void **out_base, size_t *out_bytes, void *address)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    void *base = NULL;
    size_t bytes = 0;
    if (code == RT_SUCCESS && !rt_memory_block(address, &base, &bytes)) {
        code = RT_NOT_FOUND;
    }
    if (out_base != NULL) {
        *out_base = base;
    }
    if (out_bytes != NULL) {
        *out_bytes = bytes;
    }
    return cu_leave(code);
}

/* CU_POINTER_ATTRIBUTE_CONTEXT 1, _MEMORY_TYPE 2, _DEVICE_ORDINAL 9. */
int rt_cuPointerGetAttribute(void *out, int attribute, void *address)
{
    int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    const rt_device *device = code == RT_SUCCESS ? rt_memory_device(RT_CUDA, address) : NULL;
    if (code == RT_SUCCESS && device == NULL) {
        code = RT_INVALID_VALUE; /* not memory of this vendor's */
    } else if (code == RT_SUCCESS) {
        switch (attribute) {
        case 1:
            *(void **)out = cuda_context_handle(device);
            break;
        case 2:
            *(unsigned *)out = rt_memory_place(address) == RT_PLACE_DEVICE ? 2 : 1;
            break;
        case 9:
            *(int *)out = device->index;
            break;
        default:
            code = RT_INVALID_VALUE;
        }
    }
    return cu_leave(code);
}

/* ---- copies and fills ----------------------------------------------------------------------- */

static int copy(const char *function, void *to, const void *from, size_t bytes, int kind,
                void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(function, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = rt_copy_request(to, from, bytes);
        code = rt_copy(stream, &request, kind, false);
    }
    return cu_leave(code == RT_INVALID_COPY_DIRECTION ? RT_INVALID_VALUE : code);
}

int rt_cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 1, stream);
}

int rt_cuMemcpyDtoHAsync_v2(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 2, stream);
}

int rt_cuMemcpyDtoDAsync_v2(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 3, stream);
}

int rt_cuMemcpyAsync(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, RT_COPY_DEFAULT, stream);
}

int rt_cuMemcpyPeerAsync(void *to, void *to_context, void *from, void *from_context, size_t bytes,
                         void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        rt_device *to_device = cuda_context_device(to_context);
        rt_device *from_device = cuda_context_device(from_context);
        code = to_device == NULL || from_device == NULL
                   ? RT_INVALID_CONTEXT
                   : rt_copy_peer(stream, to_device, to, from_device, from, bytes, false);
    }
    return cu_leave(code);
}

static int fill(const char *function, void *to, unsigned value, unsigned value_bytes, size_t count,
                void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(function, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_fill request = {
            .to = to, .value = value, .value_bytes = value_bytes, .count = count, .rows = 1};
        code = rt_fill(stream, &request);
    }
    return cu_leave(code);
}

int rt_cuMemsetD8Async(void *to, unsigned char value, size_t count, void *stream)
{
    return fill(__func__, to, value, 1, count, stream);
}

int rt_cuMemsetD16Async(void *to, unsigned short value, size_t count, void *stream)
{
    return fill(__func__, to, value, 2, count, stream);
}

int rt_cuMemsetD32Async(void *to, unsigned value, size_t count, void *stream)
{
    return fill(__func__, to, value, 4, count, stream);
}

/* ---- streams and events: as the runtime's --------------------------------------------------- */

int rt_cuStreamGetCtx(void *handle, void **out)
{
    rt_stream *stream = NULL;
    const int code = enter_stream(__func__, handle, &stream);
    *out = code == RT_SUCCESS ? cuda_context_handle(stream->device) : NULL;
    return cu_leave(code);
}

int rt_cuStreamCreate(void **out, unsigned flags)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_stream_create(device, flags, 0, out);
    }
    return cu_leave(code);
}

int rt_cuStreamDestroy_v2(void *handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS && stream->handle == NULL) {
        code = RT_INVALID_HANDLE;
    } else if (code == RT_SUCCESS) {
        rt_stream_destroy(stream);
    }
    return cu_leave(code);
}

int rt_cuStreamSynchronize(void *handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(stream);
    }
    if (code == RT_SUCCESS) {
        code = rt_wait_stream(stream);
    }
    return cu_leave(code);
}

int rt_cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, handle, &stream);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(event_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event == NULL ? RT_INVALID_HANDLE
               : flags > 1   ? RT_INVALID_VALUE
                             : rt_event_wait(stream, event);
    }
    return cu_leave(code);
}

int rt_cuEventCreate(void **out, unsigned flags)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = flags > 7 ? RT_INVALID_VALUE : rt_event_create(device, flags, out);
    }
    return cu_leave(code);
}

int rt_cuEventDestroy_v2(void *handle)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(handle, __func__) : NULL;
    if (event != NULL) {
        rt_event_destroy(event);
    } else if (code == RT_SUCCESS) {
        code = RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}

int rt_cuEventRecord(void *handle, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &stream);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event != NULL ? rt_event_record(event, stream) : RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}

int rt_cuEventSynchronize(void *handle)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    rt_event *event = code == RT_SUCCESS ? cuda_find_event(handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        code = event != NULL ? rt_event_synchronize(event) : RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}
