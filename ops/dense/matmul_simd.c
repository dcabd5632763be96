/*
 * keel.matmul on CPUs in vectors: register tiles with or without packing, and two forms for few
 * rows. docs: matmul.md.
 */
#include <stdio.h>
#include <string.h>

#include "dense/matmul_plan.h"
#include "keel/dtype.h"
#include "support/planning.h"

extern const char keeli_text_matmul[];
extern const char keeli_text_matmul_simd[];

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
/*
 * b is read where it lies when it has no more than DIRECT_ELEMENTS, or the call no more than
 * DIRECT_PRODUCTS and b fits a core's cache, or half of these: packing costs a launch, and would
 * save less. docs/decisions/0012-when-matmul-packs.md has the measurements.
 */
#define DIRECT_ELEMENTS (INT64_C(128) * 128)
#define DIRECT_PRODUCTS (INT64_C(512) * 512 * 512)
#define CACHED_ELEMENTS (INT64_C(512) * 512)

const keel_instance keeli_matmul_simd_instances[MATMUL_SIMD_INSTANCES] = {
    {.entry = "matmul_pack_b",
     .defines = "PACK_B KEEL_BLOCK=1 NR=" MATMUL_TEXT(NR) " KC=" MATMUL_TEXT(KC)},
    {.entry = "matmul_pack_a",
     .defines = "PACK_A KEEL_BLOCK=1 MR=" MATMUL_TEXT(MR) " KC=" MATMUL_TEXT(KC)},
    {.entry = "matmul_tiles",
     .defines =
         "TILES KEEL_BLOCK=1 MR=" MATMUL_TEXT(MR) " NR=" MATMUL_TEXT(NR) " KC=" MATMUL_TEXT(KC)},
    {.entry = "matmul_columns", .defines = "COLUMNS KEEL_BLOCK=1 RUN=" MATMUL_TEXT(RUN)},
    {.entry = "matmul_dots", .defines = "DOTS KEEL_BLOCK=1"},
};

/*
 * Packs one operand into workspace and puts that in its place. matrix: elements of a packed matrix.
 * Matrices that the batch repeats are packed once.
 */
static keel_status pack(keeli_matmul_maker *k, int view, const char *entry, int64_t matrix,
                        int64_t groups)
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
    const int8_t map[KEEL_META_VIEWS] = {k->map[view], (int8_t)workspace};
    const keel_plan_arg args[] = {keeli_arg_operand(k->map[view]), keeli_arg_operand(workspace),
                                  keeli_arg_meta(&meta, 2, map)};
    KEEL_TRY(keeli_matmul_launch(k->builder, entry, groups * count, 1, args, KEEL_COUNT(args)));
    k->meta.view[view] = packed;
    k->map[view] = (int8_t)workspace;
    return KEEL_OK;
}

static keel_status pack_a(keeli_matmul_maker *k)
{
    const int64_t padded = k->rows < MR ? MR : k->rows;
    const int64_t groups = keeli_matmul_ceil_div(padded, 8) * keeli_matmul_ceil_div(k->depth, KC);
    KEEL_TRY(pack(k, MATMUL_A, "matmul_pack_a", padded * k->depth, groups));
    k->meta.view[MATMUL_A].stride[MATMUL_M] = k->depth;
    k->meta.view[MATMUL_A].stride[MATMUL_K] = 1;
    return KEEL_OK;
}

static keel_status pack_b(keeli_matmul_maker *k)
{
    const int64_t panels = keeli_matmul_ceil_div(k->columns, NR);
    const int64_t groups = panels * keeli_matmul_ceil_div(k->depth, KC);
    return pack(k, MATMUL_B, "matmul_pack_b", panels * NR * k->depth, groups);
}

static int packing_pays(const keeli_matmul_maker *k)
{
    const int64_t elements = k->columns * k->depth;
    const int64_t products = elements <= CACHED_ELEMENTS ? DIRECT_PRODUCTS : DIRECT_PRODUCTS / 2;
    return elements > DIRECT_ELEMENTS && k->rows * k->batch > products / elements;
}

/* Whether the tiles kernel can read b where it lies, and is better off for it. */
static int reads_b_directly(const keeli_matmul_maker *k)
{
    return k->call->operand[MATMUL_B].dtype == KEEL_F32 && k->columns >= NR &&
           k->meta.view[MATMUL_B].stride[MATMUL_N] == 1 && !packing_pays(k);
}

static int reads_a_directly(const keeli_matmul_maker *k)
{
    return k->call->operand[MATMUL_A].dtype == KEEL_F32 && k->rows >= MR &&
           k->meta.view[MATMUL_A].stride[MATMUL_K] == 1;
}

/*
 * Register tiles per group: as many as caches like, as few as give every core several chunks of
 * groups, since runtimes hand groups out in chunks of 32 or more.
 */
static int64_t choose_tiling(keeli_matmul_maker *k)
{
    const int64_t rows = keeli_matmul_ceil_div(k->rows, MR);
    const int64_t columns = keeli_matmul_ceil_div(k->columns, NR);
    const int64_t wanted = 64 * (int64_t)k->limits->compute_units;
    keeli_matmul_tiling *t = &k->tiling;
    t->rows = GROUP_ROWS;
    t->columns = GROUP_COLUMNS;
    for (;;) {
        const int64_t groups = keeli_matmul_ceil_div(rows, t->rows) *
                               keeli_matmul_ceil_div(columns, t->columns) * k->batch;
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

static keel_status plan_tiles(keeli_matmul_maker *k)
{
    if (k->depth > 0 && !reads_a_directly(k)) {
        KEEL_TRY(pack_a(k));
    }
    if (k->depth > 0 && reads_b_directly(k)) {
        k->tiling.flags |= MATMUL_FLAG_DIRECT_B;
    } else if (k->depth > 0) {
        KEEL_TRY(pack_b(k));
    }
    const int64_t groups = choose_tiling(k);
    return keeli_matmul_launch_product(k, "matmul_tiles", groups, 1);
}

/* Few rows: b is read once, whatever is done with it, so it is not packed. */
static keel_status plan_columns(keeli_matmul_maker *k)
{
    return keeli_matmul_launch_product(k, "matmul_columns",
                                       keeli_matmul_ceil_div(k->columns, RUN) * k->batch, 1);
}

static keel_status plan_dots(keeli_matmul_maker *k)
{
    const int64_t cost = k->depth * k->rows + 64;
    const int64_t columns = 65536 / cost;
    k->tiling.columns = (int32_t)(columns < 1 ? 1 : columns);
    const int64_t groups = keeli_matmul_ceil_div(k->columns, k->tiling.columns) * k->batch;
    return keeli_matmul_launch_product(k, "matmul_dots", groups, 1);
}

keel_status keeli_matmul_simd_plan(keeli_matmul_maker *k)
{
    const int64_t a_inner = k->meta.view[MATMUL_A].stride[MATMUL_K];
    if (k->rows < MR && k->meta.view[MATMUL_B].stride[MATMUL_N] == 1) {
        return plan_columns(k);
    }
    if (k->rows < MR && k->meta.view[MATMUL_B].stride[MATMUL_K] == 1 && a_inner == 1) {
        return plan_dots(k);
    }
    return plan_tiles(k);
}

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_matmul_maker k;
    keeli_matmul_open(&k, call, limits, builder);
    return keeli_matmul_simd_plan(&k);
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
const keel_variant keeli_matmul_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "matmul.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = keeli_matmul_simd_instances,
    .instance_count = MATMUL_SIMD_INSTANCES,
    .supports = simd_supports,
    .plan = simd_plan,
};
