/* Sums of squares that leave no range on the way: truths of reduce_sum_square and reduce_l2. */
#ifndef KEELI_SQUARES_H
#define KEELI_SQUARES_H

#include "reduction/reduce.h"

/* The sum is sum * 4^exponent; where it is not finite, or 0, exponent is 0. */
typedef struct keeli_squares {
    keeli_dd sum;
    int exponent;
} keeli_squares;

/* Of the walked elements; NaN and infinities as they add up. */
keeli_squares keeli_true_squares(keel_dtype dtype, const void *host, const keeli_reduce_walk *walk);

/* value * 2^exponent; lo is 0 where hi is not finite. */
keeli_dd keeli_scale(keeli_dd value, int exponent);

/* Whether a sum of relative error gamma may or may not exceed the type's largest value. */
int keeli_near_overflow(keel_dtype dtype, const keeli_squares *squares, double gamma);

#endif
