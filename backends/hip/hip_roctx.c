/* rocTX: the library of the profilers since ROCm 6.2, and the one before. */
#include "hip_roctx.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): types and lists of parameters */
#define ROCTX_SYMBOL(need, slot, result, name, parameters)                                       \
    _Static_assert(                                                                              \
        __builtin_types_compatible_p(__typeof__(((gpu_ranges *)0)->slot), result(*) parameters), \
        #name " and its slot differ");
/* NOLINTEND(bugprone-macro-parentheses) */
#include "roctx_symbols.inc"
#undef ROCTX_SYMBOL

static const gpu_symbol rows[] = {
#define ROCTX_SYMBOL(need, slot, result, name, parameters) \
    {#name, offsetof(gpu_ranges, slot), 0, 0, 0},
#include "roctx_symbols.inc"
};

const gpu_symbols roctx_symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes_now[] = {"1"};
static const char *const suffixes_before[] = {"4"};
static const char *const directories[] = {"/opt/rocm/lib"};

const keel_vendor_spec roctx_libraries[ROCTX_LIBRARIES] = {
    {
        .struct_size = sizeof(keel_vendor_spec),
        .suffix_count = KEEL_COUNT(suffixes_now),
        .stem = "librocprofiler-sdk-roctx",
        .suffixes = suffixes_now,
        .directories = directories,
        .directory_count = KEEL_COUNT(directories),
    },
    {
        .struct_size = sizeof(keel_vendor_spec),
        .suffix_count = KEEL_COUNT(suffixes_before),
        .stem = "libroctx64",
        .suffixes = suffixes_before,
        .directories = directories,
        .directory_count = KEEL_COUNT(directories),
    },
};
