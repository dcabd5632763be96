/*
 * keel.max_pool: the greatest element under a sliding window, and where it is. A NaN is the
 * greatest. max_pool.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "pooling/pool.h"
#include "support/contract.h"
#include "support/truth.h"

#define STORAGE_ORDER POOL_OWN_RULE

extern const char keeli_text_max_pool[];
extern const char keeli_text_key[];
extern const char keeli_text_pool_key[];

static const keel_attribute_rule attributes[] = {
    POOL_RULES,
    {.name = "storage_order", .kind = KEEL_ATTR_INT, .default_int = 0},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t order = keeli_attribute_int(call, STORAGE_ORDER);
    if (order != 0 && order != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: storage_order is %lld, must be 0 or 1", call->op->name,
                         (long long)order);
    }
    KEEL_TRY(keeli_pooling_infer(call, outputs, err));
    return keeli_pooling_check_taps(call, err);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* Whether element a is above element b: a NaN is the greatest, +0 is above -0. */
static int is_above(keel_dtype dtype, const void *host, int64_t a, int64_t b)
{
    if (!keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        return keeli_integer_less(dtype, keel_dtype_load_bits(dtype, host, b),
                                  keel_dtype_load_bits(dtype, host, a));
    }
    const double x = keel_dtype_load(dtype, host, a);
    const double y = keel_dtype_load(dtype, host, b);
    if (isnan(x) || isnan(y)) {
        return !isnan(y);
    }
    return x == y ? signbit(x) < signbit(y) : x > y;
}

/* Place of the current element among all of x; with storage_order 1 spatial axes count backwards.
 */
static int64_t place_of(const keeli_pooling_walk *walk, int64_t order)
{
    const keeli_window_axis *axis = walk->window.axis;
    int64_t place = walk->channel;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const int32_t a = order == 0 ? i : KEELI_WINDOW_AXES - 1 - i;
        place = place * axis[a].in + walk->at[a];
    }
    return place;
}

static void truth_at(const keel_call *call, const void *host, keeli_pooling_walk *walk,
                     uint32_t output, int64_t position, keel_truth *out)
{
    const keel_dtype dtype = call->operand[POOL_X].dtype;
    const int64_t order = keeli_attribute_int(call, STORAGE_ORDER);
    keeli_pooling_walk_seek(call, walk, position);
    int64_t best = walk->offset;
    int64_t place = place_of(walk, order);
    for (int64_t k = 1; k < walk->count; k++) {
        keeli_pooling_walk_next(walk);
        if (is_above(dtype, host, walk->offset, best)) {
            best = walk->offset;
            place = place_of(walk, order);
        }
    }
    if (output > 0) {
        keeli_truth_bits(out, KEEL_I64, place);
    } else {
        keeli_truth_bits(out, dtype, keel_dtype_load_bits(dtype, host, best));
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    keeli_pooling_walk walk;
    KEEL_TRY(keeli_pooling_walk_open(call, &walk));
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host[POOL_X], &walk, output, index != NULL ? index[i] : first + i,
                 &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keeli_pooling_request request_of(const keel_call *call)
{
    return (keeli_pooling_request){.option = (int32_t)keeli_attribute_int(call, STORAGE_ORDER)};
}

static keel_status plan_any(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                            keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = request_of(call);
    return keeli_pooling_plan_any(call, limits, builder, &request);
}

static keel_status plan_rows(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    const keeli_pooling_request request = request_of(call);
    return keeli_pooling_plan_rows(call, limits, builder, &request);
}

static const char *const any_sources[] = {keeli_text_max_pool,
                                          keeli_text_key,
                                          keeli_text_pool_key,
                                          keeli_text_lanes,
                                          keeli_text_pool_geometry,
                                          keeli_text_pool,
                                          NULL};
static const char *const rows_sources[] = {keeli_text_max_pool,
                                           keeli_text_key,
                                           keeli_text_pool_key,
                                           keeli_text_lanes,
                                           keeli_text_pool_geometry,
                                           keeli_text_pool_rows,
                                           NULL};

static const keel_variant rows = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "max_pool.simd",
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
    .name = "max_pool.any",
    .style = "any",
    .sources = any_sources,
    .instances = keeli_pooling_indices_instances,
    .instance_count = POOL_INDICES_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan_any,
};

static const keel_variant *const variants[] = {&rows, &any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I8) |
                                         KEEL_DTYPE_BIT(KEEL_U8),
                                     KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[] = {0, 0, 1};
static const char *const names[] = {"x", "y", "indices"};

const keel_op keeli_op_max_pool = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_OPTIONAL_OUTPUTS,
    .name = "keel.max_pool",
    .family = "pooling",
    .summary = "the greatest element under a sliding window",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 2,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = keeli_pooling_space,
    .work = keeli_pooling_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
