/*
 * What activations share whose attributes are one or two numbers: a and b of EW_PARAM in
 * activation.kc, in the order of the rules. They are rounded to the type that the op computes with
 * before anything else.
 */
#ifndef KEELI_ACTIVATION_H
#define KEELI_ACTIVATION_H

#include "keel/op.h"

/* keel_op.infer: as keeli_elementwise_infer, and every attribute is finite once it is rounded. */
keel_status keeli_activation_infer(const keel_call *call, keel_desc *outputs, keel_error *err);

/* Attribute k as kernels see it. */
double keeli_activation_number(const keel_call *call, uint32_t k);

/* keel_variant.plan for texts that begin with activation.kc. */
extern const char keeli_text_activation[];
keel_status keeli_activation_plan(const keel_call *call, const keel_limits *limits,
                                  keel_builder *builder, keel_error *err);

/*
 * x / (1 + e^(-alpha x)) with its limits at the infinities, and the ulp that rounding alpha x to
 * the type that is computed with adds to the error.
 */
long double keeli_swish(double alpha, double x);
double keeli_swish_extra(double alpha, double x);

#endif
