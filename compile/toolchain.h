/* The compilers of this machine, opened when a target needs them. */
#ifndef COMPILE_TOOLCHAIN_H
#define COMPILE_TOOLCHAIN_H

#include "compile.h"

#define COMPILE_MOST_COMPILERS 16

typedef struct compile_toolchain {
    const char *nvrtc[COMPILE_MOST_COMPILERS]; /* directories; none: the usual places */
    uint32_t nvrtc_count;
    const char *clang; /* program; NULL: the usual names */
    compile_compiler compilers[COMPILE_MOST_COMPILERS];
    uint32_t count;
} compile_toolchain;

/*
 * The compilers that know a target.
 *
 * @param out_compilers  COMPILE_MOST_COMPILERS entries, borrowed
 * @param out_count      0 if the compilers are too old for it: no failure
 * @retval KEEL_ERR_UNAVAILABLE  no compiler of that vendor; the message names what to install
 */
keel_status compile_toolchain_find(compile_toolchain *toolchain, const compile_target *target,
                                   const compile_compiler **out_compilers, uint32_t *out_count,
                                   keel_error *err);

void compile_toolchain_close(compile_toolchain *toolchain);

#endif
