/*
 * For the files that define functions which HIP's libraries export: "rt_" and the vendor's name.
 * Nothing here calls them, the generated shared objects give them their real names (exports.txt).
 * Those that the HIP backend calls are declared by its list, so that they cannot differ from it.
 */
#ifndef RT_HIP_EXPORTS_H
#define RT_HIP_EXPORTS_H

#include "hip_types.h"

#define HIP_SYMBOL(library, need, slot, result, name, parameters) result rt_##name parameters;
#include "hip_symbols.inc"
#undef HIP_SYMBOL

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the others */

#endif
