/* Rows of a space, and launches over them. */
#include "normalisation/rows.h"

#include <stdio.h>

#include "support/contract.h"

/* Fewer elements than this are not worth a group on a CPU. */
#define CPU_CHUNK 8192
/* Groups per compute unit: enough to balance the load. */
#define CPU_GROUPS 16
/* Groups of a GPU launch at most; they walk over what is left. */
#define GPU_GROUPS (INT64_C(1) << 20)
/* Neighbouring rows that are worth a vector, or coalescing. */
#define COLUMNS_WIDTH 8

int64_t keeli_rows_count(const int64_t *extent, int64_t first, int64_t end)
{
    int64_t count = 1;
    for (int64_t axis = first; axis < end; axis++) {
        count *= extent[axis];
    }
    return count;
}

/* Swaps two row axes. */
static void swap_axes(keel_meta *meta, int64_t a, int64_t b)
{
    const int64_t extent = meta->extent[a];
    meta->extent[a] = meta->extent[b];
    meta->extent[b] = extent;
    for (int view = 0; view < 2; view++) {
        const int64_t stride = meta->view[view].stride[a];
        meta->view[view].stride[a] = meta->view[view].stride[b];
        meta->view[view].stride[b] = stride;
    }
}

static int moves_by_one(const keel_meta *meta, int64_t axis)
{
    return meta->view[0].stride[axis] == 1 && meta->view[1].stride[axis] == 1;
}

int keeli_rows_layout(keel_meta *meta)
{
    const int64_t axis = meta->rank - 1;
    if (moves_by_one(meta, axis) || meta->extent[axis] == 1) {
        return ROWS_ROWS;
    }
    for (int64_t i = 0; i < axis; i++) {
        if (moves_by_one(meta, i) && meta->extent[i] >= COLUMNS_WIDTH) {
            swap_axes(meta, i, axis - 1);
            return ROWS_COLUMNS;
        }
    }
    return ROWS_ANY;
}

keeli_grid keeli_rows_cpu_grid(const keel_limits *limits, int64_t rows, int64_t n)
{
    const int64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t most = units * CPU_GROUPS;
    const int64_t each = n < CPU_CHUNK ? CPU_CHUNK / (n > 0 ? n : 1) : 1;
    const int64_t wanted = (rows + each - 1) / each;
    return (keeli_grid){(uint64_t)(wanted < most ? wanted : most), 1};
}

keeli_grid keeli_rows_gpu_grid(int64_t rows)
{
    return (keeli_grid){(uint64_t)(rows < GPU_GROUPS ? rows : GPU_GROUPS), ROWS_GROUP};
}

keel_status keeli_rows_launch(keel_builder *builder, const char *entry, keeli_grid grid,
                              const keel_plan_arg *args, uint32_t count)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, entry, &kernel));
    return keeli_launch(builder, kernel, grid, args, count);
}

keel_status keeli_rows_gpu_supports(const keel_call *call, const keel_limits *limits,
                                    char reason[128])
{
    if (limits->max_group < ROWS_GROUP) {
        (void)snprintf(reason, 128, "groups of %u items, %d are needed", limits->max_group,
                       ROWS_GROUP);
        return KEEL_ERR_UNSUPPORTED;
    }
    return keeli_supports_types(call, limits, reason);
}
