/*
 * Extension keel.native. A device is its number, as a pointer; a buffer is an address of device
 * memory; queues and events are the vendor's handles. None of them counts references: what is
 * wrapped must outlive the wrapper.
 */
#include "gpu_objects.h"

static keel_status wrap_device(void *state, void *native_device, void *native_context,
                               uint32_t *out_index, void **out_device, keel_error *err)
{
    gpu_runtime *runtime = state;
    const intptr_t ordinal = (intptr_t)native_device;
    *out_index = 0;
    *out_device = NULL;
    for (uint32_t i = 0; i < runtime->device_count; i++) {
        if (runtime->devices[i].ordinal == ordinal) {
            *out_index = i;
            return gpu_device_adopt(runtime, i, native_context, out_device, err);
        }
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s has no device %lld",
                     runtime->vendor->title, (long long)ordinal);
}

static keel_status export_device(void *object, void **out_native_device, void **out_native_context,
                                 keel_error *err)
{
    const gpu_device *device = object;
    (void)err;
    if (out_native_device != NULL) {
        *out_native_device = (void *)(intptr_t)device->listed->ordinal;
    }
    if (out_native_context != NULL) {
        *out_native_context = device->context;
    }
    return KEEL_OK;
}

static keel_status wrap_queue(void *object, void *native_queue, void **out_queue, keel_error *err)
{
    gpu_device *device = object;
    gpu_scope scope;
    *out_queue = NULL;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const keel_status status = device->runtime->vendor->stream_check(device, native_queue, err);
    gpu_leave(&scope);
    KEEL_TRY(status);
    return gpu_queue_adopt(device, native_queue, 1, out_queue, err);
}

static void *export_queue(void *queue)
{
    return ((gpu_queue *)queue)->stream;
}

/* The bytes from address to the end of its allocation, which must be memory of the device. */
static keel_status measure(gpu_device *device, void *address, uint64_t *out_bytes, keel_error *err)
{
    const gpu_api *api = device->api;
    int ordinal = -1;
    void *base = NULL;
    size_t bytes = 0;
    size_t call = GPU_CALL(pointer_attribute);
    int code = api->pointer_attribute(&ordinal, GPU_POINTER_ORDINAL, address);
    if (code == 0) {
        call = GPU_CALL(address_range);
        code = api->address_range(&base, &bytes, address);
    }
    if (code != 0) {
        return gpu_fail_as(device, err, KEEL_ERR_INVALID_ARGUMENT, code, call,
                           "native buffer %p: it is not memory of a device", address);
    }
    if (ordinal != device->listed->ordinal) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native buffer belongs to device %d, not to %d", ordinal,
                         device->listed->ordinal);
    }
    *out_bytes = bytes - (uint64_t)((char *)address - (char *)base);
    return KEEL_OK;
}

static keel_status wrap_buffer(void *object, void *native_buffer, void **out_buffer,
                               uint64_t *out_bytes, keel_error *err)
{
    gpu_device *device = object;
    gpu_scope scope;
    uint64_t bytes = 0;
    *out_buffer = NULL;
    *out_bytes = 0;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const keel_status status = measure(device, native_buffer, &bytes, err);
    gpu_leave(&scope);
    KEEL_TRY(status);
    gpu_buffer *buffer = gpu_alloc(device->runtime, sizeof *buffer);
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    buffer->address = native_buffer;
    buffer->bytes = bytes;
    buffer->foreign = 1;
    *out_buffer = buffer;
    *out_bytes = bytes;
    return KEEL_OK;
}

static void *export_buffer(void *buffer)
{
    return ((gpu_buffer *)buffer)->address;
}

static keel_status wrap_event(void *object, void *native_event, void **out_event, keel_error *err)
{
    gpu_device *device = object;
    *out_event = NULL;
    gpu_marker *marker = gpu_alloc(device->runtime, sizeof *marker);
    if (marker == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for an event");
    }
    marker->device = device;
    marker->event = native_event;
    marker->foreign = 1;
    atomic_init(&marker->recorded, 1);
    *out_event = marker;
    return KEEL_OK;
}

static void *export_event(void *event)
{
    gpu_marker *marker = event;
    return atomic_load(&marker->recorded) ? marker->event : NULL;
}

const keel_native_api gpu_native = {
    .struct_size = sizeof(keel_native_api),
    .device_wrap = wrap_device,
    .device_export = export_device,
    .queue_wrap = wrap_queue,
    .queue_export = export_queue,
    .buffer_wrap = wrap_buffer,
    .buffer_export = export_buffer,
    .event_wrap = wrap_event,
    .event_export = export_event,
};
