/*
 * Extension keel.native: OpenCL's own objects in and out. Wrapping takes a reference of its own;
 * exported handles are borrowed.
 */
#include "cl_objects.h"

/* Whether the device is one of the context's. */
static keel_status check_context(const cl_runtime *runtime, cl_context context, cl_device_id id,
                                 keel_error *err)
{
    size_t bytes = 0;
    cl_int code = runtime->api.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    KEEL_TRY(cl_check(err, code, "clGetContextInfo", "native context"));
    cl_device_id *ids = cl_alloc(runtime, bytes);
    if (ids == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory to list devices");
    }
    int found = 0;
    code = runtime->api.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, ids, NULL);
    for (size_t i = 0; code == CL_SUCCESS && i < bytes / sizeof(cl_device_id); i++) {
        found = found || ids[i] == id;
    }
    cl_free(runtime, ids);
    KEEL_TRY(cl_check(err, code, "clGetContextInfo", "native context"));
    return found ? KEEL_OK
                 : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "the native context does not hold the native device");
}

static keel_status wrap_device(void *state, void *native_device, void *native_context,
                               uint32_t *out_index, void **out_device, keel_error *err)
{
    cl_runtime *runtime = state;
    cl_context context = native_context;
    uint32_t index = 0;
    *out_index = 0;
    *out_device = NULL;
    while (index < runtime->device_count && runtime->devices[index].id != native_device) {
        index++;
    }
    if (index == runtime->device_count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native device is none of the %u that OpenCL listed",
                         runtime->device_count);
    }
    *out_index = index;
    if (context == NULL) {
        return cl_device_open(state, index, out_device, err);
    }
    KEEL_TRY(check_context(runtime, context, native_device, err));
    const cl_int code = runtime->api.clRetainContext(context);
    KEEL_TRY(cl_check(err, code, "clRetainContext", "native context"));
    return cl_device_adopt(runtime, index, context, out_device, err);
}

static keel_status export_device(void *object, void **out_native_device, void **out_native_context,
                                 keel_error *err)
{
    const cl_device *device = object;
    (void)err;
    if (out_native_device != NULL) {
        *out_native_device = device->id;
    }
    if (out_native_context != NULL) {
        *out_native_context = device->context;
    }
    return KEEL_OK;
}

static keel_status check_queue(const cl_device *device, cl_command_queue handle, keel_error *err)
{
    const cl_symbols *api = device->api;
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code =
        api->clGetCommandQueueInfo(handle, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL);
    if (code == CL_SUCCESS) {
        code = api->clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(cl_device_id), &id, NULL);
    }
    if (code == CL_SUCCESS) {
        code = api->clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties,
                                          &properties, NULL);
    }
    if (code != CL_SUCCESS) {
        return cl_fail_as(err, KEEL_ERR_INVALID_ARGUMENT, code, "clGetCommandQueueInfo",
                          "native queue");
    }
    if (context != device->context || id != device->id) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the native queue belongs to another %s",
                         context != device->context ? "context" : "device");
    }
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the native queue is out-of-order");
    }
    return KEEL_OK;
}

static keel_status wrap_queue(void *object, void *native_queue, void **out_queue, keel_error *err)
{
    cl_device *device = object;
    *out_queue = NULL;
    KEEL_TRY(check_queue(device, native_queue, err));
    const cl_int code = device->api->clRetainCommandQueue(native_queue);
    KEEL_TRY(cl_check(err, code, "clRetainCommandQueue", "native queue"));
    return cl_queue_adopt(device, native_queue, out_queue, err);
}

static void *export_queue(void *queue)
{
    return ((cl_queue *)queue)->handle;
}

static keel_status check_memory(const cl_device *device, cl_mem handle, size_t *out_bytes,
                                keel_error *err)
{
    const cl_symbols *api = device->api;
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    *out_bytes = 0;
    cl_int code =
        api->clGetMemObjectInfo(handle, CL_MEM_CONTEXT, sizeof(cl_context), &context, NULL);
    if (code == CL_SUCCESS) {
        code = api->clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL);
    }
    if (code == CL_SUCCESS) {
        code = api->clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof *out_bytes, out_bytes, NULL);
    }
    if (code != CL_SUCCESS) {
        return cl_fail_as(err, KEEL_ERR_INVALID_ARGUMENT, code, "clGetMemObjectInfo",
                          "native buffer");
    }
    if (context != device->context) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native buffer belongs to another context");
    }
    if (type != CL_MEM_OBJECT_BUFFER) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native memory object has type 0x%x: want a buffer, 0x%x", type,
                         CL_MEM_OBJECT_BUFFER);
    }
    return KEEL_OK;
}

static keel_status wrap_buffer(void *object, void *native_buffer, void **out_buffer,
                               uint64_t *out_bytes, keel_error *err)
{
    cl_device *device = object;
    size_t bytes = 0;
    *out_buffer = NULL;
    *out_bytes = 0;
    KEEL_TRY(check_memory(device, native_buffer, &bytes, err));
    cl_buffer *buffer = cl_alloc(device->runtime, sizeof *buffer);
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    (void)device->api->clRetainMemObject(native_buffer);
    buffer->handle = native_buffer;
    buffer->bytes = bytes;
    *out_buffer = buffer;
    *out_bytes = bytes;
    return KEEL_OK;
}

static void *export_buffer(void *buffer)
{
    return ((cl_buffer *)buffer)->handle;
}

static keel_status wrap_event(void *object, void *native_event, void **out_event, keel_error *err)
{
    cl_device *device = object;
    cl_context context = NULL;
    *out_event = NULL;
    const cl_int code = device->api->clGetEventInfo(native_event, CL_EVENT_CONTEXT,
                                                    sizeof(cl_context), &context, NULL);
    if (code != CL_SUCCESS) {
        return cl_fail_as(err, KEEL_ERR_INVALID_ARGUMENT, code, "clGetEventInfo", "native event");
    }
    if (context != device->context) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native event belongs to another context");
    }
    KEEL_TRY(cl_event_create(device, out_event, err));
    (void)device->api->clRetainEvent(native_event);
    cl_marker_set(*out_event, native_event);
    return KEEL_OK;
}

static void *export_event(void *event)
{
    cl_marker *marker = event;
    (void)pthread_mutex_lock(&marker->lock);
    cl_event handle = marker->handle;
    (void)pthread_mutex_unlock(&marker->lock);
    return handle;
}

const keel_native_api cl_native = {
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
