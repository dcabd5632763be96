/* keel.reduce_sum_square: sums of squares over axes. Floats are bounded, integers wrap. */
#include <math.h>

#include "reduction/reduce.h"
#include "reduction/squares.h"
extern const char keeli_text_reduce_sum_square[];
extern const char keeli_text_reduce_sum[];

static void integer_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                        keel_truth *out)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const uint64_t term = (uint64_t)keel_dtype_load_bits(dtype, host, walk->offset);
        sum += term * term;
    }
    keeli_truth_bits(out, dtype, keeli_wrap(dtype, sum));
}

/*
 * A square is rounded before it is added: gamma(n + 1). Below the normal range of the accumulator
 * it may lose half of the smallest subnormal. Where the sum is so near the end of the range that
 * roundings decide whether it overflows nothing is promised.
 */
static void float_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(accumulator);
    const double n = (double)walk->count;
    const keeli_squares squares = keeli_true_squares(dtype, host, walk);
    const keeli_dd sum = keeli_scale(squares.sum, 2 * squares.exponent);
    const double gamma = keeli_gamma(n + 1, u);
    double hard = 0; /* of an infinity or a NaN */
    double tight = 0;
    if (isfinite(sum.hi)) {
        const double lost = n * keel_dtype_subnormal(accumulator);
        const double rounding = keel_dtype_unit(dtype) * sum.hi + lost;
        hard = gamma * sum.hi + rounding;
        tight = fmin(hard, keeli_tight_roundings(n) * u * sum.hi + rounding);
    }
    if (isfinite(squares.sum.hi) && keeli_near_overflow(accumulator, &squares, gamma)) {
        hard = tight = INFINITY;
    }
    keeli_truth_bound(out, dtype, sum, hard, tight);
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_sum(dtype, host, walk, out);
    } else {
        integer_sum(dtype, host, walk, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_sum_square, keeli_text_reduce_sum,
                                      keeli_text_locate, keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_sum_square.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_reduce_sum_square = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_sum_square",
    .family = "reduction",
    .summary = "sums of squares over axes",
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
