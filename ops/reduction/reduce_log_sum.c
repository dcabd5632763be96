/* keel.reduce_log_sum: logarithms of sums over axes. Over nothing it is -inf. */
#include <math.h>

#include "reduction/reduce.h"
extern const char keeli_text_reduce_log_sum[];
extern const char keeli_text_reduce_sum[];

/*
 * The sum has a relative error of d = gamma(n) S / |sum|, which the logarithm turns into an
 * absolute one of -log(1 - d). A sum whose sign the roundings may change, or that may overflow
 * although its logarithm is small, is promised nothing.
 */
static double log_error(double d, double ulps, double u, double value)
{
    const double shift = -log1p(-d);
    return shift + 2 * ulps * u * (fabs(value) + shift);
}

static void truth_of(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(accumulator);
    const double n = (double)walk->count;
    double magnitude;
    const keeli_dd sum = keeli_reduce_true_sum(dtype, host, walk, &magnitude);
    const double gamma = keeli_gamma(n, u);
    keeli_dd value = keeli_dd_from_long(logl((long double)sum.hi + (long double)sum.lo));
    const double size = fabs(sum.hi);
    const double d = magnitude > 0 && size > 0 ? gamma * (magnitude / size) : 0;
    const int is_finite = isfinite(sum.hi);
    const int cancels = is_finite && magnitude > 0 && (size == 0 || d >= 1);
    const int overflows =
        !isnan(sum.hi) && !(magnitude * (1 + gamma) <= keel_dtype_max(accumulator));
    double hard = 0; /* of an infinity or a NaN that no order avoids */
    double tight = 0;
    if (cancels || (overflows && (is_finite || magnitude > 0))) {
        hard = tight = INFINITY;
    } else if (isfinite(value.hi)) {
        const double t = fmin(d, keeli_tight_roundings(n) * u * (magnitude / size));
        const double rounding = keel_dtype_unit(dtype) * fabs(value.hi);
        hard = log_error(d, 3, u, value.hi) + rounding;
        tight = log_error(t, 2, u, value.hi) + rounding;
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_reduce_oracle(call, host, index, first, count, truth, truth_of);
}

static const char *const sources[] = {keeli_text_reduce_log_sum, keeli_text_reduce_sum,
                                      keeli_text_locate, keeli_text_reduce, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "reduce_log_sum.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_reduce_plan_sums,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_reduce_log_sum = {
    .struct_size = sizeof(keel_op),
    .name = "keel.reduce_log_sum",
    .family = "reduction",
    .summary = "logarithms of sums over axes",
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
