/* How keel.attention runs: what its planners share, and the variants that take everything. */
#include "attention/attention_plan.h"

#include <stdio.h>
#include <string.h>

#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

/* Rows of a group on a GPU: mirror ROWS of attention_rows.kc. */
#define GROUP_ROWS 4
#define GROUP_ROWS_F64 2
/* Keys of a split at least, and splits at most. */
#define SPLIT_KEYS 256
#define MOST_SPLITS 64
/* Rows of a group on a CPU, where one item takes them all. */
#define CPU_GROUPS 64

void keeli_attention_view(keeli_attention_maker *k, int view, int operand)
{
    memcpy(k->meta.view[view].stride, k->call->space->stride[operand],
           sizeof k->meta.view[view].stride);
    k->map[view] = (int8_t)operand;
}

void keeli_attention_open(keeli_attention_maker *k, const keel_call *call,
                          const keel_limits *limits, keel_builder *builder)
{
    const keel_space *s = call->space;
    const keel_desc *keys = &call->operand[ATTENTION_K];
    const int mask = keeli_attention_mask(call);
    const int counted = keeli_attention_has(call, ATTENTION_LENGTHS);
    memset(k, 0, sizeof *k);
    k->call = call;
    k->limits = limits;
    k->builder = builder;
    k->meta.rank = ATTENTION_AXES;
    memcpy(k->meta.extent, s->extent, sizeof k->meta.extent);
    k->meta.extent[ATTENTION_EXTENT_ALL_KEYS] = keys->shape[keys->rank - 2];
    k->meta.extent[ATTENTION_EXTENT_SPLITS] = 1;
    k->meta.extent[ATTENTION_EXTENT_FLAGS] =
        (keeli_attribute_int(call, ATTENTION_IS_CAUSAL) != 0 ? ATTENTION_FLAG_CAUSAL : 0) |
        (mask == ATTENTION_MASK ? ATTENTION_FLAG_MASKED : 0) |
        (mask == ATTENTION_BIAS ? ATTENTION_FLAG_BIASED : 0) |
        (counted ? ATTENTION_FLAG_COUNTED : 0);
    keeli_attention_view(k, 0, ATTENTION_Q);
    keeli_attention_view(k, 1, ATTENTION_K);
    keeli_attention_view(k, 2, ATTENTION_V);
    keeli_attention_view(k, 3, mask >= 0 ? mask : ATTENTION_Q);
    keeli_attention_view(k, 4, counted ? ATTENTION_LENGTHS : ATTENTION_Q);
    keeli_attention_view(k, ATTENTION_VIEW_OUT, ATTENTION_OUT);
    k->heads = s->extent[ATTENTION_BATCH] * s->extent[ATTENTION_HEAD];
    k->rows = s->extent[ATTENTION_GROUP] * s->extent[ATTENTION_QUERY];
    k->keys = s->extent[ATTENTION_KEY];
    k->out = ATTENTION_OUT;
    keeli_attention_factors(k, keeli_attention_scale(call),
                            keeli_attribute_float(call, ATTENTION_SOFTCAP));
}

void keeli_attention_factors(keeli_attention_maker *k, double scale, double softcap)
{
    const double factor[2] = {scale, softcap};
    if (k->call->operand[ATTENTION_Q].dtype == KEEL_F64) {
        memcpy(k->factors.wide, factor, k->factor_bytes = sizeof factor);
    } else {
        k->factors.narrow[0] = (float)factor[0];
        k->factors.narrow[1] = (float)factor[1];
        k->factor_bytes = sizeof k->factors.narrow;
    }
}

keel_status keeli_attention_launch_any(const keeli_attention_maker *k, const char *entry,
                                       keeli_grid grid, const keel_plan_arg *args, uint32_t count)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(k->builder, entry, &kernel));
    return keeli_launch(k->builder, kernel, grid, args, count);
}

keel_status keeli_attention_launch(const keeli_attention_maker *k, const char *entry,
                                   int64_t groups, uint32_t items)
{
    keel_plan_arg args[8] = {0};
    for (int view = 0; view < ATTENTION_VIEWS; view++) {
        args[view] = keeli_arg_operand(k->map[view]);
    }
    args[6] = keeli_arg_meta(&k->meta, ATTENTION_VIEWS, k->map);
    args[7] = keeli_arg_value(&k->factors, k->factor_bytes);
    return keeli_attention_launch_any(k, entry, (keeli_grid){(uint64_t)groups, items}, args,
                                      KEEL_COUNT(args));
}

keel_status keeli_attention_split(keeli_attention_maker *k, int64_t splits, int32_t *out_part)
{
    const keel_dtype inner = keeli_accumulator(k->call->operand[ATTENTION_Q].dtype);
    const int64_t row =
        splits * ((k->meta.extent[ATTENTION_VALUE] + 9) / 8 * 8); /* ATTENTION_SHARE */
    k->meta.extent[ATTENTION_EXTENT_SPLITS] = splits;
    KEEL_TRY(keel_plan_workspace(k->builder, inner, k->heads * k->rows * row, out_part));
    k->map[ATTENTION_VIEW_OUT] = (int8_t)*out_part;
    return KEEL_OK;
}

