/* Objects, among them queues and events: all work is done when it is given. */
#include "hostmem.h"

keel_status hostmem_new(const keel_host *host, uint64_t bytes, void **out_object, keel_error *err)
{
    hostmem_object *object = host->alloc(host->context, sizeof *object + bytes);
    *out_object = object;
    if (object == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %llu bytes", (unsigned long long)bytes);
    }
    object->host = host;
    return KEEL_OK;
}

void hostmem_delete(void *object)
{
    const keel_host *host = ((hostmem_object *)object)->host;
    host->free(host->context, object);
}

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

/* Recording an event, or making a queue wait for one. */
keel_status hostmem_done_on(void *queue, void *event, keel_error *err)
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
    (void)start, (void)end;
    *out_ns = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "host memory has no clock of its own");
}
