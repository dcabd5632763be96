/* Queues with their tickets and fences, and events. */
#include "queue.h"

#include <string.h>

#include "context.h"

/* ---- life ------------------------------------------------------------------------------------ */

/* Gives the queue a slot of the device. */
static int take_slot(keel_queue *queue)
{
    keel_device *device = queue->device;
    int found = 0;
    pthread_mutex_lock(&device->queue_lock);
    for (uint32_t slot = 0; slot < KEELI_QUEUE_LIMIT && !found; slot++) {
        if (device->queues[slot] == NULL) {
            device->queues[slot] = queue;
            queue->slot = slot;
            found = 1;
        }
    }
    pthread_mutex_unlock(&device->queue_lock);
    return found;
}

keel_status keeli_queue_create(keel_device *device, void *handle, keel_queue **out_queue,
                               keel_error *err)
{
    *out_queue = NULL;
    keel_queue *queue = keeli_alloc(device->context, sizeof *queue);
    if (queue == NULL) {
        device->api->queue_destroy(handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a queue");
    }
    queue->device = device;
    queue->handle = handle;
    queue->number = atomic_fetch_add(&device->queues_made, 1);
    if (!take_slot(queue)) {
        device->api->queue_destroy(handle);
        keeli_free(device->context, queue);
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "%s: %d queues are alive, the most it can",
                         device->id, KEELI_QUEUE_LIMIT);
    }
    keel_device_retain(device);
    *out_queue = queue;
    return KEEL_OK;
}

keel_status keel_queue_create(keel_device *device, const keel_queue_options *options,
                              keel_queue **out_queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_queue != NULL) {
        *out_queue = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_queue == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_queue is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    if (options != NULL && !KEEL_HAS(keel_queue_options, options, flags)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "options.struct_size is %u, must be sizeof(keel_queue_options)",
                         options->struct_size);
    }
    const uint32_t flags = options != NULL ? options->flags : 0;
    if (flags != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "queue flags are %#x, must be 0", flags);
    }
    void *handle = NULL;
    const keel_status status = device->api->queue_create(device->handle, 0, &handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    return keeli_queue_create(device, handle, out_queue, err);
}

void keel_queue_destroy(keel_queue *queue)
{
    if (queue == NULL || keeli_context_forked(queue->device->context)) {
        return;
    }
    keel_device *device = queue->device;
    keel_error ignored = KEEL_ERROR_INIT;
    keeli_graph_abandon(queue);
    (void)device->api->queue_synchronize(queue->handle, &ignored);
    pthread_mutex_lock(&device->queue_lock);
    device->queues[queue->slot] = NULL;
    keeli_pool_forget_queue(device, queue->slot);
    pthread_mutex_unlock(&device->queue_lock);
    keeli_pool_collect(device);
    for (uint32_t i = 0; i < KEELI_FRONT; i++) {
        keel_plan_release(queue->front[i]);
    }
    keel_buffer_release(queue->arena);
    if (queue->fence.event != NULL) {
        device->api->event_destroy(queue->fence.event);
    }
    device->api->queue_destroy(queue->handle);
    keeli_free(device->context, queue);
    keel_device_close(device);
}

keel_device *keel_queue_device(const keel_queue *queue)
{
    return queue != NULL ? queue->device : NULL;
}

keel_status keeli_queue_check_enqueue(keel_queue *queue, keel_error *err)
{
    if (queue == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "queue is NULL");
    }
    return keeli_device_check(queue->device, err);
}

keel_status keeli_queue_check(keel_queue *queue, keel_error *err)
{
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    return queue->capture == NULL
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                           "the queue is capturing a graph: until that ends it takes ops, plans, "
                           "kernels, copies and fills only");
}

/* ---- tickets --------------------------------------------------------------------------------- */

/* Looks whether the fence has passed. */
static void poll_fence(keel_queue *queue)
{
    keel_error ignored = KEEL_ERROR_INIT;
    int32_t done = 0;
    if (queue->device->api->event_query(queue->fence.event, &done, &ignored) == KEEL_OK && done) {
        atomic_store(&queue->completed, queue->fence.ticket);
        queue->fence.recorded = 0;
    }
}

/* Marks the point reached so far; released memory may then be reused when it has passed. */
static void record_fence(keel_queue *queue, uint64_t ticket)
{
    const keel_device_api *api = queue->device->api;
    keel_error ignored = KEEL_ERROR_INIT;
    if (queue->fence.event == NULL &&
        api->event_create(queue->device->handle, &queue->fence.event, &ignored) != KEEL_OK) {
        queue->fence.event = NULL;
        return;
    }
    if (api->event_record(queue->handle, queue->fence.event, &ignored) == KEEL_OK) {
        queue->fence.ticket = ticket;
        queue->fence.recorded = 1;
        atomic_store(&queue->fence_wanted, 0);
    }
}

