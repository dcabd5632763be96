/* The plan that is being built, for the planner's calls. */
#ifndef KEELI_BUILDER_H
#define KEELI_BUILDER_H

#include "plan.h"

#define KEELI_PLAN_KERNELS 32 /* kernels that one plan may name */

struct keel_builder {
    keel_plan *plan;
    const keel_call *call;              /* the plan's, or that of a copy which the core inserts */
    int32_t operand[KEEL_MAX_OPERANDS]; /* of the call: its number in the plan */
    const keel_variant *variant;
    uint32_t tuple;
    void *kernels[KEELI_PLAN_KERNELS];
    uint32_t kernel_count;
    keel_error *err;
};

/* A builder for a call whose operands are the plan's own. */
keel_builder keeli_builder_make(keel_plan *plan, const keel_variant *variant, uint32_t tuple,
                                keel_error *err);

/*
 * Runs the planner of a variant that takes dense operands only: others are copied to workspace
 * before, outputs from it after.
 */
keel_status keeli_plan_with_copies(keel_builder *builder);

/* Whether a call has an operand that is not dense row-major. */
int keeli_needs_copies(const keel_call *call);

#endif
