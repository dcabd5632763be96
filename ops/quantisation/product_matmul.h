/* What keel.matmul_integer and keel.qlinear_matmul share: shapes, loops, plan and oracle. */
#ifndef KEELI_PRODUCT_MATMUL_H
#define KEELI_PRODUCT_MATMUL_H

#include "quantisation/product.h"

/* keel_op.infer: shapes of a, b and of what scales them. */
keel_status keeli_product_matmul_infer(const keel_call *call, const keeli_product_slots *slots,
                                       keel_desc *outputs, keel_error *err);

/* keel_op.space and keel_op.work. */
void keeli_product_matmul_space(const keel_call *call, const keeli_product_slots *slots,
                                keel_space *space);
void keeli_product_matmul_work(const keel_call *call, double *flops, double *bytes);

/* keel_variant.plan of both kinds of devices. */
keel_status keeli_product_matmul_plan(const keel_call *call, const keel_limits *limits,
                                      const keeli_product_slots *slots, keel_builder *builder);

/* keel_op.oracle */
keel_status keeli_product_matmul_oracle(const keel_call *call, const keeli_product_slots *slots,
                                        const void *const *host, const int64_t *index,
                                        int64_t first, int64_t count, keel_truth *truth);

#endif
