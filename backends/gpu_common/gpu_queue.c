/* In-order queues: one stream of the vendor's each. */
#include "gpu_objects.h"

/* A slot that no other queue has, as long as there are enough. The caller holds the lock. */
static uint32_t free_slot(const gpu_device *device)
{
    uint64_t taken = 0;
    uint32_t slot = 0;
    for (const gpu_queue *queue = device->queues; queue != NULL; queue = queue->next) {
        taken |= GPU_SLOT_BIT(queue);
    }
    while (slot < 63 && (taken >> slot & 1) != 0) {
        slot++;
    }
    return slot;
}

keel_status gpu_queue_adopt(gpu_device *device, void *stream, int foreign, void **out_queue,
                            keel_error *err)
{
    gpu_queue *queue = gpu_alloc(device->runtime, sizeof *queue);
    *out_queue = queue;
    if (queue == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a queue");
    }
    queue->device = device;
    queue->stream = stream;
    queue->foreign = foreign;
    (void)pthread_mutex_lock(&device->lock);
    queue->slot = free_slot(device);
    queue->next = device->queues;
    device->queues = queue;
    (void)pthread_mutex_unlock(&device->lock);
    return KEEL_OK;
}

keel_status gpu_queue_create(void *device_object, uint32_t flags, void **out_queue, keel_error *err)
{
    gpu_device *device = device_object;
    gpu_scope scope;
    void *stream = NULL;
    *out_queue = NULL;
    if (flags != 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "queue flags 0x%x: there are none", flags);
    }
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->stream_create(&stream, GPU_STREAM_NON_BLOCKING);
    keel_status status = gpu_check(device, err, code, GPU_CALL(stream_create), "queue");
    if (status == KEEL_OK) {
        status = gpu_queue_adopt(device, stream, 0, out_queue, err);
        if (status != KEEL_OK) {
            (void)device->api->stream_destroy(stream);
        }
    }
    gpu_leave(&scope);
    return status;
}

keel_status gpu_queue_drain(gpu_queue *queue, keel_error *err)
{
    const int code = queue->device->api->stream_synchronize(queue->stream);
    return gpu_check(queue->device, err, code, GPU_CALL(stream_synchronize),
                     "work on the queue failed");
}

keel_status gpu_queues_drain(gpu_device *device, uint64_t slots)
{
    keel_status status = KEEL_OK;
    (void)pthread_mutex_lock(&device->lock);
    for (gpu_queue *queue = device->queues; queue != NULL; queue = queue->next) {
        keel_error ignored = KEEL_ERROR_INIT;
        if ((slots & GPU_SLOT_BIT(queue)) == 0) {
            continue;
        }
        if (atomic_load(&queue->capturing)) { /* to wait for it would spoil the graph */
            status = KEEL_ERR_UNSUPPORTED;
        } else if (gpu_queue_drain(queue, &ignored) != KEEL_OK) {
            status = ignored.status;
        }
    }
    (void)pthread_mutex_unlock(&device->lock);
    return status;
}

static void unlist(gpu_queue *queue)
{
    gpu_device *device = queue->device;
    (void)pthread_mutex_lock(&device->lock);
    gpu_queue **link = &device->queues;
    while (*link != queue) {
        link = &(*link)->next;
    }
    *link = queue->next;
    (void)pthread_mutex_unlock(&device->lock);
}

void gpu_queue_destroy(void *queue_object)
{
    gpu_queue *queue = queue_object;
    gpu_device *device = queue->device;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    unlist(queue);
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
