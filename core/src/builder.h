/* The plan that is being built, for the planner's calls. */
#ifndef KEELI_BUILDER_H
#define KEELI_BUILDER_H

#include "plan.h"

#define KEELI_PLAN_KERNELS 32 /* kernels that one plan may name */

struct keel_builder {
    keel_plan *plan;
    const keel_variant *variant;
    uint32_t tuple;
    void *kernels[KEELI_PLAN_KERNELS];
    uint32_t kernel_count;
    keel_error *err;
};

#endif
