/* hipRTC: found when a program is to be compiled for the first time. */
#include "hip_compile_options.h"
#include "hip_runtime.h"

static const char *const suffixes[] = {"7", "6", "5"};
static const char *const directories[] = {"/opt/rocm/lib"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libhiprtc",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

/* A library of its own, else the runtime, which had the compiler inside before ROCm 7. */
static keel_status find_library(const hip_runtime *runtime, void **out_library, keel_error *err)
{
    const keel_host *host = runtime->base.host;
    keel_error why = KEEL_ERROR_INIT;
    keel_status status = host->vendor_open(host->context, &spec, out_library, &why);
    if (status == KEEL_OK && runtime->base.simulated != gpu_library_simulated(host, *out_library)) {
        status = KEEL_ERR_UNAVAILABLE; /* what one compiles, the other does not load */
    }
    if (status == KEEL_OK) {
        return KEEL_OK;
    }
    if (status != KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status, "%s", why.message);
    }
    if (host->vendor_sym(host->context, runtime->library, "hiprtcCompileProgram") == NULL) {
        return keel_fail(err, status,
                         "a program must be compiled, and hipRTC is not installed: there is no "
                         "libhiprtc.so.7, .6 or .5 (ROCm has it in the package hiprtc or "
                         "hip-runtime-amd; KEEL_VENDOR_DIR names its directory)");
    }
    *out_library = runtime->library;
    return KEEL_OK;
}

keel_status hip_compiler_open(const gpu_runtime *runtime, gpu_compiler **out_compiler,
                              keel_error *err)
{
    void *library = NULL;
    KEEL_TRY(find_library((const hip_runtime *)runtime, &library, err));
    gpu_compiler *compiler = gpu_alloc(runtime, sizeof *compiler);
    if (compiler == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for hipRTC");
    }
    const keel_status status =
        gpu_symbols_load(runtime->host, &hip_compiler_symbols, HIP_LIBRARY_COMPILER, library,
                         "libhiprtc", compiler, err);
    if (status != KEEL_OK) {
        gpu_free(runtime, compiler);
        return status;
    }
    (void)compiler->api.version(&compiler->major, &compiler->minor);
    *out_compiler = compiler;
    return KEEL_OK;
}

/* The whole name, features included, and only ever one that the runtime gave: on others hipRTC may
 * end the process. */
keel_status hip_compiler_target(const gpu_device *device, const gpu_compiler *compiler,
                                gpu_compilation *out, keel_error *err)
{
    static const char *const options[] = {HIP_COMPILE_OPTIONS};
    (void)compiler;
    (void)err;
    (void)snprintf(out->target, sizeof out->target, "--offload-arch=%s", device->listed->target);
    out->options[out->option_count++] = out->target;
    for (size_t i = 0; i < KEEL_COUNT(options); i++) {
        out->options[out->option_count++] = options[i];
    }
    return KEEL_OK;
}
