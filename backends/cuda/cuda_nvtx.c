/* NVTX: its library for other languages than C, and the one that CUDA had before version 13. */
#include "cuda_nvtx.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): types and lists of parameters */
#define NVTX_SYMBOL(need, slot, result, name, parameters)                                        \
    _Static_assert(                                                                              \
        __builtin_types_compatible_p(__typeof__(((gpu_ranges *)0)->slot), result(*) parameters), \
        #name " and its slot differ");
/* NOLINTEND(bugprone-macro-parentheses) */
#include "nvtx_symbols.inc"
#undef NVTX_SYMBOL

static const gpu_symbol rows[] = {
#define NVTX_SYMBOL(need, slot, result, name, parameters) \
    {#name, offsetof(gpu_ranges, slot), 0, 0, 0},
#include "nvtx_symbols.inc"
};

const gpu_symbols nvtx_symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes[] = {"1"};
static const char *const directories[] = {"/usr/local/cuda/lib64"};

const keel_vendor_spec nvtx_libraries[NVTX_LIBRARIES] = {
    {
        .struct_size = sizeof(keel_vendor_spec),
        .suffix_count = KEEL_COUNT(suffixes),
        .stem = "libnvtx3interop",
        .suffixes = suffixes,
        .directories = directories,
        .directory_count = KEEL_COUNT(directories),
    },
    {
        .struct_size = sizeof(keel_vendor_spec),
        .suffix_count = KEEL_COUNT(suffixes),
        .stem = "libnvToolsExt",
        .suffixes = suffixes,
        .directories = directories,
        .directory_count = KEEL_COUNT(directories),
    },
};
