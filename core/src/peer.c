/* keel/peer.h over a backend's table of that name. */
#include "keel/peer.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "memory.h"
#include "queue.h"

/* The table for a pair of devices. One that is shorter than version 1 of it counts as absent. */
static keel_status find_api(const keel_device *device, const keel_device *source,
                            const keel_peer_api **out_api, keel_error *err)
{
    const keeli_backend *backend = device->backend;
    if (source->backend != backend) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "there is no direct way from device %s to %s: they are of two backends",
                         source->id, device->id);
    }
    const keel_peer_api *api =
        backend->table->get_extension(backend->state, KEEL_PEER_EXTENSION, KEEL_PEER_VERSION);
    *out_api = api;
    if (api == NULL || !KEEL_HAS(keel_peer_api, api, copy)) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "backend %s has no %s, version %d",
                         backend->name, KEEL_PEER_EXTENSION, KEEL_PEER_VERSION);
    }
    return KEEL_OK;
}

keel_status keel_peer_check(keel_device *device, keel_device *source, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_peer_api *api = NULL;
    KEEL_LATCHED(err);
    if (device == NULL || source == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or source is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    KEEL_TRY(keeli_device_check(source, err));
    if (device == source) {
        return KEEL_OK;
    }
    KEEL_TRY(find_api(device, source, &api, err));
    return keeli_device_result(device, api->check(device->handle, source->handle, err), err);
}

static void release_source(void *buffer)
{
    keel_buffer_release(buffer);
}

/* Holds the source until the queue has passed: its own device does not know that it is in use. */
static void hold_source(keel_queue *queue, keel_buffer *source, keeli_block *wait)
{
    keel_buffer_retain(source);
    wait->release = release_source;
    wait->owner = source;
    keeli_pool_give(queue->device, wait, UINT64_C(1) << queue->slot);
}

static keel_status check_copy(keel_queue *queue, keel_buffer *source, uint64_t source_offset,
                              keel_buffer *target, uint64_t target_offset, uint64_t bytes,
                              keel_error *err)
{
    KEEL_TRY(keeli_queue_check(queue, err));
    KEEL_TRY(keeli_buffer_check_range(source, source_offset, bytes, "copy source", err));
    KEEL_TRY(keeli_buffer_check_range(target, target_offset, bytes, "copy target", err));
    KEEL_TRY(keeli_buffer_check_writable(target, "copy target", err));
    KEEL_TRY(keeli_device_check(source->device, err));
    if (target->device != queue->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "copy target: the buffer belongs to device %s, the queue to %s",
                         target->device->id, queue->device->id);
    }
    return KEEL_OK;
}

keel_status keel_peer_copy(keel_queue *queue, keel_buffer *source, uint64_t source_offset,
                           keel_buffer *target, uint64_t target_offset, uint64_t size_bytes,
                           keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_peer_api *api = NULL;
    KEEL_LATCHED(err);
    KEEL_TRY(check_copy(queue, source, source_offset, target, target_offset, size_bytes, err));
    if (source->device == target->device) {
        return keel_buffer_copy(queue, source, source_offset, target, target_offset, size_bytes,
                                err);
    }
    KEEL_TRY(find_api(queue->device, source->device, &api, err));
    if (size_bytes == 0) {
        return KEEL_OK;
    }
    keeli_block *wait = keeli_alloc(queue->device->context, sizeof *wait);
    if (wait == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory to keep the source of a copy");
    }
    const keel_operand from = {source->handle, source_offset};
    const keel_operand to = {target->handle, target_offset};
    const keel_status status =
        api->copy(queue->handle, source->device->handle, &from, &to, size_bytes, err);
    keeli_buffer_use(target, queue);
    keeli_queue_submitted(queue);
    hold_source(queue, source, wait);
    return keeli_device_result(queue->device, status, err);
}
