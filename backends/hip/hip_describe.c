/* What AMD's devices say beside the common facts. */
#include <string.h>

#include "hip_runtime.h"

/*
 * The name of the architecture is in hipDeviceProp_t alone, at a place that changed with ROCm 6.
 * There hipGetDeviceProperties still fills the old struct; the new one has a function of its own.
 */
#define PROPERTIES_BYTES 4096 /* more than either has */
#define ARCH_OFFSET_5 396
#define ARCH_OFFSET_6 1160
#define ARCH_BYTES 256

static keel_status read_target(const hip_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    char properties[PROPERTIES_BYTES] = {0};
    const int is_new = runtime->properties_6 != NULL;
    const int code = is_new ? runtime->properties_6(properties, listed->ordinal)
                            : runtime->properties_5(properties, listed->ordinal);
    if (code != 0) {
        return gpu_fail_open(&runtime->base, err, code,
                             is_new ? offsetof(hip_runtime, properties_6)
                                    : offsetof(hip_runtime, properties_5),
                             "properties of device %d", listed->ordinal);
    }
    const char *name = properties + (is_new ? ARCH_OFFSET_6 : ARCH_OFFSET_5);
    const size_t length = strnlen(name, ARCH_BYTES);
    if (strncmp(name, "gfx", 3) != 0 || length >= sizeof listed->target) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "the runtime's properties do not name an architecture where ROCm %s has "
                         "it",
                         is_new ? "6" : "5");
    }
    memcpy(listed->target, name, length + 1);
    return KEEL_OK;
}

/* HIP's number is major * 10^7 + minor * 10^5 + patch. The driver's version it does not tell. */
static void describe_versions(const gpu_runtime *runtime, gpu_listed *listed)
{
    int version = 0;
    if (runtime->api.runtime_version(&version) == 0) {
        (void)snprintf(listed->info.runtime, sizeof listed->info.runtime, "HIP %d.%d.%d",
                       version / 10000000, version / 100000 % 100, version % 100000);
    }
}

keel_status hip_describe(const gpu_runtime *runtime, gpu_listed *listed, keel_error *err)
{
    KEEL_TRY(read_target((const hip_runtime *)runtime, listed, err));
    (void)snprintf(listed->info.arch, sizeof listed->info.arch, "%.*s",
                   (int)strcspn(listed->target, ":"), listed->target);
    describe_versions(runtime, listed);
    return KEEL_OK;
}
