/* cuBLASLt: its functions, its numbers (cublasLt.h), and its row of native ops. */
#include "cuda_blaslt.h"

#include "cuda_types.h"

typedef int cublas_status;
typedef int cublas_compute_type;
typedef int cuda_data_type;
typedef int cublaslt_attribute_operation;
typedef int cublaslt_attribute_layout;
typedef int cublaslt_attribute_preference;
typedef void *cublaslt_handle;
typedef void *cublaslt_operation;
typedef void *cublaslt_layout;
typedef void *cublaslt_preference;
typedef void cublaslt_results;
typedef void cublaslt_algorithm;

#define CUDA_BLASLT_SYMBOL(slot, name, parameters)                                            \
    _Static_assert(__builtin_types_compatible_p(                                              \
                       __typeof__(((gpu_blaslt_api *)0)->slot),                               \
                       cublas_status(*) parameters), /* NOLINT(bugprone-macro-parentheses) */ \
                   #name " and its slot differ");
#include "cuda_blaslt.inc"
#undef CUDA_BLASLT_SYMBOL

static const gpu_symbol rows[] = {
#define CUDA_BLASLT_SYMBOL(slot, name, parameters) {#name, offsetof(gpu_blaslt_api, slot), 0, 0, 0},
#include "cuda_blaslt.inc"
#undef CUDA_BLASLT_SYMBOL
};

static const gpu_symbols symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes[] = {"13", "12", "11"};

static const keel_vendor_spec library = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libcublasLt",
    .suffixes = suffixes,
};

const gpu_blaslt_vendor cuda_blaslt = {
    .title = "cuBLASLt",
    .library = &library,
    .symbols = &symbols,
    .transpose_none = 0,
    .transpose = 1,
    .compute_f32 = 68,
    .compute_f64 = 70,
    .operation_transpose_a = 3,
    .operation_transpose_b = 4,
    .operation_epilogue = 7,
    .operation_bias = 8,
    .operation_bias_type = 26,
    .layout_batch_count = 5,
    .layout_batch_stride = 6,
    .preference_workspace = 1,
    .preference_reduction = 3,
    .preference_alignment = 5,
    .algorithm_bytes = 64,
    .status_no_memory = 3,
    .status_unsupported = 15,
};

const keel_native_op cuda_blaslt_matmul = {
    .struct_size = sizeof(keel_native_op),
    .op = "keel.matmul",
    .name = "cublaslt",
    .query = gpu_blaslt_query,
    .prepare = gpu_blaslt_prepare,
    .enqueue = gpu_blaslt_enqueue,
    .release = gpu_blaslt_release,
    .determinism = KEEL_DETERMINISM_CONCURRENT,
};
