/* What keel.conv_integer and keel.qlinear_conv share: attributes, shapes, loops, plan and oracle.
 */
#ifndef KEELI_PRODUCT_CONV_H
#define KEELI_PRODUCT_CONV_H

#include "quantisation/product.h"

/* Those of ONNX's convolutions. */
#define PRODUCT_CONV_RULES 6
extern const keel_attribute_rule keeli_product_conv_rules[PRODUCT_CONV_RULES];

/* keel_op.infer: the window, channels and groups, and the shapes of what scales them. */
keel_status keeli_product_conv_infer(const keel_call *call, const keeli_product_slots *slots,
                                     keel_desc *outputs, keel_error *err);

/* keel_op.space, the axes of the output alone, and keel_op.work. */
void keeli_product_conv_space(const keel_call *call, const keeli_product_slots *slots,
                              keel_space *space);
void keeli_product_conv_work(const keel_call *call, double *flops, double *bytes);

/* keel_variant.plan of both kinds of devices. */
keel_status keeli_product_conv_plan(const keel_call *call, const keel_limits *limits,
                                    const keeli_product_slots *slots, keel_builder *builder);

/* keel_op.oracle */
keel_status keeli_product_conv_oracle(const keel_call *call, const keeli_product_slots *slots,
                                      const void *const *host, const int64_t *index, int64_t first,
                                      int64_t count, keel_truth *truth);

#endif
