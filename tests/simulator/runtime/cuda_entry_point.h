/* The driver's functions by base name and version of their signature. */
#ifndef RT_CUDA_ENTRY_POINT_H
#define RT_CUDA_ENTRY_POINT_H

#include "version.h"

/* What CUdriverProcAddressQueryResult says. */
enum {
    CUDA_ENTRY_FOUND = 0,
    CUDA_ENTRY_NO_SUCH_NAME = 1,
    CUDA_ENTRY_VERSION_TOO_OLD = 2,
};

/* A function that libcuda exports. Generated from exports.txt. */
typedef struct cuda_entry {
    const char *base; /* "cuMemAlloc" */
    const char *name; /* "cuMemAlloc_v2" */
    int since;        /* 3020: version that this signature came with */
    rt_any_function function;
} cuda_entry;

extern const cuda_entry cuda_entries[];
extern const unsigned cuda_entry_count;

/*
 * The newest signature of a base name that version knows. Returns a CUDA_ENTRY_ number; *out NULL
 * unless found. Functions that the option "hide" names, or that are newer than the driver, do not
 * exist.
 */
int cuda_entry_find(const char *base, int version, rt_any_function *out);

#endif