keel_status keeli_attention_combine(keeli_attention_maker *k, int32_t part)
{
    keeli_attention_maker joined = *k;
    memset(joined.meta.view[0].stride, 0, sizeof joined.meta.view[0].stride);
    joined.map[0] = (int8_t)part;
    joined.map[ATTENTION_VIEW_OUT] = k->out;
    k->map[ATTENTION_VIEW_OUT] = k->out;
    const keel_plan_arg args[] = {keeli_arg_operand(part), keeli_arg_operand(k->out),
                                  keeli_arg_meta(&joined.meta, ATTENTION_VIEWS, joined.map)};
    const keeli_grid grid =
        keeli_grid_map(k->limits, keeli_desc_elements(&k->call->operand[k->out]));
    return keeli_attention_launch_any(k, "attention_combine", grid, args, KEEL_COUNT(args));
}

/* ---- simt ------------------------------------------------------------------------------------ */

static const keel_instance simt_instances[] = {
    {.entry = "attention_rows", .defines = "ROWWISE KEEL_BLOCK=128"},
    {.entry = "attention_rows_split", .defines = "ROWWISE SPLIT KEEL_BLOCK=128", .group = 1},
    {.entry = "attention_combine", .defines = "COMBINE IDX=i64 KEEL_BLOCK=256", .group = 1},
};

int64_t keeli_attention_gpu_splits(const keeli_attention_maker *k, int64_t groups)
{
    const int64_t wanted = 4 * (int64_t)k->limits->compute_units;
    const int64_t most = k->keys / SPLIT_KEYS;
    int64_t splits = groups > 0 ? wanted / groups : 1;
    splits = splits < most ? splits : most;
    splits = splits < MOST_SPLITS ? splits : MOST_SPLITS;
    return splits > 1 ? splits : 1;
}

keel_status keeli_attention_plan_simt(keeli_attention_maker *k)
{
    const int wide = k->call->operand[ATTENTION_Q].dtype == KEEL_F64;
    const int64_t groups =
        k->heads * keeli_attention_ceil_div(k->rows, wide ? GROUP_ROWS_F64 : GROUP_ROWS);
    const int64_t splits = keeli_attention_gpu_splits(k, groups);
    if (splits == 1) {
        return keeli_attention_launch(k, "attention_rows", groups, ATTENTION_ROW_ITEMS);
    }
    int32_t part;
    KEEL_TRY(keeli_attention_split(k, splits, &part));
    KEEL_TRY(
        keeli_attention_launch(k, "attention_rows_split", groups * splits, ATTENTION_ROW_ITEMS));
    return keeli_attention_combine(k, part);
}

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    keeli_attention_open(&k, call, limits, builder);
    return keeli_attention_plan_simt(&k);
}

keel_status keeli_attention_simt_supports(const keel_call *call, const keel_limits *limits,
                                          char reason[128])
{
    if (limits->max_group < 256) {
        (void)snprintf(reason, 128, "groups of %u items, 256 are needed", limits->max_group);
        return KEEL_ERR_UNSUPPORTED;
    }
    return keeli_supports_types(call, limits, reason);
}

static const char *const rows_sources[] = {keeli_text_attention, keeli_text_attention_rows, NULL};
static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "attention.simt",
    .style = "simt",
    .sources = rows_sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = keeli_attention_simt_supports,
    .plan = simt_plan,
};

keel_status keeli_attention_rowwise(const keeli_attention_maker *k)
{
    const uint32_t units = k->limits->compute_units > 0 ? k->limits->compute_units : 1;
    const int64_t most = CPU_GROUPS * (int64_t)units;
    const int64_t rows = k->heads * k->rows;
    return keeli_attention_launch(k, "attention_rows", rows < most ? rows : most, 1);
}

/* ---- scalar ---------------------------------------------------------------------------------- */

static const keel_instance scalar_instances[] = {
    {.entry = "attention_rows", .defines = "ROWWISE IDX=i64 KEEL_BLOCK=1"},
};

static keel_status scalar_plan(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    keeli_attention_open(&k, call, limits, builder);
    return keeli_attention_rowwise(&k);
}

static const keel_variant scalar = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "attention.scalar",
    .style = "any",
    .sources = rows_sources,
    .instances = scalar_instances,
    .instance_count = KEEL_COUNT(scalar_instances),
    .supports = keeli_supports_types,
    .plan = scalar_plan,
};

const keel_variant *const keeli_attention_variants[ATTENTION_VARIANTS] = {&keeli_attention_simd,
                                                                          &scalar, &simt};
