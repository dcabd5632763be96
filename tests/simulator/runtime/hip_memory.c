/* libamdhip64: memory, copies, fills. */
#include "codes.h"
#include "copy.h"
#include "hip_entry.h"
#include "hip_exports.h"
#include "memory.h"
#include "version.h"

int rt_hipMalloc(void **out, size_t bytes)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(NULL);
    }
    if (code == RT_SUCCESS) {
        code = rt_memory_alloc(device, bytes, out);
    }
    return hip_leave(code);
}

int rt_hipFree(void *address)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free(device, address);
    }
    return hip_leave(code);
}

/* Flags as hipHostMalloc takes them. */
#define HOST_FLAGS 0xe0000007u

static int alloc_host(const char *function, void **out, size_t bytes, unsigned flags)
{
    rt_device *device;
    int code = hip_enter(function, HIP_NEED_DEVICE, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = (flags & ~HOST_FLAGS) != 0 ? RT_INVALID_VALUE
                                          : rt_memory_alloc_host(device, bytes, out);
    }
    return hip_leave(code);
}

int rt_hipHostMalloc(void **out, size_t bytes, unsigned flags)
{
    return alloc_host(__func__, out, bytes, flags);
}

int rt_hipHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return alloc_host(__func__, out, bytes, flags);
}

int rt_hipHostFree(void *address)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        code = rt_memory_free_host(device, address);
    }
    return hip_leave(code);
}

int rt_hipHostRegister(void *address, size_t bytes, unsigned flags)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICE, NULL);
    (void)flags;
    if (code == RT_SUCCESS) {
        code = rt_memory_register(RT_HIP, address, bytes);
    }
    return hip_leave(code);
}

int rt_hipHostUnregister(void *address)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICE, NULL);
    if (code == RT_SUCCESS) {
        code = rt_memory_unregister(RT_HIP, address);
    }
    return hip_leave(code);
}

int rt_hipMallocAsync(void **out, size_t bytes, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, stream_handle, &stream);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_memory_alloc(stream->device, bytes, out);
    }
    return hip_leave(code);
}

int rt_hipFreeAsync(void *address, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        code = rt_memory_free_async(stream, address);
    }
    return hip_leave(code);
}

int rt_hipMemGetInfo(size_t *out_free, size_t *out_total)
{
    rt_device *device;
    const int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        rt_memory_info(device, out_free, out_total);
    }
    return hip_leave(code);
}

int rt_hipMemGetAddressRange(void **out_base, size_t *out_bytes, void *address)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICE, NULL);
    void *base = NULL;
    size_t bytes = 0;
    if (code == RT_SUCCESS && !rt_memory_block(address, &base, &bytes)) {
        code = RT_NOT_FOUND;
    }
    *out_base = base;
    *out_bytes = bytes;
    return hip_leave(code);
}

/* hipMemoryTypeHost and -Device: 0 and 1 until ROCm 5, then as CUDA has them. */
static int memory_type(rt_place place)
{
    const bool old = rt_version(RT_LIBRARY_HIP) < 60000000;
    return (old ? 0 : 1) + (place == RT_PLACE_DEVICE ? 1 : 0);
}

/* HIP_POINTER_ATTRIBUTE_MEMORY_TYPE 2, _DEVICE_ORDINAL 9. */
int rt_hipPointerGetAttribute(void *out, int attribute, void *address)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICES, NULL);
    const rt_device *device = code == RT_SUCCESS ? rt_memory_device(RT_HIP, address) : NULL;
    if (code == RT_SUCCESS && device == NULL) {
        code = RT_INVALID_VALUE; /* not memory of this vendor's */
    } else if (code == RT_SUCCESS) {
        switch (attribute) {
        case 2:
            *(int *)out = memory_type(rt_memory_place(address));
            break;
        case 9:
            *(int *)out = device->index;
            break;
        default:
            code = RT_INVALID_VALUE;
        }
    }
    return hip_leave(code);
}

/* ---- copies --------------------------------------------------------------------------------- */

static int copy(const char *function, void *to, const void *from, size_t bytes, int kind,
                void *stream_handle, bool wait)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(function, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = rt_copy_request(to, from, bytes);
        code = rt_copy(stream, &request, kind, wait);
    }
    return hip_leave(code);
}

int rt_hipMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    return copy(__func__, to, from, bytes, kind, NULL, true);
}

int rt_hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    return copy(__func__, to, from, bytes, kind, stream, false);
}

int rt_hipMemcpyHtoDAsync(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 1, stream, false);
}

int rt_hipMemcpyDtoHAsync(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 2, stream, false);
}

int rt_hipMemcpyDtoDAsync(void *to, void *from, size_t bytes, void *stream)
{
    return copy(__func__, to, from, bytes, 3, stream, false);
}

int rt_hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t bytes, size_t rows, int kind, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_copy request = {.to = to,
                                      .from = from,
                                      .bytes = bytes,
                                      .rows = rows,
                                      .to_pitch = to_pitch,
                                      .from_pitch = from_pitch};
        code = rt_copy(stream, &request, kind, false);
    }
    return hip_leave(code);
}

int rt_hipMemcpyPeerAsync(void *to, int to_ordinal, const void *from, int from_ordinal,
                          size_t bytes, void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(__func__, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        rt_device *to_device = rt_device_get(RT_HIP, to_ordinal);
        rt_device *from_device = rt_device_get(RT_HIP, from_ordinal);
        code = to_device == NULL || from_device == NULL
                   ? RT_INVALID_DEVICE
                   : rt_copy_peer(stream, to_device, to, from_device, from, bytes, false);
    }
    return hip_leave(code);
}

/* ---- fills ---------------------------------------------------------------------------------- */

static int fill(const char *function, void *to, unsigned value, unsigned value_bytes, size_t count,
                void *stream_handle)
{
    rt_stream *stream = NULL;
    int code = hip_enter_stream(function, stream_handle, &stream);
    if (code == RT_SUCCESS) {
        const rt_work_fill request = {
            .to = to, .value = value, .value_bytes = value_bytes, .count = count, .rows = 1};
        code = rt_fill(stream, &request);
    }
    return hip_leave(code);
}

int rt_hipMemsetAsync(void *to, int value, size_t bytes, void *stream)
{
    return fill(__func__, to, (unsigned char)value, 1, bytes, stream);
}

int rt_hipMemsetD8Async(void *to, unsigned char value, size_t count, void *stream)
{
    return fill(__func__, to, value, 1, count, stream);
}

int rt_hipMemsetD16Async(void *to, unsigned short value, size_t count, void *stream)
{
    return fill(__func__, to, value, 2, count, stream);
}

int rt_hipMemsetD32Async(void *to, unsigned value, size_t count, void *stream)
{
    return fill(__func__, to, value, 4, count, stream);
}
