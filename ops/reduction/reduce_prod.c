/* keel.reduce_prod: products over axes. Floats are bounded, integers wrap. */
#include <math.h>

#include "reduction/reduce.h"

extern const char keeli_text_reduce_prod[];

static void integer_product(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                            keel_truth *out)
{
    uint64_t product = 1;
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        product *= (uint64_t)keel_dtype_load_bits(dtype, host, walk->offset);
    }
    keeli_truth_bits(out, dtype, keeli_wrap(dtype, product));
}

/* What the factors could do to an accumulator on the way. */
typedef struct extremes {
    double large; /* product of the finite magnitudes from 1 up */
    double small; /* product of those from 1 down, zeros left out */
    int has_zero;
    int has_infinity;
} extremes;

static void note(extremes *seen, double factor)
{
    seen->large *= isinf(factor) ? 1 : fmax(fabs(factor), 1);
    seen->small *= factor == 0 ? 1 : fmin(fabs(factor), 1);
    seen->has_zero |= factor == 0;
    seen->has_infinity |= isinf(factor) != 0;
}

/*
 * Whether some order of multiplying leaves the accumulator's range on the way to a result that
 * others reach, be it a number or an infinity. Nothing is promised then.
 */
static int depends_on_order(keel_dtype accumulator, const extremes *seen)
{
    const int overflows = seen->large > keel_dtype_max(accumulator);
    const int underflows = seen->small < keel_dtype_tiny(accumulator);
    if (seen->has_zero || seen->has_infinity) { /* a result that leaves the range meets the other */
        return (seen->has_zero && !seen->has_infinity && overflows) ||
               (seen->has_infinity && !seen->has_zero && underflows);
    }
    return (overflows && seen->small < 1) || (underflows && seen->large > 1);
}

static void float_product(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                          keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double unit = keel_dtype_unit(accumulator);
    const double n = (double)walk->count;
    keeli_scaled product = {{1, 0}, 0};
    extremes seen = {1, 1, 0, 0};
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const double factor = keel_dtype_load(dtype, host, walk->offset);
        note(&seen, factor);
        keeli_scaled_multiply(&product, factor);
    }
    const keeli_dd value = keeli_scaled_value(&product);
    const double magnitude = isfinite(value.hi) ? fabs(value.hi) : 0;
    /* Below the normal range every step may lose half of the smallest subnormal. */
    const double lost =
        seen.small < keel_dtype_tiny(accumulator) ? n * keel_dtype_subnormal(accumulator) : 0;
    const double rounding = keel_dtype_unit(dtype) * magnitude + lost;
    const double hard = expm1(n * log1p(unit)) * magnitude + rounding;
    const double tight = keeli_tight_roundings(n) * unit * magnitude + rounding;
    const int open = depends_on_order(accumulator, &seen);
    keeli_truth_bound(out, dtype, value, open ? INFINITY : hard,
                      open ? INFINITY : fmin(hard, tight));
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_product(dtype, host, walk, out);
    } else {
        integer_product(dtype, host, walk, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_prod, keeli_text_locate, keeli_text_reduce,
                                      NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_prod.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_reduce_prod = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_prod",
    .family = "reduction",
    .summary = "products over axes",
    .attributes = keeli_reduce_attributes,
    .attribute_count = KEELI_REDUCE_ATTRIBUTES,
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = keeli_reduce_infer,
    .space = keeli_reduce_space,
    .work = keeli_reduce_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
