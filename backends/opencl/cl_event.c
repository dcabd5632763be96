/* Events: markers on a queue, with the device's timestamps. */
#include "cl_objects.h"

keel_status cl_event_create(void *device_object, void **out_event, keel_error *err)
{
    cl_device *device = device_object;
    *out_event = NULL;
    cl_marker *marker = cl_alloc(device->runtime, sizeof *marker);
    if (marker == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for an event");
    }
    marker->device = device;
    (void)pthread_mutex_init(&marker->lock, NULL);
    *out_event = marker;
    return KEEL_OK;
}

void cl_event_destroy(void *event_object)
{
    cl_marker *marker = event_object;
    if (marker->handle != NULL) {
        (void)marker->device->api->clReleaseEvent(marker->handle);
    }
    (void)pthread_mutex_destroy(&marker->lock);
    cl_free(marker->device->runtime, marker);
}

void cl_marker_set(cl_marker *marker, cl_event handle)
{
    (void)pthread_mutex_lock(&marker->lock);
    cl_event previous = marker->handle;
    marker->handle = handle;
    (void)pthread_mutex_unlock(&marker->lock);
    if (previous != NULL) {
        (void)marker->device->api->clReleaseEvent(previous);
    }
}

/* The marker's handle with a reference of the caller's: another thread may record it again. */
static keel_status take(cl_marker *marker, cl_event *out_handle, keel_error *err)
{
    (void)pthread_mutex_lock(&marker->lock);
    *out_handle = marker->handle;
    if (*out_handle != NULL) {
        (void)marker->device->api->clRetainEvent(*out_handle);
    }
    (void)pthread_mutex_unlock(&marker->lock);
    if (*out_handle == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the event was never recorded");
    }
    return KEEL_OK;
}

keel_status cl_event_record(void *queue_object, void *event_object, keel_error *err)
{
    cl_queue *queue = queue_object;
    cl_marker *marker = event_object;
    const cl_symbols *api = queue->device->api;
    cl_event handle = NULL;
    cl_int code = api->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &handle);
    KEEL_TRY(cl_check(err, code, "clEnqueueMarkerWithWaitList", "event"));
    cl_marker_set(marker, handle);
    queue->submitted = 1;
    /* Whoever polls the event, or waits for it on another queue, relies on it being under way. */
    code = api->clFlush(queue->handle);
    return cl_check(err, code, "clFlush", "event");
}

keel_status cl_event_wait(void *queue_object, void *event_object, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_symbols *api = queue->device->api;
    cl_event handle = NULL;
    KEEL_TRY(take(event_object, &handle, err));
    const cl_int code = api->clEnqueueBarrierWithWaitList(queue->handle, 1, &handle, NULL);
    (void)api->clReleaseEvent(handle);
    queue->submitted = 1;
    return cl_check(err, code, "clEnqueueBarrierWithWaitList", "event");
}

/* *out_done: the work before the event has finished. An event of work that failed is a failure. */
static keel_status query(const cl_symbols *api, cl_event handle, int32_t *out_done, keel_error *err)
{
    cl_int state = CL_QUEUED;
    const cl_int code =
        api->clGetEventInfo(handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    KEEL_TRY(cl_check(err, code, "clGetEventInfo", "event"));
    if (state < 0) {
        return cl_fail_as(err, KEEL_ERR_DEVICE, state, "clGetEventInfo",
                          "work before the event failed");
    }
    *out_done = state == CL_COMPLETE;
    return KEEL_OK;
}

keel_status cl_event_synchronize(void *event_object, keel_error *err)
{
    cl_marker *marker = event_object;
    const cl_symbols *api = marker->device->api;
    cl_event handle = NULL;
    int32_t done = 0;
    KEEL_TRY(take(marker, &handle, err));
    const cl_int code = api->clWaitForEvents(1, &handle);
    /* The wait's own code only says that something failed; the event knows what. */
    keel_status status = query(api, handle, &done, err);
    if (status == KEEL_OK && code != CL_SUCCESS) {
        status = cl_fail_as(err, KEEL_ERR_DEVICE, code, "clWaitForEvents",
                            "work before the event failed");
    }
    (void)api->clReleaseEvent(handle);
    return status;
}

keel_status cl_event_query(void *event_object, int32_t *out_done, keel_error *err)
{
    cl_marker *marker = event_object;
    cl_event handle = NULL;
    *out_done = 0;
    KEEL_TRY(take(marker, &handle, err));
    const keel_status status = query(marker->device->api, handle, out_done, err);
    (void)marker->device->api->clReleaseEvent(handle);
    return status;
}

/* When the work before the event ended, on the device's clock. */
static keel_status time_of(cl_marker *marker, cl_ulong *out_ns, keel_error *err)
{
    const cl_symbols *api = marker->device->api;
    cl_event handle = NULL;
    int32_t done = 0;
    *out_ns = 0;
    KEEL_TRY(take(marker, &handle, err));
    keel_status status = query(api, handle, &done, err);
    if (status == KEEL_OK && !done) {
        status = keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the event has not passed yet");
    }
    if (status == KEEL_OK) {
        const cl_int code = api->clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_END,
                                                         sizeof *out_ns, out_ns, NULL);
        status = cl_check(err, code, "clGetEventProfilingInfo", "event");
    }
    if (status == KEEL_OK && *out_ns == 0) {
        status = keel_fail(err, KEEL_ERR_UNSUPPORTED, "the driver gives markers no timestamp");
    }
    (void)api->clReleaseEvent(handle);
    return status;
}

keel_status cl_event_elapsed(void *start_object, void *end_object, int64_t *out_ns, keel_error *err)
{
    cl_ulong from = 0;
    cl_ulong to = 0;
    *out_ns = 0;
    KEEL_TRY(time_of(start_object, &from, err));
    KEEL_TRY(time_of(end_object, &to, err));
    *out_ns = (int64_t)(to - from);
    return KEEL_OK;
}
