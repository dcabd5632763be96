/* Queues and the bytes that move in their order. One thread at a time per queue (duty 24). */
#include "template.h"

/* In-order; nothing is ordered between queues but by events (duty 31). flags is 0. */
keel_status template_queue_create(void *device_object, uint32_t flags, void **out_queue,
                                  keel_error *err)
{
    (void)device_object;
    (void)flags;
    *out_queue = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer queue_create");
}

/* Waits for the queue's work first. Must work on a lost device. */
void template_queue_destroy(void *queue_object)
{
    (void)queue_object;
}

/* Waits for all work given so far and reports the first failure among it, once (duty 23). */
keel_status template_queue_synchronize(void *queue_object, keel_error *err)
{
    (void)queue_object;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer queue_synchronize");
}

/* Without KEEL_COPY_ASYNC, host may be reused when this returns (duty 34). */
keel_status template_write(void *queue_object, void *buffer_object, uint64_t byte_offset,
                           const void *host, uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue_object;
    (void)buffer_object;
    (void)byte_offset;
    (void)host;
    (void)bytes;
    (void)flags;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer write");
}

/* Without KEEL_COPY_ASYNC, host is filled when this returns (duty 34). */
keel_status template_read(void *queue_object, void *buffer_object, uint64_t byte_offset, void *host,
                          uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue_object;
    (void)buffer_object;
    (void)byte_offset;
    (void)host;
    (void)bytes;
    (void)flags;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer read");
}

/* Between buffers of one device; the ranges do not overlap. */
keel_status template_copy(void *queue_object, void *source_object, uint64_t source_offset,
                          void *target_object, uint64_t target_offset, uint64_t bytes,
                          keel_error *err)
{
    (void)queue_object;
    (void)source_object;
    (void)source_offset;
    (void)target_object;
    (void)target_offset;
    (void)bytes;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer copy");
}

/* Repeats the low pattern_bytes of pattern, lowest byte first (duty 35). */
keel_status template_fill(void *queue_object, void *buffer_object, uint64_t byte_offset,
                          uint64_t bytes, uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    (void)queue_object;
    (void)buffer_object;
    (void)byte_offset;
    (void)bytes;
    (void)pattern;
    (void)pattern_bytes;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer fill");
}
