/*
 * How keel.matmul runs: three variants, and for the CPU one the choice between register tiles with
 * or without packing and the two forms for few rows. docs: matmul.md.
 */
#include <stdio.h>
#include <string.h>

#include "dense/matmul.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_matmul[];
extern const char keeli_text_matmul_simt[];
extern const char keeli_text_matmul_simd[];
extern const char keeli_text_matmul_scalar[];

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Mirror MATMUL_HAS_C and so on of matmul.kc. */
#define FLAG_C 1
#define FLAG_BIAS 2
#define FLAG_DIRECT_B 4

/* Mirrors MATMUL_TILING. */
typedef struct tiling {
    int32_t flags;
    int32_t rows, columns;
    int32_t pad;
} tiling;

/* A plan being made: sizes of the call, and what stands behind the views of the kernels. */
typedef struct maker {
    const keel_call *call;
    const keel_limits *limits;
    keel_builder *builder;
    keel_meta meta;
    int8_t map[KEEL_META_VIEWS]; /* operand behind each view */
    int64_t rows, columns, depth, batch;
    tiling tiling;
} maker;

static int64_t ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

static int64_t batch_of(const keel_meta *meta)
{
    int64_t n = 1;
    for (int64_t axis = MATMUL_BATCH; axis < meta->rank; axis++) {
        n *= meta->extent[axis];
    }
    return n;
}

static void open_maker(maker *k, const keel_call *call, const keel_limits *limits,
                       keel_builder *builder)
{
    memset(k, 0, sizeof *k);
    k->call = call;
    k->limits = limits;
    k->builder = builder;
    keeli_meta_from_space(call->space, &k->meta);
    k->rows = call->space->extent[MATMUL_M];
    k->columns = call->space->extent[MATMUL_N];
    k->depth = call->space->extent[MATMUL_K];
    k->batch = batch_of(&k->meta);
    for (int8_t view = 0; view < MATMUL_OPERANDS; view++) {
        const int present = call->operand[view].dtype != KEEL_DTYPE_NONE;
        k->map[view] = (int8_t)(present ? view : MATMUL_A);
    }
    k->tiling.flags =
        (keeli_matmul_has_c(call) ? FLAG_C : 0) | (keeli_matmul_has_bias(call) ? FLAG_BIAS : 0);
}

/* Launches groups of items along x. */
static keel_status launch(keel_builder *builder, const char *entry, int64_t groups, uint32_t items,
                          const keel_plan_arg *args, uint32_t count)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, entry, &kernel));
    return keeli_launch(builder, kernel, (keeli_grid){(uint64_t)groups, items}, args, count);
}

/* alpha and beta in the type that the kernel sums in; integers modulo 2^64. */
static keel_plan_arg factors_arg(const keel_call *call, void *storage)
{
    const double alpha = keeli_matmul_alpha(call);
    const double beta = keeli_matmul_beta(call);
    const keel_dtype dtype = call->operand[MATMUL_A].dtype;
    uint32_t size;
    if (dtype == KEEL_F64) {
        const double pair[2] = {alpha, beta};
        memcpy(storage, pair, size = sizeof pair);
    } else if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        const float pair[2] = {(float)alpha, (float)beta};
        memcpy(storage, pair, size = sizeof pair);
    } else if (keel_dtype_size(dtype) == 8) {
        const int64_t pair[2] = {(int64_t)alpha, (int64_t)beta};
        memcpy(storage, pair, size = sizeof pair);
    } else {
        const uint32_t pair[2] = {(uint32_t)(int64_t)alpha, (uint32_t)(int64_t)beta};
        memcpy(storage, pair, size = sizeof pair);
    }
    return keeli_arg_value(storage, size);
}

/* Launches a product kernel: a, b, bias, c, out, the loops, the factors and the tiling. */
static keel_status launch_product(const maker *k, const char *entry, int64_t groups, uint32_t items)
{
    char factors[16];
    keel_plan_arg args[8] = {0};
    for (int view = 0; view < MATMUL_OPERANDS; view++) {
        args[view] = keeli_arg_operand(k->map[view]);
    }
    args[5] = keeli_arg_meta(&k->meta, MATMUL_OPERANDS, k->map);
    args[6] = factors_arg(k->call, factors);
    args[7] = keeli_arg_value(&k->tiling, sizeof k->tiling);
    return launch(k->builder, entry, groups, items, args, KEEL_COUNT(args));
}

/* ---- simt ------------------------------------------------------------------------------------ */

#define SIMT_TILE 64
#define SIMT_ITEMS 256

static const keel_instance simt_instances[] = {
    {.entry = "matmul_simt_32", .defines = "IDX=i32 KEEL_BLOCK=" TEXT(SIMT_ITEMS)},
    {.entry = "matmul_simt_64", .defines = "IDX=i64 KEEL_BLOCK=" TEXT(SIMT_ITEMS), .group = 1},
};

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    maker k;
    open_maker(&k, call, limits, builder);
    const int64_t groups = ceil_div(k.rows, SIMT_TILE) * ceil_div(k.columns, SIMT_TILE) * k.batch;
    const int wide = !keeli_space_fits_32(call->space);
    return launch_product(&k, simt_instances[wide].entry, groups, SIMT_ITEMS);
}

