/*
 * Planning of reductions: which way round the loops go, how long the blocks are, and whether the
 * reduced elements are split over groups. The kernels are in reduce.kc.
 */
#include <math.h>
#include <string.h>

#include "reduction/reduce.h"
#include "reduction/reduce_space.h"
#include "support/planning.h"

/* Of reduce.kc and pairs.kc: neighbouring outputs that a CPU item does at once. */
#define RUN 1024
#define COLUMNS_LEAST 8
#define GPU_BLOCK 256

const keel_instance keeli_reduce_instances[KEELI_REDUCE_INSTANCES] = {
    {"rows_32", "STAGE=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"columns_32", "STAGE=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"finish_32", "STAGE=2 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"rows_64", "STAGE=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"columns_64", "STAGE=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"finish_64", "STAGE=2 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

/* Row in keeli_reduce_instances of the 32-bit instance; the 64-bit one is STAGES further. */
#define STAGE_ROWS 0
#define STAGE_COLUMNS 1
#define STAGE_FINISH 2
#define STAGES 3

/* ---- loops ----------------------------------------------------------------------------------- */

/* A reduction in loops: the kept axes, then the reduced ones, each part outermost first. */
typedef struct loops {
    keel_space space; /* input, output */
    int32_t kept;     /* axes of the first part */
    int64_t outputs;
    int64_t count; /* elements behind each output */
    int64_t run;   /* neighbouring outputs that a CPU item does at once */
} loops;

/* Sorts axes first..end-1 by the distance that the input moves, the farthest outermost. */
static void sort_axes(keel_space *space, int32_t first, int32_t end)
{
    for (int32_t i = first + 1; i < end; i++) {
        for (int32_t a = i; a > first && space->stride[0][a] > space->stride[0][a - 1]; a--) {
            keeli_space_swap_axes(space, a, a - 1);
        }
    }
}

/* Appends axes first..end-1 of one space to another, joining those that continue each other. */
static void append_merged(const keel_space *from, int32_t first, int32_t end, keel_space *to)
{
    const int32_t start = to->rank;
    for (int32_t a = first; a < end; a++) {
        if (from->extent[a] == 1) {
            continue;
        }
        const int32_t b = to->rank++;
        to->extent[b] = from->extent[a];
        for (int32_t k = 0; k < from->operands; k++) {
            to->stride[k][b] = from->stride[k][a];
        }
        if (b > start && keeli_space_continues(to, b - 1, b)) {
            to->extent[b] *= to->extent[b - 1];
            keeli_space_swap_axes(to, b - 1, b);
            to->rank--;
        }
    }
}

/* Puts a loop of one where a part has none, so that kernels need no case for it. */
static void pad(keel_space *space, int32_t start, int64_t stride)
{
    if (space->rank == start) {
        space->extent[space->rank] = 1;
        space->stride[0][space->rank] = stride;
        space->stride[1][space->rank++] = stride;
    }
}

static loops loops_of(const keel_call *call, const keeli_reduce_request *request)
{
    keel_space sorted = *call->space;
    int32_t kept = 0;
    while (kept < sorted.rank && sorted.role[kept] != KEELI_REDUCED) {
        kept++;
    }
    loops out;
    memset(&out, 0, sizeof out);
    out.space.operands = 2;
    out.count = request->count;
    out.run = request->run;
    sort_axes(&sorted, 0, kept);
    sort_axes(&sorted, kept, sorted.rank);
    append_merged(&sorted, 0, kept, &out.space);
    pad(&out.space, 0, 1);
    out.kept = out.space.rank;
    out.outputs = keeli_space_volume(&out.space);
    append_merged(&sorted, kept, sorted.rank, &out.space);
    pad(&out.space, out.kept, 0); /* no axis is reduced: by columns */
    return out;
}

/* Whether neighbours of the kept axes, rather than of the reduced ones, lie side by side. */
static int by_columns(const loops *l, const keel_limits *limits)
{
    const int64_t kept_stride = l->space.stride[0][l->kept - 1];
    const int64_t reduced_stride = l->space.stride[0][l->space.rank - 1];
    if (limits->kind == KEEL_KIND_GPU && l->count < GPU_BLOCK / 8) {
        return 1; /* too few elements for the items of a group to share */
    }
    return kept_stride == 1 && reduced_stride != 1 && l->space.extent[l->kept - 1] >= COLUMNS_LEAST;
}

/* ---- sharing out ----------------------------------------------------------------------------- */

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

static int64_t divide_up(int64_t value, int64_t by)
{
    return value / by + (value % by != 0);
}

/*
 * Elements after which a running sum is put aside. About 2 sqrt(n) keeps every chain of additions,
 * whatever the data, below 3 sqrt(n), inside T(n) = 8 + 4 sqrt(n). Dense rows are shared by eight
 * chains and cost less in runs of at least 256.
 */
static int64_t block_of(const loops *l, int columns)
{
    const int32_t last = l->space.rank - 1;
    const int64_t root = at_least((int64_t)ceil(sqrt((double)l->count)), 1);
    if (columns) {
        return root;
    }
    const int64_t row = l->space.stride[0][last] == 1 ? l->space.extent[last] : 0;
    return at_least(2 * root, at_most(row, 256));
}

/* Units of work if no output is split: outputs, or on CPUs runs of them. */
static int64_t units_of(const loops *l, int columns, const keel_limits *limits)
{
    if (!columns || limits->kind == KEEL_KIND_GPU) {
        return l->outputs;
    }
    const int64_t width = l->space.extent[l->kept - 1];
    return l->outputs / width * divide_up(width, l->run);
}

/* Into how many parts the elements of each output are split, so that all compute units work. */
static int64_t parts_of(const loops *l, int columns, const keel_limits *limits)
{
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t units = units_of(l, columns, limits);
    int64_t wanted = compute_units * 8;
    int64_t least = columns ? 256 : 16384; /* elements that are worth a part */
    if (limits->kind == KEEL_KIND_GPU) {
        wanted *= columns ? GPU_BLOCK : 1;
        least = columns ? 64 : 16 * GPU_BLOCK;
    }
    if (units >= wanted / 4) {
        return 1;
    }
    return at_least(at_most(at_most(wanted / units, l->count / least), 1024), 1);
}

static keeli_grid grid_of(const loops *l, int columns, int64_t parts, const keel_limits *limits)
{
    const int64_t units = units_of(l, columns, limits) * parts;
    if (limits->kind == KEEL_KIND_GPU) {
        const int64_t groups = columns ? divide_up(units, GPU_BLOCK) : units;
        return (keeli_grid){(uint64_t)at_most(groups, 65536), GPU_BLOCK};
    }
    const int64_t work = at_least(l->outputs * at_least(l->count, 1) / 16384, 1);
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    return (keeli_grid){(uint64_t)at_most(at_most(units, work), compute_units * 16), 1};
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Arguments that all kernels share, by value. */
typedef struct sizes {
    int64_t count;
    int64_t block;
    int64_t parts;
    int32_t kept;
} sizes;

static keel_status launch(keel_builder *builder, int32_t row, keeli_grid grid, const loops *l,
                          const sizes *s, int32_t from, int32_t workspace)
{
    int32_t kernel;
    keel_meta meta;
    const int8_t map[] = {(int8_t)from, 1, (int8_t)workspace};
    KEEL_TRY(keel_plan_kernel(builder, keeli_reduce_instances[row].entry, &kernel));
    keeli_meta_from_space(&l->space, &meta);
    const keel_plan_arg args[] = {
        keeli_arg_operand(from),
        keeli_arg_operand(1),
        keeli_arg_operand(workspace),
        keeli_arg_meta(&meta, 3, map),
        keeli_arg_value(&s->kept, sizeof s->kept),
        keeli_arg_value(&s->count, sizeof s->count),
        keeli_arg_value(&s->block, sizeof s->block),
        keeli_arg_value(&s->parts, sizeof s->parts),
    };
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

keel_status keeli_reduce_plan_loops(const keel_call *call, const keeli_reduce_request *request,
                                    const keel_limits *limits, keel_builder *builder)
{
    const loops l = loops_of(call, request);
    const int columns = by_columns(&l, limits);
    const sizes s = {.count = request->count,
                     .block = request->blocks ? block_of(&l, columns) : request->instead_of_block,
                     .parts = parts_of(&l, columns, limits),
                     .kept = l.kept};
    int32_t wide = keeli_space_fits_32(&l.space) ? 0 : STAGES;
    int32_t workspace = 1; /* stands in where there are no parts */
    if (s.parts > 1) {
        const int64_t elements = l.outputs * s.parts * request->per_part;
        KEEL_TRY(keel_plan_workspace(builder, request->partial, elements, &workspace));
        wide = elements < INT64_C(1) << 30 ? wide : STAGES;
    }
    const int32_t row = wide + (columns ? STAGE_COLUMNS : STAGE_ROWS);
    KEEL_TRY(launch(builder, row, grid_of(&l, columns, s.parts, limits), &l, &s, 0, workspace));
    if (s.parts == 1) {
        return KEEL_OK;
    }
    keeli_grid grid = keeli_grid_map(limits, l.outputs * s.parts);
    grid.groups = limits->kind == KEEL_KIND_GPU ? (uint64_t)at_most(l.outputs, 65536) : grid.groups;
    return launch(builder, wide + STAGE_FINISH, grid, &l, &s, 0, workspace);
}

static keel_status plan_loops_over_axes(const keel_call *call, const keel_limits *limits,
                                        keel_dtype partial, int32_t per_part, keel_builder *builder)
{
    const keeli_reduce_request request = {.count = keeli_reduce_elements(call),
                                          .partial = partial,
                                          .per_part = per_part,
                                          .run = RUN,
                                          .blocks = 1};
    return keeli_reduce_plan_loops(call, &request, limits, builder);
}

keel_status keeli_reduce_plan_sums(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err)
{
    (void)err;
    const keel_dtype dtype = call->operand[0].dtype;
    const keel_dtype integer = keel_dtype_size(dtype) == 8 ? KEEL_U64 : KEEL_U32;
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    return plan_loops_over_axes(call, limits, is_float ? keeli_accumulator(dtype) : integer, 1,
                                builder);
}

keel_status keeli_reduce_plan_pairs(const keel_call *call, const keel_limits *limits,
                                    keel_builder *builder, keel_error *err)
{
    (void)err;
    const keel_dtype dtype = call->operand[0].dtype;
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    return plan_loops_over_axes(call, limits, is_float ? keeli_accumulator(dtype) : KEEL_U64, 2,
                                builder);
}

keel_status keeli_reduce_plan_keys(const keel_call *call, const keel_limits *limits,
                                   keel_builder *builder, keel_error *err)
{
    (void)err;
    const keel_dtype dtype = call->operand[0].dtype;
    const int is_wide = keel_dtype_size(dtype) == 8;
    const int is_unsigned = keel_dtype_in(dtype, KEEL_DTYPES_UNSIGNED) || dtype == KEEL_BOOL;
    const keel_dtype key =
        is_unsigned ? (is_wide ? KEEL_U64 : KEEL_U32) : (is_wide ? KEEL_I64 : KEEL_I32);
    return plan_loops_over_axes(call, limits, key, 1, builder);
}
