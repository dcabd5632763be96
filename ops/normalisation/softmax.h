/* What keel.softmax, keel.log_softmax and their planner share. */
#ifndef KEELI_SOFTMAX_H
#define KEELI_SOFTMAX_H

#include "keel/op.h"

/* Operand slots. */
#define SOFTMAX_X 0
#define SOFTMAX_Y 1

/* Role of the normalised axis, the last one of the space. */
#define SOFTMAX_ROLE_AXIS 1

/* Best first. */
#define SOFTMAX_VARIANTS 2
extern const keel_variant *const keeli_softmax_variants[SOFTMAX_VARIANTS];
extern const keel_variant *const keeli_log_softmax_variants[SOFTMAX_VARIANTS];

/* The contracts' common parts: attributes, types, shapes, the space. */
#define SOFTMAX_RULES 1
extern const keel_attribute_rule keeli_softmax_rules[SOFTMAX_RULES];
extern const char *const keeli_softmax_names[2];
keel_status keeli_softmax_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_softmax_space(const keel_call *call, keel_space *out);
void keeli_softmax_work(const keel_call *call, double *flops, double *bytes);

/* What a row's elements share. */
typedef struct keeli_softmax_row {
    int64_t row; /* 1 + its number; 0: unused */
    double largest;
    long double sum;      /* of exp(x - largest); NaN if the row's results are NaN */
    long double distance; /* of exp(x - largest) |x - largest|, over finite elements */
} keeli_softmax_row;

/* The truth of an element x of a row of n; y is the output. */
typedef void (*keeli_softmax_truth)(const keel_desc *y, int64_t n, double x,
                                    const keeli_softmax_row *row, keel_truth *out);

/* keel_op.oracle but for the last argument. */
keel_status keeli_softmax_oracle(const keel_call *call, const void *const *host,
                                 const int64_t *index, int64_t first, int64_t count,
                                 keel_truth *truth, keeli_softmax_truth of_element);

#endif
