/* The CUDA backend: what gpu_common needs to know of NVIDIA, and the table. */
#include "cuda_arch.h"
#include "cuda_blaslt.h"
#include "cuda_nvml.h"
#include "cuda_nvtx.h"
#include "cuda_runtime.h"

extern const char cuda_text_prelude[]; /* prelude.h */

static const keel_dlpack_api dlpack = {
    .struct_size = sizeof(keel_dlpack_api),
    .device_type = 2,
    .buffer_data = gpu_dlpack_data,
    .buffer_import = gpu_dlpack_import,
};

static const gpu_vendor vendor = {
    .name = "cuda",
    .title = "NVIDIA",
    .prelude = cuda_text_prelude,
    .runtime_bytes = sizeof(cuda_runtime),
    .symbols = &cuda_symbols,
    .compiler = &cuda_compiler_symbols,
    .archs = &cuda_archs,
    .attributes =
        {
            .max_group = CUDA_ATTRIBUTE_MAX_GROUP,
            .max_grid_x = CUDA_ATTRIBUTE_MAX_GRID_X,
            .max_grid_y = CUDA_ATTRIBUTE_MAX_GRID_Y,
            .max_grid_z = CUDA_ATTRIBUTE_MAX_GRID_Z,
            .local_bytes = CUDA_ATTRIBUTE_LOCAL_BYTES,
            .wave = CUDA_ATTRIBUTE_WAVE,
            .compute_units = CUDA_ATTRIBUTE_COMPUTE_UNITS,
            .integrated = CUDA_ATTRIBUTE_INTEGRATED,
        },
    .max_items_x = UINT64_MAX,
    .dlpack = &dlpack,
    .blaslt = &cuda_blaslt,
    .status_of = cuda_status_of,
    .compiler_status_of = cuda_compiler_status_of,
    .open = cuda_open,
    .describe = cuda_describe,
    .device_open = cuda_device_open,
    .device_close = cuda_device_close,
    .enter = cuda_enter,
    .leave = cuda_leave,
    .stream_check = cuda_stream_check,
    .compiler_open = cuda_compiler_open,
    .compiler_target = cuda_compiler_target,
    .monitor_open = nvml_open,
    .monitor_close = nvml_close,
    .monitor_read = nvml_read,
    .range_libraries = nvtx_libraries,
    .range_library_count = NVTX_LIBRARIES,
    .range_symbols = &nvtx_symbols,
};

static keel_status backend_open(const keel_host *host, void **out_state, keel_error *err)
{
    return gpu_open(&vendor, host, out_state, err);
}

static const keel_native_op *const native_ops[] = {&cuda_blaslt_matmul};

static const keel_backend backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "cuda",
    .device_api = &gpu_device_api,
    .native_ops = native_ops,
    .native_op_count = KEEL_COUNT(native_ops),
    .priority = 100,
    .open = backend_open,
    .shutdown = gpu_shutdown,
    .device_count = gpu_device_count,
    .device_info = gpu_device_info,
    .device_open = gpu_device_open,
    .dialect = gpu_dialect,
    .get_extension = gpu_get_extension,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &backend : NULL;
}
