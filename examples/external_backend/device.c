/* The device: limits, buffers, table. It has no programs, so ops need native_ops to run on it. */
#include "hostmem.h"

static keel_status limits(void *device, keel_limits *out, keel_error *err)
{
    (void)device, (void)err;
    out->kind = KEEL_KIND_CPU, out->compute_units = 1, out->max_group = 1, out->wave = 1;
    out->max_grid_yz = 65535, out->base_align = 16, out->local_bytes = 32768;
    out->max_buffer_bytes = INT64_MAX;
    return KEEL_OK;
}

static keel_status buffer_alloc(void *device, uint64_t bytes, int32_t memory, void **out_buffer,
                                keel_error *err)
{
    *out_buffer = NULL;
    if (memory != KEEL_MEMORY_DEVICE) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "memory kind %d: there is only 1", memory);
    }
    return hostmem_new(((hostmem_object *)device)->host, bytes, out_buffer, err);
}

static void buffer_free(void *device, void *buffer)
{
    (void)device;
    hostmem_delete(buffer);
}

const keel_device_api hostmem_device_api = {.struct_size = sizeof hostmem_device_api,
                                            .close = hostmem_delete,
                                            .limits = limits,
                                            .buffer_alloc = buffer_alloc,
                                            .buffer_free = buffer_free,
                                            .queue_create = hostmem_queue_create,
                                            .queue_destroy = hostmem_delete,
                                            .queue_synchronize = hostmem_done,
                                            .event_create = hostmem_event_create,
                                            .event_destroy = hostmem_delete,
                                            .event_record = hostmem_event_record,
                                            .event_wait = hostmem_event_wait,
                                            .event_synchronize = hostmem_done,
                                            .event_query = hostmem_event_query,
                                            .event_elapsed = hostmem_event_elapsed,
                                            .write = hostmem_write,
                                            .read = hostmem_read,
                                            .copy = hostmem_copy,
                                            .fill = hostmem_fill};
