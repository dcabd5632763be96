/*
 * Planning of scans: along rows or across neighbouring ones, and whether rows are cut into parts.
 * The kernels are in scan.kc.
 */
#include "scan/scan.h"
#include "support/planning.h"

#define LANES 4 /* of scan.kc */
#define RUN 256
#define GPU_BLOCK 256
#define COLUMNS_LEAST 8 /* neighbouring rows that are worth a vector, or coalescing */

#define EXCLUSIVE 1 /* flags of scan.kc */
#define REVERSE 2
#define TOTALS 4

const keel_instance keeli_scan_instances[SCAN_INSTANCES] = {
    {"rows_32", "STAGE=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"columns_32", "STAGE=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"rows_64", "STAGE=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"columns_64", "STAGE=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

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

/* Rows are independent, so a row axis whose elements lie together may become the last one. */
static int by_columns(keel_space *space, const keel_limits *limits)
{
    const int32_t axis = space->rank - 1;
    const int short_rows = limits->kind == KEEL_KIND_GPU && space->extent[axis] < GPU_BLOCK / 8;
    if (axis == 0 || (space->stride[0][axis] == 1 && !short_rows)) {
        return 0;
    }
    for (int32_t i = axis - 1; i >= 0; i--) {
        if (space->stride[0][i] == 1 && space->extent[i] >= COLUMNS_LEAST) {
            keeli_space_swap_axes(space, i, axis - 1);
            return 1;
        }
    }
    return short_rows;
}

/* Units of work if no row is cut: what a CPU item takes at once, a GPU group or a GPU item. */
static int64_t units_of(const keel_space *space, int columns, const keel_limits *limits)
{
    const int32_t axis = space->rank - 1;
    const int64_t rows = keeli_space_volume(space) / space->extent[axis];
    if (limits->kind == KEEL_KIND_GPU || !columns) {
        return rows;
    }
    const int64_t width = space->extent[axis - 1];
    return rows / width * divide_up(width, RUN);
}

/* Into how many parts each row is cut, so that all compute units work. */
static int64_t parts_of(int64_t units, int64_t n, int columns, const keel_limits *limits)
{
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    int64_t wanted = compute_units * (columns ? 2 : 2 * LANES);
    int64_t least = columns ? 256 : 8192; /* elements that are worth a part */
    if (limits->kind == KEEL_KIND_GPU) {
        wanted = compute_units * (columns ? 4 * GPU_BLOCK : 4);
        least = columns ? 256 : 16 * GPU_BLOCK;
    }
    if (units >= wanted / 2) {
        return 1;
    }
    return at_least(at_most(at_most(divide_up(wanted, units), n / least), 256), 1);
}

static keeli_grid grid_of(int64_t units, int64_t n, int columns, const keel_limits *limits)
{
    if (limits->kind == KEEL_KIND_GPU) {
        const int64_t groups = columns ? divide_up(units, GPU_BLOCK) : units;
        return (keeli_grid){(uint64_t)at_most(groups, 65536), GPU_BLOCK};
    }
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t items = columns ? units : divide_up(units, LANES);
    const int64_t work = at_least(units * n * (columns ? RUN : 1) / 8192, 1);
    return (keeli_grid){(uint64_t)at_most(at_most(items, work), compute_units * 16), 1};
}

/* What scan.kc is given by value. */
typedef struct sizes {
    int64_t parts;
    int64_t flags;
} sizes;

static keel_dtype partial_type(keel_dtype dtype)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        return keeli_accumulator(dtype);
    }
    return keel_dtype_size(dtype) == 8 ? KEEL_U64 : KEEL_U32;
}

keel_status keeli_scan_plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                            keel_error *err)
{
    (void)err;
    keel_space space = *call->space;
    const int64_t n = space.extent[space.rank - 1];
    const int columns = by_columns(&space, limits);
    const int64_t units = units_of(&space, columns, limits);
    sizes s = {.parts = parts_of(units, n, columns, limits),
               .flags = (keeli_attribute_int(call, SCAN_EXCLUSIVE) != 0 ? EXCLUSIVE : 0) |
                        (keeli_attribute_int(call, SCAN_REVERSE) != 0 ? REVERSE : 0)};
    const int64_t elements = keeli_space_volume(&space) / n * s.parts;
    int32_t workspace = 1; /* stands in where there are no parts */
    if (s.parts > 1) {
        KEEL_TRY(keel_plan_workspace(builder, partial_type(call->operand[0].dtype), elements,
                                     &workspace));
    }
    const int wide = !keeli_space_fits_32(&space) || elements >= INT64_C(1) << 30;
    keel_meta meta;
    keeli_meta_from_space(&space, &meta);
    const int8_t map[] = {0, 1, (int8_t)workspace};
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, keeli_scan_instances[2 * wide + columns].entry, &kernel));
    const keel_plan_arg args[] = {keeli_arg_operand(0), keeli_arg_operand(1),
                                  keeli_arg_operand(workspace), keeli_arg_meta(&meta, 3, map),
                                  keeli_arg_value(&s, sizeof s)};
    const keeli_grid grid = grid_of(units * s.parts, divide_up(n, s.parts), columns, limits);
    if (s.parts > 1) {
        const sizes totals = {s.parts, s.flags | TOTALS};
        keel_plan_arg first[KEEL_COUNT(args)];
        for (size_t i = 0; i < KEEL_COUNT(args); i++) {
            first[i] = args[i];
        }
        first[4] = keeli_arg_value(&totals, sizeof totals);
        KEEL_TRY(keeli_launch(builder, kernel, grid, first, KEEL_COUNT(first)));
    }
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}
