/* NVIDIA's architectures. */
#ifndef CUDA_ARCH_H
#define CUDA_ARCH_H

#include "gpu_arch.h"

extern const gpu_archs cuda_archs;

#endif
