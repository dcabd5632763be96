/* keel.reduce_log_sum_exp: log(sum(exp(x))) over axes, shifted by the greatest element. */
#include <math.h>

#include "reduction/reduce.h"
extern const char keeli_text_reduce_log_sum_exp[];

/* What an output is made of: the greatest element, and sums over all of them. */
typedef struct exponentials {
    double largest;  /* finite: the greatest that is not infinite, or the least of all numbers */
    long double sum; /* of exp(x - largest) */
    long double distance; /* of exp(x - largest) |x - largest| */
} exponentials;

static exponentials add_up(keel_dtype dtype, const void *host, const keeli_reduce_walk *walk)
{
    exponentials out = {.largest = -keel_dtype_max(dtype)};
    keeli_reduce_walk first = *walk;
    for (int64_t k = 0; k < first.count; k++, keeli_reduce_next(&first)) {
        const double x = keel_dtype_load(dtype, host, first.offset);
        out.largest = isfinite(x) && x > out.largest ? x : out.largest;
    }
    keeli_reduce_walk second = *walk;
    for (int64_t k = 0; k < second.count; k++, keeli_reduce_next(&second)) {
        const double x = keel_dtype_load(dtype, host, second.offset);
        const long double below = (long double)x - (long double)out.largest;
        const long double term = expl(below);
        out.sum += term;
        out.distance += isfinite(x) ? term * -below : 0;
    }
    return out;
}

/*
 * m + log(sum exp(x - m)). Rounding x - m is an absolute error of u |x - m| in the exponent, of
 * which a term passes on its share in the sum, twice as in keel.softmax; 14 u for the exponentials
 * and the change of shifts; T(n) u for the sum; 3 ulp for the logarithm; and the last addition.
 * HARD: twice that.
 */
static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(accumulator);
    const exponentials e = add_up(dtype, host, walk);
    const long double rest = logl(e.sum);
    const keeli_dd value = keeli_dd_add(keeli_dd_from_long(rest), (keeli_dd){e.largest, 0});
    double tight = 0; /* of an infinity or a NaN */
    if (isfinite(value.hi)) {
        const double sum_error =
            2 * (double)(e.distance / e.sum) + 14 + keeli_tight_roundings((double)walk->count);
        tight = u * (sum_error + 6 * fabs((double)rest) + fabs(value.hi)) +
                keel_dtype_unit(dtype) * fabs(value.hi) + keel_dtype_tiny(accumulator);
    }
    keeli_truth_bound(out, dtype, value, 2 * tight, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_log_sum_exp, keeli_text_locate,
                                      keeli_text_pairs, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_log_sum_exp.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_pairs,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_reduce_log_sum_exp = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_log_sum_exp",
    .family = "reduction",
    .summary = "log(sum(exp(x))) over axes",
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
