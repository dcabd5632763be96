/* Sums of squares, the elements scaled to magnitudes below 1. */
#include "reduction/squares.h"

#include <math.h>

keeli_dd keeli_scale(keeli_dd value, int exponent)
{
    const double hi = ldexp(value.hi, exponent);
    return (keeli_dd){hi, isfinite(hi) ? ldexp(value.lo, exponent) : 0};
}

keeli_squares keeli_true_squares(keel_dtype dtype, const void *host, const keeli_reduce_walk *walk)
{
    keeli_squares out = {{0, 0}, 0};
    double largest = 0;
    double plain = 0; /* a NaN if there is one, an infinity if there is one */
    keeli_reduce_walk first = *walk;
    for (int64_t k = 0; k < first.count; k++, keeli_reduce_next(&first)) {
        const double x = fabs(keel_dtype_load(dtype, host, first.offset));
        plain += isfinite(x) ? 0 : x;
        largest = x > largest ? x : largest;
    }
    if (plain != 0 || largest == 0) {
        out.sum.hi = plain;
        return out;
    }
    (void)frexp(largest, &out.exponent);
    keeli_reduce_walk second = *walk;
    for (int64_t k = 0; k < second.count; k++, keeli_reduce_next(&second)) {
        const double x = ldexp(keel_dtype_load(dtype, host, second.offset), -out.exponent);
        out.sum = keeli_dd_add(out.sum, keeli_two_product(x, x));
    }
    return out;
}

int keeli_near_overflow(keel_dtype dtype, const keeli_squares *squares, double gamma)
{
    const double highest = ldexp(keel_dtype_max(dtype), -2 * squares->exponent);
    return squares->sum.hi * (1 + gamma) > highest && squares->sum.hi * (1 - gamma) <= highest;
}
