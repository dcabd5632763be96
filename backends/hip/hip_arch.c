/*
 * AMD's architectures. RDNA has matrix units of another kind, which the dialect does not use. Those
 * of gfx90a take subnormal f16 and bf16 operands for 0, which no bound of a contract allows.
 */
#include "hip_arch.h"

#define LOCAL_BYTES (64u << 10)
#define MATRIX GPU_ARCH_MATRIX
#define GATED GPU_ARCH_GATED

static const gpu_arch rows[] = {
    {"gfx90a", 64, LOCAL_BYTES, GATED},
    {"gfx942", 64, LOCAL_BYTES, MATRIX | GATED | GPU_ARCH_TYPICAL},
    {"gfx950", 64, LOCAL_BYTES, MATRIX},
    {"gfx1100", 32, LOCAL_BYTES, 0},
};

const gpu_archs hip_archs = {rows, sizeof rows / sizeof rows[0]};
