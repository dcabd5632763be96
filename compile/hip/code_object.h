/* What a binary of AMD's says of its kernels. */
#ifndef COMPILE_CODE_OBJECT_H
#define COMPILE_CODE_OBJECT_H

#include "compile.h"

/* Fills in the kernels of a result from its binary. KEEL_ERR_IO if it cannot be read. */
keel_status compile_code_object_read(compile_result *result, keel_error *err);

/* Counts matrix instructions in the assembler text of the same kernels. */
void compile_code_object_count_matrix(compile_result *result, const char *assembly);

#endif
