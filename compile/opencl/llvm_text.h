/* What LLVM's text form of a program says of its kernels. */
#ifndef COMPILE_LLVM_TEXT_H
#define COMPILE_LLVM_TEXT_H

#include "compile.h"

/* Fills in names and LOCAL memory of the kernels of a result. Fails for want of memory only. */
keel_status compile_llvm_text_read(const char *text, compile_result *result, keel_error *err);

/* Bytes of a type, "[32 x [33 x float]]", and its end; COMPILE_UNKNOWN for what it cannot read. */
int64_t compile_llvm_type_bytes(const char *text, const char **out_end);

#endif
