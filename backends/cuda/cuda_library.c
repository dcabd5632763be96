/* The runtime library, opened when the backend starts: one that the driver serves. */
#include "cuda_library.h"

#include <stdlib.h>
#include <string.h>

static const char *const driver_suffixes[] = {"1"};

static const keel_vendor_spec driver_spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(driver_suffixes),
    .stem = "libcuda",
    .suffixes = driver_suffixes,
};

static const char *const suffixes[] = {"13", "12", "11.0"};
static const char *const directories[] = {"/usr/local/cuda/lib64"};

static const keel_vendor_spec runtime_spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libcudart",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

/* The version of CUDA that the driver serves, 13000 for 13.0; 0 if it does not say. */
static keel_status ask_driver(const cuda_runtime *runtime, int *out_version, keel_error *err)
{
    const keel_host *host = runtime->base.host;
    const char *name = gpu_symbol_name(&cuda_symbols, offsetof(cuda_runtime, driver_served));
    int (*served)(int *out) = NULL;
    keel_error why = KEEL_ERROR_INIT;
    void *library = NULL;
    *out_version = 0;
    const keel_status status = host->vendor_open(host->context, &driver_spec, &library, &why);
    if (status == KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status,
                         "the NVIDIA driver is not installed: there is no libcuda.so.1 "
                         "(KEEL_VENDOR_DIR can name its directory)");
    }
    if (status != KEEL_OK) {
        return keel_fail(err, status, "%s", why.message);
    }
    void *address = host->vendor_sym(host->context, library, name);
    memcpy(&served, &address, sizeof served);
    if (served == NULL || served(out_version) != 0) {
        *out_version = 0; /* the runtime will say what is wrong */
    }
    return KEEL_OK;
}

/* A runtime of a newer major than the driver's does not start: it is not looked for. */
static keel_vendor_spec runtimes_for(int driver)
{
    keel_vendor_spec spec = runtime_spec;
    while (driver != 0 && spec.suffix_count > 1 && atoi(spec.suffixes[0]) > driver / 1000) {
        spec.suffixes++;
        spec.suffix_count--;
    }
    return spec;
}

keel_status cuda_library_open(cuda_runtime *runtime, keel_error *err)
{
    const keel_host *host = runtime->base.host;
    keel_error why = KEEL_ERROR_INIT;
    void *library = NULL;
    int driver = 0;
    KEEL_TRY(ask_driver(runtime, &driver, err));
    const keel_vendor_spec spec = runtimes_for(driver);
    const keel_status status = host->vendor_open(host->context, &spec, &library, &why);
    if (status == KEEL_ERR_UNAVAILABLE) {
        return keel_fail(err, status,
                         "the CUDA runtime is not installed: there is no libcudart.so.%s or older "
                         "(a CUDA toolkit has it, and so has the Python package "
                         "nvidia-cuda-runtime; KEEL_VENDOR_DIR can name its directory)",
                         spec.suffixes[0]);
    }
    if (status != KEEL_OK) {
        return keel_fail(err, status, "%s", why.message);
    }
    runtime->base.simulated = gpu_library_simulated(host, library);
    return gpu_symbols_load(host, &cuda_symbols, CUDA_LIBRARY_RUNTIME, library, "libcudart",
                            runtime, err);
}
