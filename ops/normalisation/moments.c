/* Mean and variance of rows, and their bounds. */
#include "normalisation/moments.h"

#include <math.h>

#include "keel/dtype.h"
#include "support/truth.h"

keeli_moments keeli_moments_of(const double *x, int64_t n, double epsilon)
{
    const long double count = (long double)n;
    keeli_moments row = {.n = n, .epsilon = epsilon};
    for (int64_t i = 0; i < n; i++) {
        row.mean += (long double)x[i];
        row.mean_magnitude += fabs(x[i]);
        row.mean_square += x[i] * x[i];
    }
    row.mean /= count;
    row.mean_magnitude /= (double)n;
    row.mean_square /= (double)n;
    for (int64_t i = 0; i < n; i++) {
        const long double d = (long double)x[i] - row.mean;
        row.variance += d * d;
    }
    row.variance /= count;
    return row;
}

/* Whether a sum of the row leaves the range of the type that computes. */
static int overflows(const keeli_moments *row, keel_dtype inner)
{
    return fmax(row->mean_square, row->mean_magnitude) * (double)row->n > keel_dtype_max(inner);
}

/* Error of the mean: d of layer_norm.md. */
static double mean_error(const keeli_moments *row, double u)
{
    return keeli_tight_roundings((double)row->n) * u * row->mean_magnitude;
}

void keeli_moments_truth(const keeli_moments *row, keel_dtype dtype, double x, double scale,
                         double bias, keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double subnormal = keel_dtype_subnormal(inner);
    const long double spread = row->variance + (long double)row->epsilon;
    const long double y = ((long double)x - row->mean) / sqrtl(spread);
    const keeli_dd value = keeli_dd_from_long(y * (long double)scale + (long double)bias);
    double tight = 0.0;
    double hard = 0.0;
    if (isfinite(value.hi)) {
        const double r = 1.0 / sqrt((double)spread);
        const double t = keeli_tight_roundings((double)row->n);
        const double d = mean_error(row, u);
        const double centred = 4.0 * u * (fabs(x) + fabs((double)row->mean)) + d;
        const double magnitude = fabs((double)y);
        const double relative = (0.5 * t + 6.0) * u + (0.5 * d * d + subnormal) * r * r;
        tight = fabs(scale) * (r * centred + magnitude * relative) +
                (keel_dtype_unit(dtype) + u) * fabs(value.hi) + (1.0 + fabs(scale)) * subnormal;
        hard = 4.0 * tight + u * t * row->mean_square * r * r * magnitude * fabs(scale);
        if (overflows(row, inner)) {
            tight = hard = (double)INFINITY;
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

void keeli_moments_truth_mean(const keeli_moments *row, keel_dtype dtype, keel_dtype to,
                              keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const keeli_dd value = keeli_dd_from_long(row->mean);
    double tight = 0.0;
    double hard = 0.0;
    if (isfinite(value.hi)) {
        const double last = (keel_dtype_unit(to) + u) * fabs(value.hi);
        tight = mean_error(row, u) + last;
        hard = fmax(keeli_gamma((double)row->n, u) * row->mean_magnitude + last, tight);
        if (overflows(row, inner) || fabs(value.hi) > keel_dtype_max(to)) {
            tight = hard = (double)INFINITY;
        }
    }
    keeli_truth_bound(out, to, value, hard, tight);
}

void keeli_moments_truth_inverse(const keeli_moments *row, keel_dtype dtype, keel_dtype to,
                                 keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double subnormal = keel_dtype_subnormal(inner);
    const long double spread = row->variance + (long double)row->epsilon;
    const keeli_dd value = keeli_dd_from_long(1.0L / sqrtl(spread));
    double tight = 0.0;
    double hard = 0.0;
    if (isfinite(value.hi)) {
        const double r = value.hi;
        const double t = keeli_tight_roundings((double)row->n);
        const double d = mean_error(row, u);
        const double relative = (0.5 * t + 4.0) * u + (0.5 * d * d + subnormal) * r * r;
        tight = r * (relative + keel_dtype_unit(to));
        hard = 4.0 * tight + u * t * row->mean_square * r * r * r;
        if (overflows(row, inner) || r > keel_dtype_max(to)) {
            tight = hard = (double)INFINITY;
        }
    }
    keeli_truth_bound(out, to, value, hard, tight);
}
