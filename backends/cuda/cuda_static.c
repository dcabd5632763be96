/* The runtime library, linked into this backend: the machine needs the driver only. */
#include "cuda_library.h"

/* The runtime's functions, as libcudart_static.a has them. */
#define CUDA_DECLARE_RUNTIME(result, name, parameters) extern result name parameters;
#define CUDA_DECLARE_DRIVER(result, name, parameters)
#define CUDA_DECLARE_COMPILER(result, name, parameters)
#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    CUDA_DECLARE_##library(result, name, parameters)
#define CUDA_SYMBOL_12 CUDA_SYMBOL
#include "cuda_symbols.inc"
#undef CUDA_SYMBOL

#define CUDA_TAKE_RUNTIME(slot, name) runtime->slot = name;
#define CUDA_TAKE_DRIVER(slot, name)
#define CUDA_TAKE_COMPILER(slot, name)
#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    CUDA_TAKE_##library(slot, name)

keel_status cuda_library_open(cuda_runtime *runtime, keel_error *err)
{
    (void)err;
#include "cuda_symbols.inc"
    return KEEL_OK;
}
