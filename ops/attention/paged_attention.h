/* What the contract of keel.paged_attention, its oracle and its planner share. */
#ifndef KEELI_PAGED_ATTENTION_H
#define KEELI_PAGED_ATTENTION_H

#include "attention/attention.h"

/* Operand slots; those of q, k and v are those of keel.attention. */
#define PAGED_TABLE 3
#define PAGED_LENGTHS 4
#define PAGED_OUT 5
#define PAGED_OPERANDS 6

/* Attributes. */
#define PAGED_SCALE 0
#define PAGED_SOFTCAP 1

/* Axes of k and v: blocks, places in a block, heads, elements. */
#define PAGED_AXIS_BLOCK 0
#define PAGED_AXIS_PLACE 1
#define PAGED_AXIS_HEAD 2
#define PAGED_AXIS_ELEMENT 3

/* The factor of the scores. */
double keeli_paged_scale(const keel_call *call);

/* keel_op.space: the axes of keel.attention, with one query. k and v move by blocks along it. */
void keeli_paged_space(const keel_call *call, keel_space *space);

/* keel_op.oracle */
keel_status keeli_paged_oracle(const keel_call *call, const void *const *host, uint32_t output,
                               const int64_t *index, int64_t first, int64_t count,
                               keel_truth *truth);

/* Best first. */
#define PAGED_VARIANTS 3
extern const keel_variant *const keeli_paged_variants[PAGED_VARIANTS];

#endif
