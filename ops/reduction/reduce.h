/*
 * What the reduction contracts share: attributes axes, keepdims and noop_with_empty_axes, shapes,
 * the space (kept axes, then reduced ones), the walk of an oracle over the reduced elements, and
 * the planning of reduce.kc.
 */
#ifndef KEELI_REDUCE_H
#define KEELI_REDUCE_H

#include "keel/op.h"
#include "support/contract.h"
#include "support/truth.h"

/* The rules of every reduction over axes. */
#define KEELI_REDUCE_ATTRIBUTES 3
extern const keel_attribute_rule keeli_reduce_attributes[KEELI_REDUCE_ATTRIBUTES];

keel_status keeli_reduce_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_reduce_space(const keel_call *call, keel_space *out);
int64_t keeli_reduce_elements(const keel_call *call); /* behind each output */
void keeli_reduce_work(const keel_call *call, double *flops, double *bytes);

/* ---- oracles --------------------------------------------------------------------------------- */

/* The elements that one output is made of, in row-major order. */
typedef struct keeli_reduce_walk {
    int64_t count;  /* elements in all */
    int64_t offset; /* of the current one */
    int32_t rank;
    int64_t extent[KEEL_MAX_RANK];
    int64_t stride[KEEL_MAX_RANK];
    int64_t at[KEEL_MAX_RANK];
} keeli_reduce_walk;

void keeli_reduce_next(keeli_reduce_walk *walk);

/* Gives the truth of an output from the elements behind it. host: of the input. */
typedef void (*keeli_reduce_truth)(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                                   keel_truth *out);

/* keel_op.oracle but for the last argument. */
keel_status keeli_reduce_oracle(const keel_call *call, const void *const *host,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth, keeli_reduce_truth of_output);

/* Sum of the walked elements, and the sum of their magnitudes; NaN and infinities as they add up.
 */
keeli_dd keeli_reduce_true_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                               double *out_magnitude);

/* The truth of the greatest of the walked elements, or of the least one. */
void keeli_extremum_truth(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, int greatest,
                          keel_truth *out);

/* ---- planning -------------------------------------------------------------------------------- */

/* The instances of reduce.kc. */
#define KEELI_REDUCE_INSTANCES 6
extern const keel_instance keeli_reduce_instances[KEELI_REDUCE_INSTANCES];
extern const char keeli_text_locate[];
extern const char keeli_text_reduce[];
extern const char keeli_text_pairs[];

/*
 * keel_variant.plan, by what a running result (ACC of the op's text) is: of sums and products an
 * f64, an f32, or the unsigned integer in which they wrap; of the ops on keys (key.kc) a key; of
 * pairs.kc a sum and its shift, both of the type of sums or, of integers, u64.
 */
keel_status keeli_reduce_plan_sums(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err);
keel_status keeli_reduce_plan_keys(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err);
keel_status keeli_reduce_plan_pairs(const keel_call *call, const keel_limits *limits,
                                    keel_builder *builder, keel_error *err);

#endif
