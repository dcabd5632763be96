/* Planning of moves: the order of the loops, the layout class, and the launch. */
#include "movement/move.h"

#include <string.h>

#include "support/contract.h"
#include "support/truth.h"

extern const char keeli_text_copy[];
extern const char keeli_text_rows[];
extern const char keeli_text_transposed[];

const char *const keeli_move_sources[] = {keeli_text_copy, keeli_text_rows, keeli_text_transposed,
                                          NULL};

const keel_instance keeli_move_instances[KEELI_MOVE_INSTANCES] = {
    {"rows_32", "LAYOUT=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"rows_64", "LAYOUT=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"tile_32", "LAYOUT=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"tile_64", "LAYOUT=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

#define GPU_TILE_SIDE 32 /* of transposed.kc */
#define TILE_LEAST 8     /* shorter axes gain nothing from tiles */
#define RUN_LEAST 8      /* elements of a run for which finding its place pays */
#define MOST_GROUPS 65536

/* ---- loops ----------------------------------------------------------------------------------- */

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static void drop_axes_of_one(keel_space *space)
{
    int32_t rank = 0;
    for (int32_t a = 0; a < space->rank; a++) {
        if (space->extent[a] != 1) {
            keeli_space_swap_axes(space, rank++, a);
        }
    }
    space->rank = rank;
}

/* Whether axis a belongs outside the axis before it: the target is written in address order. */
static int is_outer(const keel_space *space, int32_t a)
{
    const int64_t *stride = space->stride[space->operands - 1];
    return magnitude(stride[a]) > magnitude(stride[a - 1]);
}

static void sort_axes(keel_space *space)
{
    for (int32_t i = 1; i < space->rank; i++) {
        for (int32_t a = i; a > 0 && is_outer(space, a); a--) {
            keeli_space_swap_axes(space, a, a - 1);
        }
    }
}

static void merge_axes(keel_space *space)
{
    int32_t last = 0;
    for (int32_t a = 1; a < space->rank; a++) {
        if (keeli_space_continues(space, last, a)) {
            space->extent[a] *= space->extent[last];
        } else {
            last++;
        }
        keeli_space_swap_axes(space, last, a);
    }
    space->rank = space->rank > 0 ? last + 1 : 0;
}

void keeli_move_normalise(keel_space *space)
{
    drop_axes_of_one(space);
    sort_axes(space);
    merge_axes(space);
}

/* keeli_space_fits_32() for strides that may be negative: every distance from a base counts. */
static int fits_32(const keel_space *space)
{
    keel_space distances = *space;
    for (int32_t k = 0; k < space->operands; k++) {
        for (int32_t a = 0; a < space->rank; a++) {
            distances.stride[k][a] = magnitude(space->stride[k][a]);
        }
    }
    return keeli_space_fits_32(&distances);
}

/*
 * The axis along which the source is dense, if the target is dense along another one and both are
 * long enough for tiles to pay; else -1.
 */
static int32_t tile_axis(const keel_space *space)
{
    const int32_t last = space->rank - 1;
    if (last < 1 || space->extent[last] < TILE_LEAST ||
        space->stride[KEELI_MOVE_TARGET][last] != 1 ||
        magnitude(space->stride[KEELI_MOVE_SOURCE][last]) <= 1) {
        return -1;
    }
    for (int32_t a = 0; a < last; a++) {
        if (space->stride[KEELI_MOVE_SOURCE][a] == 1 && space->extent[a] >= TILE_LEAST) {
            return a;
        }
    }
    return -1;
}

/* Moves axis a to just before the last one; the order of the others stays. */
static void put_before_last(keel_space *space, int32_t a)
{
    for (; a < space->rank - 2; a++) {
        keeli_space_swap_axes(space, a, a + 1);
    }
}

/*
 * A CPU finds its place anew for each run along the last axis: where runs are short and the axis
 * before is longer, the two change places.
 */
static void lengthen_runs(keel_space *space, const keel_limits *limits)
{
    const int32_t last = space->rank - 1;
    if (limits->kind == KEEL_KIND_CPU && last > 0 && space->extent[last] < RUN_LEAST &&
        space->extent[last - 1] > space->extent[last]) {
        keeli_space_swap_axes(space, last - 1, last);
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Groups for transposed.kc: one for each square of a GPU; CPUs share the squares out. */
static keeli_grid tile_grid(const keel_space *space, const keel_limits *limits)
{
    keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(space));
    if (limits->kind == KEEL_KIND_GPU) {
        grid.groups = 1;
        for (int32_t a = 0; a < space->rank; a++) {
            const uint64_t extent = (uint64_t)space->extent[a];
            grid.groups *= a < space->rank - 2 ? extent : (extent - 1) / GPU_TILE_SIDE + 1;
        }
        grid.groups = grid.groups < MOST_GROUPS ? grid.groups : MOST_GROUPS;
    }
    return grid;
}

static keel_status launch(const keeli_move *move, const char *entry, keeli_grid grid,
                          keel_builder *builder)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, entry, &kernel));
    keel_meta meta;
    keeli_meta_from_space(&move->space, &meta);
    const keel_plan_arg args[] = {
        keeli_arg_operand(move->operand[0]),
        keeli_arg_operand(move->operand[1]),
        keeli_arg_meta(&meta, 2, move->operand),
        keeli_arg_value(&move->base[0], sizeof move->base[0]),
        keeli_arg_value(&move->base[1], sizeof move->base[1]),
        keeli_arg_value(&move->mode, sizeof move->mode),
    };
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

keeli_move keeli_move_of_space(const keel_space *space, int32_t source, int32_t target)
{
    keeli_move move;
    memset(&move, 0, sizeof move);
    move.operand[0] = (int8_t)source;
    move.operand[1] = (int8_t)target;
    move.space.rank = space->rank;
    move.space.operands = 2;
    for (int32_t a = 0; a < space->rank; a++) {
        move.space.extent[a] = space->extent[a];
        move.space.stride[KEELI_MOVE_SOURCE][a] = space->stride[source][a];
        move.space.stride[KEELI_MOVE_TARGET][a] = space->stride[target][a];
    }
    return move;
}

keeli_move keeli_move_between(const keel_desc *from, int32_t source, const keel_desc *to,
                              int32_t target)
{
    keel_space space;
    memset(&space, 0, sizeof space);
    space.rank = from->rank;
    space.operands = 2;
    for (int32_t a = 0; a < from->rank; a++) {
        space.extent[a] = from->shape[a];
        space.stride[KEELI_MOVE_SOURCE][a] = from->stride[a];
        space.stride[KEELI_MOVE_TARGET][a] = to->stride[a];
    }
    keeli_move move = keeli_move_of_space(&space, KEELI_MOVE_SOURCE, KEELI_MOVE_TARGET);
    move.operand[0] = (int8_t)source;
    move.operand[1] = (int8_t)target;
    return move;
}

void keeli_move_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 0;
    *bytes = keeli_compulsory_bytes(call);
}

