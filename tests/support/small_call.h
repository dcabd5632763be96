/*
 * Asking an op's oracle about a small call: operands are dense arrays given as doubles, the
 * output's shape is the contract's.
 */
#ifndef SMALL_CALL_H
#define SMALL_CALL_H

#include <keel/keel.h>

#define SMALL_INPUTS 5
#define SMALL_OUTPUTS 3
#define SMALL_ELEMENTS 256

/* Fill in op, type, inputs and attributes. rank 0 with no values: the input is absent. */
typedef struct small_input {
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];
    const double *values;
} small_input;

typedef struct small_call {
    const char *op;
    keel_dtype type;
    uint32_t inputs;
    small_input input[SMALL_INPUTS];
    const keel_attribute *attributes;
    uint32_t attribute_count;
    uint32_t asked; /* the output that is asked about; all are given */
    /* Answers. */
    keel_desc output;
    int64_t count; /* elements of the output */
    keel_truth truth[SMALL_ELEMENTS];
    keel_error err;
} small_call;

/*
 * Asks for all elements or, with index, for count of them at those positions. The status is that of
 * the inference or of the oracle; the words are in call->err.
 */
keel_status small_call_ask(keel_context *context, small_call *call, const int64_t *index,
                           int64_t count);

#endif
