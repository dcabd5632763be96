/*
 * hipBLASLt: its functions, its numbers, and its row of native ops.
 * Before ROCm 6 its data types had other numbers: it is left alone there.
 */
#include "hip_blaslt.h"

#include "hip_types.h"

typedef int hipblas_status;
typedef int hipblas_compute_type;
typedef int hip_data_type;
typedef int hipblaslt_attribute_operation;
typedef int hipblaslt_attribute_layout;
typedef int hipblaslt_attribute_preference;
typedef void *hipblaslt_handle;
typedef void *hipblaslt_operation;
typedef void *hipblaslt_layout;
typedef void *hipblaslt_preference;
typedef void hipblaslt_results;
typedef void hipblaslt_algorithm;

#define HIP_BLASLT_SYMBOL(slot, name, parameters)                                              \
    _Static_assert(__builtin_types_compatible_p(                                               \
                       __typeof__(((gpu_blaslt_api *)0)->slot),                                \
                       hipblas_status(*) parameters), /* NOLINT(bugprone-macro-parentheses) */ \
                   #name " and its slot differ");
#include "hip_blaslt.inc"

static const gpu_symbol rows[] = {
#define HIP_BLASLT_SYMBOL(slot, name, parameters) {#name, offsetof(gpu_blaslt_api, slot), 0, 0, 0},
#include "hip_blaslt.inc"
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
    .compute_f64 = GPU_BLASLT_NONE,
    .compute_tf32 = GPU_BLASLT_NONE,
    .preference_reduction = GPU_BLASLT_NONE,
    .preference_alignment = GPU_BLASLT_NONE,
#define HIP_BLASLT_NUMBER(slot, value, real) .slot = (value),
#include "hip_blaslt.inc"
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
