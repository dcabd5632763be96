/* The list of symbols as tables, checked against the slots that it fills. */
#include "hip_runtime.h"

/* The lists name one signature of each function; the slots must have it. */
#define HIP_TABLE_RUNTIME hip_runtime
#define HIP_TABLE_COMPILER gpu_compiler
#define HIP_SYMBOL(library, need, slot, result, name, parameters)                      \
    _Static_assert(__builtin_types_compatible_p(                                       \
                       __typeof__(((HIP_TABLE_##library *)0)->slot),                   \
                       result(*) parameters), /* NOLINT(bugprone-macro-parentheses) */ \
                   #name " and its slot differ");
#include "hip_symbols.inc"
#undef HIP_SYMBOL

#define HIP_NEED_REQUIRED 0
#define HIP_NEED_OPTIONAL 1
#define HIP_SYMBOL(library, need, slot, result, name, parameters)                           \
    HIP_ROW_##library(#name, offsetof(HIP_TABLE_##library, slot), 0, HIP_LIBRARY_##library, \
                      HIP_NEED_##need)

#define HIP_ROW_RUNTIME(...) {__VA_ARGS__},
#define HIP_ROW_COMPILER(...)
static const gpu_symbol rows[] = {
#include "hip_symbols.inc"
};
#undef HIP_ROW_RUNTIME
#undef HIP_ROW_COMPILER

#define HIP_ROW_RUNTIME(...)
#define HIP_ROW_COMPILER(...) {__VA_ARGS__},
static const gpu_symbol compiler_rows[] = {
#include "hip_symbols.inc"
};

const gpu_symbols hip_symbols = {rows, KEEL_COUNT(rows)};
const gpu_symbols hip_compiler_symbols = {compiler_rows, KEEL_COUNT(compiler_rows)};