static keel_status simt_supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    if (limits->max_group < SIMT_ITEMS) {
        (void)snprintf(reason, 128, "groups of %u items, %d are needed", limits->max_group,
                       SIMT_ITEMS);
        return KEEL_ERR_UNSUPPORTED;
    }
    return keeli_supports_types(call, limits, reason);
}

static const char *const simt_sources[] = {keeli_text_matmul, keeli_text_matmul_simt, NULL};
static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "matmul.simt",
    .style = "simt",
    .sources = simt_sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = simt_supports,
    .plan = simt_plan,
};

/* ---- simd ------------------------------------------------------------------------------------ */

/* Register tile: MR x NR f32, which with a row of b and a value of a fits 16 registers of eight. */
#define MR 6
#define NR 16
/* Depth of a chunk: KC rows of a panel of b fit the nearest cache beside MR rows of a. */
#define KC 256
/* Columns that a group of the few-rows form reads at a time. */
#define RUN 64
/* Register tiles of a group at most. */
#define GROUP_ROWS 12
#define GROUP_COLUMNS 8
/* Below this many elements b is read where it lies: it stays near, and packing would not pay. */
#define DIRECT_LIMIT (INT64_C(128) * 128)

static const keel_instance simd_instances[] = {
    {.entry = "matmul_pack_b", .defines = "PACK_B KEEL_BLOCK=1 NR=" TEXT(NR) " KC=" TEXT(KC)},
    {.entry = "matmul_pack_a", .defines = "PACK_A KEEL_BLOCK=1 MR=" TEXT(MR) " KC=" TEXT(KC)},
    {.entry = "matmul_tiles",
     .defines = "TILES KEEL_BLOCK=1 MR=" TEXT(MR) " NR=" TEXT(NR) " KC=" TEXT(KC)},
    {.entry = "matmul_columns", .defines = "COLUMNS KEEL_BLOCK=1 RUN=" TEXT(RUN)},
    {.entry = "matmul_dots", .defines = "DOTS KEEL_BLOCK=1"},
};

/*
 * Packs one operand into workspace and puts that in its place. matrix: elements of a packed matrix.
 * Matrices that the batch repeats are packed once.
 */
static keel_status pack(maker *k, int view, const char *entry, int64_t matrix, int64_t groups)
{
    keel_meta meta = k->meta;
    keel_meta_view packed = {0};
    int64_t count = 1;
    for (int64_t axis = meta.rank - 1; axis >= MATMUL_BATCH; axis--) {
        if (meta.view[view].stride[axis] == 0) {
            meta.extent[axis] = 1;
        }
        packed.stride[axis] = meta.extent[axis] > 1 ? count * matrix : 0;
        count *= meta.extent[axis];
    }
    int32_t workspace;
    KEEL_TRY(keel_plan_workspace(k->builder, KEEL_F32, count * matrix, &workspace));
    meta.view[0] = meta.view[view];
    meta.view[1] = (keel_meta_view){0};
    const int8_t map[KEEL_META_VIEWS] = {(int8_t)view, (int8_t)workspace};
    const keel_plan_arg args[] = {keeli_arg_operand(view), keeli_arg_operand(workspace),
                                  keeli_arg_meta(&meta, 2, map)};
    KEEL_TRY(launch(k->builder, entry, groups * count, 1, args, KEEL_COUNT(args)));
    k->meta.view[view] = packed;
    k->map[view] = (int8_t)workspace;
    return KEEL_OK;
}

static keel_status pack_a(maker *k)
{
    const int64_t padded = k->rows < MR ? MR : k->rows;
    const int64_t groups = ceil_div(padded, 8) * ceil_div(k->depth, KC);
    KEEL_TRY(pack(k, MATMUL_A, "matmul_pack_a", padded * k->depth, groups));
    k->meta.view[MATMUL_A].stride[MATMUL_M] = k->depth;
    k->meta.view[MATMUL_A].stride[MATMUL_K] = 1;
    return KEEL_OK;
}

static keel_status pack_b(maker *k)
{
    const int64_t panels = ceil_div(k->columns, NR);
    const int64_t groups = panels * ceil_div(k->depth, KC);
    return pack(k, MATMUL_B, "matmul_pack_b", panels * NR * k->depth, groups);
}

/* Whether the tiles kernel can read b where it lies, and is better off for it. */
static int reads_b_directly(const maker *k)
{
    return k->call->operand[MATMUL_B].dtype == KEEL_F32 && k->columns >= NR &&
           k->meta.view[MATMUL_B].stride[MATMUL_N] == 1 && k->columns * k->depth <= DIRECT_LIMIT;
}

