/* The current device. Unlike in other runtimes, to select one makes nothing on it. */
#include "hip_runtime.h"

#define NOTHING_SAVED (-1)

static const hip_runtime *runtime_of(const gpu_device *device)
{
    return (const hip_runtime *)device->runtime;
}

keel_status hip_device_open(gpu_device *device, void *context, keel_error *err)
{
    if (context != NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "a native context was given for device \"%s\"; HIP has none",
                         device->listed->info.name);
    }
    return KEEL_OK;
}

void hip_device_close(gpu_device *device)
{
    (void)device;
}

int hip_enter(const gpu_device *device, int *out_saved)
{
    const hip_runtime *runtime = runtime_of(device);
    int current = 0;
    *out_saved = NOTHING_SAVED;
    int code = runtime->device_current(&current);
    if (code == 0 && current != device->listed->ordinal) {
        code = runtime->device_select(device->listed->ordinal);
        *out_saved = code == 0 ? current : NOTHING_SAVED;
    }
    return code;
}

void hip_leave(const gpu_device *device, int saved)
{
    if (saved != NOTHING_SAVED) {
        (void)runtime_of(device)->device_select(saved);
    }
}

/* Before ROCm 6 the runtime does not tell whose a stream is. */
keel_status hip_stream_check(gpu_device *device, void *stream, keel_error *err)
{
    const hip_runtime *runtime = runtime_of(device);
    int ordinal = device->listed->ordinal;
    if (runtime->stream_device != NULL) {
        const int code = runtime->stream_device(stream, &ordinal);
        if (code != 0) {
            return gpu_fail(device, err, code, offsetof(hip_runtime, stream_device),
                            "native queue");
        }
    }
    if (ordinal != device->listed->ordinal) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the native queue belongs to device %d, not to %d", ordinal,
                         device->listed->ordinal);
    }
    return KEEL_OK;
}
