/* The runtime library, opened when the backend starts. */
#include "cuda_library.h"

static const char *const suffixes[] = {"13", "12", "11.0"};
static const char *const directories[] = {"/usr/local/cuda/lib64"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libcudart",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

keel_status cuda_library_open(cuda_runtime *runtime, keel_error *err)
{
    const keel_host *host = runtime->base.host;
    keel_error why = KEEL_ERROR_INIT;
    void *library = NULL;
    const keel_status status = host->vendor_open(host->context, &spec, &library, &why);
    if (status == KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status,
                         "the CUDA runtime is not installed: there is no libcudart.so.13, .12 or "
                         ".11.0 (a CUDA toolkit has it, and so has the Python package "
                         "nvidia-cuda-runtime; KEEL_VENDOR_DIR names its directory)");
    }
    if (status != KEEL_OK) {
        return keel_fail(err, status, "%s", why.message);
    }
    runtime->base.simulated =
        host->vendor_sym(host->context, library, "keel_simulated_runtime") != NULL;
    return gpu_symbols_load(host, &cuda_symbols, CUDA_LIBRARY_RUNTIME, library, "libcudart",
                            runtime, err);
}
