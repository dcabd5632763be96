/* NVIDIA's library for ranges in a profiler's timeline. */
#ifndef CUDA_NVTX_H
#define CUDA_NVTX_H

#include "gpu_objects.h"

extern const gpu_symbols nvtx_symbols;
#define NVTX_LIBRARIES 2
extern const keel_vendor_spec nvtx_libraries[NVTX_LIBRARIES];

#endif