void keeli_queue_submitted(keel_queue *queue)
{
    if (queue->capture != NULL) {
        return;
    }
    const uint64_t ticket = atomic_fetch_add(&queue->submitted, 1) + 1;
    if (queue->fence.recorded) {
        poll_fence(queue);
    }
    if (!queue->fence.recorded &&
        atomic_load_explicit(&queue->fence_wanted, memory_order_relaxed)) {
        record_fence(queue, ticket);
    }
}

keel_status keel_queue_synchronize(keel_queue *queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(keeli_queue_check(queue, err));
    const uint64_t ticket = atomic_load(&queue->submitted);
    const keel_status status = queue->device->api->queue_synchronize(queue->handle, err);
    if (status == KEEL_OK) {
        atomic_store(&queue->completed, ticket);
        queue->fence.recorded = 0;
        keeli_pool_collect(queue->device);
    } else if (err->op[0] == '\0') {
        memcpy(err->op, queue->last_op, sizeof err->op);
    }
    return keeli_device_result(queue->device, status, err);
}

/* ---- events ---------------------------------------------------------------------------------- */

keel_status keeli_event_create(keel_device *device, void *handle, int recorded,
                               keel_event **out_event, keel_error *err)
{
    keel_event *event = keeli_alloc(device->context, sizeof *event);
    *out_event = event;
    if (event == NULL) {
        device->api->event_destroy(handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for an event");
    }
    event->device = device;
    event->handle = handle;
    atomic_init(&event->recorded, recorded);
    keel_device_retain(device);
    return KEEL_OK;
}

keel_status keel_event_create(keel_device *device, keel_event **out_event, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_event != NULL) {
        *out_event = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_event == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_event is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    void *handle = NULL;
    const keel_status status = device->api->event_create(device->handle, &handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    return keeli_event_create(device, handle, 0, out_event, err);
}

void keel_event_release(keel_event *event)
{
    if (event == NULL || keeli_context_forked(event->device->context)) {
        return;
    }
    keel_device *device = event->device;
    device->api->event_destroy(event->handle);
    keeli_free(device->context, event);
    keel_device_close(device);
}

static keel_status check_event(const keel_event *event, int must_be_recorded, keel_error *err)
{
    if (event == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "event is NULL");
    }
    if (must_be_recorded && !atomic_load(&event->recorded)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the event was never recorded");
    }
    return keeli_device_check(event->device, err);
}

static keel_status check_pair(const keel_event *event, keel_queue *queue, int must_be_recorded,
                              keel_error *err)
{
    KEEL_TRY(check_event(event, must_be_recorded, err));
    KEEL_TRY(keeli_queue_check(queue, err));
    if (event->device != queue->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the event belongs to device %s, the queue to %s", event->device->id,
                         queue->device->id);
    }
    return KEEL_OK;
}

keel_status keel_event_record(keel_event *event, keel_queue *queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(check_pair(event, queue, 0, err));
    const keel_status status = event->device->api->event_record(queue->handle, event->handle, err);
    if (status == KEEL_OK) {
        atomic_store(&event->recorded, 1);
    }
    return keeli_device_result(event->device, status, err);
}

keel_status keel_queue_wait(keel_queue *queue, keel_event *event, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(check_pair(event, queue, 1, err));
    const keel_status status = event->device->api->event_wait(queue->handle, event->handle, err);
    return keeli_device_result(event->device, status, err);
}

keel_status keel_event_synchronize(keel_event *event, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(check_event(event, 1, err));
    const keel_status status = event->device->api->event_synchronize(event->handle, err);
    return keeli_device_result(event->device, status, err);
}

keel_status keel_event_query(keel_event *event, int32_t *out_done, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_done != NULL) {
        *out_done = 0;
    }
    KEEL_LATCHED(err);
    if (out_done == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out_done is NULL");
    }
    KEEL_TRY(check_event(event, 1, err));
    const keel_status status = event->device->api->event_query(event->handle, out_done, err);
    return keeli_device_result(event->device, status, err);
}

keel_status keel_event_elapsed(keel_event *start, keel_event *end, int64_t *out_ns, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_ns != NULL) {
        *out_ns = 0;
    }
    KEEL_LATCHED(err);
    if (out_ns == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out_ns is NULL");
    }
    KEEL_TRY(check_event(start, 1, err));
    KEEL_TRY(check_event(end, 1, err));
    if (start->device != end->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the events belong to devices %s and %s",
                         start->device->id, end->device->id);
    }
    const keel_status status =
        start->device->api->event_elapsed(start->handle, end->handle, out_ns, err);
    return keeli_device_result(start->device, status, err);
}
