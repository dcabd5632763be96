/*
 * keel.average_pool: the mean of the elements under a sliding window. average_pool.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "pooling/pool.h"
#include "support/accumulate.h"
#include "support/contract.h"
#include "support/truth.h"

#define COUNT_INCLUDE_PAD POOL_OWN_RULE

extern const char keeli_text_average_pool[];

static const keel_attribute_rule attributes[] = {
    POOL_RULES,
    {.name = "count_include_pad", .kind = KEEL_ATTR_INT, .default_int = 0},
};

static int counts_padding(const keel_call *call)
{
    return keeli_attribute_int(call, COUNT_INCLUDE_PAD) != 0;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t include = keeli_attribute_int(call, COUNT_INCLUDE_PAD);
    if (include != 0 && include != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: count_include_pad is %lld, must be 0 or 1", call->op->name,
                         (long long)include);
    }
    KEEL_TRY(keeli_pooling_infer(call, outputs, err));
    return include ? KEEL_OK : keeli_pooling_check_taps(call, err);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* Taps that the mean is taken over: on the input, or on it and its padding, never beyond. */
static int64_t divisor_of(const keel_call *call, const keeli_pooling_walk *walk)
{
    int64_t divisor = 1;
    if (!counts_padding(call)) {
        return walk->count;
    }
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        keeli_window_axis padded = walk->window.axis[i]; /* its padding as part of the input */
        int64_t first;
        int64_t end;
        padded.in += padded.pad_begin + padded.pad_end;
        padded.pad_begin = 0;
        keeli_window_taps(&padded, walk->out[i], &first, &end);
        divisor *= end - first;
    }
    return divisor;
}

static void truth_at(const keel_call *call, const void *host, keeli_pooling_walk *walk,
                     int64_t position, keel_truth *out)
{
    const keel_dtype dtype = call->operand[POOL_X].dtype;
    keeli_dd sum = {0, 0};
    double infinite = 0; /* sum of the terms that are not finite: an infinity or NaN, if any */
    double magnitude = 0;
    keeli_pooling_walk_seek(call, walk, position);
    for (int64_t k = 0; k < walk->count; k++) {
        const double term = keel_dtype_load(dtype, host, walk->offset);
        sum = keeli_dd_add(sum, (keeli_dd){term, 0});
        infinite += isfinite(term) ? 0 : term;
        magnitude += isfinite(term) ? fabs(term) : 0;
        keeli_pooling_walk_next(walk);
    }
    sum = isfinite(infinite) ? sum : (keeli_dd){infinite, 0};
    keeli_sum_truth(dtype, sum, magnitude, walk->count + 1, (double)divisor_of(call, walk), out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    keeli_pooling_walk walk;
    KEEL_TRY(keeli_pooling_walk_open(call, &walk));
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host[POOL_X], &walk, index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan_any(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                            keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = {.count_padding = counts_padding(call)};
    return keeli_pooling_plan_any(call, limits, builder, &request);
}

static keel_status plan_rows(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = {.count_padding = counts_padding(call)};
    return keeli_pooling_plan_rows(call, limits, builder, &request);
}

static const char *const any_sources[] = {keeli_text_average_pool, keeli_text_lanes,
                                          keeli_text_pool_geometry, keeli_text_pool, NULL};
static const char *const rows_sources[] = {keeli_text_average_pool, keeli_text_lanes,
                                           keeli_text_pool_geometry, keeli_text_pool_rows, NULL};

static const keel_variant rows = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "average_pool.simd",
    .style = "simd",
    .sources = rows_sources,
    .instances = keeli_pooling_rows_instances,
    .instance_count = POOL_ROWS_INSTANCES,
    .supports = keeli_pooling_rows_supports,
    .plan = plan_rows,
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "average_pool.any",
    .style = "any",
    .sources = any_sources,
    .instances = keeli_pooling_any_instances,
    .instance_count = POOL_ANY_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan_any,
};

static const keel_variant *const variants[] = {&rows, &any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "y"};

const keel_op keeli_op_average_pool = {
    .struct_size = sizeof(keel_op),
    .name = "keel.average_pool",
    .family = "pooling",
    .summary = "the mean of the elements under a sliding window",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = names,
    .infer = infer,
    .space = keeli_pooling_space,
    .work = keeli_pooling_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
