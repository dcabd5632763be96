/* Binaries as backends that are built on backends/gpu_common keep them. */
#ifndef COMPILE_GPU_BINARY_H
#define COMPILE_GPU_BINARY_H

#include "compile.h"

/* As compile_package(). */
keel_status compile_gpu_package(const compile_target *target, void **binary, uint64_t *bytes,
                                keel_error *err);

#endif
