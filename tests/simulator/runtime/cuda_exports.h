/*
 * For the files that define functions which CUDA's libraries export: "rt_" and the vendor's name.
 * Nothing here calls them, the generated shared objects give them their real names (exports.txt).
 * Those that the CUDA backend calls are declared by its list, so that they cannot differ from it.
 */
#ifndef RT_CUDA_EXPORTS_H
#define RT_CUDA_EXPORTS_H

#include "cuda_types.h"

/* The list names the driver's functions by their base names. */
#define rt_cuDeviceTotalMem rt_cuDeviceTotalMem_v2
#define rt_cuDevicePrimaryCtxRelease rt_cuDevicePrimaryCtxRelease_v2
#define rt_cuCtxPushCurrent rt_cuCtxPushCurrent_v2
#define rt_cuCtxPopCurrent rt_cuCtxPopCurrent_v2
#define rt_cuMemGetAddressRange rt_cuMemGetAddressRange_v2

#define CUDA_SYMBOL(library, need, version, slot, result, name, parameters) \
    result rt_##name parameters;
#define CUDA_SYMBOL_12 CUDA_SYMBOL /* CUDA 11's form of the same function is a part of it */
#include "cuda_symbols.inc"
#undef CUDA_SYMBOL
#undef CUDA_SYMBOL_12

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the others */

#endif
