/* Starting: the runtime, the driver behind it, and why there is none. */
#include "cuda_library.h"

/* The driver's function by its name and the version of its signature; NULL if it lacks it. */
static void *driver_function(const cuda_runtime *runtime, const gpu_symbol *symbol)
{
    void *address = NULL;
    int result = 0;
    int code;
    if (runtime->entry_point_by_version != NULL) {
        code = runtime->entry_point_by_version(symbol->name, &address, symbol->version, 0, &result);
    } else if (runtime->entry_point != NULL) {
        code = runtime->entry_point(symbol->name, &address, 0, &result);
    } else {
        code = runtime->entry_point_11(symbol->name, &address, 0);
    }
    if (code != 0) {
        (void)runtime->base.api.last_error();
        return NULL;
    }
    return address;
}

static keel_status load_driver(cuda_runtime *runtime, int version, keel_error *err)
{
    if (version < 12000) {
        runtime->entry_point = NULL; /* it has no last parameter yet */
    } else {
        runtime->entry_point_11 = NULL;
    }
    if (runtime->entry_point_by_version == NULL && runtime->entry_point == NULL &&
        runtime->entry_point_11 == NULL) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "libcudart %d.%d gives no access to the driver: 11.3 or newer is needed",
                         version / 1000, version % 1000 / 10);
    }
    for (uint32_t i = 0; i < cuda_symbols.count; i++) {
        const gpu_symbol *symbol = &cuda_symbols.rows[i];
        if (symbol->library != CUDA_LIBRARY_DRIVER) {
            continue;
        }
        void *address = driver_function(runtime, symbol);
        if (address == NULL && !symbol->optional) {
            return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                             "the NVIDIA driver has no %s of version %u.%u: it is too old",
                             symbol->name, symbol->version / 1000, symbol->version % 1000 / 10);
        }
        gpu_symbol_set(symbol, runtime, address);
    }
    return KEEL_OK;
}

/* Why the runtime counts no devices, in words that say what to do. */
static keel_status explain(const cuda_runtime *runtime, int code, int version, keel_error *err)
{
    const gpu_api *api = &runtime->base.api;
    const size_t call = GPU_CALL(device_count);
    int driver = 0;
    (void)api->driver_version(&driver);
    if (code == CUDA_OLD_DRIVER && driver == 0) {
        return gpu_fail_open(
            &runtime->base, err, code, call,
            "the CUDA runtime is here, but the NVIDIA driver (libcuda.so.1) is not");
    }
    if (code == CUDA_OLD_DRIVER) {
        return gpu_fail_open(&runtime->base, err, code, call,
                             "the NVIDIA driver serves CUDA up to %d.%d, libcudart is %d.%d: a "
                             "newer driver or an older libcudart is needed",
                             driver / 1000, driver % 1000 / 10, version / 1000,
                             version % 1000 / 10);
    }
    if (code == CUDA_STUB) {
        return gpu_fail_open(&runtime->base, err, code, call,
                             "a toolkit's stub was found in place of the NVIDIA driver "
                             "(libcuda.so.1)");
    }
    if (code == CUDA_NO_DEVICE) {
        return gpu_fail_open(&runtime->base, err, code, call,
                             "the NVIDIA driver shows no device (CUDA_VISIBLE_DEVICES and "
                             "containers can hide them)");
    }
    return gpu_fail_open(&runtime->base, err, code, call, "the NVIDIA driver did not start");
}

keel_status cuda_open(gpu_runtime *base, int *out_count, keel_error *err)
{
    cuda_runtime *runtime = (cuda_runtime *)base;
    int version = 0;
    *out_count = 0;
    KEEL_TRY(cuda_library_open(runtime, err));
    int code = base->api.runtime_version(&version);
    if (code != 0) {
        return gpu_fail_open(base, err, code, GPU_CALL(runtime_version), "version of libcudart");
    }
    code = base->api.device_count(out_count);
    if (code != 0 || *out_count < 1) {
        return explain(runtime, code != 0 ? code : CUDA_NO_DEVICE, version, err);
    }
    return load_driver(runtime, version, err);
}
