/* cuBLASLt: its functions, its numbers, and its row of native ops. */
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

static const gpu_symbol rows[] = {
#define CUDA_BLASLT_SYMBOL(slot, name, parameters) {#name, offsetof(gpu_blaslt_api, slot), 0, 0, 0},
#include "cuda_blaslt.inc"
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
#define CUDA_BLASLT_NUMBER(slot, value, real) .slot = (value),
#include "cuda_blaslt.inc"
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
