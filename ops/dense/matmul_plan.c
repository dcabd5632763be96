/*
 * How keel.matmul runs: what its planners share, and the variants that take everything. docs:
 * matmul.md.
 */
#include <stdio.h>
#include <string.h>

#include "dense/matmul_plan.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_matmul[];
extern const char keeli_text_matmul_simt[];
extern const char keeli_text_matmul_scalar[];

static int64_t batch_of(const keel_meta *meta)
{
    int64_t n = 1;
    for (int64_t axis = MATMUL_BATCH; axis < meta->rank; axis++) {
        n *= meta->extent[axis];
    }
    return n;
}

void keeli_matmul_open(keeli_matmul_maker *k, const keel_call *call, const keel_limits *limits,
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
    k->tiling.flags = (keeli_matmul_has_c(call) ? MATMUL_FLAG_C : 0) |
                      (keeli_matmul_has_bias(call) ? MATMUL_FLAG_BIAS : 0);
}

keel_status keeli_matmul_launch(keel_builder *builder, const char *entry, int64_t groups,
                                uint32_t items, const keel_plan_arg *args, uint32_t count)
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

keel_status keeli_matmul_launch_product(const keeli_matmul_maker *k, const char *entry,
                                        int64_t groups, uint32_t items)
{
    char factors[16];
    keel_plan_arg args[8] = {0};
    for (int view = 0; view < MATMUL_OPERANDS; view++) {
        args[view] = keeli_arg_operand(k->map[view]);
    }
    args[5] = keeli_arg_meta(&k->meta, MATMUL_OPERANDS, k->map);
    args[6] = factors_arg(k->call, factors);
    args[7] = keeli_arg_value(&k->tiling, sizeof k->tiling);
    return keeli_matmul_launch(k->builder, entry, groups, items, args, KEEL_COUNT(args));
}

/* ---- simt ------------------------------------------------------------------------------------ */

#define SIMT_TILE 64
#define SIMT_ITEMS MATMUL_SIMT_ITEMS

const keel_instance keeli_matmul_simt_instances[MATMUL_SIMT_INSTANCES] = {
    {.entry = "matmul_simt_32", .defines = "IDX=i32 KEEL_BLOCK=" MATMUL_TEXT(SIMT_ITEMS)},
    {.entry = "matmul_simt_64",
     .defines = "IDX=i64 KEEL_BLOCK=" MATMUL_TEXT(SIMT_ITEMS),
     .group = 1},
};

keel_status keeli_matmul_simt_plan(keeli_matmul_maker *k)
{
    const int64_t groups = keeli_matmul_ceil_div(k->rows, SIMT_TILE) *
                           keeli_matmul_ceil_div(k->columns, SIMT_TILE) * k->batch;
    const int wide = !keeli_space_fits_32(k->call->space);
    return keeli_matmul_launch_product(k, keeli_matmul_simt_instances[wide].entry, groups,
                                       SIMT_ITEMS);
}

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_matmul_maker k;
    keeli_matmul_open(&k, call, limits, builder);
    return keeli_matmul_simt_plan(&k);
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
    .instances = keeli_matmul_simt_instances,
    .instance_count = MATMUL_SIMT_INSTANCES,
    .supports = simt_supports,
    .plan = simt_plan,
};

/* ---- scalar ---------------------------------------------------------------------------------- */

#define SCALAR_MR 4
#define SCALAR_NR 8

static const keel_instance scalar_instances[] = {
    {.entry = "matmul_scalar",
     .defines = "KEEL_BLOCK=1 MR=" MATMUL_TEXT(SCALAR_MR) " NR=" MATMUL_TEXT(SCALAR_NR)},
};

static keel_status scalar_plan(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_matmul_maker k;
    keeli_matmul_open(&k, call, limits, builder);
    k.tiling.rows = k.tiling.columns = 8;
    const int64_t groups = keeli_matmul_ceil_div(k.rows, INT64_C(8) * SCALAR_MR) *
                           keeli_matmul_ceil_div(k.columns, INT64_C(8) * SCALAR_NR) * k.batch;
    return keeli_matmul_launch_product(&k, scalar_instances[0].entry, groups, 1);
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

const keel_variant *const keeli_matmul_variants[MATMUL_VARIANTS] = {
    &keeli_matmul_mma, &keeli_matmul_simd, &scalar, &simt};
