/* Opening a device, and what is known of an open one. */
#include <string.h>

#include "gpu_objects.h"

keel_status gpu_device_adopt(gpu_runtime *runtime, uint32_t index, void *context, void **out_device,
                             keel_error *err)
{
    *out_device = NULL;
    const gpu_listed *listed = &runtime->devices[index];
    gpu_device *device =
        gpu_alloc(runtime, sizeof *device + runtime->device_count * sizeof device->ways[0]);
    if (device == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for device \"%s\"",
                         listed->info.name);
    }
    device->runtime = runtime;
    device->api = &runtime->api;
    device->listed = listed;
    device->ways = (gpu_way *)(device + 1);
    device->foreign = context != NULL;
    (void)pthread_mutex_init(&device->lock, NULL);
    const keel_status status = runtime->vendor->device_open(device, context, err);
    if (status != KEEL_OK) {
        (void)pthread_mutex_destroy(&device->lock);
        gpu_free(runtime, device);
        return status;
    }
    if (!listed->known) {
        gpu_log(runtime, KEEL_LOG_WARNING,
                "%s: device \"%s\": unknown architecture %s: portable kernels only",
                runtime->vendor->name, listed->info.name, listed->info.arch);
    }
    *out_device = device;
    return KEEL_OK;
}

keel_status gpu_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    gpu_runtime *runtime = state;
    *out_device = NULL;
    if (index >= runtime->device_count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u: there are %u", index,
                         runtime->device_count);
    }
    return gpu_device_adopt(runtime, index, NULL, out_device, err);
}

void gpu_device_close(void *device_object)
{
    gpu_device *device = device_object;
    gpu_blaslt_close(device);
    device->runtime->vendor->device_close(device);
    (void)pthread_mutex_destroy(&device->lock);
    gpu_free(device->runtime, device);
}

keel_status gpu_device_limits(void *device_object, keel_limits *out_limits, keel_error *err)
{
    const gpu_device *device = device_object;
    (void)err;
    const uint32_t room = out_limits->struct_size;
    memcpy(out_limits, &device->listed->limits,
           room < sizeof *out_limits ? room : sizeof *out_limits);
    out_limits->struct_size = room;
    return KEEL_OK;
}

keel_status gpu_memory_info(void *device_object, uint64_t *out_free, uint64_t *out_total,
                            keel_error *err)
{
    gpu_device *device = device_object;
    gpu_scope scope;
    size_t available = 0;
    size_t total = 0;
    *out_free = 0;
    *out_total = 0;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->memory_info(&available, &total);
    gpu_leave(&scope);
    KEEL_TRY(gpu_check(device, err, code, GPU_CALL(memory_info), "memory"));
    *out_free = available;
    *out_total = total;
    return KEEL_OK;
}

/*
 * A vendor that lost a device answers every later call with a failure, and not always with one that
 * says so. A call that does nothing asks for it: on a device that works it cannot fail.
 */
keel_status gpu_device_status(void *device_object, keel_error *err)
{
    gpu_device *device = device_object;
    keel_error probe = KEEL_ERROR_INIT;
    uint64_t available;
    uint64_t total;
    const keel_status status = gpu_memory_info(device, &available, &total, &probe);
    if (status != KEEL_OK && status != KEEL_ERR_OUT_OF_MEMORY) {
        atomic_store(&device->lost_code, probe.vendor_code);
    }
    const int code = atomic_load(&device->lost_code);
    if (code == 0) {
        return KEEL_OK;
    }
    const char *name = device->api->error_name(code);
    err->vendor_code = code;
    return keel_fail(err, KEEL_ERR_DEVICE_LOST, "the device answers every call with %s (%d)",
                     name != NULL ? name : "an unknown code", code);
}
