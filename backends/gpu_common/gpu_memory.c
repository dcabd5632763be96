/* Memory of the device, and host memory that the device copies without staging. */
#include "gpu_objects.h"

static int allocate(const gpu_api *api, gpu_buffer *buffer, int32_t memory, size_t *out_call)
{
    if (memory == KEEL_MEMORY_DEVICE) {
        *out_call = GPU_CALL(memory_alloc);
        return api->memory_alloc(&buffer->address, buffer->bytes);
    }
    /* One address space: the device uses the host's address. */
    *out_call = GPU_CALL(host_alloc);
    const int code =
        api->host_alloc(&buffer->host, buffer->bytes, GPU_HOST_PORTABLE | GPU_HOST_MAPPED);
    buffer->address = buffer->host;
    return code;
}

keel_status gpu_buffer_alloc(void *device_object, uint64_t bytes, int32_t memory, void **out_buffer,
                             keel_error *err)
{
    gpu_device *device = device_object;
    gpu_scope scope;
    size_t call = 0;
    *out_buffer = NULL;
    if (memory != KEEL_MEMORY_DEVICE && memory != KEEL_MEMORY_PINNED) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "memory kind %d: there are %d and %d", memory,
                         KEEL_MEMORY_DEVICE, KEEL_MEMORY_PINNED);
    }
    gpu_buffer *buffer = gpu_alloc(device->runtime, sizeof *buffer);
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    buffer->bytes = bytes;
    keel_status status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        const int code = allocate(device->api, buffer, memory, &call);
        gpu_leave(&scope);
        if (code != 0) {
            status = gpu_fail(device, err, code, call, "%s of %llu bytes",
                              memory == KEEL_MEMORY_DEVICE ? "buffer" : "pinned buffer",
                              (unsigned long long)bytes);
        }
    }
    if (status != KEEL_OK) {
        gpu_free(device->runtime, buffer);
        return status;
    }
    *out_buffer = buffer;
    return KEEL_OK;
}

void gpu_buffer_free(void *device_object, void *buffer_object)
{
    gpu_device *device = device_object;
    gpu_buffer *buffer = buffer_object;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (!buffer->foreign && gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        /* Queued work may use it when memory is short, and CUDA's free only "may" wait for that. */
        (void)device->api->device_synchronize();
        const int code = buffer->host != NULL ? device->api->host_free(buffer->host)
                                              : device->api->memory_free(buffer->address);
        gpu_leave(&scope);
        (void)gpu_check(device, &ignored, code, GPU_CALL(memory_free), "buffer");
    }
    gpu_free(device->runtime, buffer);
}

void *gpu_buffer_host(void *device_object, void *buffer_object)
{
    (void)device_object;
    return ((gpu_buffer *)buffer_object)->host;
}
