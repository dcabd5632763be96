/*
 * A call of an op whose truth is asked on the host: operands with any strides, attributes, and the
 * whole of output 0 in row-major order.
 */
#ifndef ORACLE_CALL_H
#define ORACLE_CALL_H

#include <keel/keel.h>

/* One operand; stride NULL: dense. data: at element 0, NULL for the output. */
typedef struct oracle_operand {
    keel_dtype dtype;
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
    const int64_t *stride;
    const void *data;
} oracle_operand;

/* An attribute of each kind. */
keel_attribute oracle_int(const char *name, int64_t value);
keel_attribute oracle_float(const char *name, double value);
keel_attribute oracle_ints(const char *name, int32_t count, const int64_t *values);

/* Infers the output's shape from the inputs; checks it against the last operand's. */
keel_status oracle_infer(const char *op, const oracle_operand *operands, uint32_t count,
                         const keel_attribute *attributes, uint32_t attribute_count,
                         keel_error *err);

/* The truth of all elements of the last operand; fails the test if there is none. */
void oracle_ask(const char *op, const oracle_operand *operands, uint32_t count,
                const keel_attribute *attributes, uint32_t attribute_count, keel_truth *out);

#endif
