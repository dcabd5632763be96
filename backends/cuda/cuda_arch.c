/*
 * NVIDIA's architectures. More LOCAL memory than 48 KiB exists on all of them, but not for arrays
 * that a kernel declares. Turing has matrix units without the shapes that the dialect uses.
 */
#include "cuda_arch.h"

#define STATIC_LOCAL_BYTES (48u << 10)
#define MATRIX GPU_ARCH_MATRIX
#define GATED GPU_ARCH_GATED

static const gpu_arch rows[] = {
    {"sm_75", 32, STATIC_LOCAL_BYTES, 0},
    {"sm_80", 32, STATIC_LOCAL_BYTES, MATRIX | GATED},
    {"sm_86", 32, STATIC_LOCAL_BYTES, MATRIX},
    {"sm_89", 32, STATIC_LOCAL_BYTES, MATRIX | GATED},
    {"sm_90", 32, STATIC_LOCAL_BYTES, MATRIX | GATED | GPU_ARCH_TYPICAL},
    {"sm_90a", 32, STATIC_LOCAL_BYTES, MATRIX | GATED}, /* sm_90 with what no other one has */
    {"sm_100", 32, STATIC_LOCAL_BYTES, MATRIX | GATED},
    {"sm_120", 32, STATIC_LOCAL_BYTES, MATRIX},
};

const gpu_archs cuda_archs = {rows, sizeof rows / sizeof rows[0]};
