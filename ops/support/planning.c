/* Argument structs, arguments, grids. */
#include "support/planning.h"

#include <string.h>

/* Fewer elements than this are not worth a group on a CPU. */
#define CPU_CHUNK 4096
/* Groups per compute unit: enough to balance the load, few enough to cost nothing. */
#define CPU_GROUPS 16
#define GPU_BLOCK 256
#define GPU_ITEM 4
#define GPU_GROUPS 32

void keeli_meta_from_space(const keel_space *space, keel_meta *out_meta)
{
    memset(out_meta, 0, sizeof *out_meta);
    out_meta->rank = space->rank > 0 ? space->rank : 1;
    out_meta->extent[0] = 1;
    for (int32_t axis = 0; axis < space->rank; axis++) {
        out_meta->extent[axis] = space->extent[axis];
    }
    for (int32_t k = 0; k < space->operands && k < KEEL_META_VIEWS; k++) {
        memcpy(out_meta->view[k].stride, space->stride[k],
               (size_t)space->rank * sizeof space->stride[k][0]);
    }
}

keel_plan_arg keeli_arg_operand(int32_t operand)
{
    return (keel_plan_arg){.kind = KEEL_ARG_OPERAND, .index = operand};
}

keel_plan_arg keeli_arg_meta(const keel_meta *meta, int32_t views, const int8_t *map)
{
    keel_plan_arg arg = {.kind = KEEL_ARG_META, .index = views, .value = meta};
    for (int32_t k = 0; k < views; k++) {
        arg.map[k] = map != NULL ? map[k] : (int8_t)k;
    }
    return arg;
}

keel_plan_arg keeli_arg_value(const void *value, uint32_t size)
{
    return (keel_plan_arg){.kind = KEEL_ARG_VALUE, .size = size, .value = value};
}

static uint64_t groups_for(int64_t n, uint64_t per_group, uint64_t most)
{
    const uint64_t wanted = n > 0 ? ((uint64_t)n - 1) / per_group + 1 : 0;
    return wanted < most ? wanted : most;
}

keeli_grid keeli_grid_map(const keel_limits *limits, int64_t n)
{
    const uint64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    if (limits->kind == KEEL_KIND_CPU) {
        return (keeli_grid){groups_for(n, CPU_CHUNK, units * CPU_GROUPS), 1};
    }
    return (keeli_grid){groups_for(n, GPU_BLOCK * GPU_ITEM, units * GPU_GROUPS), GPU_BLOCK};
}

keel_status keeli_launch(keel_builder *builder, int32_t kernel, keeli_grid grid,
                         const keel_plan_arg *args, uint32_t count)
{
    const uint64_t groups[3] = {grid.groups, 1, 1};
    const uint32_t block[3] = {grid.block, 1, 1};
    return keel_plan_launch(builder, kernel, groups, block, args, count);
}
