/* Plain C loops that ops are compared with, on all cores where OpenMP is there. */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stdint.h>

/* c = a + b */
void bench_loop_add(const float *a, const float *b, float *c, int64_t n);

/* y = x: memcpy of a part on each core. */
void bench_loop_copy(const float *x, float *y, int64_t n);

/* The sum of x: reading it once. */
float bench_loop_read(const float *x, int64_t n);

/* Rows of n elements. */
void bench_loop_softmax(const float *x, float *y, int64_t rows, int64_t n);
void bench_loop_rms_norm(const float *x, const float *scale, float *y, int64_t rows, int64_t n);

/* A square image of channels x size x size under a square window, out x out times. */
typedef struct bench_image {
    int64_t channels, size, taps, stride, pad, out;
} bench_image;

/* columns[channel][tap][position]: what each tap meets, 0 on padding. */
void bench_loop_im2col(const bench_image *image, const float *x, float *columns);

#endif