void keeli_move_truth(const keel_desc *in, const void *host, const int64_t *coordinates,
                      keel_truth *out)
{
    const int64_t offset = keeli_offset(in, coordinates, in->rank);
    keeli_truth_bits(out, in->dtype, keel_dtype_load_bits(in->dtype, host, offset));
}

keel_status keeli_move_plan_entry(const keeli_move *move, const char *const entry[2],
                                  const keel_limits *limits, keel_builder *builder)
{
    keeli_move ordered = *move;
    keeli_move_normalise(&ordered.space);
    lengthen_runs(&ordered.space, limits);
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(&ordered.space));
    return launch(&ordered, entry[fits_32(&ordered.space) ? 0 : 1], grid, builder);
}

keel_status keeli_move_plan_rows(const keeli_move *move, const keel_limits *limits,
                                 keel_builder *builder)
{
    static const char *const entry[] = {"rows_32", "rows_64"};
    return keeli_move_plan_entry(move, entry, limits, builder);
}

keel_status keeli_move_plan(const keeli_move *move, const keel_limits *limits,
                            keel_builder *builder)
{
    keeli_move ordered = *move;
    keeli_move_normalise(&ordered.space);
    const int32_t axis = tile_axis(&ordered.space);
    if (axis < 0) {
        return keeli_move_plan_rows(move, limits, builder);
    }
    put_before_last(&ordered.space, axis);
    const keeli_grid grid = tile_grid(&ordered.space, limits);
    const char *entry = fits_32(&ordered.space) ? "tile_32" : "tile_64";
    return launch(&ordered, entry, grid, builder);
}

keel_status keeli_move_plan_space(const keel_call *call, const keel_limits *limits,
                                  keel_builder *builder, keel_error *err)
{
    (void)err;
    const keeli_move move = keeli_move_of_space(call->space, 0, 1);
    return keeli_move_plan(&move, limits, builder);
}
