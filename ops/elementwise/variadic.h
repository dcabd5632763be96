/* What keel.sum and keel.mean share: up to 15 inputs, added up in one precision, rounded once. */
#ifndef KEELI_ELEMENTWISE_VARIADIC_H
#define KEELI_ELEMENTWISE_VARIADIC_H

#include "keel/op.h"

extern const char *const keeli_variadic_sources[];
extern const char *const keeli_variadic_names[2];
#define KEELI_VARIADIC_INSTANCES 4
extern const keel_instance keeli_variadic_instances[KEELI_VARIADIC_INSTANCES];

/* keel_op.infer and .work. */
keel_status keeli_variadic_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_variadic_work(const keel_call *call, double *flops, double *bytes);

/* keel_op.oracle: the sum, divided by the number of inputs if it is a mean. */
keel_status keeli_variadic_oracle(const keel_call *call, const void *const *host,
                                  const int64_t *index, int64_t first, int64_t count, int is_mean,
                                  keel_truth *truth);

/* keel_variant.plan, with what the sum is divided by at the end. */
keel_status keeli_variadic_plan(const keel_call *call, const keel_limits *limits,
                                keel_builder *builder, int32_t divisor);

#endif
