/* Events: points that a queue has reached, with the device's timestamps. */
#include "gpu_objects.h"

keel_status gpu_event_create(void *device_object, void **out_event, keel_error *err)
{
    gpu_device *device = device_object;
    gpu_scope scope;
    *out_event = NULL;
    gpu_marker *marker = gpu_alloc(device->runtime, sizeof *marker);
    if (marker == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for an event");
    }
    marker->device = device;
    keel_status status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        const int code = device->api->event_create(&marker->event, 0);
        gpu_leave(&scope);
        status = gpu_check(device, err, code, GPU_CALL(event_create), "event");
    }
    if (status != KEEL_OK) {
        gpu_free(device->runtime, marker);
        return status;
    }
    *out_event = marker;
    return KEEL_OK;
}

void gpu_event_destroy(void *event_object)
{
    gpu_marker *marker = event_object;
    gpu_device *device = marker->device;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (!marker->foreign && gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        const int code = device->api->event_destroy(marker->event);
        gpu_leave(&scope);
        (void)gpu_check(device, &ignored, code, GPU_CALL(event_destroy), "event");
    }
    gpu_free(device->runtime, marker);
}

keel_status gpu_event_record(void *queue_object, void *event_object, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_marker *marker = event_object;
    gpu_device *device = queue->device;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->event_record(marker->event, queue->stream);
    gpu_leave(&scope);
    KEEL_TRY(gpu_check(device, err, code, GPU_CALL(event_record), "event"));
    atomic_store_explicit(&marker->recorded, 1, memory_order_release);
    return KEEL_OK;
}

/* To the vendors an event that was never recorded has passed. */
static keel_status check_recorded(const gpu_marker *marker, keel_error *err)
{
    if (!atomic_load_explicit(&marker->recorded, memory_order_acquire)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the event was never recorded");
    }
    return KEEL_OK;
}

keel_status gpu_event_wait(void *queue_object, void *event_object, keel_error *err)
{
    gpu_queue *queue = queue_object;
    const gpu_marker *marker = event_object;
    gpu_device *device = queue->device;
    gpu_scope scope;
    KEEL_TRY(check_recorded(marker, err));
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->stream_wait(queue->stream, marker->event, 0);
    gpu_leave(&scope);
    return gpu_check(device, err, code, GPU_CALL(stream_wait), "event");
}

keel_status gpu_event_synchronize(void *event_object, keel_error *err)
{
    const gpu_marker *marker = event_object;
    gpu_device *device = marker->device;
    gpu_scope scope;
    KEEL_TRY(check_recorded(marker, err));
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->event_synchronize(marker->event);
    gpu_leave(&scope);
    return gpu_check(device, err, code, GPU_CALL(event_synchronize),
                     "work before the event failed");
}

keel_status gpu_event_query(void *event_object, int32_t *out_done, keel_error *err)
{
    const gpu_marker *marker = event_object;
    gpu_device *device = marker->device;
    gpu_scope scope;
    *out_done = 0;
    KEEL_TRY(check_recorded(marker, err));
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->event_query(marker->event);
    gpu_leave(&scope);
    if (code == GPU_NOT_READY) {
        (void)device->api->last_error(); /* some runtimes keep it as if it were a failure */
        return KEEL_OK;
    }
    KEEL_TRY(gpu_check(device, err, code, GPU_CALL(event_query), "work before the event failed"));
    *out_done = 1;
    return KEEL_OK;
}

keel_status gpu_event_elapsed(void *start_object, void *end_object, int64_t *out_ns,
                              keel_error *err)
{
    const gpu_marker *start = start_object;
    const gpu_marker *end = end_object;
    gpu_device *device = end->device;
    gpu_scope scope;
    float ms = 0.0f;
    *out_ns = 0;
    KEEL_TRY(check_recorded(start, err));
    KEEL_TRY(check_recorded(end, err));
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->event_elapsed(&ms, start->event, end->event);
    gpu_leave(&scope);
    if (code == GPU_NOT_READY) {
        (void)device->api->last_error();
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the events have not passed yet");
    }
    KEEL_TRY(gpu_check(device, err, code, GPU_CALL(event_elapsed), "time between two events"));
    *out_ns = (int64_t)((double)ms * 1e6);
    return KEEL_OK;
}
