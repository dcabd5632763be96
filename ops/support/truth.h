/*
 * What oracles of several families share: arithmetic on sums of two doubles (about 106 bits),
 * spacings of the element types, elements by position, and truths with their bounds.
 */
#ifndef KEELI_SUPPORT_TRUTH_H
#define KEELI_SUPPORT_TRUTH_H

#include "keel/op.h"

/* hi + lo with |lo| at most half an ulp of hi. Where hi is not finite lo is 0. */
typedef struct keeli_dd {
    double hi, lo;
} keeli_dd;

/* Exact: a + b and a * b of two doubles (the product barring underflow below 2^-1022). */
keeli_dd keeli_two_sum(double a, double b);
keeli_dd keeli_two_product(double a, double b);

/* With an error of a few 2^-104. */
keeli_dd keeli_dd_add(keeli_dd a, keeli_dd b);
keeli_dd keeli_dd_subtract(keeli_dd a, keeli_dd b);
keeli_dd keeli_dd_multiply(keeli_dd a, keeli_dd b);
keeli_dd keeli_dd_divide(keeli_dd a, keeli_dd b);
keeli_dd keeli_dd_sqrt(keeli_dd a);

/*
 * A product whose exponent is kept apart, so that nothing on the way leaves the range of doubles.
 * Begin with {{1, 0}, 0}.
 */
typedef struct keeli_scaled {
    keeli_dd mantissa; /* of magnitude 0.5 to 1, or not finite, or 0 */
    int64_t exponent;
} keeli_scaled;

void keeli_scaled_multiply(keeli_scaled *product, double factor);
keeli_dd keeli_scaled_value(const keeli_scaled *product);

/* Exact, but for the bits of a long double beyond 106. */
keeli_dd keeli_dd_from_long(long double value);

/* Distance between neighbours of a float type at |value|; beyond its largest as if there were more.
 */
double keeli_ulp(keel_dtype dtype, double value);

/* The type in which kernels compute with, and add up, a float type: F64, or F32 for all others. */
keel_dtype keeli_accumulator(keel_dtype dtype);

/* gamma_n of docs/numerics.md: n u / (1 - n u) for roundings to unit u, or 1 once n u > 0.5. */
double keeli_gamma(double n, double unit);

/* T(n) of docs/numerics.md: what n roundings amount to, in units, when their signs vary. */
double keeli_tight_roundings(double n);

/* ---- elements by position ------------------------------------------------------------------- */

/* Coordinates of a row-major position in a shape. */
void keeli_coordinates(const keel_desc *desc, int64_t position, int64_t *out_coordinates);

/* Offset, in elements, of coordinates that belong to a tensor of rank axes, right-aligned to it;
 * axes of size 1 stand still. */
int64_t keeli_offset(const keel_desc *desc, const int64_t *coordinates, int32_t rank);

/* An element as hi + lo: exact for every type. */
keeli_dd keeli_load(keel_dtype dtype, const void *array, int64_t offset);

/* The low bits as an integer type holds them: sign- or zero-extended. */
int64_t keeli_wrap(keel_dtype dtype, uint64_t bits);

/* Whether a is less than b: integers or BOOLs as keel_dtype_load_bits() gives them. */
int keeli_integer_less(keel_dtype dtype, int64_t a, int64_t b);

/*
 * Below 0, 0 or above 0 as the element at offset a is less than, equal to or greater than the one
 * at b: a NaN is the greatest value and equal to each other, and -0 and +0 are equal.
 */
int keeli_compare(keel_dtype dtype, const void *array, int64_t a, int64_t b);

/* The lowest or the highest value of an integer type or BOOL, as its bits. */
int64_t keeli_integer_limit(keel_dtype dtype, int highest);

/* The sign of a float type among the bits that keel_dtype_load_bits() gives. */
int64_t keeli_sign_bit(keel_dtype dtype);

/* ---- truths: out is zeroed first --------------------------------------------------------------
 */

/* RULE_BITS: these bits, as keel_dtype_load_bits() gives them. */
void keeli_truth_bits(keel_truth *out, keel_dtype dtype, int64_t bits);

/* RULE_ROUNDED. */
void keeli_truth_rounded(keel_truth *out, keeli_dd value);

/* RULE_BOUND: absolute errors, to which half the smallest subnormal of dtype is added. */
void keeli_truth_bound(keel_truth *out, keel_dtype dtype, keeli_dd value, double hard,
                       double tight);

/*
 * RULE_BOUND in ulp of dtype at the value, for functions whose arithmetic is at least f32:
 * hard and tight hold for F64 and F32; narrower types are one rounding away, 1 ulp.
 */
void keeli_truth_ulps(keel_truth *out, keel_dtype dtype, keeli_dd value, double hard, double tight);

#endif
