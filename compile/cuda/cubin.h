/* What a binary of NVIDIA's says of its kernels. */
#ifndef COMPILE_CUBIN_H
#define COMPILE_CUBIN_H

#include "compile.h"

/*
 * Fills in the kernels of a result from its binary. KEEL_ERR_IO if it cannot be read.
 * @param reserved_bytes  of LOCAL memory that the architecture adds to what a kernel declares
 */
keel_status compile_cubin_read(compile_result *result, uint32_t reserved_bytes, keel_error *err);

#endif
