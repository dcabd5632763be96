/* Starting: the runtime library, and why it has no devices. */
#include "hip_runtime.h"

static const char *const suffixes[] = {"7", "6", "5"};
static const char *const directories[] = {"/opt/rocm/lib"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libamdhip64",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

static keel_status open_library(hip_runtime *runtime, keel_error *err)
{
    const keel_host *host = runtime->base.host;
    keel_error why = KEEL_ERROR_INIT;
    const keel_status status = host->vendor_open(host->context, &spec, &runtime->library, &why);
    if (status == KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status,
                         "the HIP runtime is not installed: there is no libamdhip64.so.7, .6 or .5 "
                         "(ROCm has it; KEEL_VENDOR_DIR names its directory)");
    }
    if (status != KEEL_OK) {
        return keel_fail(err, status, "%s", why.message);
    }
    runtime->base.simulated = gpu_library_simulated(host, runtime->library);
    return gpu_symbols_load(host, &hip_symbols, HIP_LIBRARY_RUNTIME, runtime->library,
                            "libamdhip64", runtime, err);
}

keel_status hip_open(gpu_runtime *base, int *out_count, keel_error *err)
{
    *out_count = 0;
    KEEL_TRY(open_library((hip_runtime *)base, err));
    int code = base->api.device_count(out_count);
    if (code == 0 && *out_count < 1) {
        code = HIP_NO_DEVICE;
    }
    if (code == HIP_NO_DEVICE) {
        return gpu_fail_open(base, err, code, GPU_CALL(device_count),
                             "libamdhip64 is here and shows no device (is the amdgpu driver "
                             "loaded, and /dev/kfd open to this user?)");
    }
    if (code != 0) {
        return gpu_fail_open(base, err, code, GPU_CALL(device_count),
                             "the HIP runtime did not start");
    }
    return KEEL_OK;
}
