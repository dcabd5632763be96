/* Bytes that move in queue order. */
#include "gpu_objects.h"

/* A pinned buffer is host memory: the vendor finds out which way the bytes go. */
static int kind_of(const gpu_buffer *buffer, int kind)
{
    return buffer->host != NULL ? GPU_COPY_ANY : kind;
}

/*
 * Copies, and waits unless the caller promised to leave the host memory alone: the vendors stage
 * pageable memory before they return, but take pinned memory when the queue comes to it.
 */
static keel_status move(gpu_queue *queue, void *to, const void *from, uint64_t bytes, int kind,
                        int wait, keel_error *err)
{
    gpu_device *device = queue->device;
    gpu_scope scope;
    if (bytes == 0) {
        return KEEL_OK;
    }
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->copy(to, from, bytes, kind, queue->stream);
    keel_status status = KEEL_OK;
    if (code != 0) {
        status = gpu_fail(device, err, code, GPU_CALL(copy), "copy of %llu bytes",
                          (unsigned long long)bytes);
    } else if (wait) {
        status = gpu_queue_drain(queue, err);
    }
    gpu_leave(&scope);
    return status;
}

keel_status gpu_write(void *queue_object, void *buffer_object, uint64_t byte_offset,
                      const void *host, uint64_t bytes, uint32_t flags, keel_error *err)
{
    const gpu_buffer *buffer = buffer_object;
    return move(queue_object, (char *)buffer->address + byte_offset, host, bytes,
                kind_of(buffer, GPU_COPY_TO_DEVICE), (flags & KEEL_COPY_ASYNC) == 0, err);
}

keel_status gpu_read(void *queue_object, void *buffer_object, uint64_t byte_offset, void *host,
                     uint64_t bytes, uint32_t flags, keel_error *err)
{
    const gpu_buffer *buffer = buffer_object;
    return move(queue_object, host, (const char *)buffer->address + byte_offset, bytes,
                kind_of(buffer, GPU_COPY_TO_HOST), (flags & KEEL_COPY_ASYNC) == 0, err);
}

keel_status gpu_copy(void *queue_object, void *source_object, uint64_t source_offset,
                     void *target_object, uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    const gpu_buffer *source = source_object;
    const gpu_buffer *target = target_object;
    const int kind = kind_of(source, kind_of(target, GPU_COPY_ON_DEVICE));
    return move(queue_object, (char *)target->address + target_offset,
                (const char *)source->address + source_offset, bytes, kind, 0, err);
}
