/*
 * Truths of sums and products, from their terms one after another: what reductions and scans
 * share. docs/numerics.md has the bounds.
 */
#ifndef KEELI_SUPPORT_ACCUMULATE_H
#define KEELI_SUPPORT_ACCUMULATE_H

#include "support/truth.h"

/* A running sum. Zeroed, it has no terms. */
typedef struct keeli_sum {
    keeli_dd value;   /* of the finite prefix; see keeli_sum_value() */
    double plain;     /* in doubles: NaN and infinities as they add up */
    double magnitude; /* of the magnitudes of finite terms */
    int64_t terms;
} keeli_sum;

void keeli_sum_add(keeli_sum *sum, double term);
keeli_dd keeli_sum_value(const keeli_sum *sum);

/* Bounds of a sum of n terms: value is true, magnitude is the sum of the terms' magnitudes. */
void keeli_sum_truth(keel_dtype dtype, keeli_dd value, double magnitude, int64_t n, double divisor,
                     keel_truth *out);

/* A running product. */
typedef struct keeli_factors {
    keeli_scaled value;
    double large; /* product of the finite magnitudes from 1 up */
    double small; /* product of those from 1 down, zeros left out */
    int has_zero;
    int has_infinity;
    int64_t factors;
} keeli_factors;

/* The product of nothing, 1. */
keeli_factors keeli_factors_start(void);
void keeli_factors_multiply(keeli_factors *product, double factor);
void keeli_factors_truth(keel_dtype dtype, const keeli_factors *product, keel_truth *out);

#endif
