/* Events: points on a queue (duties 32, 33). Any thread may query and wait while another records.
 */
#include "template.h"

keel_status template_event_create(void *device_object, void **out_event, keel_error *err)
{
    (void)device_object;
    *out_event = NULL;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_create");
}

/* Legal while the event is pending: whatever waits for it goes on waiting. */
void template_event_destroy(void *event_object)
{
    (void)event_object;
}

/* The point reached so far, with a timestamp. Starts the work before it. May be repeated. */
keel_status template_event_record(void *queue_object, void *event_object, keel_error *err)
{
    (void)queue_object;
    (void)event_object;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_record");
}

/* Later work on the queue waits for what the event stands for now; the host does not. */
keel_status template_event_wait(void *queue_object, void *event_object, keel_error *err)
{
    (void)queue_object;
    (void)event_object;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_wait");
}

/* The host waits. Reports the failure of the work that the event stands for. */
keel_status template_event_synchronize(void *event_object, keel_error *err)
{
    (void)event_object;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_synchronize");
}

/* KEEL_OK with 0 while it is pending; the core polls this on the warm path, so it is cheap. */
keel_status template_event_query(void *event_object, int32_t *out_done, keel_error *err)
{
    (void)event_object;
    *out_done = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_query");
}

/* Device time between two events that have passed. UNSUPPORTED where there is no clock. */
keel_status template_event_elapsed(void *start_object, void *end_object, int64_t *out_ns,
                                   keel_error *err)
{
    (void)start_object;
    (void)end_object;
    *out_ns = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "template does not offer event_elapsed");
}
