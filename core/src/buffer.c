/* Device memory and the transfers of bytes to, from and within it. */
#include "buffer.h"

#include "checked.h"
#include "context.h"
#include "ledger.h"

/* ---- life ------------------------------------------------------------------------------------ */

static keel_buffer *new_buffer(keel_device *device, uint64_t size_bytes)
{
    keel_buffer *buffer = keeli_alloc(device->context, sizeof *buffer);
    if (buffer != NULL) {
        atomic_init(&buffer->references, 1);
        buffer->device = device;
        buffer->size_bytes = size_bytes;
        keel_device_retain(device);
    }
    return buffer;
}

static void drop_buffer(keel_buffer *buffer)
{
    keel_device *device = buffer->device;
    if (keeli_context_forked(device->context)) {
        return;
    }
    if (buffer->block != NULL) {
        keeli_pool_give(device, buffer->block, atomic_load(&buffer->queues));
    }
    keeli_free(device->context, buffer);
    keel_device_close(device);
}

keel_status keel_buffer_create(keel_device *device, uint64_t size_bytes, keel_buffer **out_buffer,
                               keel_error *err)
{
    return keeli_buffer_create(device, size_bytes, KEELI_TAG_BUFFER, out_buffer, err);
}

keel_status keeli_buffer_create(keel_device *device, uint64_t size_bytes, const char *tag,
                                keel_buffer **out_buffer, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_buffer != NULL) {
        *out_buffer = NULL;
    }
    KEEL_LATCHED(err);
    if (out_buffer == NULL || device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_buffer is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    keel_buffer *buffer = new_buffer(device, size_bytes);
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    if (size_bytes > 0) {
        const keel_status status = keeli_pool_take(device, size_bytes, tag, &buffer->block, err);
        if (status != KEEL_OK) {
            drop_buffer(buffer);
            return status;
        }
        buffer->handle = buffer->block->handle;
    }
    *out_buffer = buffer;
    return KEEL_OK;
}

keel_status keeli_buffer_wrap(keel_device *device, void *handle, uint64_t size_bytes,
                              keel_buffer **out_buffer, keel_error *err)
{
    keeli_block *block = keeli_alloc(device->context, sizeof *block);
    keel_buffer *buffer = block != NULL ? new_buffer(device, size_bytes) : NULL;
    *out_buffer = buffer;
    if (buffer == NULL) {
        keeli_free(device->context, block);
        device->api->buffer_free(device->handle, handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    block->handle = handle;
    buffer->block = block;
    buffer->handle = handle;
    return KEEL_OK;
}

keel_status keeli_buffer_check_writable(const keel_buffer *buffer, const char *what,
                                        keel_error *err)
{
    return !buffer->read_only ? KEEL_OK
                              : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                                          "%s: the memory is read-only: its owner said so", what);
}

void keel_buffer_retain(keel_buffer *buffer)
{
    if (buffer != NULL) {
        atomic_fetch_add(&buffer->references, 1);
    }
}

void keel_buffer_release(keel_buffer *buffer)
{
    if (buffer != NULL && atomic_fetch_sub(&buffer->references, 1) == 1) {
        drop_buffer(buffer);
    }
}

uint64_t keel_buffer_size(const keel_buffer *buffer)
{
    return buffer != NULL ? buffer->size_bytes : 0;
}

keel_device *keel_buffer_device(const keel_buffer *buffer)
{
    return buffer != NULL ? buffer->device : NULL;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

keel_status keeli_buffer_check_range(const keel_buffer *buffer, uint64_t offset, uint64_t bytes,
                                     const char *what, keel_error *err)
{
    uint64_t end;
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: the buffer is NULL", what);
    }
    if (!keeli_add_u64(offset, bytes, &end) || end > buffer->size_bytes) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %llu bytes from offset %llu reach past the buffer's %llu bytes", what,
                         (unsigned long long)bytes, (unsigned long long)offset,
                         (unsigned long long)buffer->size_bytes);
    }
    return KEEL_OK;
}

/* Checks what every transfer has in common. */
static keel_status check_transfer(keel_queue *queue, const keel_buffer *buffer, uint64_t offset,
                                  uint64_t bytes, const char *what, keel_error *err)
{
    KEEL_LATCHED(err);
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    KEEL_TRY(keeli_buffer_check_range(buffer, offset, bytes, what, err));
    if (buffer->device != queue->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the buffer belongs to device %s, the queue to %s", what,
                         buffer->device->id, queue->device->id);
    }
    return KEEL_OK;
}

