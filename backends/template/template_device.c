/* An open device: its end, its limits and its memory. Any thread calls these (duty 24). */
#include "template.h"

/* Everything that hung on the device is released already. Must work on a lost device (duty 22). */
void template_device_close(void *device_object)
{
    template_device *device = device_object;
    const keel_host *host = device->state->host;
    host->free(host->context, device);
}

/*
 * What planners may rely on (duty 27): fill every member that out_limits->struct_size reaches.
 * Set KEEL_LIMIT_FP64 only if f64 is computed in hardware or by a documented emulation.
 */
keel_status template_device_limits(void *device_object, keel_limits *out_limits, keel_error *err)
{
    (void)device_object;
    (void)out_limits;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer limits");
}

/* Optional: leave the slot NULL if the driver does not say (duty 30). */
keel_status template_memory_info(void *device_object, uint64_t *out_free, uint64_t *out_total,
                                 keel_error *err)
{
    (void)device_object;
    *out_free = 0;
    *out_total = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer memory_info");
}

/* Optional: DEVICE_LOST with what is known, once the vendor says that the device is gone. */
keel_status template_device_status(void *device_object, keel_error *err)
{
    (void)device_object;
    (void)err;
    return KEEL_OK;
}

/*
 * DEVICE memory, and PINNED if there is such (duty 28). OUT_OF_MEMORY names the size: the core then
 * gives its pool back and asks again (duty 21). The core keeps a pool; do not keep another.
 */
keel_status template_buffer_alloc(void *device_object, uint64_t bytes, int32_t memory,
                                  void **out_buffer, keel_error *err)
{
    (void)device_object;
    (void)bytes;
    (void)memory;
    *out_buffer = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer buffer_alloc");
}

/* No queued work uses it any more (duty 29). */
void template_buffer_free(void *device_object, void *buffer_object)
{
    (void)device_object;
    (void)buffer_object;
}

/* Optional: address of a PINNED buffer in the host's memory, NULL for others. */
void *template_buffer_host(void *device_object, void *buffer_object)
{
    (void)device_object;
    (void)buffer_object;
    return NULL;
}
