/*
 * What the parts of keel.attention share: operand slots, attributes and the order of the loops.
 * attention.c is the contract, attention_truth.c the oracle; attention_plan.h is for those who
 * choose kernels.
 */
#ifndef KEELI_ATTENTION_H
#define KEELI_ATTENTION_H

#include "attention/heads.h"
#include "keel/op.h"

/* Operand slots. */
#define ATTENTION_Q 0
#define ATTENTION_K 1
#define ATTENTION_V 2
#define ATTENTION_MASK 3    /* optional; BOOL */
#define ATTENTION_BIAS 4    /* optional; never beside a mask */
#define ATTENTION_LENGTHS 5 /* optional; I64 */
#define ATTENTION_OUT 6
#define ATTENTION_OPERANDS 7

/* Attributes. */
#define ATTENTION_IS_CAUSAL 0
#define ATTENTION_KV_HEADS 1
#define ATTENTION_Q_HEADS 2
#define ATTENTION_SCALE 3
#define ATTENTION_SOFTCAP 4

/* Axes of the space; all have a role, so that each stays where it is. */
#define ATTENTION_BATCH 0
#define ATTENTION_HEAD 1  /* heads of k and v */
#define ATTENTION_GROUP 2 /* heads of q that share one of k and v */
#define ATTENTION_QUERY 3
#define ATTENTION_KEY 4
#define ATTENTION_SIZE 5  /* of a head of q and k */
#define ATTENTION_VALUE 6 /* of a head of v */
#define ATTENTION_AXES 7

static inline int keeli_attention_has(const keel_call *call, int slot)
{
    return call->operand[slot].dtype != KEEL_DTYPE_NONE;
}

/* The operand that masks or adds to scores, or -1. */
static inline int keeli_attention_mask(const keel_call *call)
{
    return keeli_attention_has(call, ATTENTION_MASK)   ? ATTENTION_MASK
           : keeli_attention_has(call, ATTENTION_BIAS) ? ATTENTION_BIAS
                                                       : -1;
}

/* The factor of the scores: the attribute, or 1 / sqrt(size of a head). */
double keeli_attention_scale(const keel_call *call);

/* Keys that some query may see: all, or as many as a shorter mask has. */
int64_t keeli_attention_keys(const keel_call *call);

/* keel_op.space */
void keeli_attention_space(const keel_call *call, keel_space *space);

/* keel_op.oracle */
keel_status keeli_attention_oracle(const keel_call *call, const void *const *host, uint32_t output,
                                   const int64_t *index, int64_t first, int64_t count,
                                   keel_truth *truth);

/* Best first. */
#define ATTENTION_VARIANTS 3
extern const keel_variant *const keeli_attention_variants[ATTENTION_VARIANTS];

#endif
