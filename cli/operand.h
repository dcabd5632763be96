/* Operands and attributes of "keel op" from the words of a command line. */
#ifndef CLI_OPERAND_H
#define CLI_OPERAND_H

#include "npy.h"

/*
 * An input: "X.npy", "X.npy:bf16" (unsigned integers of that size, taken as the bits of the type)
 * or "seed:dtype:shape" such as "7:f32:128x256" (empty shape: a scalar). Generated floats are
 * uniform in
 * [-1, 1), signed integers in [-8, 7], unsigned ones in [0, 15].
 *
 * @param out_array  cli_array_release() it
 */
keel_status cli_operand_read(const char *text, cli_array *out_array, keel_error *err);

/* Sizes separated by 'x' or ','; empty: rank 0. */
keel_status cli_shape_parse(const char *text, int32_t *out_rank, int64_t *out_shape,
                            keel_error *err);

/* The attribute that "name=value" gives, by the contract's rule; text must outlive it. */
typedef struct cli_attribute {
    keel_attribute attribute;
    int64_t ints[32];
} cli_attribute;
keel_status cli_attribute_parse(const keel_op *op, const char *text, cli_attribute *out,
                                keel_error *err);

#endif
