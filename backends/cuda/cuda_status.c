/*
 * What CUDA's codes mean. Those of the driver have the same numbers as the runtime's; names come
 * from the library.
 */
#include "cuda_runtime.h"

/*
 * Codes that are absent here mean that this backend or the driver erred: KEEL_ERR_DEVICE.
 * DEVICE_LOST are those after which, as the vendor says, the process is in an inconsistent state
 * and every later call answers the same, and those of a context or driver that is gone.
 */
static const gpu_code codes[] = {
#define CUDA_CODE(value, status, real) {value, KEEL_ERR_##status},
#include "cuda_numbers.inc"
};

static const gpu_code compiler_codes[] = {
#define CUDA_COMPILER_CODE(value, status, real) {value, KEEL_ERR_##status},
#include "cuda_numbers.inc"
};

keel_status cuda_status_of(int code)
{
    return gpu_code_status(codes, KEEL_COUNT(codes), code);
}

keel_status cuda_compiler_status_of(int code)
{
    return gpu_code_status(compiler_codes, KEEL_COUNT(compiler_codes), code);
}
