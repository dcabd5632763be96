/* The truth of keel.reduce_max and keel.reduce_min: a NaN wins, +0 is above -0. */
#include <math.h>

#include "reduction/reduce.h"

/* Whether a is above b, neither of them a NaN. */
static int is_above(double a, double b)
{
    return a == b ? signbit(a) < signbit(b) : a > b;
}

static int float_beats(double a, double b, int greatest)
{
    return isnan(a) || (greatest ? is_above(a, b) : is_above(b, a));
}

static void float_truth(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, int greatest,
                        keel_truth *out)
{
    double best = greatest ? -INFINITY : INFINITY;
    uint64_t element = 0;
    keel_dtype_store(dtype, &element, 0, best, 0);
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const double value = keel_dtype_load(dtype, host, walk->offset);
        if (!isnan(best) && float_beats(value, best, greatest)) {
            best = value;
            keel_dtype_store(dtype, &element, 0, value, 0);
        }
    }
    keeli_truth_bits(out, dtype, keel_dtype_load_bits(dtype, &element, 0));
}

static void integer_truth(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, int greatest,
                          keel_truth *out)
{
    int64_t best = keeli_integer_limit(dtype, !greatest);
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        const int64_t value = keel_dtype_load_bits(dtype, host, walk->offset);
        const int beats = greatest ? keeli_integer_less(dtype, best, value)
                                   : keeli_integer_less(dtype, value, best);
        best = beats ? value : best;
    }
    keeli_truth_bits(out, dtype, best);
}

void keeli_extremum_truth(keel_dtype dtype, const void *host, keeli_reduce_walk *walk, int greatest,
                          keel_truth *out)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        float_truth(dtype, host, walk, greatest, out);
    } else {
        integer_truth(dtype, host, walk, greatest, out);
    }
}
