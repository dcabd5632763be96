/* What the contract of keel.rotary_embedding and its planner share. */
#ifndef KEELI_ROTARY_EMBEDDING_H
#define KEELI_ROTARY_EMBEDDING_H

#include "keel/op.h"

/* Operand slots. */
#define ROTARY_X 0
#define ROTARY_COS 1
#define ROTARY_SIN 2
#define ROTARY_IDS 3 /* optional */
#define ROTARY_OUT 4
#define ROTARY_OPERANDS 5

/* Attributes. */
#define ROTARY_INTERLEAVED 0
#define ROTARY_NUM_HEADS 1
#define ROTARY_SIZE 2

/* Axes of the space; all have a role, so that each stays where it is. */
#define ROTARY_BATCH 0
#define ROTARY_SEQUENCE 1
#define ROTARY_HEAD 2
#define ROTARY_PAIR 3     /* pairs of a head */
#define ROTARY_ELEMENT 4  /* elements of a head beyond the rotated ones; the step between two */
#define ROTARY_POSITION 5 /* rows of the caches; 1 without position_ids */
#define ROTARY_AXES 6

static inline int keeli_rotary_has_ids(const keel_call *call)
{
    return call->operand[ROTARY_IDS].dtype != KEEL_DTYPE_NONE;
}

extern const keel_variant keeli_rotary_embedding_any;

#endif
