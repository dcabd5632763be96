/* libcublasLt: the GEMM library of CUDA, as far as Keel calls it. Numbers of cublasLt.h. */
#include "blaslt_entry.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "handle.h"

static int enter(const char *function, rt_device **out_device)
{
    return cu_enter(function, CUDA_NEED_CONTEXT, out_device);
}

static const blaslt_vendor vendor = {
    .vendor = RT_CUDA,
    .enter = enter,
    .leave = cu_leave,
    .stream = cuda_find_stream,
    .status = {[BLASLT_OK] = 0,
               [BLASLT_INVALID] = 7,
               [BLASLT_NO_MEMORY] = 3,
               [BLASLT_UNSUPPORTED] = 15,
               [BLASLT_FAILED] = 13},
    .transpose_none = 0,
    .transpose = 1,
    .compute_f32 = 68,
    .compute_f64 = 70,
    .compute_tf32 = 77,
    .operation_transpose_a = 3,
    .operation_transpose_b = 4,
    .operation_epilogue = 7,
    .operation_bias = 8,
    .operation_bias_type = 26,
    .layout_batch = 5,
    .layout_batch_stride = 6,
    .preference_workspace = 1,
    .preference_reduction = 3,
    .preference_align = 5,
    .algorithm_bytes = 64,
    .result_bytes = 96,
};

int rt_cublasLtCreate(void **out)
{
    return blaslt_create(&vendor, __func__, out);
}

int rt_cublasLtDestroy(void *handle)
{
    return blaslt_destroy(&vendor, __func__, handle);
}

int rt_cublasLtMatmulDescCreate(void **out, int compute_type, int scale_type)
{
    return blaslt_operation_create(&vendor, __func__, out, compute_type, scale_type);
}

int rt_cublasLtMatmulDescSetAttribute(void *operation, int attribute, const void *value,
                                      size_t bytes)
{
    return blaslt_operation_set(&vendor, __func__, operation, attribute, value, bytes);
}

int rt_cublasLtMatmulDescDestroy(void *operation)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_OPERATION, operation);
}

int rt_cublasLtMatrixLayoutCreate(void **out, int type, uint64_t rows, uint64_t columns,
                                  int64_t leading)
{
    return blaslt_layout_create(&vendor, __func__, out, type, rows, columns, leading);
}

int rt_cublasLtMatrixLayoutSetAttribute(void *layout, int attribute, const void *value,
                                        size_t bytes)
{
    return blaslt_layout_set(&vendor, __func__, layout, attribute, value, bytes);
}

int rt_cublasLtMatrixLayoutDestroy(void *layout)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_LAYOUT, layout);
}

int rt_cublasLtMatmulPreferenceCreate(void **out)
{
    return blaslt_preference_create(&vendor, __func__, out);
}

int rt_cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute, const void *value,
                                            size_t bytes)
{
    return blaslt_preference_set(&vendor, __func__, preference, attribute, value, bytes);
}

int rt_cublasLtMatmulPreferenceDestroy(void *preference)
{
    return blaslt_descriptor_destroy(&vendor, __func__, RT_KIND_GEMM_PREFERENCE, preference);
}

int rt_cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c,
                                      void *d, void *preference, int wanted, void *out_results,
                                      int *out_count)
{
    const blaslt_request request = {
        .handle = handle, .operation = operation, .layout = {a, b, c, d}, .preference = preference};
    return blaslt_heuristic(&vendor, __func__, &request, wanted, out_results, out_count);
}

int rt_cublasLtMatmul(void *handle, void *operation, const void *alpha, const void *a,
                      void *a_layout, const void *b, void *b_layout, const void *beta,
                      const void *c, void *c_layout, void *d, void *d_layout, const void *algorithm,
                      void *workspace, size_t workspace_bytes, void *stream)
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
