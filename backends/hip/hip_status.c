/* What HIP's codes mean. Names come from the library. */
#include "hip_runtime.h"

/*
 * Codes that are absent here mean that this backend or the driver erred: KEEL_ERR_DEVICE. After
 * those that are DEVICE_LOST the runtime's queues do not work any more (before ROCm 7 some of them
 * end the process).
 */
static const gpu_code codes[] = {
#define HIP_CODE(value, status, real) {value, KEEL_ERR_##status},
#include "hip_numbers.inc"
};

static const gpu_code compiler_codes[] = {
#define HIP_COMPILER_CODE(value, status, real) {value, KEEL_ERR_##status},
#include "hip_numbers.inc"
};

keel_status hip_status_of(int code)
{
    return gpu_code_status(codes, KEEL_COUNT(codes), code);
}

keel_status hip_compiler_status_of(int code)
{
    return gpu_code_status(compiler_codes, KEEL_COUNT(compiler_codes), code);
}
