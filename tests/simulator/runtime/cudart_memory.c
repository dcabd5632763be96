/* libcudart: memory, copies, fills. */
#include <string.h>

#include "codes.h"
#include "copy.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "memory.h"

/* Allocation may be refused beside a capture, as it may synchronise. */
static int enter_unsafe(const char *function, rt_device **out_device)
{
    const int code = cudart_enter(function, CUDA_NEED_CONTEXT, out_device);
    return code == RT_SUCCESS ? rt_capture_refuses(NULL) : code;
}

/* Enters, and finds a stream. */
static int enter_stream(const char *function, void *handle, rt_device **out_device,
                        rt_stream **out_stream)
{
    const int code = cudart_enter(function, CUDA_NEED_CONTEXT, out_device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_stream = cuda_find_stream(*out_device, handle, function);
    return *out_stream != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

int rt_cudaMalloc(void **out, size_t bytes)
{
    rt_device *device;
    int code = enter_unsafe(__func__, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_memory_alloc(device, bytes, out);
    }
    return cudart_leave(code);
}

int rt_cudaFree(void *address)
{
    rt_device *device;
    int code = enter_unsafe(__func__, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free(device, address);
    }
    return cudart_leave(code);
}

int rt_cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    rt_device *device;
    int code = enter_unsafe(__func__, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = flags > 7 ? RT_INVALID_VALUE : rt_memory_alloc_host(device, bytes, out);
    }
    return cudart_leave(code);
}

int rt_cudaMallocHost(void **out, size_t bytes)
{
    rt_device *device;
    int code = enter_unsafe(__func__, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_memory_alloc_host(device, bytes, out);
    }
    return cudart_leave(code);
}

int rt_cudaFreeHost(void *address)
{
    rt_device *device;
    int code = enter_unsafe(__func__, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free_host(device, address);
    }
    return cudart_leave(code);
}

int rt_cudaHostRegister(void *address, size_t bytes, unsigned flags)
{
    int code = enter_unsafe(__func__, NULL);
    if (code == RT_SUCCESS) {
        code = flags > 15 ? RT_INVALID_VALUE : rt_memory_register(RT_CUDA, address, bytes);
    }
    return cudart_leave(code);
}

int rt_cudaHostUnregister(void *address)
{
    int code = enter_unsafe(__func__, NULL);
    if (code == RT_SUCCESS) {
        code = rt_memory_unregister(RT_CUDA, address);
    }
    return cudart_leave(code);
}

int rt_cudaMallocAsync(void **out, size_t bytes, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &device, &stream);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_memory_alloc(stream->device, bytes, out);
    }
    return cudart_leave(code);
}

int rt_cudaFreeAsync(void *address, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &device, &stream);
    if (code == RT_SUCCESS) {
        code = rt_memory_free_async(stream, address);
    }
    return cudart_leave(code);
}

int rt_cudaMemGetInfo(size_t *out_free, size_t *out_total)
{
    rt_device *device;
    const int code = cudart_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        rt_memory_info(device, out_free, out_total);
    }
    return cudart_leave(code);
}

int rt_cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, NULL, &device, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = rt_copy_request(to, from, bytes);
        code = rt_copy(stream, &request, kind, true);
    }
    return cudart_leave(code);
}

int rt_cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &device, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = rt_copy_request(to, from, bytes);
        code = rt_copy(stream, &request, kind, false);
    }
    return cudart_leave(code);
}

int rt_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t bytes, size_t rows, int kind, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &device, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = {.to = to,
                                      .from = from,
                                      .bytes = bytes,
                                      .rows = rows,
                                      .to_pitch = to_pitch,
                                      .from_pitch = from_pitch};
        code = rt_copy(stream, &request, kind, false);
    }
    return cudart_leave(code);
}

static int copy_peer(rt_stream *stream, void *to, int to_ordinal, const void *from,
                     int from_ordinal, size_t bytes, bool wait)
{
    rt_device *to_device = rt_device_get(RT_CUDA, to_ordinal);
    rt_device *from_device = rt_device_get(RT_CUDA, from_ordinal);
    return to_device == NULL || from_device == NULL
               ? RT_INVALID_DEVICE
               : rt_copy_peer(stream, to_device, to, from_device, from, bytes, wait);
}

int rt_cudaMemcpyPeer(void *to, int to_ordinal, const void *from, int from_ordinal, size_t bytes)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, NULL, &device, &stream);
    if (code == RT_SUCCESS) {
        code = copy_peer(stream, to, to_ordinal, from, from_ordinal, bytes, true);
    }
    return cudart_leave(code);
}

int rt_cudaMemcpyPeerAsync(void *to, int to_ordinal, const void *from, int from_ordinal,
                           size_t bytes, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(__func__, stream_handle, &device, &stream);
    if (code == RT_SUCCESS) {
        code = copy_peer(stream, to, to_ordinal, from, from_ordinal, bytes, false);
    }
    return cudart_leave(code);
}

/* Fills of device memory do not wait, in the function without a stream either. */
static int fill_bytes(const char *function, void *to, int value, size_t bytes, void *stream_handle)
{
    rt_device *device;
    rt_stream *stream = NULL;
    int code = enter_stream(function, stream_handle, &device, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_fill request = {
            .to = to, .value = (unsigned char)value, .value_bytes = 1, .count = bytes, .rows = 1};
        code = rt_fill(stream, &request);
    }
    return cudart_leave(code);
}

int rt_cudaMemset(void *to, int value, size_t bytes)
{
    return fill_bytes(__func__, to, value, bytes, NULL);
}

int rt_cudaMemsetAsync(void *to, int value, size_t bytes, void *stream_handle)
{
    return fill_bytes(__func__, to, value, bytes, stream_handle);
}

/* cudaPointerGetAttributes writes the first four members, which all versions have. */
typedef struct pointer_attributes {
    int type; /* 0 unregistered, 1 host, 2 device */
    int device;
    void *device_pointer;
    void *host_pointer;
} pointer_attributes;

int rt_cudaPointerGetAttributes(pointer_attributes *out, const void *address)
{
    const int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        const rt_place place = rt_memory_place(address);
        const rt_device *device = rt_memory_device(RT_CUDA, address);
        void *pointer = (void *)(uintptr_t)address;
        *out = (pointer_attributes){.type = place == RT_PLACE_DEVICE   ? 2
                                            : place == RT_PLACE_PINNED ? 1
                                                                       : 0,
                                    .device = device != NULL ? device->index : -2,
                                    .device_pointer = place == RT_PLACE_PAGEABLE ? NULL : pointer,
                                    .host_pointer = place == RT_PLACE_PINNED ? pointer : NULL};
    }
    return cudart_leave(code);
}
