/*
 * The list of hipBLASLt functions and numbers beside the declarations in AMD's own bindings for
 * Cython: every signature and number is the real one. Only compiled.
 */
#include <stddef.h>
#include <stdint.h>

/* Types of other libraries that the declarations name. */
typedef enum hipblasStatus_t { hipblasStatus_t_any } hipblasStatus_t;
typedef enum hipblasComputeType_t { hipblasComputeType_t_any } hipblasComputeType_t;
typedef enum hipDataType { hipDataType_any } hipDataType;
typedef struct ihipStream_t *hipStream_t;

#include "hipblaslt7.h"
#include "hipblaslt7_numbers.h"

#include "gpu_blaslt.h"
#include "passed.h"

void hip_blaslt_list(void);
void hip_blaslt_list(void)
{
    typedef hipblasStatus_t hipblas_status;
    typedef hipblasComputeType_t hipblas_compute_type;
    typedef hipDataType hip_data_type;
    typedef hipblasLtMatmulDescAttributes_t hipblaslt_attribute_operation;
    typedef hipblasLtMatrixLayoutAttribute_t hipblaslt_attribute_layout;
    typedef hipblasLtMatmulPreferenceAttributes_t hipblaslt_attribute_preference;
    typedef hipblasLtHandle_t hipblaslt_handle;
    typedef hipblasLtMatmulDesc_t hipblaslt_operation;
    typedef hipblasLtMatrixLayout_t hipblaslt_layout;
    typedef hipblasLtMatmulPreference_t hipblaslt_preference;
    typedef hipblasLtMatmulHeuristicResult_t hipblaslt_results;
    typedef hipblasLtMatmulAlgo_t hipblaslt_algorithm;
    typedef hipStream_t hip_stream;

#define HIP_BLASLT_SYMBOL(slot, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), hipblas_status(*) parameters);
#define HIP_BLASLT_NUMBER(slot, value, real) PASSED_NUMBER(value, real);
#include "hip_blaslt.inc"
}

PASSED_NUMBER(GPU_BLASLT_F32, HIP_R_32F);
PASSED_NUMBER(GPU_BLASLT_F64, HIP_R_64F);
PASSED_NUMBER(GPU_BLASLT_F16, HIP_R_16F);
PASSED_NUMBER(GPU_BLASLT_BF16, HIP_R_16BF);
PASSED_NUMBER(GPU_BLASLT_EPILOGUE_BIAS, HIPBLASLT_EPILOGUE_BIAS);
PASSED_NUMBER(offsetof(hipblasLtMatmulHeuristicResult_t, workspaceSize),
              sizeof(hipblasLtMatmulAlgo_t));
_Static_assert(sizeof(hipblasLtMatmulHeuristicResult_t) <= GPU_BLASLT_RESULT_BYTES,
               "a result of the heuristic has no room");
