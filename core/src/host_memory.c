/* Pinned host memory: a backend's buffer that the host addresses. Never pooled. */
#include "keel/host_memory.h"

#include "context.h"
#include "device.h"
#include "memory.h"

struct keel_host_memory {
    keel_device *device;
    void *handle; /* the backend's buffer */
    void *data;
    uint64_t size_bytes;
};

static keel_status allocate(keel_host_memory *memory, keel_error *err)
{
    keel_device *device = memory->device;
    const keel_status status = device->api->buffer_alloc(device->handle, memory->size_bytes,
                                                         KEEL_MEMORY_PINNED, &memory->handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    memory->data = device->api->buffer_host(device->handle, memory->handle);
    return memory->data != NULL
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_UNSUPPORTED,
                           "%s: its backend gives no address for pinned memory", device->id);
}

keel_status keel_host_memory_create(keel_device *device, uint64_t size_bytes,
                                    keel_host_memory **out_memory, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_memory != NULL) {
        *out_memory = NULL;
    }
    KEEL_LATCHED(err);
    if (out_memory == NULL || device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_memory is NULL");
    }
    if (size_bytes == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "size_bytes is 0, at least 1 is needed");
    }
    KEEL_TRY(keeli_device_check(device, err));
    keel_host_memory *memory = keeli_alloc(device->context, sizeof *memory);
    if (memory == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for its description");
    }
    memory->device = device;
    memory->size_bytes = size_bytes;
    keel_device_retain(device);
    const keel_status status = allocate(memory, err);
    if (status != KEEL_OK) {
        keel_host_memory_release(memory);
        return status;
    }
    *out_memory = memory;
    return KEEL_OK;
}

void *keel_host_memory_data(const keel_host_memory *memory)
{
    return memory != NULL ? memory->data : NULL;
}

uint64_t keel_host_memory_size(const keel_host_memory *memory)
{
    return memory != NULL ? memory->size_bytes : 0;
}

void keel_host_memory_release(keel_host_memory *memory)
{
    if (memory == NULL || keeli_context_forked(memory->device->context)) {
        return;
    }
    keel_device *device = memory->device;
    if (memory->handle != NULL) {
        device->api->buffer_free(device->handle, memory->handle);
    }
    keeli_free(device->context, memory);
    keel_device_close(device);
}
