/*
 * A case that runs one op: data that says which operands, with what layout and contents, and what
 * is expected. The arrays of a case in a list are the list's own copies.
 */
#ifndef CONF_OP_CASE_H
#define CONF_OP_CASE_H

#include "data.h"
#include "keel/base.h"
#include "keel/dtype.h"
#include "keel/op.h"

/* How an operand lies in its allocation. */
#define CONF_LAYOUT_DENSE 0
#define CONF_LAYOUT_OFFSET 1     /* dense, three elements off the allocation's alignment */
#define CONF_LAYOUT_PADDED 2     /* three elements of hole after each row */
#define CONF_LAYOUT_STEP 3       /* every second element of padded rows */
#define CONF_LAYOUT_TRANSPOSED 4 /* axes in reverse order in memory, odd offset */
#define CONF_LAYOUT_FLUSH 5      /* dense, up to the last byte of the allocation */

typedef struct conf_operand {
    keel_dtype dtype; /* KEEL_DTYPE_NONE: absent */
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
    int32_t layout;
    uint32_t repeat; /* axes that all lie on one element: stride 0, by bits */
    conf_data data;  /* inputs: contents. Outputs: what is wanted, if kind is VALUES or RAW */
} conf_operand;

/* The operand's data must lie in the bytes of input alias: an output in place. */
#define CONF_NO_ALIAS (-1)

/* How an output is compared with the values that the case itself brings. */
#define CONF_WANT_NOTHING 0
#define CONF_WANT_EXACT 1    /* those values, bit for bit */
#define CONF_WANT_RELATIVE 2 /* within want_bound * |value| */
#define CONF_WANT_ABSOLUTE 3 /* within want_bound */
#define CONF_WANT_ULP 4      /* within want_bound ulps of the output's type */

#define CONF_CASE_FEW_VALUES 1u /* the data is meant to have few distinct results, or zeros */
#define CONF_CASE_EVERY 2u      /* compare every element, however many */
#define CONF_CASE_NO_ORACLE 4u  /* compare with the case's own values only */
#define CONF_CASE_EXACT 8u      /* any order of summation gives the same: no distance is allowed */

typedef struct conf_op_case {
    const char *op; /* "keel.matmul" */
    uint32_t inputs, outputs;
    uint32_t attributes;
    uint32_t flags;
    const conf_operand *operand; /* inputs, then outputs */
    const keel_attribute *attribute;
    int32_t alias; /* input that output 0 shares its memory with, or CONF_NO_ALIAS */
    int32_t want;  /* CONF_WANT_*: of every output with VALUES or RAW */
    double want_bound;
} conf_op_case;

#endif
