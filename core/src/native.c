/* keel/native.h over a backend's table of that name. */
#include "keel/native.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "queue.h"

/* The backend's table. One that is shorter than version 1 of it counts as absent. */
static keel_status find_api(const keeli_backend *backend, const keel_native_api **out_api,
                            keel_error *err)
{
    const keel_native_api *api =
        backend->table->get_extension(backend->state, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION);
    *out_api = api;
    if (api == NULL || !KEEL_HAS(keel_native_api, api, event_export)) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "backend %s has no %s, version %d",
                         backend->name, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION);
    }
    return KEEL_OK;
}

/* Checks that the device can be used, and finds its backend's table. */
static keel_status start(keel_device *device, const keel_native_api **out_api, keel_error *err)
{
    KEEL_TRY(keeli_device_check(device, err));
    return find_api(device->backend, out_api, err);
}

/* ---- devices --------------------------------------------------------------------------------- */

keel_status keel_native_device_wrap(keel_context *context, const char *backend_name,
                                    void *native_device, void *native_context,
                                    keel_device **out_device, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    void *handle = NULL;
    uint32_t index = 0;
    if (out_device != NULL) {
        *out_device = NULL;
    }
    KEEL_LATCHED(err);
    if (context == NULL || backend_name == NULL || out_device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context, backend or out_device is NULL");
    }
    KEEL_TRY(keeli_context_check(context, err));
    const keeli_backend *backend = keeli_registry_find(context, backend_name);
    if (backend == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "no backend '%s' is loaded", backend_name);
    }
    KEEL_TRY(find_api(backend, &api, err));
    const keel_status status =
        api->device_wrap(backend->state, native_device, native_context, &index, &handle, err);
    if (status != KEEL_OK) {
        return keel_fail(err, status, "backend %s gave no reason", backend->name);
    }
    return keeli_device_create(context, backend, index, handle, out_device, err);
}

keel_status keel_native_device_export(keel_device *device, void **out_native_device,
                                      void **out_native_context, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    void *handles[2] = {NULL, NULL};
    if (out_native_device != NULL) {
        *out_native_device = NULL;
    }
    if (out_native_context != NULL) {
        *out_native_context = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device is NULL");
    }
    KEEL_TRY(start(device, &api, err));
    const keel_status status = api->device_export(device->handle, &handles[0], &handles[1], err);
    KEEL_TRY(keeli_device_result(device, status, err));
    if (out_native_device != NULL) {
        *out_native_device = handles[0];
    }
    if (out_native_context != NULL) {
        *out_native_context = handles[1];
    }
    return KEEL_OK;
}

/* ---- queues ---------------------------------------------------------------------------------- */

keel_status keel_native_queue_wrap(keel_device *device, void *native_queue, keel_queue **out_queue,
                                   keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    void *handle = NULL;
    if (out_queue != NULL) {
        *out_queue = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_queue == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_queue is NULL");
    }
    KEEL_TRY(start(device, &api, err));
    const keel_status status = api->queue_wrap(device->handle, native_queue, &handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    return keeli_queue_create(device, handle, out_queue, err);
}

keel_status keel_native_queue_export(keel_queue *queue, void **out_native_queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    if (out_native_queue != NULL) {
        *out_native_queue = NULL;
    }
    KEEL_LATCHED(err);
    if (queue == NULL || out_native_queue == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "queue or out_native_queue is NULL");
    }
    KEEL_TRY(start(queue->device, &api, err));
    *out_native_queue = api->queue_export(queue->handle);
    return KEEL_OK;
}

/* ---- buffers --------------------------------------------------------------------------------- */

keel_status keel_native_buffer_wrap(keel_device *device, void *native_buffer,
                                    keel_buffer **out_buffer, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    void *handle = NULL;
    uint64_t bytes = 0;
    if (out_buffer != NULL) {
        *out_buffer = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_buffer == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_buffer is NULL");
    }
    KEEL_TRY(start(device, &api, err));
    const keel_status status =
        api->buffer_wrap(device->handle, native_buffer, &handle, &bytes, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    return keeli_buffer_wrap(device, handle, bytes, out_buffer, err);
}

keel_status keel_native_buffer_export(keel_buffer *buffer, void **out_native_buffer,
                                      keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    if (out_native_buffer != NULL) {
        *out_native_buffer = NULL;
    }
    KEEL_LATCHED(err);
    if (buffer == NULL || out_native_buffer == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "buffer or out_native_buffer is NULL");
    }
    KEEL_TRY(start(buffer->device, &api, err));
    if (buffer->handle == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "a buffer of 0 bytes has no native buffer");
    }
    *out_native_buffer = api->buffer_export(buffer->handle);
    return KEEL_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

keel_status keel_native_event_wrap(keel_device *device, void *native_event, keel_event **out_event,
                                   keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    void *handle = NULL;
    if (out_event != NULL) {
        *out_event = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_event == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_event is NULL");
    }
    KEEL_TRY(start(device, &api, err));
    const keel_status status = api->event_wrap(device->handle, native_event, &handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    return keeli_event_create(device, handle, 1, out_event, err);
}

keel_status keel_native_event_export(keel_event *event, void **out_native_event, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_native_api *api = NULL;
    if (out_native_event != NULL) {
        *out_native_event = NULL;
    }
    KEEL_LATCHED(err);
    if (event == NULL || out_native_event == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "event or out_native_event is NULL");
    }
    KEEL_TRY(start(event->device, &api, err));
    *out_native_event = api->event_export(event->handle);
    if (*out_native_event == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the event was never recorded");
    }
    return KEEL_OK;
}
