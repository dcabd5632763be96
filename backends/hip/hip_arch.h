/* AMD's architectures. */
#ifndef HIP_ARCH_H
#define HIP_ARCH_H

#include "gpu_arch.h"

extern const gpu_archs hip_archs;

#endif
