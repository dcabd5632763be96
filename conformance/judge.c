/* The comparison rules for one element. */
#include "judge.h"

#include <math.h>
#include <stdio.h>

static int is_float(keel_dtype dtype)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
}

double conf_ulp(keel_dtype dtype, double value)
{
    int exponent = 0;
    const double size = fmax(fabs(value), keel_dtype_tiny(dtype));
    (void)frexp(size, &exponent);
    return ldexp(keel_dtype_unit(dtype), exponent);
}

void conf_truth_store(keel_dtype dtype, const keel_truth *truth, void *out)
{
    if (truth->rule == KEEL_RULE_BITS) {
        keel_dtype_store_bits(dtype, out, 0, truth->bits);
    } else {
        keel_dtype_store(dtype, out, 0, truth->hi, truth->lo);
    }
}

static conf_judgement verdict_of(int right)
{
    const double ratio = right ? 0.0 : (double)INFINITY;
    return (conf_judgement){.right = right,
                            .tight_right = right,
                            .hard_ratio = ratio,
                            .tight_ratio = ratio,
                            .signed_ratio = right ? 0.0 : (double)NAN,
                            .distance = right ? 0.0 : (double)NAN,
                            .ulp = right ? 0.0 : (double)NAN};
}

/* Ratio of a distance to a bound that may be 0. */
static double ratio_of(double distance, double bound)
{
    if (distance == 0.0) {
        return 0.0;
    }
    return bound > 0.0 ? distance / bound : (double)INFINITY;
}

/* Same bits, any NaN for a NaN. The distance is reported although it does not count. */
static conf_judgement judge_exact(keel_dtype dtype, const keel_truth *truth, const void *array,
                                  int64_t index)
{
    unsigned char want[8] = {0};
    conf_truth_store(dtype, truth, want);
    const double got_value = keel_dtype_load(dtype, array, index);
    const double want_value = keel_dtype_load(dtype, want, 0);
    if (is_float(dtype) && isnan(want_value)) {
        return verdict_of(isnan(got_value));
    }
    conf_judgement judgement = verdict_of(keel_dtype_load_bits(dtype, array, index) ==
                                          keel_dtype_load_bits(dtype, want, 0));
    if (!judgement.right && isfinite(got_value) && isfinite(want_value)) {
        judgement.distance = got_value - want_value;
        if (is_float(dtype)) {
            judgement.ulp = fabs(judgement.distance) / conf_ulp(dtype, want_value);
        }
    }
    return judgement;
}

/* got or the rounded truth is infinite, neither is NaN. */
static int infinity_is_right(keel_dtype dtype, double got, const keel_truth *truth, double rounded)
{
    if (isinf(truth->hi)) {
        return got == truth->hi;
    }
    if (isinf(got)) {
        const double edge = keel_dtype_max(dtype) * (1.0 - 4.0 * keel_dtype_unit(dtype));
        return got == rounded || (signbit(got) == signbit(truth->hi) && fabs(truth->hi) > edge);
    }
    return fabs((got - truth->hi) - truth->lo) <= truth->hard;
}

static conf_judgement judge_bound(keel_dtype dtype, const keel_truth *truth, double got)
{
    unsigned char stored[8] = {0};
    conf_truth_store(dtype, truth, stored);
    const double rounded = keel_dtype_load(dtype, stored, 0);
    if (isinf(truth->hard)) {
        return verdict_of(1); /* the contract promises nothing here */
    }
    if (isnan(got) || isnan(truth->hi)) {
        return verdict_of(isnan(got) && isnan(truth->hi));
    }
    if (isinf(got) || isinf(rounded) || isinf(truth->hi)) {
        return verdict_of(infinity_is_right(dtype, got, truth, rounded));
    }
    /* Half the smallest subnormal; of F64 a whole one, since its half is no double. */
    const double allowance = fmax(0.5 * keel_dtype_subnormal(dtype), 0x1p-1074);
    const double hard = truth->hard + allowance;
    const double tight = fmin(truth->tight, truth->hard) + allowance;
    const double distance = (got - truth->hi) - truth->lo;
    conf_judgement judgement = {.distance = distance,
                                .bound = hard,
                                .hard_ratio = ratio_of(fabs(distance), hard),
                                .tight_ratio = ratio_of(fabs(distance), tight),
                                .ulp = (double)NAN};
    judgement.signed_ratio = copysign(judgement.tight_ratio, distance);
    judgement.right = judgement.hard_ratio <= 1.0;
    judgement.tight_right = judgement.tight_ratio <= 1.0;
    if (is_float(dtype)) {
        judgement.ulp = fabs(distance) / conf_ulp(dtype, truth->hi);
    }
    return judgement;
}

conf_judgement conf_judge(keel_dtype dtype, const keel_truth *truth, const void *array,
                          int64_t index)
{
    if (truth->rule == KEEL_RULE_BOUND) {
        return judge_bound(dtype, truth, keel_dtype_load(dtype, array, index));
    }
    return judge_exact(dtype, truth, array, index);
}

void conf_element_text(keel_dtype dtype, const void *array, int64_t index, char *out,
                       size_t out_bytes)
{
    const int64_t bits = keel_dtype_load_bits(dtype, array, index);
    const int digits = 2 * keel_dtype_size(dtype);
    const uint64_t mask = digits == 16 ? UINT64_MAX : (UINT64_C(1) << (4 * digits)) - 1;
    if (is_float(dtype)) {
        (void)snprintf(out, out_bytes, "%.9g (0x%0*llx)", keel_dtype_load(dtype, array, index),
                       digits, (unsigned long long)((uint64_t)bits & mask));
    } else if (keel_dtype_in(dtype, KEEL_DTYPES_UNSIGNED)) {
        (void)snprintf(out, out_bytes, "%llu", (unsigned long long)((uint64_t)bits & mask));
    } else {
        (void)snprintf(out, out_bytes, "%lld", (long long)bits);
    }
}
