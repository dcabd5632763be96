/* Repeating a pattern in queue order. */
#include "gpu_objects.h"

/*
 * The vendors fill with at most four bytes. Eight are written once, as two halves, and then copied
 * to as many again, and again. *out_call is the call that failed.
 */
static int fill64(const gpu_queue *queue, char *to, uint64_t bytes, uint64_t pattern, int kind,
                  size_t *out_call)
{
    const gpu_api *api = queue->device->api;
    *out_call = GPU_CALL(fill32);
    int code = api->fill32(to, (unsigned)pattern, 1, queue->stream);
    if (code == 0) {
        code = api->fill32(to + 4, (unsigned)(pattern >> 32), 1, queue->stream);
    }
    for (uint64_t done = 8; done < bytes && code == 0;) {
        const uint64_t more = done < bytes - done ? done : bytes - done;
        *out_call = GPU_CALL(copy);
        code = api->copy(to + done, to, more, kind, queue->stream);
        done += more;
    }
    return code;
}

static int fill(const gpu_queue *queue, char *to, uint64_t bytes, uint64_t pattern,
                uint32_t pattern_bytes, size_t *out_call)
{
    const gpu_api *api = queue->device->api;
    switch (pattern_bytes) {
    case 1:
        *out_call = GPU_CALL(fill8);
        return api->fill8(to, (unsigned char)pattern, bytes, queue->stream);
    case 2:
        *out_call = GPU_CALL(fill16);
        return api->fill16(to, (unsigned short)pattern, bytes / 2, queue->stream);
    default:
        *out_call = GPU_CALL(fill32);
        return api->fill32(to, (unsigned)pattern, bytes / 4, queue->stream);
    }
}

keel_status gpu_fill(void *queue_object, void *buffer_object, uint64_t byte_offset, uint64_t bytes,
                     uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    gpu_queue *queue = queue_object;
    const gpu_buffer *buffer = buffer_object;
    char *to = (char *)buffer->address + byte_offset;
    gpu_scope scope;
    size_t call = 0;
    if (bytes == 0) {
        return KEEL_OK;
    }
    const int kind = buffer->host != NULL ? GPU_COPY_ANY : GPU_COPY_ON_DEVICE;
    const int halves_agree = (uint32_t)pattern == (uint32_t)(pattern >> 32);
    KEEL_TRY(gpu_enter(queue->device, &scope, err));
    const int code = pattern_bytes == 8 && !halves_agree
                         ? fill64(queue, to, bytes, pattern, kind, &call)
                         : fill(queue, to, bytes, pattern, pattern_bytes, &call);
    gpu_leave(&scope);
    return code == 0 ? KEEL_OK
                     : gpu_fail(queue->device, err, code, call, "fill of %llu bytes",
                                (unsigned long long)bytes);
}
