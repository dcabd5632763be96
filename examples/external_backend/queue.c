/* Queues and events: all work is done when it is given. */
#include "hostmem.h"

keel_status hostmem_queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err)
{
    (void)flags;
    return hostmem_new(((hostmem_object *)device)->host, 0, out_queue, err);
}

keel_status hostmem_event_create(void *device, void **out_event, keel_error *err)
{
    return hostmem_new(((hostmem_object *)device)->host, 0, out_event, err);
}

/* Waiting for a queue or an event. */
keel_status hostmem_done(void *object, keel_error *err)
{
    (void)object, (void)err;
    return KEEL_OK;
}

keel_status hostmem_event_record(void *queue, void *event, keel_error *err)
{
    const keel_host *host = ((hostmem_object *)queue)->host;
    (void)err;
    ((hostmem_object *)event)->time_ns = host->clock_ns(host->context);
    return KEEL_OK;
}

keel_status hostmem_event_wait(void *queue, void *event, keel_error *err)
{
    (void)queue, (void)event, (void)err;
    return KEEL_OK;
}

keel_status hostmem_event_query(void *event, int32_t *out_done, keel_error *err)
{
    (void)event, (void)err;
    *out_done = 1;
    return KEEL_OK;
}

keel_status hostmem_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err)
{
    (void)err;
    *out_ns = ((hostmem_object *)end)->time_ns - ((hostmem_object *)start)->time_ns;
    return KEEL_OK;
}
