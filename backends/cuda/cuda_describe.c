/* What NVIDIA's devices say beside the common facts. */
#include <string.h>

#include "cuda_runtime.h"

static keel_status describe_arch(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    int major = 0;
    int minor = 0;
    int code =
        runtime->api.device_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, listed->ordinal);
    if (code == 0) {
        code =
            runtime->api.device_attribute(&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, listed->ordinal);
    }
    if (code != 0) {
        return gpu_fail_open(runtime, err, code, GPU_CALL(device_attribute),
                             "compute capability of device %d", listed->ordinal);
    }
    (void)snprintf(listed->info.arch, sizeof listed->info.arch, "sm_%d%d", major, minor);
    memcpy(listed->target, listed->info.arch, sizeof listed->info.arch);
    return KEEL_OK;
}

/* A part of a GPU (MIG) has an id of its own, which the older of the two functions does not know.
 */
static void describe_part(const cuda_runtime *runtime, gpu_listed *listed)
{
    unsigned char parent[16] = {0};
    char text[64] = "";
    if (runtime->parent_uuid(parent, listed->handle) != 0) {
        return;
    }
    gpu_uuid_text(parent, text);
    if (listed->info.uuid[0] != 0 && strcmp(text, listed->info.uuid) != 0) {
        (void)snprintf(text, sizeof text, "MIG-%.58s", listed->info.uuid);
        memcpy(listed->info.uuid, text, sizeof listed->info.uuid);
    }
}

static void describe_versions(const gpu_runtime *runtime, gpu_listed *listed)
{
    int driver = 0;
    int library = 0;
    if (runtime->api.driver_version(&driver) == 0) {
        (void)snprintf(listed->info.driver, sizeof listed->info.driver, "CUDA %d.%d", driver / 1000,
                       driver % 1000 / 10);
    }
    if (runtime->api.runtime_version(&library) == 0) {
        (void)snprintf(listed->info.runtime, sizeof listed->info.runtime, "libcudart %d.%d",
                       library / 1000, library % 1000 / 10);
    }
}

keel_status cuda_describe(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    KEEL_TRY(describe_arch(runtime, listed, err));
    describe_part((const cuda_runtime *)runtime, listed);
    describe_versions(runtime, listed);
    return KEEL_OK;
}
