/* Planning of scatters: data into out, then the updates; f16 and bf16 sums and products in f32. */
#include <string.h>

#include "indexing/scatter.h"
#include "movement/move.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_entry[];
extern const char keeli_text_rows[];
extern const char keeli_text_scatter[];
extern const char keeli_text_scatter_rows[];

const char *const keeli_scatter_sources[] = {keeli_text_entry, keeli_text_scatter,
                                             keeli_text_scatter_rows, keeli_text_rows, NULL};

#define APPLY "STEP=1 LAYOUT=9 KEEL_BLOCK=KEEL_BLOCK_MAP"
#define ROWS "LAYOUT=0 KEEL_BLOCK=KEEL_BLOCK_MAP"

const keel_instance keeli_scatter_instances[KEELI_SCATTER_INSTANCES] = {
    {"rows_32", ROWS " STEP=0 IDX=i32", 0, 0},
    {"rows_64", ROWS " STEP=0 IDX=i64", 1, 0},
    {"apply_32", APPLY " SCATTER_WIDE=0 IDX=i32", 0, 0},
    {"apply_64", APPLY " SCATTER_WIDE=0 IDX=i64", 1, 0},
    {"widen", ROWS " STEP=2 IDX=i64", 1, 0},
    {"apply_wide", APPLY " SCATTER_WIDE=1 IDX=i64", 1, 0},
    {"narrow", ROWS " STEP=3 IDX=i64", 1, 0},
};

/* Work-items that keep a compute unit of a GPU busy, and its groups. */
#define GPU_ITEMS 256
#define GPU_BLOCK 256
#define GPU_GROUPS 32
/* Lanes of an item on a CPU: if they share their indices, and if not. */
#define CPU_RUN 1024
#define CPU_RUN_APART 64
#define CPU_GROUPS 16

/* Mirrors SCATTER_SHARE of scatter.kc. */
typedef struct keeli_scatter_share {
    int32_t lanes;
    int32_t reduction;
    int32_t pieces;
    int32_t run;
} keeli_scatter_share;

/* What the updates are applied to: out, or a dense workspace. */
typedef struct scatter_target {
    keel_desc desc;
    int32_t operand;
    int32_t wide;
} scatter_target;

/* ---- loops ----------------------------------------------------------------------------------- */

/* Appends the axes of one role, without those of size 1 and joined where they continue; at least
 * one. */
static void append_role(const keel_space *raw, int32_t role, keel_space *out)
{
    const int32_t before = out->rank;
    for (int32_t a = 0; a < raw->rank; a++) {
        if (raw->role[a] != role || raw->extent[a] == 1) {
            continue;
        }
        const int32_t b = out->rank++;
        out->role[b] = role;
        out->extent[b] = raw->extent[a];
        for (int32_t k = 0; k < raw->operands; k++) {
            out->stride[k][b] = raw->stride[k][a];
        }
        if (b > before && keeli_space_continues(out, b - 1, b)) {
            out->extent[b] *= out->extent[b - 1];
            keeli_space_swap_axes(out, b - 1, b);
            out->rank--;
        }
    }
    if (out->rank == before) {
        out->role[out->rank] = role;
        out->extent[out->rank++] = 1;
    }
}

/* Lanes, then the axes in which updates meet; out_lanes: how many of the first. */
static void make_loops(const keel_call *call, const keeli_scatter *scatter, const keel_desc *target,
                       keel_space *out, int32_t *out_lanes)
{
    keel_space raw;
    keeli_scatter_space(call, scatter, target, &raw);
    memcpy(raw.stride[SCATTER_DATA], raw.stride[SCATTER_OUT], sizeof raw.stride[SCATTER_OUT]);
    memset(out, 0, sizeof *out);
    out->operands = raw.operands;
    append_role(&raw, KEEL_AXIS_MAP, out);
    *out_lanes = out->rank;
    append_role(&raw, SCATTER_MEETING, out);
}

/* ---- shares ---------------------------------------------------------------------------------- */