/* Passes on what a transfer slot answered and gives out the ticket. */
static keel_status finish_transfer(keel_queue *queue, keel_buffer *buffer, keel_status status,
                                   keel_error *err)
{
    keeli_buffer_use(buffer, queue);
    keeli_queue_submitted(queue);
    if (queue->capture != NULL) {
        keeli_graph_note(queue->capture, status, "a copy or fill");
    }
    return keeli_device_result(queue->device, status, err);
}

static keel_status write_bytes(keel_queue *queue, keel_buffer *buffer, uint64_t offset,
                               const void *host, uint64_t bytes, uint32_t flags, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_TRY(check_transfer(queue, buffer, offset, bytes, "write", err));
    KEEL_TRY(keeli_queue_check(queue, err));
    KEEL_TRY(keeli_buffer_check_writable(buffer, "write", err));
    if (bytes == 0) {
        return KEEL_OK;
    }
    if (host == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "write: the host memory is NULL");
    }
    const keel_status status =
        queue->device->api->write(queue->handle, buffer->handle, offset, host, bytes, flags, err);
    return finish_transfer(queue, buffer, status, err);
}

static keel_status read_bytes(keel_queue *queue, keel_buffer *buffer, uint64_t offset, void *host,
                              uint64_t bytes, uint32_t flags, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_TRY(check_transfer(queue, buffer, offset, bytes, "read", err));
    KEEL_TRY(keeli_queue_check(queue, err));
    if (bytes == 0) {
        return KEEL_OK;
    }
    if (host == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "read: the host memory is NULL");
    }
    const keel_status status =
        queue->device->api->read(queue->handle, buffer->handle, offset, host, bytes, flags, err);
    return finish_transfer(queue, buffer, status, err);
}

keel_status keel_buffer_write(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                              const void *host, uint64_t size_bytes, keel_error *err)
{
    return write_bytes(queue, buffer, byte_offset, host, size_bytes, 0, err);
}

keel_status keel_buffer_write_async(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                                    const void *host, uint64_t size_bytes, keel_error *err)
{
    return write_bytes(queue, buffer, byte_offset, host, size_bytes, KEEL_COPY_ASYNC, err);
}

keel_status keel_buffer_read(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                             void *host, uint64_t size_bytes, keel_error *err)
{
    return read_bytes(queue, buffer, byte_offset, host, size_bytes, 0, err);
}

keel_status keel_buffer_read_async(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                                   void *host, uint64_t size_bytes, keel_error *err)
{
    return read_bytes(queue, buffer, byte_offset, host, size_bytes, KEEL_COPY_ASYNC, err);
}

keel_status keel_buffer_copy(keel_queue *queue, keel_buffer *source, uint64_t source_offset,
                             keel_buffer *target, uint64_t target_offset, uint64_t size_bytes,
                             keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_TRY(check_transfer(queue, source, source_offset, size_bytes, "copy source", err));
    KEEL_TRY(check_transfer(queue, target, target_offset, size_bytes, "copy target", err));
    KEEL_TRY(keeli_buffer_check_writable(target, "copy target", err));
    if (source == target && source_offset < target_offset + size_bytes &&
        target_offset < source_offset + size_bytes) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "copy: %llu bytes at offsets %llu and %llu of one buffer overlap",
                         (unsigned long long)size_bytes, (unsigned long long)source_offset,
                         (unsigned long long)target_offset);
    }
    if (size_bytes == 0) {
        return KEEL_OK;
    }
    const keel_status status =
        queue->device->api->copy(queue->handle, source->handle, source_offset, target->handle,
                                 target_offset, size_bytes, err);
    keeli_buffer_use(source, queue);
    return finish_transfer(queue, target, status, err);
}

keel_status keel_buffer_fill(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                             uint64_t size_bytes, uint8_t value, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_TRY(check_transfer(queue, buffer, byte_offset, size_bytes, "fill", err));
    KEEL_TRY(keeli_buffer_check_writable(buffer, "fill", err));
    if (size_bytes == 0) {
        return KEEL_OK;
    }
    const keel_status status = queue->device->api->fill(queue->handle, buffer->handle, byte_offset,
                                                        size_bytes, value, 1, err);
    return finish_transfer(queue, buffer, status, err);
}
