/* What the oracles of this family share: rounding to integers, and truths that lie near a tie. */
#ifndef KEELI_QUANTISE_ROUNDING_H
#define KEELI_QUANTISE_ROUNDING_H

#include "keel/op.h"

/* Types of quantised products, and of the real numbers beside quantised ones. */
#define KEELI_TYPES_BYTES (KEEL_DTYPE_BIT(KEEL_I8) | KEEL_DTYPE_BIT(KEEL_U8))
#define KEELI_TYPES_REALS \
    (KEEL_DTYPE_BIT(KEEL_F32) | KEEL_DTYPE_BIT(KEEL_F16) | KEEL_DTYPE_BIT(KEEL_BF16))

/* x to the nearest integer, ties to even, plus zero, within least..most. NaN counts as 0. */
int64_t keeli_round_to_integer(double x, int64_t zero, int64_t least, int64_t most);

/* Whether |x| is a power of two, by which products and quotients are exact. */
int keeli_is_power_of_two(double x);

/* Bits that are stored for a real number x: keel_dtype_load_bits() of the output's type. */
typedef int64_t (*keeli_stored)(const void *context, double x);

/*
 * The truth stored(x) where x has been computed in f32: BITS, unless a result that is off by ulps
 * f32 ulp would be stored otherwise: then BOUND, whose hard bound is that difference. The tight
 * bound is 0: what divides and multiplies correctly rounded has no excuse.
 */
void keeli_truth_nearly(keel_truth *out, keel_dtype dtype, double x, double ulps,
                        keeli_stored stored, const void *context);

/*
 * The same where x is the true value: computations within a relative error of tight are what good
 * implementations reach, those within hard are allowed.
 */
void keeli_truth_requantized(keel_truth *out, keel_dtype dtype, double x, double hard, double tight,
                             keeli_stored stored, const void *context);

#endif
