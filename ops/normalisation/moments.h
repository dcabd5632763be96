/*
 * Mean and variance of a row and what follows from them, for the oracles of the norms that centre:
 * keel.layer_norm, keel.instance_norm and keel.group_norm. layer_norm.md derives the bounds.
 */
#ifndef KEELI_MOMENTS_H
#define KEELI_MOMENTS_H

#include "keel/op.h"

/* What a row's elements share. */
typedef struct keeli_moments {
    int64_t n;
    long double mean, variance;
    double mean_magnitude, mean_square;
    double epsilon;
} keeli_moments;

keeli_moments keeli_moments_of(const double *x, int64_t n, double epsilon);

/* (x - mean) / sqrt(variance + epsilon) * scale + bias, for an x of that row and type dtype. */
void keeli_moments_truth(const keeli_moments *row, keel_dtype dtype, double x, double scale,
                         double bias, keel_truth *out);

/* The mean, and 1 / sqrt(variance + epsilon), of a row of type dtype as elements of type to. */
void keeli_moments_truth_mean(const keeli_moments *row, keel_dtype dtype, keel_dtype to,
                              keel_truth *out);
void keeli_moments_truth_inverse(const keeli_moments *row, keel_dtype dtype, keel_dtype to,
                                 keel_truth *out);

#endif
