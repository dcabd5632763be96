/*
 * The lists of HIP functions and numbers beside AMD's own: every signature and number is the real
 * one, and every type of ours is passed as what it stands for. Only compiled: with HIP_HEADERS 5
 * beside the headers of HIP 5; with 7 beside the declarations and numbers of HIP 7 in hip7.h, which
 * use types of those headers.
 */
#define __HIP_PLATFORM_AMD__ /* NOLINT: how the headers are told */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include "gpu_api.h"
#include "hip_types.h"
#include "passed.h"

#if HIP_HEADERS == 7
typedef hipUUID hipUUID_t; /* its name since HIP 6 */
#include "hip7.h"
#define REAL(name) hip7_##name
#define REAL_NUMBER(name) HIP7_##name
typedef const char *const *real_texts;
#else
#define REAL(name) name
#define REAL_NUMBER(name) name
typedef const char **real_texts;
#endif

#define HIP_SYMBOL(library, need, slot, result, name, parameters) \
    PASSED_SAME(name, __typeof__(&REAL(name)), result(*) parameters);

void hip_list(void);
void hip_list(void)
{
    PASSED_TYPE(hip_status, hipError_t);
    PASSED_TYPE(hip_attribute, hipDeviceAttribute_t);
    PASSED_TYPE(hip_capture_mode, hipStreamCaptureMode);
    PASSED_TYPE(hip_copy_kind, hipMemcpyKind);
    PASSED_TYPE(hip_device, hipDevice_t);
    PASSED_TYPE(hip_pointer_attribute, hipPointer_attribute);
    PASSED_TYPE(hip_function_attribute, hipFunction_attribute);
    PASSED_TYPE(hip_jit_option, hipJitOption);
    PASSED_TYPE(hip_word, int);
    PASSED_TYPE(hip_address, hipDeviceptr_t);
    PASSED_TYPE(hip_event, hipEvent_t);
    PASSED_TYPE(hip_function, hipFunction_t);
    PASSED_TYPE(hip_graph, hipGraph_t);
    PASSED_TYPE(hip_graph_exec, hipGraphExec_t);
    PASSED_TYPE(hip_module, hipModule_t);
    PASSED_TYPE(hip_stream, hipStream_t);
    typedef hipDeviceProp_t hip_properties; /* by address only */
    typedef hipUUID hip_uuid;               /* by address only */
    _Static_assert(sizeof(hip_uuid) == 16, "hipUUID is not of 16 bytes");
    PASSED_TYPE(hiprtc_result, hiprtcResult);
    PASSED_TYPE(hiprtc_program, hiprtcProgram);
    PASSED_TYPE(hiprtc_texts, real_texts);

#include "hip_symbols_here.inc"
}

#define HIP_NUMBER(name, value, real) \
    enum { name = value };            \
    PASSED_NUMBER(name, REAL_NUMBER(real));
#define HIP_CODE(value, status, real) PASSED_NUMBER(value, REAL_NUMBER(real));
#define HIP_COMPILER_CODE(value, status, real) PASSED_NUMBER(value, REAL_NUMBER(real));
#include "hip_numbers_here.inc"

#if HIP_HEADERS == 5
PASSED_NUMBER(GPU_COPY_TO_DEVICE, hipMemcpyHostToDevice);
PASSED_NUMBER(GPU_COPY_TO_HOST, hipMemcpyDeviceToHost);
PASSED_NUMBER(GPU_COPY_ON_DEVICE, hipMemcpyDeviceToDevice);
PASSED_NUMBER(GPU_COPY_ANY, hipMemcpyDefault);
PASSED_NUMBER(GPU_HOST_PORTABLE, hipHostMallocPortable);
PASSED_NUMBER(GPU_HOST_MAPPED, hipHostMallocMapped);
PASSED_NUMBER(GPU_STREAM_NON_BLOCKING, hipStreamNonBlocking);
PASSED_NUMBER(GPU_CAPTURE_RELAXED, hipStreamCaptureModeRelaxed);
PASSED_NUMBER(GPU_POINTER_ORDINAL, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
PASSED_NUMBER(GPU_FUNCTION_MAX_GROUP, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
PASSED_NUMBER(GPU_NOT_READY, hipErrorNotReady);
PASSED_NUMBER(GPU_PEER_ENABLED, hipErrorPeerAccessAlreadyEnabled);
#endif
