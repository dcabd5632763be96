/* The HIP backend: what gpu_common needs to know of AMD, and the table. */
#include "hip_arch.h"
#include "hip_blaslt.h"
#include "hip_rocm_smi.h"
#include "hip_roctx.h"
#include "hip_runtime.h"

extern const char hip_text_prelude[]; /* prelude.h */

static const keel_dlpack_api dlpack = {
    .struct_size = sizeof(keel_dlpack_api),
    .device_type = 10,
    .buffer_data = gpu_dlpack_data,
    .buffer_import = gpu_dlpack_import,
};

static const gpu_vendor vendor = {
    .name = "hip",
    .title = "AMD",
    .prelude = hip_text_prelude,
    .runtime_bytes = sizeof(hip_runtime),
    .symbols = &hip_symbols,
    .compiler = &hip_compiler_symbols,
    .archs = &hip_archs,
    .attributes =
        {
            .integrated = HIP_ATTRIBUTE_INTEGRATED,
            .max_grid_x = HIP_ATTRIBUTE_MAX_GRID_X,
            .max_grid_y = HIP_ATTRIBUTE_MAX_GRID_Y,
            .max_grid_z = HIP_ATTRIBUTE_MAX_GRID_Z,
            .max_group = HIP_ATTRIBUTE_MAX_GROUP,
            .compute_units = HIP_ATTRIBUTE_COMPUTE_UNITS,
            .local_bytes = HIP_ATTRIBUTE_LOCAL_BYTES,
            .wave = HIP_ATTRIBUTE_WAVE,
        },
    .max_items_x = UINT32_MAX, /* a launch counts work-items in 32 bits */
    .dlpack = &dlpack,
    .blaslt = &hip_blaslt,
    .status_of = hip_status_of,
    .compiler_status_of = hip_compiler_status_of,
    .open = hip_open,
    .describe = hip_describe,
    .device_open = hip_device_open,
    .device_close = hip_device_close,
    .enter = hip_enter,
    .leave = hip_leave,
    .stream_check = hip_stream_check,
    .compiler_open = hip_compiler_open,
    .compiler_target = hip_compiler_target,
    .monitor_open = rocm_smi_open,
    .monitor_close = rocm_smi_close,
    .monitor_read = rocm_smi_read,
    .range_libraries = roctx_libraries,
    .range_library_count = ROCTX_LIBRARIES,
    .range_symbols = &roctx_symbols,
};

static keel_status backend_open(const keel_host *host, void **out_state, keel_error *err)
{
    return gpu_open(&vendor, host, out_state, err);
}

static const keel_native_op *const native_ops[] = {&hip_blaslt_matmul};

static const keel_backend backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "hip",
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
