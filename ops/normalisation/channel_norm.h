/*
 * What keel.instance_norm and keel.group_norm share: all but their tables. Operands are x, scale,
 * bias and y; attribute 0 is epsilon, attribute 1, where the op has it, num_groups (else every
 * channel is a group). A row is a group of channels of one sample with all that they hold.
 */
#ifndef KEELI_CHANNEL_NORM_H
#define KEELI_CHANNEL_NORM_H

#include "keel/op.h"

#define CHANNEL_NORM_OPERANDS 4
extern const char *const keeli_channel_norm_names[CHANNEL_NORM_OPERANDS];

keel_status keeli_channel_norm_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_channel_norm_space(const keel_call *call, keel_space *out);
void keeli_channel_norm_work(const keel_call *call, double *flops, double *bytes);
keel_status keeli_channel_norm_oracle(const keel_call *call, const void *const *host,
                                      uint32_t output, const int64_t *index, int64_t first,
                                      int64_t count, keel_truth *truth);

keel_status keeli_channel_norm_plan_simt(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, keel_error *err);
keel_status keeli_channel_norm_plan_simd(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, keel_error *err);

/* What the variants of both are made of, beside the instances of norm.h. */
#define CHANNEL_NORM_SOURCES 4
extern const char *const keeli_channel_norm_sources[CHANNEL_NORM_SOURCES];

#endif
