/* What the contract of keel.softmax and its planner share. */
#ifndef KEELI_SOFTMAX_H
#define KEELI_SOFTMAX_H

#include "keel/op.h"

/* Operand slots. */
#define SOFTMAX_X 0
#define SOFTMAX_Y 1

/* Role of the normalised axis, the last one of the space. */
#define SOFTMAX_ROLE_AXIS 1

/* Best first. */
#define SOFTMAX_VARIANTS 2
extern const keel_variant *const keeli_softmax_variants[SOFTMAX_VARIANTS];

#endif
