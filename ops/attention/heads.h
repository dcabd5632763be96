/*
 * What the contracts of this family share: tensors of heads in both of ONNX's forms, [batch, heads,
 * sequence, size] and [batch, sequence, heads * size]. Pure functions; any thread.
 */
#ifndef KEELI_HEADS_H
#define KEELI_HEADS_H

#include "keel/op.h"

/* A tensor of either form as four axes. Strides in elements; an absent operand has none. */
typedef struct keeli_heads {
    int64_t batch, heads, sequence, size;
    int64_t batch_step, head_step, sequence_step, size_step;
} keeli_heads;

/*
 * Reads operand slot, of rank 3 or 4.
 * @param heads      number of heads that the caller gave; 0: not given
 * @param attribute  its name, for messages
 * @retval KEEL_ERR_INVALID_ARGUMENT  another rank; rank 3 without a number of heads, or one that
 *                                    does not divide the last axis; rank 4 with a different number
 */
keel_status keeli_heads_read(const keel_call *call, uint32_t slot, const char *attribute,
                             int64_t heads, keeli_heads *out, keel_error *err);

/* The same of an operand that has been checked, or of an output. */
keeli_heads keeli_heads_of(const keel_desc *desc, int64_t heads);

/* An INT attribute that must be 0 or 1. */
keel_status keeli_check_flag(const keel_call *call, uint32_t attribute, keel_error *err);

#endif
