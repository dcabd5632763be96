/*
 * Where the runtime's functions come from: cuda_library.c finds libcudart when the backend starts,
 * cuda_static.c has it linked in. A build takes one of the two.
 */
#ifndef CUDA_LIBRARY_H
#define CUDA_LIBRARY_H

#include "cuda_runtime.h"

/* Fills the slots of the runtime library; UNAVAILABLE if there is none. */
keel_status cuda_library_open(cuda_runtime *runtime, keel_error *err);

#endif
