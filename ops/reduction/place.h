/* What keel.argmax and keel.argmin share: contract, truth and planning of argmax.kc. */
#ifndef KEELI_PLACE_H
#define KEELI_PLACE_H

#include "reduction/reduce.h"

#define KEELI_PLACE_ATTRIBUTES 3
extern const keel_attribute_rule keeli_place_attributes[KEELI_PLACE_ATTRIBUTES];
#define KEELI_PLACE_TYPE_SETS 2
extern const uint64_t keeli_place_type_sets[KEELI_PLACE_TYPE_SETS];
extern const uint8_t keeli_place_operand_types[2];

keel_status keeli_place_infer(const keel_call *call, keel_desc *outputs, keel_error *err);
void keeli_place_space(const keel_call *call, keel_space *out);

/* keel_op.oracle but for the last argument: the greatest element, or the least one. */
keel_status keeli_place_oracle(const keel_call *call, const void *const *host, const int64_t *index,
                               int64_t first, int64_t count, keel_truth *truth, int greatest);

keel_status keeli_place_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err);

#endif
