/* The ways in which a valid call is broken, one documented rule at a time. */
#ifndef CONF_CASES_BREAKAGE_H
#define CONF_CASES_BREAKAGE_H

#include "keel/plan.h"
#include "op_case.h"

/* A call while it is being broken. */
typedef struct conf_broken {
    const conf_op_case *op_case;
    const keel_op *op;
    keel_tensor tensor[KEEL_MAX_OPERANDS + 1];
    const keel_tensor *operand[KEEL_MAX_OPERANDS + 1]; /* inputs, then outputs */
    uint32_t inputs, outputs;
    keel_attribute attribute[KEEL_MAX_ATTRIBUTES + 1];
    uint32_t attributes;
} conf_broken;

/* One rule to break, and in which calls that is possible. */
typedef struct conf_breakage {
    const char *name;
    void (*apply)(conf_broken *call);
    int (*applies)(const conf_op_case *c, const keel_op *op);
    int32_t tier;
    int32_t pad;
} conf_breakage;

extern const conf_breakage conf_breakages[]; /* ends with a row that has no name */

/* Last axis of a tensor with more than one element, or -1. */
int32_t conf_wide_axis(const int64_t *shape, int32_t rank);

#endif
