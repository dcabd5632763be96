/* What planners of several families share: argument structs, arguments, grids. */
#ifndef KEELI_SUPPORT_PLANNING_H
#define KEELI_SUPPORT_PLANNING_H

#include "keel/op.h"

/*
 * The keel_meta of a space: view k moves as operand k does. A space of rank 0 becomes one axis of
 * one element, so that kernels need no case for it.
 */
void keeli_meta_from_space(const keel_space *space, keel_meta *out_meta);

/* Kernel arguments. map has one operand per view; NULL: view k is operand k. */
keel_plan_arg keeli_arg_operand(int32_t operand);
keel_plan_arg keeli_arg_meta(const keel_meta *meta, int32_t views, const int8_t *map);
keel_plan_arg keeli_arg_value(const void *value, uint32_t size);

/* Groups along x, and work-items in each. */
typedef struct keeli_grid {
    uint64_t groups;
    uint32_t block;
} keeli_grid;

/*
 * The grid for n independent elements that a kernel walks with RANGE, built with
 * KEEL_BLOCK=KEEL_BLOCK_MAP: on CPUs at least 4,096 elements for each group of one item, on GPUs
 * groups of 256 with 4 elements or more for each item.
 */
keeli_grid keeli_grid_map(const keel_limits *limits, int64_t n);

/* keel_plan_launch() for a grid along x. */
keel_status keeli_launch(keel_builder *builder, int32_t kernel, keeli_grid grid,
                         const keel_plan_arg *args, uint32_t count);

#endif
