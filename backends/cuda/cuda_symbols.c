/* The list of symbols as tables, checked against the slots that it fills. */
#include "cuda_runtime.h"

/* The lists name one signature of each function; the slots must have it. */
#define CUDA_TABLE_RUNTIME cuda_runtime
#define CUDA_TABLE_DRIVER cuda_runtime
#define CUDA_TABLE_COMPILER cuda_compiler
#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters)            \
    _Static_assert(__builtin_types_compatible_p(                                       \
                       __typeof__(((CUDA_TABLE_##library *)0)->slot),                  \
                       result(*) parameters), /* NOLINT(bugprone-macro-parentheses) */ \
                   #name " and its slot differ");
#define CUDA_SYMBOL_11 CUDA_SYMBOL
#define CUDA_SYMBOL_12 CUDA_SYMBOL
#include "cuda_symbols.inc"
#undef CUDA_SYMBOL

#define CUDA_NEED_REQUIRED 0
#define CUDA_NEED_OPTIONAL 1

/* Rows of the runtime and the driver. */
#define CUDA_ROW_RUNTIME(...) {__VA_ARGS__},
#define CUDA_ROW_DRIVER(...) {__VA_ARGS__},
#define CUDA_ROW_COMPILER(...)
#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters)  \
    CUDA_ROW_##library(#name, offsetof(CUDA_TABLE_##library, slot), version, \
                       CUDA_LIBRARY_##library, CUDA_NEED_##need)
static const gpu_symbol rows[] = {
#include "cuda_symbols.inc"
};

/* Rows of the compiler. */
#undef CUDA_ROW_RUNTIME
#undef CUDA_ROW_DRIVER
#undef CUDA_ROW_COMPILER
#define CUDA_ROW_RUNTIME(...)
#define CUDA_ROW_DRIVER(...)
#define CUDA_ROW_COMPILER(...) {__VA_ARGS__},
static const gpu_symbol compiler_rows[] = {
#include "cuda_symbols.inc"
};

const gpu_symbols cuda_symbols = {rows, KEEL_COUNT(rows)};
const gpu_symbols cuda_compiler_symbols = {compiler_rows, KEEL_COUNT(compiler_rows)};
