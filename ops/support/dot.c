/* Sums of products, and how far a result may be from them. */
#include "support/dot.h"

#include <math.h>

#include "keel/dtype.h"

/* Four independent sums, since each addition to a double-double waits for the one before. */
#define LANES 4

/* Inline: the inner loop of oracles. */
static inline void dot_step(keeli_dot *lane, double x, double y, int exact)
{
    const double product = x * y;
    const double sum = lane->sum.hi + product;
    const double part = sum - lane->sum.hi;
    double low = lane->sum.lo + ((lane->sum.hi - (sum - part)) + (product - part));
    if (!exact) {
        low += fma(x, y, -product);
    }
    lane->sum.hi = sum + low;
    lane->sum.lo = low - (lane->sum.hi - sum);
    lane->plain += product;
    lane->magnitude += fabs(product);
}

/*
 * Magnitudes of the products of finite factors: beside a product that is infinite these could
 * overflow to the other infinity.
 */
static double finite_magnitude(const double *x, const double *y, int64_t count)
{
    double magnitude = 0.0;
    for (int64_t k = 0; k < count; k++) {
        if (isfinite(x[k]) && isfinite(y[k])) {
            magnitude += fabs(x[k] * y[k]);
        }
    }
    return magnitude;
}

keeli_dot keeli_dot_product(const double *x, const double *y, int64_t count, int exact)
{
    keeli_dot lane[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        for (int l = 0; l < LANES; l++) {
            dot_step(&lane[l], x[k + l], y[k + l], exact);
        }
    }
    for (; k < count; k++) {
        dot_step(&lane[0], x[k], y[k], exact);
    }
    for (int l = 1; l < LANES; l++) {
        lane[0].sum = keeli_dd_add(lane[0].sum, lane[l].sum);
        lane[0].plain += lane[l].plain;
        lane[0].magnitude += lane[l].magnitude;
    }
    if (!isfinite(lane[0].plain)) {
        lane[0].magnitude = finite_magnitude(x, y, count);
    }
    lane[0].products = lane[0].magnitude;
    return lane[0];
}

void keeli_dot_scale(keeli_dot *dot, double factor)
{
    dot->sum = keeli_dd_multiply(dot->sum, (keeli_dd){factor, 0.0});
    dot->plain *= factor;
    dot->magnitude = factor != 0.0 ? dot->magnitude * fabs(factor) : 0.0;
}

void keeli_dot_add(keeli_dot *dot, double factor, double x)
{
    dot->sum = keeli_dd_add(dot->sum, keeli_two_product(factor, x));
    dot->plain += factor * x;
    dot->magnitude += isfinite(x) ? fabs(factor * x) : 0.0;
}

void keeli_dot_truth(keel_truth *out, keel_dtype dtype, const keeli_dot *total, int64_t depth,
                     int extra, double factor)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    /* Summed by matrix units, perhaps. */
    const int narrow = keel_dtype_size(dtype) < keel_dtype_size(inner) || total->engine;
    const double u = keel_dtype_unit(inner);
    const double u_out = keel_dtype_unit(dtype);
    const double n = (double)depth + extra;
    const double s = total->magnitude;
    const keeli_dd value = isfinite(total->plain) ? total->sum : (keeli_dd){total->plain, 0.0};
    /* A product below the normal range loses up to half a subnormal, which a factor then scales. */
    const double lost = (n + 2.0) * 0.5 * keel_dtype_subnormal(inner) * factor;
    const double magnitude = isfinite(value.hi) ? fabs(value.hi) : 0.0;
    const double last = u_out * magnitude + lost;
    const double engine = narrow ? 3.0 * n / 8.0 : 0.0;
    /* Matrix units cut off where an f32 would be rounded: matmul.md. */
    const double cut = narrow ? 2.0 * (double)depth + 4.0 : 0.0;
    const double rounded = keeli_gamma(n + 2.0 + cut, u) * (s + total->cut) + total->cut;
    double hard = rounded * (1.0 + u_out) + last;
    const double usual = (keeli_tight_roundings(n) + engine) * u * s +
                         total->cut * fmin(1.0, 3.0 / sqrt(fmax(n, 1.0))) + last;
    const double largest = fmax(s, total->products);
    const int certain_nan = isnan(value.hi) && isfinite(largest);
    if ((largest > keel_dtype_max(inner) || isinf(total->cut)) && !certain_nan) {
        hard = (double)INFINITY; /* in some order a partial sum overflows */
    } else if (!isfinite(value.hi)) {
        hard = 0.0;
    }
    keeli_truth_bound(out, dtype, value, hard, fmin(usual, hard));
    out->scale = s;
}
