/* libhipblaslt: the GEMM library of HIP, as far as Keel calls it. Numbers of hipblaslt.h. */
#include "blaslt_entry.h"
#include "handle.h"
#include "hip_entry.h"
#include "hip_exports.h"

static int enter(const char *function, rt_device **out_device)
{
    return hip_enter(function, HIP_NEED_DEVICE, out_device);
}

static const blaslt_vendor vendor = {
    .vendor = RT_HIP,
    .enter = enter,
    .leave = hip_leave,
    .stream = hip_find_stream,
    .status = {[BLASLT_OK] = 0,
               [BLASLT_INVALID] = 3,
               [BLASLT_NO_MEMORY] = 2,
               [BLASLT_UNSUPPORTED] = 7,
               [BLASLT_FAILED] = 6},
    .transpose_none = 111,
    .transpose = 112,
    .compute_f32 = 2,
    .compute_f64 = BLASLT_ABSENT,
    .compute_tf32 = BLASLT_ABSENT,
    .operation_transpose_a = 0,
    .operation_transpose_b = 1,
    .operation_epilogue = 2,
    .operation_bias = 3,
    .operation_bias_type = 4,
    .layout_batch = 0,
    .layout_batch_stride = 1,
    .preference_workspace = 1,
    .preference_reduction = BLASLT_ABSENT,
    .preference_align = BLASLT_ABSENT,
    .algorithm_bytes = 24,
    .result_bytes = 56,
};

int rt_hipblasLtCreate(void **out)
{
    return blaslt_create(&vendor, __func__, out);
}

int rt_hipblasLtDestroy(void *handle)
{
    return blaslt_destroy(&vendor, __func__, handle);
}

int rt_hipblasLtMatmulDescCreate(void **out, int compute_type, int scale_type)
{
    return blaslt_operation_create(&vendor, __func__, out, compute_type, scale_type);
}

int rt_hipblasLtMatmulDescSetAttribute(void *operation, int attribute, const void *value,
                                       size_t bytes)
{
    return blaslt_operation_set(&vendor, __func__, operation, attribute, value, bytes);
}

int rt_hipblasLtMatmulDescDestroy(void *operation)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_OPERATION, operation);
}

int rt_hipblasLtMatrixLayoutCreate(void **out, int type, uint64_t rows, uint64_t columns,
                                   int64_t leading)
{
    return blaslt_layout_create(&vendor, __func__, out, type, rows, columns, leading);
}

int rt_hipblasLtMatrixLayoutSetAttribute(void *layout, int attribute, const void *value,
                                         size_t bytes)
{
    return blaslt_layout_set(&vendor, __func__, layout, attribute, value, bytes);
}

int rt_hipblasLtMatrixLayoutDestroy(void *layout)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_LAYOUT, layout);
}

int rt_hipblasLtMatmulPreferenceCreate(void **out)
{
    return blaslt_preference_create(&vendor, __func__, out);
}

int rt_hipblasLtMatmulPreferenceSetAttribute(void *preference, int attribute, const void *value,
                                             size_t bytes)
{
    return blaslt_preference_set(&vendor, __func__, preference, attribute, value, bytes);
}

int rt_hipblasLtMatmulPreferenceDestroy(void *preference)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_PREFERENCE, preference);
}

int rt_hipblasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c,
                                       void *d, void *preference, int wanted, void *out_results,
                                       int *out_count)
{
    const blaslt_request request = {
        .handle = handle, .operation = operation, .layout = {a, b, c, d}, .preference = preference};
    return blaslt_heuristic(&vendor, __func__, &request, wanted, out_results, out_count);
}

int rt_hipblasLtMatmul(void *handle, void *operation, const void *alpha, const void *a,
                       void *a_layout, const void *b, void *b_layout, const void *beta,
                       const void *c, void *c_layout, void *d, void *d_layout,
                       const void *algorithm, void *workspace, size_t workspace_bytes, void *stream)
{
    const blaslt_request request = {.handle = handle,
                                    .operation = operation,
                                    .layout = {a_layout, b_layout, c_layout, d_layout},
                                    .address = {a, b, c, d},
                                    .alpha = alpha,
                                    .beta = beta,
                                    .algorithm = algorithm,
                                    .workspace = workspace,
                                    .workspace_bytes = workspace_bytes,
                                    .stream = stream};
    return blaslt_run(&vendor, __func__, &request);
}
