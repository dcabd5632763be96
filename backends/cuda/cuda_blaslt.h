/* cuBLASLt behind keel.matmul. */
#ifndef CUDA_BLASLT_H
#define CUDA_BLASLT_H

#include "gpu_blaslt.h"

extern const gpu_blaslt_vendor cuda_blaslt;
extern const keel_native_op cuda_blaslt_matmul;

#endif
