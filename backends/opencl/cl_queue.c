/* In-order queues. */
#include "cl_objects.h"

/* Lowest slot that no queue of the device has. The caller holds the lock. */
static uint32_t free_slot(const cl_device *device)
{
    uint32_t slot = 0;
    const cl_queue *queue = device->queues;
    while (queue != NULL) {
        if (queue->slot == slot) {
            slot++;
            queue = device->queues;
        } else {
            queue = queue->next;
        }
    }
    return slot;
}

keel_status cl_queue_adopt(cl_device *device, cl_command_queue handle, void **out_queue,
                           keel_error *err)
{
    *out_queue = NULL;
    cl_queue *queue = cl_alloc(device->runtime, sizeof *queue);
    if (queue == NULL) {
        (void)device->api->clReleaseCommandQueue(handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a queue");
    }
    queue->device = device;
    queue->handle = handle;
    (void)pthread_mutex_lock(&device->lock);
    queue->slot = free_slot(device);
    queue->next = device->queues;
    device->queues = queue;
    (void)pthread_mutex_unlock(&device->lock);
    *out_queue = queue;
    return KEEL_OK;
}

keel_status cl_queue_create(void *device_object, uint32_t flags, void **out_queue, keel_error *err)
{
    cl_device *device = device_object;
    *out_queue = NULL;
    if (flags != 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "queue flags 0x%x: OpenCL knows none", flags);
    }
    cl_int code = CL_SUCCESS;
    cl_command_queue handle = device->api->clCreateCommandQueue(device->context, device->id,
                                                                CL_QUEUE_PROFILING_ENABLE, &code);
    KEEL_TRY(cl_check(err, code, "clCreateCommandQueue", "queue"));
    return cl_queue_adopt(device, handle, out_queue, err);
}

void cl_queue_destroy(void *queue_object)
{
    cl_queue *queue = queue_object;
    cl_device *device = queue->device;
    (void)device->api->clFinish(queue->handle);
    (void)pthread_mutex_lock(&device->lock);
    cl_queue **link = &device->queues;
    while (*link != queue) {
        link = &(*link)->next;
    }
    *link = queue->next;
    (void)pthread_mutex_unlock(&device->lock);
    (void)device->api->clReleaseCommandQueue(queue->handle);
    cl_free(device->runtime, queue);
}

/*
 * Whether work before a marker failed. A driver marks what follows a failed command in an in-order
 * queue as failed too; clFinish alone does not tell.
 */
static keel_status check_marker(const cl_symbols *api, cl_event marker, keel_error *err)
{
    cl_int state = CL_COMPLETE;
    const cl_int code =
        api->clGetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    KEEL_TRY(cl_check(err, code, "clGetEventInfo", "queue"));
    if (state < 0) {
        return cl_fail_as(err, KEEL_ERR_DEVICE, state, "clFinish", "work on the queue failed");
    }
    return KEEL_OK;
}

keel_status cl_queue_synchronize(void *queue_object, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_symbols *api = queue->device->api;
    cl_event marker = NULL;
    if (queue->submitted) {
        const cl_int code = api->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &marker);
        KEEL_TRY(cl_check(err, code, "clEnqueueMarkerWithWaitList", "queue"));
    }
    const cl_int code = api->clFinish(queue->handle);
    keel_status status = KEEL_OK;
    if (code == CL_OUT_OF_RESOURCES) {
        status = cl_fail_as(err, KEEL_ERR_DEVICE, code, "clFinish", "work on the queue failed");
    } else if (code != CL_SUCCESS) {
        status = cl_fail(err, code, "clFinish", "work on the queue failed");
    } else if (marker != NULL) {
        status = check_marker(api, marker, err);
    }
    if (marker != NULL) {
        (void)api->clReleaseEvent(marker);
    }
    queue->submitted = 0;
    return status;
}
