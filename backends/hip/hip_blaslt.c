/*
 * hipBLASLt: its functions, its numbers (hipblaslt.h of ROCm 6 and 7), and its row of native ops.
 * Before ROCm 6 its data types had other numbers: it is left alone there.
 */
#include "hip_blaslt.h"

static const gpu_symbol rows[] = {
    {"hipblasLtCreate", offsetof(gpu_blaslt_api, create), 0, 0, 0},
    {"hipblasLtDestroy", offsetof(gpu_blaslt_api, destroy), 0, 0, 0},
    {"hipblasLtMatmulDescCreate", offsetof(gpu_blaslt_api, operation_create), 0, 0, 0},
    {"hipblasLtMatmulDescSetAttribute", offsetof(gpu_blaslt_api, operation_set), 0, 0, 0},
    {"hipblasLtMatmulDescDestroy", offsetof(gpu_blaslt_api, operation_destroy), 0, 0, 0},
    {"hipblasLtMatrixLayoutCreate", offsetof(gpu_blaslt_api, layout_create), 0, 0, 0},
    {"hipblasLtMatrixLayoutSetAttribute", offsetof(gpu_blaslt_api, layout_set), 0, 0, 0},
    {"hipblasLtMatrixLayoutDestroy", offsetof(gpu_blaslt_api, layout_destroy), 0, 0, 0},
    {"hipblasLtMatmulPreferenceCreate", offsetof(gpu_blaslt_api, preference_create), 0, 0, 0},
    {"hipblasLtMatmulPreferenceSetAttribute", offsetof(gpu_blaslt_api, preference_set), 0, 0, 0},
    {"hipblasLtMatmulPreferenceDestroy", offsetof(gpu_blaslt_api, preference_destroy), 0, 0, 0},
    {"hipblasLtMatmulAlgoGetHeuristic", offsetof(gpu_blaslt_api, heuristic), 0, 0, 0},
    {"hipblasLtMatmul", offsetof(gpu_blaslt_api, matmul), 0, 0, 0},
};

static const gpu_symbols symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes[] = {"1", "0"};

static const keel_vendor_spec library = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libhipblaslt",
    .suffixes = suffixes,
};

const gpu_blaslt_vendor hip_blaslt = {
    .title = "hipBLASLt",
    .library = &library,
    .symbols = &symbols,
    .min_runtime = 60000000,
    .transpose_none = 111,
    .transpose = 112,
    .compute_f32 = 2,
    .compute_f64 = GPU_BLASLT_NONE,
    .operation_transpose_a = 0,
    .operation_transpose_b = 1,
    .operation_epilogue = 2,
    .operation_bias = 3,
    .operation_bias_type = 4,
    .layout_batch_count = 0,
    .layout_batch_stride = 1,
    .preference_workspace = 1,
    .preference_reduction = GPU_BLASLT_NONE,
    .preference_alignment = GPU_BLASLT_NONE,
    .algorithm_bytes = 24,
    .status_no_memory = 2,
    .status_unsupported = 7,
};

const keel_native_op hip_blaslt_matmul = {
    .struct_size = sizeof(keel_native_op),
    .op = "keel.matmul",
    .name = "hipblaslt",
    .query = gpu_blaslt_query,
    .prepare = gpu_blaslt_prepare,
    .enqueue = gpu_blaslt_enqueue,
    .release = gpu_blaslt_release,
    .determinism = KEEL_DETERMINISM_NONE,
};
