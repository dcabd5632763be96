/* Host memory as a device. Everything has happened when a call returns, so queues hold nothing. */
#include <stdlib.h>
#include <string.h>

#include "ref.h"

static void ref_close(void *device)
{
    (void)device;
}

static keel_status ref_limits(void *device, keel_limits *out_limits, keel_error *err)
{
    (void)device;
    (void)err;
    *out_limits = (keel_limits){.struct_size = out_limits->struct_size,
                                .kind = KEEL_KIND_CPU,
                                .flags = KEEL_LIMIT_POINTER_OFFSET | KEEL_LIMIT_FP64,
                                .compute_units = 1,
                                .max_group = 1,
                                .wave = 1,
                                .max_grid_yz = 65535,
                                .base_align = 64,
                                .max_buffer_bytes = SIZE_MAX / 2};
    return KEEL_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static keel_status ref_buffer_alloc(void *device, uint64_t bytes, int32_t memory, void **out_buffer,
                                    keel_error *err)
{
    (void)device;
    const uint64_t align = 64;
    *out_buffer = NULL;
    if (memory != KEEL_MEMORY_DEVICE && memory != KEEL_MEMORY_PINNED) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "ref: memory of kind %d", memory);
    }
    ref_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer != NULL && bytes <= SIZE_MAX - align) {
        buffer->data = aligned_alloc(align, (bytes + align - 1) / align * align);
    }
    if (buffer == NULL || buffer->data == NULL) {
        free(buffer);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no memory for %llu bytes",
                         (unsigned long long)bytes);
    }
    *out_buffer = buffer;
    return KEEL_OK;
}

static void *ref_buffer_host(void *device, void *buffer)
{
    (void)device;
    return ref_address(buffer, 0);
}

static void ref_buffer_free(void *device, void *buffer)
{
    (void)device;
    ref_buffer *freed = buffer;
    if (!freed->foreign) {
        free(freed->data);
    }
    free(freed);
}

static void *ref_buffer_data(void *buffer)
{
    return ref_address(buffer, 0);
}

static keel_status ref_buffer_import(void *device, void *data, uint64_t bytes, void **out_buffer,
                                     keel_error *err)
{
    (void)device;
    (void)bytes;
    ref_buffer *buffer = malloc(sizeof *buffer);
    *out_buffer = buffer;
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no host memory for a buffer");
    }
    *buffer = (ref_buffer){.data = data, .foreign = 1};
    return KEEL_OK;
}

const keel_dlpack_api ref_dlpack_api = {
    .struct_size = sizeof(keel_dlpack_api),
    .device_type = 1,
    .buffer_data = ref_buffer_data,
    .buffer_import = ref_buffer_import,
};

static keel_status ref_write(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                             uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy(ref_address(buffer, byte_offset), host, bytes);
    return KEEL_OK;
}

static keel_status ref_read(void *queue, void *buffer, uint64_t byte_offset, void *host,
                            uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy(host, ref_address(buffer, byte_offset), bytes);
    return KEEL_OK;
}

static keel_status ref_copy(void *queue, void *source, uint64_t source_offset, void *target,
                            uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    memmove(ref_address(target, target_offset), ref_address(source, source_offset), bytes);
    return KEEL_OK;
}

static keel_status ref_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                            uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    for (uint64_t at = 0; at + pattern_bytes <= bytes; at += pattern_bytes) {
        memcpy(ref_address(buffer, byte_offset + at), &pattern, pattern_bytes);
    }
    return KEEL_OK;
}

/* ---- queues and events ----------------------------------------------------------------------- */

static keel_status ref_queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err)
{
    (void)flags;
    (void)err;
    *out_queue = device;
    return KEEL_OK;
}

static void ref_queue_destroy(void *queue)
{
    (void)queue;
}

static keel_status ref_queue_synchronize(void *queue, keel_error *err)
{
    (void)queue;
    (void)err;
    return KEEL_OK;
}

/* An event is the host time of its recording. */
typedef struct ref_event {
    const keel_host *host;
    int64_t time_ns;
} ref_event;

static keel_status ref_event_create(void *device, void **out_event, keel_error *err)
{
    const keel_host *host = ((const ref_state *)device)->host;
    ref_event *event = host->alloc(host->context, sizeof *event);
    *out_event = event;
    if (event == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "ref: no host memory for an event");
    }
    event->host = host;
    return KEEL_OK;
}

static void ref_event_destroy(void *event)
{
    const keel_host *host = ((const ref_event *)event)->host;
    host->free(host->context, event);
}

static keel_status ref_event_record(void *queue, void *event, keel_error *err)
{
    (void)queue;
    (void)err;
    ref_event *recorded = event;
    recorded->time_ns = recorded->host->clock_ns(recorded->host->context);
    return KEEL_OK;
}

static keel_status ref_event_wait(void *queue, void *event, keel_error *err)
{
    (void)queue;
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status ref_event_synchronize(void *event, keel_error *err)
{
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status ref_event_query(void *event, int32_t *out_done, keel_error *err)
{
    (void)event;
    (void)err;
    *out_done = 1;
    return KEEL_OK;
}

static keel_status ref_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err)
{
    (void)err;
    *out_ns = ((const ref_event *)end)->time_ns - ((const ref_event *)start)->time_ns;
    return KEEL_OK;
}

const keel_device_api ref_device_api = {
    .struct_size = sizeof(keel_device_api),
    .close = ref_close,
    .limits = ref_limits,
    .buffer_alloc = ref_buffer_alloc,
    .buffer_free = ref_buffer_free,
    .buffer_host = ref_buffer_host,
    .queue_create = ref_queue_create,
    .queue_destroy = ref_queue_destroy,
    .queue_synchronize = ref_queue_synchronize,
    .event_create = ref_event_create,
    .event_destroy = ref_event_destroy,
    .event_record = ref_event_record,
    .event_wait = ref_event_wait,
    .event_synchronize = ref_event_synchronize,
    .event_query = ref_event_query,
    .event_elapsed = ref_event_elapsed,
    .write = ref_write,
    .read = ref_read,
    .copy = ref_copy,
    .fill = ref_fill,
};
