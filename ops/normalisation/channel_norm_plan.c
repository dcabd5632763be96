/* How keel.instance_norm and keel.group_norm run: rows are shared out whole. */
#include "normalisation/channel_norm.h"
#include "normalisation/norm.h"
#include "normalisation/rows.h"
#include "support/contract.h"

#define Y 3

/* Whether x and y have the channels of a row behind each other, each dense. */
static int is_together(const keel_space *space, int32_t inner)
{
    int64_t reach = 1;
    for (int32_t a = space->rank - 1; a >= inner; a--) {
        if (space->extent[a] > 1 &&
            (space->stride[NORM_X][a] != reach || space->stride[Y][a] != reach)) {
            return 0;
        }
        reach *= space->extent[a];
    }
    return 1;
}

/* Whether what a channel holds is one axis on which x and y move by 1, and its type has vectors. */
static int has_vectors(const keel_call *call, int32_t inner)
{
    const keel_space *space = call->space;
    const int32_t last = space->rank - 1;
    return last == inner + 1 && call->operand[NORM_X].dtype != KEEL_F64 &&
           (space->extent[last] == 1 ||
            (space->stride[NORM_X][last] == 1 && space->stride[Y][last] == 1));
}

static keel_status launch(const keel_call *call, keel_builder *builder, const char *entry,
                          keeli_grid grid)
{
    const int32_t inner = keeli_norm_first_inner(call->space);
    const int32_t flags = is_together(call->space, inner) ? NORM_X_TOGETHER : 0;
    return keeli_norm_launch(call, builder, entry, grid, keeli_attribute_float(call, 0), flags);
}

keel_status keeli_channel_norm_plan_simt(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, keel_error *err)
{
    (void)limits;
    (void)err;
    const int wide = !keeli_space_fits_32(call->space);
    const int64_t rows =
        keeli_rows_count(call->space->extent, 0, keeli_norm_first_inner(call->space));
    return launch(call, builder, keeli_norm_simt_instances[wide].entry, keeli_rows_gpu_grid(rows));
}

keel_status keeli_channel_norm_plan_simd(const keel_call *call, const keel_limits *limits,
                                         keel_builder *builder, keel_error *err)
{
    (void)err;
    const keel_space *space = call->space;
    const int32_t inner = keeli_norm_first_inner(space);
    const int64_t rows = keeli_rows_count(space->extent, 0, inner);
    const int64_t n = keeli_rows_count(space->extent, inner, space->rank);
    const int any = !has_vectors(call, inner);
    return launch(call, builder, keeli_norm_simd_instances[any].entry,
                  keeli_rows_cpu_grid(limits, rows, n));
}
