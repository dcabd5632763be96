/*
 * Sums of products as oracles of matrix products and convolutions need them: the true value in
 * double-double, whether it is finite, the magnitude that cancellation can amplify, and the bound
 * that ops/dense/matmul.md derives. Pure functions; any thread.
 */
#ifndef KEELI_SUPPORT_DOT_H
#define KEELI_SUPPORT_DOT_H

#include "keel/op.h"
#include "support/truth.h"

typedef struct keeli_dot {
    keeli_dd sum;
    double plain; /* decides whether the sum is finite; the double-double is noise if it is not */
    double magnitude;
    double products; /* the magnitude of the products alone, before a factor */
    double cut;      /* what shortened factors may take from the products; 0 where none are */
    int32_t engine;  /* matrix units may add up, though the type is no narrow one */
    int32_t pad;
} keeli_dot;

/* Sum of x[k] * y[k]. exact: a product needs no more than the 53 bits of a double. */
keeli_dot keeli_dot_product(const double *x, const double *y, int64_t count, int exact);

/* Multiplies what there is by a factor; keeps products. */
void keeli_dot_scale(keeli_dot *dot, double factor);

/* Adds factor * x; an infinite x has no magnitude. */
void keeli_dot_add(keeli_dot *dot, double factor, double x);

/*
 * The truth of a sum of depth products that are added up in the accumulator of dtype and rounded to
 * it once.
 *
 * @param extra   roundings that an element may suffer after the sum of products
 * @param factor  the largest factor that scales the products afterwards, at least 1
 */
void keeli_dot_truth(keel_truth *out, keel_dtype dtype, const keeli_dot *total, int64_t depth,
                     int extra, double factor);

#endif