static int64_t volume_of(const int64_t *extent, int32_t count)
{
    int64_t volume = 1;
    for (int32_t a = 0; a < count; a++) {
        volume *= extent[a];
    }
    return volume;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/*
 * Every piece costs a walk over all tuples, so there are only as many as it takes to occupy the
 * device; and not more than tuples, or than what they choose from.
 */
static keeli_grid share_out(const keel_limits *limits, const keel_space *loops,
                            const keeli_pick *pick, keeli_scatter_share *share)
{
    const int64_t units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t lanes = volume_of(loops->extent, share->lanes);
    const int64_t tuples = volume_of(loops->extent + share->lanes, loops->rank - share->lanes);
    const int64_t numbers = volume_of(pick->extent, pick->count);
    const int64_t most = clamp(numbers < tuples ? numbers : tuples, 1, 1 << 16);
    if (limits->kind == KEEL_KIND_GPU) {
        share->pieces = (int32_t)clamp(ceil_div(units * GPU_ITEMS, lanes), 1, most);
        const int64_t groups = ceil_div(lanes * share->pieces, GPU_BLOCK);
        return (keeli_grid){(uint64_t)clamp(groups, 1, units * GPU_GROUPS), GPU_BLOCK};
    }
    const int32_t last = share->lanes - 1;
    share->run = loops->stride[SCATTER_INDICES][last] == 0 ? CPU_RUN : CPU_RUN_APART;
    const int64_t items = lanes / loops->extent[last] * ceil_div(loops->extent[last], share->run);
    share->pieces = (int32_t)clamp(ceil_div(units, items), 1, most);
    return (keeli_grid){(uint64_t)clamp(items * share->pieces, 1, units * CPU_GROUPS), 1};
}

/* ---- launches -------------------------------------------------------------------------------- */

static keel_status apply(const keel_call *call, const keeli_scatter *scatter,
                         const scatter_target *target, const keel_limits *limits,
                         keel_builder *builder)
{
    keel_space loops;
    keeli_scatter_share share = {.reduction = scatter->reduction, .run = 1};
    make_loops(call, scatter, &target->desc, &loops, &share.lanes);
    if (keeli_space_volume(&loops) == 0) {
        return KEEL_OK;
    }
    keeli_pick pick = scatter->pick;
    for (int32_t c = 0; c < pick.count; c++) {
        pick.pitch[c] = target->desc.stride[scatter->first_picked + c];
    }
    const int fits = keeli_pick_fits_32(&pick, &loops, SCATTER_INDICES, SCATTER_OUT);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder,
                              target->wide ? "apply_wide"
                              : fits       ? "apply_32"
                                           : "apply_64",
                              &kernel));
    const keeli_grid grid = share_out(limits, &loops, &pick, &share);
    keel_meta whole;
    keel_meta meta;
    keel_meta tuple;
    keeli_meta_from_space(&loops, &whole);
    meta = whole;
    memcpy(meta.view, whole.view + 1, 3 * sizeof meta.view[0]); /* without data's view */
    keeli_pick_meta(&pick, &tuple);
    const int8_t behind[] = {SCATTER_INDICES, SCATTER_UPDATES, (int8_t)target->operand};
    const int8_t tuple_behind[] = {SCATTER_UPDATES, SCATTER_INDICES};
    const keel_plan_arg args[] = {
        keeli_arg_operand(SCATTER_INDICES),      keeli_arg_operand(SCATTER_UPDATES),
        keeli_arg_operand(target->operand),      keeli_arg_meta(&meta, 3, behind),
        keeli_arg_meta(&tuple, 2, tuple_behind), keeli_arg_value(&share, sizeof share),
    };
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static keel_status plan_wide(const keel_call *call, const keeli_scatter *scatter,
                             const keel_limits *limits, keel_builder *builder)
{
    static const char *const widen[] = {"widen", "widen"};
    static const char *const narrow[] = {"narrow", "narrow"};
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *out = &call->operand[SCATTER_OUT];
    scatter_target target = {.desc = *data, .wide = 1};
    keeli_desc_make_dense(&target.desc);
    KEEL_TRY(keel_plan_workspace(builder, KEEL_F32, keeli_desc_elements(data), &target.operand));
    const keeli_move in = keeli_move_between(data, SCATTER_DATA, &target.desc, target.operand);
    const keeli_move back = keeli_move_between(&target.desc, target.operand, out, SCATTER_OUT);
    KEEL_TRY(keeli_move_plan_entry(&in, widen, limits, builder));
    KEEL_TRY(apply(call, scatter, &target, limits, builder));
    return keeli_move_plan_entry(&back, narrow, limits, builder);
}

keel_status keeli_scatter_plan(const keel_call *call, const keeli_scatter *scatter,
                               const keel_limits *limits, keel_builder *builder)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *out = &call->operand[SCATTER_OUT];
    const int sums = scatter->reduction == SCATTER_ADD || scatter->reduction == SCATTER_MUL;
    if (sums && (data->dtype == KEEL_F16 || data->dtype == KEEL_BF16)) {
        return plan_wide(call, scatter, limits, builder);
    }
    if (out->alias != SCATTER_DATA) {
        const keeli_move move = keeli_move_between(data, SCATTER_DATA, out, SCATTER_OUT);
        KEEL_TRY(keeli_move_plan_rows(&move, limits, builder));
    }
    const scatter_target target = {.desc = *out, .operand = SCATTER_OUT};
    return apply(call, scatter, &target, limits, builder);
}
