/* keel.reduce_l2: Euclidean norms over axes. Nothing overflows or vanishes on the way. */
#include <math.h>

#include "reduction/reduce.h"
#include "reduction/squares.h"
extern const char keeli_text_reduce_l2[];

/* floor(sqrt(sum of squares)), at most the highest value of the type. */
static void integer_norm(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                         keel_truth *out)
{
    uint64_t sum = 0; /* beyond 64 bits: the highest, whose root no 32-bit type holds */
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const int64_t term = keel_dtype_load_bits(dtype, host, walk->offset);
        const uint64_t square = (uint64_t)term * (uint64_t)term;
        sum = sum > UINT64_MAX - square ? UINT64_MAX : sum + square;
    }
    const uint64_t highest = (uint64_t)keeli_integer_limit(dtype, 1);
    uint64_t least = 0; /* least^2 <= sum */
    uint64_t above = highest + 1;
    while (above - least > 1) {
        const uint64_t middle = least + (above - least) / 2;
        if (middle * middle <= sum) {
            least = middle;
        } else {
            above = middle;
        }
    }
    keeli_truth_bits(out, dtype, (int64_t)least);
}

/*
 * The root halves the relative error gamma(n + 2) of the sum of squares, is rounded itself, and
 * scaled back exactly but for subnormal results.
 */
static void float_norm(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    const double u = keel_dtype_unit(keeli_accumulator(dtype));
    const double n = (double)walk->count;
    const keeli_squares squares = keeli_true_squares(dtype, host, walk);
    const keeli_dd norm = keeli_scale(keeli_dd_sqrt(squares.sum), squares.exponent);
    double hard = 0;
    double tight = 0;
    if (isfinite(norm.hi)) {
        const double rounding = keel_dtype_unit(dtype) * norm.hi;
        hard = (keeli_gamma(n + 2, u) / 2 + 2 * u) * norm.hi + rounding;
        tight = fmin(hard, (keeli_tight_roundings(n) / 2 + 2) * u * norm.hi + rounding);
    }
    keeli_truth_bound(out, dtype, norm, hard, tight);
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_norm(dtype, host, walk, out);
    } else {
        integer_norm(dtype, host, walk, out);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_l2, keeli_text_locate, keeli_text_pairs,
                                      NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_l2.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_pairs,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I32) |
                                     KEEL_DTYPE_BIT(KEEL_I16) | KEEL_DTYPE_BIT(KEEL_I8) |
                                     KEEL_DTYPE_BIT(KEEL_U32) | KEEL_DTYPE_BIT(KEEL_U16) |
                                     KEEL_DTYPE_BIT(KEEL_U8)};

const keel_op keeli_op_reduce_l2 = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_l2",
    .family = "reduction",
    .summary = "Euclidean norms over axes",
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
