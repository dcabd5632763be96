/* hipBLASLt behind keel.matmul. */
#ifndef HIP_BLASLT_H
#define HIP_BLASLT_H

#include "gpu_blaslt.h"

extern const gpu_blaslt_vendor hip_blaslt;
extern const keel_native_op hip_blaslt_matmul;

#endif
