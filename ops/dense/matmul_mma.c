/* keel.matmul of f16 and bf16 on matrix units: which tiles, and how operands lie. docs: matmul.md.
 */
#include <stdio.h>

#include "dense/matmul_plan.h"
#include "keel/dtype.h"

extern const char keeli_text_matmul[];
extern const char keeli_text_matmul_mma[];

/* Rows and columns of a group's part of the product, and its waves. */
typedef struct shape {
    const char *entry;
    int32_t rows, columns;
    uint32_t waves;
} shape;

#define LARGE 0
#define MEDIUM 1
#define FEW_ROWS 2
#define FEW_COLUMNS 3

static const shape shapes[] = {
    {"matmul_mma_128x128", 128, 128, 8},
    {"matmul_mma_64x64", 64, 64, 4},
    {"matmul_mma_16x128", 16, 128, 4},
    {"matmul_mma_128x16", 128, 16, 4},
};

/* KEEL_BLOCK is all waves; rows are 16 TILES_M WAVES_M, columns likewise. */
static const keel_instance instances[] = {
    {.entry = "matmul_mma_128x128",
     .defines = "KEEL_BLOCK=(8*KEEL_TILE_WAVE) WAVES_M=2 WAVES_N=4 TILES_M=4 TILES_N=2"},
    {.entry = "matmul_mma_64x64",
     .defines = "KEEL_BLOCK=(4*KEEL_TILE_WAVE) WAVES_M=2 WAVES_N=2 TILES_M=2 TILES_N=2",
     .group = 1},
    {.entry = "matmul_mma_16x128",
     .defines = "KEEL_BLOCK=(4*KEEL_TILE_WAVE) WAVES_M=1 WAVES_N=4 TILES_M=1 TILES_N=2",
     .group = 2},
    {.entry = "matmul_mma_128x16",
     .defines = "KEEL_BLOCK=(4*KEEL_TILE_WAVE) WAVES_M=4 WAVES_N=1 TILES_M=2 TILES_N=1",
     .group = 3},
};

static int64_t groups_of(const keeli_matmul_maker *k, const shape *s)
{
    return keeli_matmul_ceil_div(k->rows, s->rows) * keeli_matmul_ceil_div(k->columns, s->columns) *
           k->batch;
}

/* The largest tiles that give every compute unit a group: they read the operands least often. */
static const shape *choose_shape(const keeli_matmul_maker *k)
{
    if (k->rows <= shapes[FEW_ROWS].rows) {
        return &shapes[FEW_ROWS];
    }
    if (k->columns <= shapes[FEW_COLUMNS].columns) {
        return &shapes[FEW_COLUMNS];
    }
    const int64_t wanted = k->limits->compute_units;
    return groups_of(k, &shapes[LARGE]) >= wanted ? &shapes[LARGE] : &shapes[MEDIUM];
}

/* Whether every stride but the one along axis moves by whole eights from an aligned address. */
static int is_whole(const keeli_matmul_maker *k, int view, int axis)
{
    if (k->call->operand[view].align < 16) {
        return 0;
    }
    for (int64_t other = 0; other < k->meta.rank; other++) {
        if (other != axis && k->meta.view[view].stride[other] % 8 != 0) {
            return 0;
        }
    }
    return 1;
}

/* How an operand lies: along the inner axis or across it, in whole eights or not. */
static int32_t layout_flags(const keeli_matmul_maker *k, int view, int row_axis, int32_t across,
                            int32_t whole)
{
    const int64_t *stride = k->meta.view[view].stride;
    if (stride[MATMUL_K] == 1) {
        return is_whole(k, view, MATMUL_K) ? whole : 0;
    }
    if (stride[row_axis] == 1) {
        return across | (is_whole(k, view, row_axis) ? whole : 0);
    }
    return stride[row_axis] < stride[MATMUL_K] ? across : 0;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    keeli_matmul_maker k;
    keeli_matmul_open(&k, call, limits, builder);
    k.tiling.flags |=
        layout_flags(&k, MATMUL_A, MATMUL_M, MATMUL_FLAG_A_ACROSS, MATMUL_FLAG_A_WHOLE) |
        layout_flags(&k, MATMUL_B, MATMUL_N, MATMUL_FLAG_B_ACROSS, MATMUL_FLAG_B_WHOLE);
    const shape *s = choose_shape(&k);
    return keeli_matmul_launch_product(&k, s->entry, groups_of(&k, s), s->waves * limits->wave);
}

static keel_status supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    const keel_dtype dtype = call->operand[MATMUL_A].dtype;
    if (dtype != KEEL_F16 && dtype != KEEL_BF16) {
        (void)snprintf(reason, 128, "matrix units take f16 and bf16, not %s",
                       keel_dtype_name(dtype));
        return KEEL_ERR_UNSUPPORTED;
    }
    if ((limits->flags & KEEL_LIMIT_MATRIX) == 0) {
        (void)snprintf(reason, 128, "no matrix units that the kernel dialect knows");
        return KEEL_ERR_UNSUPPORTED;
    }
    const uint32_t items = shapes[LARGE].waves * limits->wave;
    if (limits->max_group < items) {
        (void)snprintf(reason, 128, "groups of %u items, %u are needed", limits->max_group, items);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

static const char *const sources[] = {keeli_text_matmul, keeli_text_matmul_mma, NULL};
const keel_variant keeli_matmul_mma = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "matmul.mma",
    .style = "mma",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = supports,
    .plan = plan,
};
