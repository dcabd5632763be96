/* The OpenCL library, found at run time. Its header gives types only; nothing is linked. */
#ifndef CL_SYMBOLS_H
#define CL_SYMBOLS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "keel/backend.h"

/* One member per entry point, named as the entry point. */
typedef struct cl_symbols {
#define CL_SYMBOL(name) __typeof__(&name) name; /* NOLINT(bugprone-macro-parentheses) */
#include "cl_symbols.inc"
#undef CL_SYMBOL
} cl_symbols;

/*
 * Opens the library through the host and resolves every entry point.
 * UNAVAILABLE if there is no library, or one older than OpenCL 1.2.
 */
keel_status cl_symbols_load(const keel_host *host, cl_symbols *out_symbols, keel_error *err);

#endif
