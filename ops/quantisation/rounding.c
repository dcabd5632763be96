/* Rounding to integers, and truths that lie near a tie. */
#include "quantisation/rounding.h"

#include <math.h>

#include "support/truth.h"

/* Beyond every range and zero point that there is. */
#define FAR 131072.0

int64_t keeli_round_to_integer(double x, int64_t zero, int64_t least, int64_t most)
{
    const double nearest = isnan(x) ? 0.0 : fmax(-FAR, fmin(FAR, nearbyint(x)));
    const int64_t y = (int64_t)nearest + zero;
    return y < least ? least : y > most ? most : y;
}

int keeli_is_power_of_two(double x)
{
    int exponent;
    return isfinite(x) && fabs(frexp(x, &exponent)) == 0.5;
}

/* Distance of two stored values; 0 where one is not finite, since no bound could express it. */
static double distance(keel_dtype dtype, int64_t a, int64_t b)
{
    uint64_t element[2] = {0, 0};
    keel_dtype_store_bits(dtype, &element[0], 0, a);
    keel_dtype_store_bits(dtype, &element[1], 0, b);
    const double apart =
        fabs(keel_dtype_load(dtype, &element[0], 0) - keel_dtype_load(dtype, &element[1], 0));
    return isfinite(apart) ? apart : 0.0;
}

/* The most by which stored() differs between x and x (1 +- relative). */
static double reach(keel_dtype dtype, double x, double relative, keeli_stored stored,
                    const void *context)
{
    const int64_t bits = stored(context, x);
    const double up = distance(dtype, bits, stored(context, x * (1.0 + relative)));
    const double down = distance(dtype, bits, stored(context, x * (1.0 - relative)));
    return fmax(up, down);
}

void keeli_truth_requantized(keel_truth *out, keel_dtype dtype, double x, double hard, double tight,
                             keeli_stored stored, const void *context)
{
    keeli_truth_bits(out, dtype, stored(context, x));
    const double widest = isfinite(x) ? reach(dtype, x, hard, stored, context) : 0.0;
    if (widest > 0.0) {
        const double usual = tight > 0.0 ? reach(dtype, x, tight, stored, context) : 0.0;
        const int64_t bits = out->bits;
        keeli_truth_bound(out, dtype, (keeli_dd){out->hi, 0.0}, widest, usual);
        out->bits = bits;
    }
}

void keeli_truth_nearly(keel_truth *out, keel_dtype dtype, double x, double ulps,
                        keeli_stored stored, const void *context)
{
    keeli_truth_requantized(out, dtype, x, ulps * 0x1p-23, 0.0, stored, context);
}