static int reads_a_directly(const maker *k)
{
    return k->call->operand[MATMUL_A].dtype == KEEL_F32 && k->rows >= MR &&
           k->meta.view[MATMUL_A].stride[MATMUL_K] == 1;
}

/*
 * Register tiles per group: as many as caches like, as few as give every core several chunks of
 * groups, since runtimes hand groups out in chunks of 32 or more.
 */
static int64_t choose_tiling(maker *k)
{
    const int64_t rows = ceil_div(k->rows, MR);
    const int64_t columns = ceil_div(k->columns, NR);
    const int64_t wanted = 64 * (int64_t)k->limits->compute_units;
    tiling *t = &k->tiling;
    t->rows = GROUP_ROWS;
    t->columns = GROUP_COLUMNS;
    for (;;) {
        const int64_t groups = ceil_div(rows, t->rows) * ceil_div(columns, t->columns) * k->batch;
        if (groups >= wanted || (t->rows == 1 && t->columns == 1)) {
            return groups;
        }
        if (t->columns > 1 && t->columns >= t->rows / 2) {
            t->columns /= 2;
        } else {
            t->rows = t->rows > 1 ? (t->rows + 1) / 2 : 1;
        }
    }
}

static keel_status plan_tiles(maker *k)
{
    if (k->depth > 0 && !reads_a_directly(k)) {
        KEEL_TRY(pack_a(k));
    }
    if (k->depth > 0 && reads_b_directly(k)) {
        k->tiling.flags |= FLAG_DIRECT_B;
    } else if (k->depth > 0) {
        KEEL_TRY(pack_b(k));
    }
    const int64_t groups = choose_tiling(k);
    return launch_product(k, "matmul_tiles", groups, 1);
}

/* Few rows: b is read once, whatever is done with it, so it is not packed. */
static keel_status plan_columns(maker *k)
{
    return launch_product(k, "matmul_columns", ceil_div(k->columns, RUN) * k->batch, 1);
}

static keel_status plan_dots(maker *k)
{
    const int64_t cost = k->depth * k->rows + 64;
    const int64_t columns = 65536 / cost;
    k->tiling.columns = (int32_t)(columns < 1 ? 1 : columns);
    const int64_t groups = ceil_div(k->columns, k->tiling.columns) * k->batch;
    return launch_product(k, "matmul_dots", groups, 1);
}

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    maker k;
    open_maker(&k, call, limits, builder);
    const int64_t a_inner = k.meta.view[MATMUL_A].stride[MATMUL_K];
    if (k.rows < MR && k.meta.view[MATMUL_B].stride[MATMUL_N] == 1) {
        return plan_columns(&k);
    }
    if (k.rows < MR && k.meta.view[MATMUL_B].stride[MATMUL_K] == 1 && a_inner == 1) {
        return plan_dots(&k);
    }
    return plan_tiles(&k);
}

static keel_status simd_supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    (void)limits;
    const keel_dtype dtype = call->operand[MATMUL_A].dtype;
    if (dtype == KEEL_F32 || dtype == KEEL_F16 || dtype == KEEL_BF16) {
        return KEEL_OK;
    }
    (void)snprintf(reason, 128, "vectors are of f32, f16 and bf16, not of %s",
                   keel_dtype_name(dtype));
    return KEEL_ERR_UNSUPPORTED;
}

static const char *const simd_sources[] = {keeli_text_matmul, keeli_text_matmul_simd, NULL};
static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "matmul.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = simd_instances,
    .instance_count = KEEL_COUNT(simd_instances),
    .supports = simd_supports,
    .plan = simd_plan,
};

/* ---- scalar ---------------------------------------------------------------------------------- */

#define SCALAR_MR 4
#define SCALAR_NR 8

static const keel_instance scalar_instances[] = {
    {.entry = "matmul_scalar",
     .defines = "KEEL_BLOCK=1 MR=" TEXT(SCALAR_MR) " NR=" TEXT(SCALAR_NR)},
};

static keel_status scalar_plan(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    (void)err;
    maker k;
    open_maker(&k, call, limits, builder);
    k.tiling.rows = k.tiling.columns = 8;
    const int64_t groups = ceil_div(k.rows, INT64_C(8) * SCALAR_MR) *
                           ceil_div(k.columns, INT64_C(8) * SCALAR_NR) * k.batch;
    return launch_product(&k, scalar_instances[0].entry, groups, 1);
}

static const char *const scalar_sources[] = {keeli_text_matmul, keeli_text_matmul_scalar, NULL};
static const keel_variant scalar = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "matmul.scalar",
    .style = "any",
    .sources = scalar_sources,
    .instances = scalar_instances,
    .instance_count = KEEL_COUNT(scalar_instances),
    .supports = keeli_supports_types,
    .plan = scalar_plan,
};

const keel_variant *const keeli_matmul_variants[MATMUL_VARIANTS] = {&simd, &scalar, &simt};
