/* What the contract of keel.topk and its planner share. */
#ifndef KEELI_TOPK_H
#define KEELI_TOPK_H

#include "keel/op.h"

/* Operand slots. */
#define TOPK_X 0
#define TOPK_VALUES 1
#define TOPK_INDICES 2

/* Places of the attributes. */
#define TOPK_AXIS 0
#define TOPK_K 1
#define TOPK_LARGEST 2
#define TOPK_SORTED 3

/* Role of the axis that is searched, the last one of the space; its extent is that of x. */
#define TOPK_ROLE_AXIS 1

#define TOPK_VARIANTS 1
extern const keel_variant *const keeli_topk_variants[TOPK_VARIANTS];

#endif
