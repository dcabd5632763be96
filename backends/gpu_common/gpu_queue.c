/* In-order queues: one stream of the vendor's each. */
#include "gpu_objects.h"

keel_status gpu_queue_create(void *device_object, uint32_t flags, void **out_queue, keel_error *err)
{
    gpu_device *device = device_object;
    gpu_scope scope;
    *out_queue = NULL;
    if (flags != 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "queue flags 0x%x: there are none", flags);
    }
    gpu_queue *queue = gpu_alloc(device->runtime, sizeof *queue);
    if (queue == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a queue");
    }
    queue->device = device;
    keel_status status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        const int code = device->api->stream_create(&queue->stream, GPU_STREAM_NON_BLOCKING);
        gpu_leave(&scope);
        status = gpu_check(device, err, code, GPU_CALL(stream_create), "queue");
    }
    if (status != KEEL_OK) {
        gpu_free(device->runtime, queue);
        return status;
    }
    *out_queue = queue;
    return KEEL_OK;
}

keel_status gpu_queue_drain(gpu_queue *queue, keel_error *err)
{
    const int code = queue->device->api->stream_synchronize(queue->stream);
    return gpu_check(queue->device, err, code, GPU_CALL(stream_synchronize),
                     "work on the queue failed");
}

void gpu_queue_destroy(void *queue_object)
{
    gpu_queue *queue = queue_object;
    gpu_device *device = queue->device;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        (void)gpu_queue_drain(queue, &ignored);
        if (!queue->foreign) {
            const int code = device->api->stream_destroy(queue->stream);
            (void)gpu_check(device, &ignored, code, GPU_CALL(stream_destroy), "queue");
        }
        gpu_leave(&scope);
    }
    gpu_free(device->runtime, queue);
}

keel_status gpu_queue_synchronize(void *queue_object, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(queue->device, &scope, err));
    const keel_status status = gpu_queue_drain(queue, err);
    gpu_leave(&scope);
    return status;
}
