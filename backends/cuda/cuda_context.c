/*
 * The current context. Each call pushes the device's context and pops it again, unless it is
 * current already: the application's own is left as it was, also where it had none (setting the
 * runtime's device back to 0 would make a context on a device that nobody asked for).
 */
#include "cuda_runtime.h"

#define CUDA_CALL(slot) offsetof(cuda_runtime, slot)

static const cuda_runtime *runtime_of(const gpu_device *device)
{
    return (const cuda_runtime *)device->runtime;
}

/* Whether the application's context is one of this device's. */
static keel_status check_context(gpu_device *device, void *context, keel_error *err)
{
    const cuda_runtime *runtime = runtime_of(device);
    void *popped = NULL;
    int handle = -1;
    int code = runtime->context_push(context);
    size_t call = CUDA_CALL(context_push);
    if (code == 0) {
        call = CUDA_CALL(context_device);
        code = runtime->context_device(&handle);
        (void)runtime->context_pop(&popped);
    }
    if (code != 0) {
        return gpu_fail_as(device, err, KEEL_ERR_INVALID_ARGUMENT, code, call, "native context");
    }
    if (handle != device->listed->handle) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native context is of device %d, not of %d", handle,
                         device->listed->handle);
    }
    return KEEL_OK;
}

keel_status cuda_device_open(gpu_device *device, void *context, keel_error *err)
{
    if (context != NULL) {
        KEEL_TRY(check_context(device, context, err));
        device->context = context;
        return KEEL_OK;
    }
    const int code = runtime_of(device)->context_retain(&device->context, device->listed->handle);
    return code == 0 ? KEEL_OK
                     : gpu_fail(device, err, code, CUDA_CALL(context_retain), "device \"%s\"",
                                device->listed->info.name);
}

void cuda_device_close(gpu_device *device)
{
    if (!device->foreign) {
        (void)runtime_of(device)->context_release(device->listed->handle);
    }
}

int cuda_enter(const gpu_device *device, int *out_saved)
{
    const cuda_runtime *runtime = runtime_of(device);
    void *current = NULL;
    *out_saved = 0;
    int code = runtime->context_current(&current);
    if (code == 0 && current != device->context) {
        code = runtime->context_push(device->context);
        *out_saved = code == 0;
    }
    return code;
}

void cuda_leave(const gpu_device *device, int saved)
{
    void *popped = NULL;
    if (saved) {
        (void)runtime_of(device)->context_pop(&popped);
    }
}

keel_status cuda_stream_check(gpu_device *device, void *stream, keel_error *err)
{
    void *context = NULL;
    const int code = runtime_of(device)->stream_context(stream, &context);
    if (code != 0) {
        return gpu_fail(device, err, code, CUDA_CALL(stream_context), "native queue");
    }
    if (context != device->context) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native queue belongs to another context");
    }
    return KEEL_OK;
}
