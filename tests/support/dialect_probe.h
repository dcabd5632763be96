/* Runs one expression of the kernel dialect over arrays, on the default device. */
#ifndef DIALECT_PROBE_H
#define DIALECT_PROBE_H

#include "keel_test.h"

#include <keel/keel.h>

typedef struct dialect_probe {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
} dialect_probe;

/* Arrays of n elements on the host. second may be NULL: then y is x. */
typedef struct dialect_arrays {
    keel_dtype in, out;
    int64_t n;
    const void *first, *second;
    void *result;
} dialect_arrays;

/* CMocka fixtures: *state becomes a dialect_probe; tests skip when there is no device. */
int dialect_probe_open(void **state);
int dialect_probe_close(void **state);

/* Skips the running test without a device, or without f64 when the types need it. */
const dialect_probe *dialect_probe_get(void **state, keel_dtype dtype);

/* result[i] = expression of x and y, which have the arithmetic type of in. */
void dialect_probe_map(const dialect_probe *probe, const char *expression,
                       const dialect_arrays *arrays);

/*
 * statement for each j = 0, 8, 16, ...: it moves eight elements from a to o. n is a multiple of 8.
 * Skips on GPUs, whose preludes need no vector types.
 */
void dialect_probe_eights(const dialect_probe *probe, const char *statement,
                          const dialect_arrays *arrays);

#endif
