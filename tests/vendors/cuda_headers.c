/*
 * The lists of CUDA functions and numbers beside NVIDIA's own headers: every signature and number
 * is the real one, and every type of ours is passed as what it stands for. Only compiled, for each
 * major.
 */
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <nvrtc.h>

#include "cuda_types.h"
#include "gpu_api.h"
#include "passed.h"

/*
 * Functions of the driver come by name and version, or by name from a runtime that takes the newest
 * version it knows: both must have the signature.
 */
#define SAME_RUNTIME(name, address, by_version, ours) PASSED_SAME(name, __typeof__(address), ours);
#define SAME_COMPILER SAME_RUNTIME
#define SAME_DRIVER(name, address, by_version, ours) \
    PASSED_SAME(name, __typeof__(address), ours);    \
    PASSED_SAME(name, by_version, ours);

#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    SAME_##library(name, &name, PFN_##name##_v##version, result(*) parameters)
#if CUDART_VERSION < 12000
#define CUDA_SYMBOL_11 CUDA_SYMBOL
#else
#define CUDA_SYMBOL_12 CUDA_SYMBOL
#endif

void cuda_list(void);
void cuda_list(void)
{
    PASSED_TYPE(cuda_status, cudaError_t);
    PASSED_TYPE(cuda_result, CUresult);
    PASSED_TYPE(cuda_attribute, enum cudaDeviceAttr);
    PASSED_TYPE(cuda_capture_mode, enum cudaStreamCaptureMode);
    PASSED_TYPE(cuda_copy_kind, enum cudaMemcpyKind);
    PASSED_TYPE(cuda_device, CUdevice);
#if CUDART_VERSION >= 12000
    PASSED_TYPE(cuda_entry_point_result, enum cudaDriverEntryPointQueryResult);
#endif
    PASSED_TYPE(cuda_pointer_attribute, CUpointer_attribute);
    PASSED_TYPE(cuda_function_attribute, CUfunction_attribute);
    PASSED_TYPE(cuda_jit_option, CUjit_option);
    PASSED_TYPE(cuda_address, CUdeviceptr);
    PASSED_TYPE(cuda_context, CUcontext);
    PASSED_TYPE(cuda_event, cudaEvent_t);
    PASSED_TYPE(cuda_function, CUfunction);
    PASSED_TYPE(cuda_graph, cudaGraph_t);
    PASSED_TYPE(cuda_graph_exec, cudaGraphExec_t);
    PASSED_TYPE(cuda_module, CUmodule);
    PASSED_TYPE(cuda_stream, cudaStream_t);
    typedef CUuuid cuda_uuid; /* by address only */
    _Static_assert(sizeof(cuda_uuid) == 16, "CUuuid is not of 16 bytes");
    PASSED_TYPE(nvrtc_result, nvrtcResult);
    PASSED_TYPE(nvrtc_program, nvrtcProgram);

#include "cuda_symbols_here.inc"
}

#define CUDA_NUMBER(name, value, real) \
    enum { name = value };             \
    PASSED_NUMBER(name, real);
#define CUDA_CODE(value, status, real) PASSED_NUMBER(value, real);
#define CUDA_COMPILER_CODE(value, status, real) PASSED_NUMBER(value, real);
#include "cuda_numbers_here.inc"

PASSED_NUMBER(GPU_COPY_TO_DEVICE, cudaMemcpyHostToDevice);
PASSED_NUMBER(GPU_COPY_TO_HOST, cudaMemcpyDeviceToHost);
PASSED_NUMBER(GPU_COPY_ON_DEVICE, cudaMemcpyDeviceToDevice);
PASSED_NUMBER(GPU_COPY_ANY, cudaMemcpyDefault);
PASSED_NUMBER(GPU_HOST_PORTABLE, cudaHostAllocPortable);
PASSED_NUMBER(GPU_HOST_MAPPED, cudaHostAllocMapped);
PASSED_NUMBER(GPU_STREAM_NON_BLOCKING, cudaStreamNonBlocking);
PASSED_NUMBER(GPU_CAPTURE_RELAXED, cudaStreamCaptureModeRelaxed);
PASSED_NUMBER(GPU_POINTER_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
PASSED_NUMBER(GPU_FUNCTION_MAX_GROUP, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
PASSED_NUMBER(GPU_NOT_READY, CUDA_ERROR_NOT_READY);
PASSED_NUMBER(GPU_PEER_ENABLED, cudaErrorPeerAccessAlreadyEnabled);
