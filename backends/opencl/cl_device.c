/* Opening a device: its context and the options that its programs are built with. */
#include <string.h>

#include "cl_query.h"

/*
 * Options that make results more exact, never less: no relaxed or fast mathematics. CPUs are told
 * the size of their last cache, from which on kernels may store past it (prelude.h).
 */
static void choose_build_options(cl_device *device)
{
    const cl_ulong config =
        cl_device_ulong(device->runtime, device->id, CL_DEVICE_SINGLE_FP_CONFIG);
    const int rounded = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    const int length =
        snprintf(device->build_options, sizeof device->build_options, "-cl-std=CL1.2%s",
                 rounded ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    const cl_ulong cache =
        cl_device_ulong(device->runtime, device->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    if (device->limits.kind == KEEL_KIND_CPU && cache > 0) {
        (void)snprintf(device->build_options + length,
                       sizeof device->build_options - (size_t)length, " -DKEEL_CACHE_BYTES=%llu",
                       (unsigned long long)cache);
    }
}

/* What the driver says beyond result codes; may come from its own threads. */
static void CL_CALLBACK on_notice(const char *text, const void *data, size_t bytes, void *user)
{
    (void)data;
    (void)bytes;
    if (user != NULL) { /* some drivers lose it */
        cl_log(user, KEEL_LOG_WARNING, "opencl: the driver says: %s", text);
    }
}

keel_status cl_device_adopt(cl_runtime *runtime, uint32_t index, cl_context context,
                            void **out_device, keel_error *err)
{
    *out_device = NULL;
    const cl_listed *listed = &runtime->devices[index];
    cl_device *device = cl_alloc(runtime, sizeof *device);
    if (device == NULL) {
        (void)runtime->api.clReleaseContext(context);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for device \"%s\"",
                         listed->info.name);
    }
    device->runtime = runtime;
    device->api = &runtime->api;
    device->id = listed->id;
    device->limits = listed->limits;
    device->context = context;
    (void)pthread_mutex_init(&device->lock, NULL);
    choose_build_options(device);
    *out_device = device;
    return KEEL_OK;
}

keel_status cl_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    cl_runtime *runtime = state;
    *out_device = NULL;
    if (index >= runtime->device_count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u: there are %u", index,
                         runtime->device_count);
    }
    const cl_listed *listed = &runtime->devices[index];
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)listed->platform, 0};
    cl_int code = CL_SUCCESS;
    cl_context context =
        runtime->api.clCreateContext(properties, 1, &listed->id, on_notice, runtime, &code);
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, "clCreateContext", "device \"%s\"", listed->info.name);
    }
    return cl_device_adopt(runtime, index, context, out_device, err);
}

void cl_device_close(void *device_object)
{
    cl_device *device = device_object;
    const cl_runtime *runtime = device->runtime;
    if (device->map_queue != NULL) {
        (void)device->api->clReleaseCommandQueue(device->map_queue);
    }
    (void)device->api->clReleaseContext(device->context);
    (void)pthread_mutex_destroy(&device->lock);
    cl_free(runtime, device);
}

keel_status cl_device_limits(void *device_object, keel_limits *out_limits, keel_error *err)
{
    const cl_device *device = device_object;
    (void)err;
    const uint32_t room = out_limits->struct_size;
    memcpy(out_limits, &device->limits, room < sizeof *out_limits ? room : sizeof *out_limits);
    out_limits->struct_size = room;
    return KEEL_OK;
}

keel_status cl_device_status(void *device_object, keel_error *err)
{
    const cl_device *device = device_object;
    if (cl_device_uint(device->runtime, device->id, CL_DEVICE_AVAILABLE) == CL_FALSE) {
        return keel_fail(err, KEEL_ERR_DEVICE_LOST, "the driver says that the device is gone");
    }
    return KEEL_OK;
}
