/* The list of NVTX functions beside NVIDIA's own header: every signature is the real one. Only
 * compiled. */
#include <nvtx3/nvToolsExt.h>

#include "passed.h"

#define NVTX_SYMBOL(need, slot, result, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), result(*) parameters);
#include "nvtx_symbols_here.inc"
