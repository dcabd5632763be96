/*
 * The list of cuBLASLt functions and numbers beside NVIDIA's own headers: every signature and
 * number is the real one. Only compiled, for each major.
 */
#include <stddef.h>
#include <stdint.h>

#include <cublasLt.h>

#include "gpu_blaslt.h"
#include "passed.h"

void cuda_blaslt_list(void);
void cuda_blaslt_list(void)
{
    typedef cublasStatus_t cublas_status;
    typedef cublasComputeType_t cublas_compute_type;
    typedef cudaDataType_t cuda_data_type;
    typedef cublasLtMatmulDescAttributes_t cublaslt_attribute_operation;
    typedef cublasLtMatrixLayoutAttribute_t cublaslt_attribute_layout;
    typedef cublasLtMatmulPreferenceAttributes_t cublaslt_attribute_preference;
    typedef cublasLtHandle_t cublaslt_handle;
    typedef cublasLtMatmulDesc_t cublaslt_operation;
    typedef cublasLtMatrixLayout_t cublaslt_layout;
    typedef cublasLtMatmulPreference_t cublaslt_preference;
    typedef cublasLtMatmulHeuristicResult_t cublaslt_results;
    typedef cublasLtMatmulAlgo_t cublaslt_algorithm;
    typedef cudaStream_t cuda_stream;

#define CUDA_BLASLT_SYMBOL(slot, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), cublas_status(*) parameters);
#define CUDA_BLASLT_NUMBER(slot, value, real) PASSED_NUMBER(value, real);
#include "cuda_blaslt.inc"
}

PASSED_NUMBER(GPU_BLASLT_F32, CUDA_R_32F);
PASSED_NUMBER(GPU_BLASLT_F64, CUDA_R_64F);
PASSED_NUMBER(GPU_BLASLT_F16, CUDA_R_16F);
PASSED_NUMBER(GPU_BLASLT_BF16, CUDA_R_16BF);
PASSED_NUMBER(GPU_BLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_BIAS);
PASSED_NUMBER(GPU_BLASLT_REDUCTION, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
PASSED_NUMBER(offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize),
              sizeof(cublasLtMatmulAlgo_t));
_Static_assert(sizeof(cublasLtMatmulHeuristicResult_t) <= GPU_BLASLT_RESULT_BYTES,
               "a result of the heuristic has no room");
