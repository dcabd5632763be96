/* AMD's library for ranges in a profiler's timeline. */
#ifndef HIP_ROCTX_H
#define HIP_ROCTX_H

#include "gpu_objects.h"

extern const gpu_symbols roctx_symbols;
#define ROCTX_LIBRARIES 2
extern const keel_vendor_spec roctx_libraries[ROCTX_LIBRARIES];

#endif
