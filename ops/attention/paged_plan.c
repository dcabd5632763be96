/* How keel.paged_attention runs: with the kernels of keel.attention, which look keys up in the
 * table. */
#include <stdio.h>
#include <string.h>

#include "attention/attention_plan.h"
#include "attention/paged_attention.h"
#include "keel/dtype.h"
#include "support/contract.h"

/* The view of the table, in the place of the mask's, holds the keys of a block and the number of
 * blocks where it does not move. */
#define TABLE_VIEW 3

static void open_plan(keeli_attention_maker *k, const keel_call *call, const keel_limits *limits,
                      keel_builder *builder)
{
    const keel_space *s = call->space;
    const keel_desc *cache = &call->operand[ATTENTION_K];
    memset(k, 0, sizeof *k);
    k->call = call;
    k->limits = limits;
    k->builder = builder;
    k->out = PAGED_OUT;
    k->meta.rank = ATTENTION_AXES;
    memcpy(k->meta.extent, s->extent, sizeof k->meta.extent);
    k->meta.extent[ATTENTION_EXTENT_ALL_KEYS] = s->extent[ATTENTION_KEY];
    k->meta.extent[ATTENTION_EXTENT_SPLITS] = 1;
    k->meta.extent[ATTENTION_EXTENT_FLAGS] = ATTENTION_FLAG_COUNTED;
    for (int operand = 0; operand < PAGED_OPERANDS; operand++) {
        keeli_attention_view(k, operand, operand);
    }
    k->meta.view[TABLE_VIEW].stride[ATTENTION_SIZE] = cache->shape[PAGED_AXIS_PLACE];
    k->meta.view[TABLE_VIEW].stride[ATTENTION_VALUE] = cache->shape[PAGED_AXIS_BLOCK];
    k->heads = s->extent[ATTENTION_BATCH] * s->extent[ATTENTION_HEAD];
    k->rows = s->extent[ATTENTION_GROUP];
    k->keys = s->extent[ATTENTION_KEY];
    keeli_attention_factors(k, keeli_paged_scale(call), keeli_attribute_float(call, PAGED_SOFTCAP));
}

static const char *const rows_sources[] = {keeli_text_attention, keeli_text_attention_rows, NULL};

/* ---- simt ------------------------------------------------------------------------------------ */

static const keel_instance simt_instances[] = {
    {.entry = "attention_rows", .defines = "PAGED ROWWISE KEEL_BLOCK=128"},
    {.entry = "attention_rows_split", .defines = "PAGED ROWWISE SPLIT KEEL_BLOCK=128", .group = 1},
    {.entry = "attention_combine", .defines = "PAGED COMBINE IDX=i64 KEEL_BLOCK=256", .group = 1},
};

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    open_plan(&k, call, limits, builder);
    return keeli_attention_plan_simt(&k);
}

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "paged_attention.simt",
    .style = "simt",
    .sources = rows_sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = keeli_attention_simt_supports,
    .plan = simt_plan,
};

/* ---- scalar ---------------------------------------------------------------------------------- */

static const keel_instance scalar_instances[] = {
    {.entry = "attention_rows", .defines = "PAGED ROWWISE IDX=i64 KEEL_BLOCK=1"},
};

static keel_status scalar_plan(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    open_plan(&k, call, limits, builder);
    return keeli_attention_rowwise(&k);
}

static const keel_variant scalar = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "paged_attention.scalar",
    .style = "any",
    .sources = rows_sources,
    .instances = scalar_instances,
    .instance_count = KEEL_COUNT(scalar_instances),
    .supports = keeli_supports_types,
    .plan = scalar_plan,
};

/* ---- simd ------------------------------------------------------------------------------------ */

static const keel_instance simd_instances[] = {
    {.entry = "attention_stream", .defines = "PAGED STREAM" ATTENTION_STREAM_DEFINES},
    {.entry = "attention_combine", .defines = "PAGED COMBINE IDX=i64 KEEL_BLOCK=1"},
};

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    open_plan(&k, call, limits, builder);
    return keeli_attention_plan_stream(&k);
}

static keel_status simd_supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    (void)limits;
    const keel_desc *q = &call->operand[ATTENTION_Q];
    if (q->shape[2] > ATTENTION_STREAM_SIZE) {
        (void)snprintf(reason, 128, "a head has %lld elements, at most %d are taken",
                       (long long)q->shape[2], ATTENTION_STREAM_SIZE);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

static const char *const simd_sources[] = {keeli_text_attention, keeli_text_attention_simd,
                                           keeli_text_attention_rows, NULL};
static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "paged_attention.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = simd_instances,
    .instance_count = KEEL_COUNT(simd_instances),
    .supports = simd_supports,
    .plan = simd_plan,
};

const keel_variant *const keeli_paged_variants[PAGED_VARIANTS] = {&simd, &scalar, &simt};
