/* Running sums and products, and their truths. */
#include "support/accumulate.h"

#include <math.h>

/* ---- sums ------------------------------------------------------------------------------------ */

void keeli_sum_add(keeli_sum *sum, double term)
{
    sum->value = keeli_dd_add(sum->value, (keeli_dd){term, 0});
    sum->plain += term;
    sum->magnitude += isfinite(term) ? fabs(term) : 0;
    sum->terms++;
}

keeli_dd keeli_sum_value(const keeli_sum *sum)
{
    return isfinite(sum->plain) ? sum->value : (keeli_dd){sum->plain, 0};
}

void keeli_sum_truth(keel_dtype dtype, keeli_dd value, double magnitude, int64_t n, double divisor,
                     keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(accumulator);
    if (divisor != 1) {
        value = keeli_dd_divide(value, (keeli_dd){divisor, 0});
    }
    /*
     * The accumulator may overflow, but need not, on terms of both signs, or where the sum that
     * overflows is divided by more than 1: nothing is promised.
     */
    const int certain = divisor == 1 && isfinite(value.hi) && magnitude <= fabs(value.hi);
    const int overflows = !isnan(value.hi) && magnitude > keel_dtype_max(accumulator) && !certain;
    double hard = 0; /* of an infinity or a NaN that no order avoids */
    double tight = 0;
    if (overflows) {
        hard = tight = INFINITY;
    } else if (isfinite(value.hi)) {
        const double rounding = keel_dtype_unit(dtype) * fabs(value.hi);
        hard = keeli_gamma((double)n, u) * magnitude / divisor + rounding;
        tight = fmin(hard, keeli_tight_roundings((double)n) * u * magnitude / divisor + rounding);
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
    out->scale = divisor != 0 ? magnitude / divisor : 0;
}

/* ---- products -------------------------------------------------------------------------------- */

keeli_factors keeli_factors_start(void)
{
    return (keeli_factors){.value = {{1, 0}, 0}, .large = 1, .small = 1};
}

static void note(keeli_factors *seen, double factor)
{
    seen->large *= isinf(factor) ? 1 : fmax(fabs(factor), 1);
    seen->small *= factor == 0 ? 1 : fmin(fabs(factor), 1);
    seen->has_zero |= factor == 0;
    seen->has_infinity |= isinf(factor) != 0;
    seen->factors++;
}

void keeli_factors_multiply(keeli_factors *product, double factor)
{
    note(product, factor);
    keeli_scaled_multiply(&product->value, factor);
}

/*
 * Whether some order of multiplying leaves the accumulator's range on the way to a result that
 * others reach, be it a number or an infinity. Nothing is promised then.
 */
static int depends_on_order(keel_dtype accumulator, const keeli_factors *seen)
{
    const int overflows = seen->large > keel_dtype_max(accumulator);
    const int underflows = seen->small < keel_dtype_tiny(accumulator);
    if (seen->has_zero || seen->has_infinity) { /* a result that leaves the range meets the other */
        return (seen->has_zero && !seen->has_infinity && overflows) ||
               (seen->has_infinity && !seen->has_zero && underflows);
    }
    return (overflows && seen->small < 1) || (underflows && seen->large > 1);
}

void keeli_factors_truth(keel_dtype dtype, const keeli_factors *product, keel_truth *out)
{
    const keel_dtype accumulator = keeli_accumulator(dtype);
    const double unit = keel_dtype_unit(accumulator);
    const double n = (double)product->factors;
    const keeli_dd value = keeli_scaled_value(&product->value);
    const double magnitude = isfinite(value.hi) ? fabs(value.hi) : 0;
    /* Below the normal range every step may lose half of the smallest subnormal. */
    const double lost =
        product->small < keel_dtype_tiny(accumulator) ? n * keel_dtype_subnormal(accumulator) : 0;
    const double rounding = keel_dtype_unit(dtype) * magnitude + lost;
    const double hard = expm1(n * log1p(unit)) * magnitude + rounding;
    const double tight = keeli_tight_roundings(n) * unit * magnitude + rounding;
    const int open = depends_on_order(accumulator, product);
    keeli_truth_bound(out, dtype, value, open ? INFINITY : hard,
                      open ? INFINITY : fmin(hard, tight));
}
