/* keel.reduce_min: least elements over axes. A NaN wins; over nothing it is +inf or the highest
 * integer. */
#include <math.h>

#include "reduction/reduce.h"

extern const char keeli_text_reduce_min[];
extern const char keeli_text_key[];

/* Whether a beats b: a NaN beats all, -0 is below +0. */
static int beats(double a, double b)
{
    if (a == b) {
        return signbit(a) > signbit(b);
    }
    return isnan(a) || a < b;
}

static void float_minimum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                          keel_truth *out)
{
    double best = INFINITY;
    uint64_t element = 0;
    keel_dtype_store(dtype, &element, 0, best, 0);
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const double value = keel_dtype_load(dtype, host, walk->offset);
        if (!isnan(best) && beats(value, best)) {
            best = value;
            keel_dtype_store(dtype, &element, 0, value, 0);
        }
    }
    keeli_truth_bits(out, dtype, keel_dtype_load_bits(dtype, &element, 0));
}

static void integer_minimum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                            keel_truth *out)
{
    const int wide = dtype == KEEL_U64;
    int64_t best = keeli_reduce_most(dtype);
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const int64_t value = keel_dtype_load_bits(dtype, host, walk->offset);
        const int above = wide ? (uint64_t)value < (uint64_t)best : value < best;
        best = above ? value : best;
    }
    keeli_truth_bits(out, dtype, best);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_dtype dtype = call->operand[0].dtype;
    for (int64_t i = 0; i < count; i++) {
        keeli_reduce_walk walk = keeli_reduce_begin(call, index != NULL ? index[i] : first + i);
        if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
            float_minimum(dtype, host[0], &walk, &truth[i]);
        } else {
            integer_minimum(dtype, host[0], &walk, &truth[i]);
        }
    }
    return KEEL_OK;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    return keeli_reduce_plan(call, limits, keeli_reduce_partial_key, builder);
}

static const char *const sources[] = {keeli_text_reduce_min, keeli_text_key, keeli_text_locate,
                                      keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_min.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPES_INTEGER |
                                     KEEL_DTYPE_BIT(KEEL_BOOL)};
static const uint8_t operand_types[] = {0, 0};
static const char *const operand_names[] = {"in", "out"};

extern const keel_op keeli_op_reduce_min;
const keel_op keeli_op_reduce_min = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_min",
    .family = "reduction",
    .summary = "least elements over axes",
    .attributes = keeli_reduce_attributes,
    .attribute_count = KEELI_REDUCE_ATTRIBUTES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = keeli_reduce_infer,
    .space = keeli_reduce_space,
    .work = keeli_reduce_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
