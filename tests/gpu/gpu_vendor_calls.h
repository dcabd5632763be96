/*
 * What the tests of the CUDA and HIP plugins call of a vendor's library themselves, beside the
 * plugin, and the programs that they compile. Both vendors' functions are called by one name here.
 */
#ifndef GPU_VENDOR_CALLS_H
#define GPU_VENDOR_CALLS_H

#include "plugin_fixture.h"

/* The vendor's functions, found in the library that the plugin uses. */
typedef struct gpu_vendor_calls {
    const char *alloc_name, *synchronize_name, *memory_info_name, *copy_name; /* to override */
    int (*device_set)(int ordinal);
    int (*device_get)(int *out_ordinal);
    int (*alloc)(void **out, size_t bytes);
    int (*release)(void *address);
    int (*copy)(void *to, const void *from, size_t bytes, int kind); /* waits */
    int (*stream_create)(void **out);
    int (*stream_destroy)(void *stream);
    int (*event_create)(void **out);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*last_error)(void);
} gpu_vendor_calls;

#define GPU_CALLS_TO_DEVICE 1
#define GPU_CALLS_TO_HOST 2

/* Fails the test if the library lacks one. */
gpu_vendor_calls gpu_calls(const plugin_fixture *f);

/*
 * A complete program text for the device, to free(): kernels "scale" (out[i] = in[i] * factor, i32,
 * one element per work-item of groups of 4), "is_null" (out[0] = in == 0) and "shape" (the grid
 * into out[0..2]). Each takes KEEL_BLOCK 4.
 */
char *gpu_kernels(plugin_fixture *f);
#define GPU_KERNELS_BLOCK 4u

#endif
