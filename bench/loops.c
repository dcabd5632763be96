/* Plain C loops that ops are compared with. */
#include "loops.h"

#include <math.h>
#include <string.h>

void bench_loop_add(const float *a, const float *b, float *c, int64_t n)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
}

void bench_loop_copy(const float *x, float *y, int64_t n)
{
    const int64_t part = 16384;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i += part) {
        memcpy(y + i, x + i, (size_t)(n - i < part ? n - i : part) * sizeof *y);
    }
}

float bench_loop_read(const float *x, int64_t n)
{
    enum { LANES = 64 };
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int64_t i = 0; i < n / LANES; i++) {
        float lane[LANES];
        float all = 0;
        memcpy(lane, x + i * LANES, sizeof lane);
        for (int l = 0; l < LANES / 2; l++) {
            lane[l] += lane[l + LANES / 2];
        }
        for (int l = 0; l < LANES / 4; l++) {
            all += lane[l] + lane[l + LANES / 4];
        }
        sum += all;
    }
    return sum;
}

void bench_loop_softmax(const float *x, float *y, int64_t rows, int64_t n)
{
#pragma omp parallel for
    for (int64_t row = 0; row < rows; row++) {
        const float *from = x + row * n;
        float *to = y + row * n;
        float largest = from[0];
        float sum = 0;
        for (int64_t i = 1; i < n; i++) {
            largest = from[i] > largest ? from[i] : largest;
        }
        for (int64_t i = 0; i < n; i++) {
            to[i] = expf(from[i] - largest);
            sum += to[i];
        }
        for (int64_t i = 0; i < n; i++) {
            to[i] /= sum;
        }
    }
}

void bench_loop_rms_norm(const float *x, const float *scale, float *y, int64_t rows, int64_t n)
{
#pragma omp parallel for
    for (int64_t row = 0; row < rows; row++) {
        const float *from = x + row * n;
        float sum = 0;
        for (int64_t i = 0; i < n; i++) {
            sum += from[i] * from[i];
        }
        const float factor = 1.0f / sqrtf(sum / (float)n + 1e-5f);
        for (int64_t i = 0; i < n; i++) {
            y[row * n + i] = from[i] * factor * scale[i];
        }
    }
}

/* One tap's row of outputs: zeros, what lies on the image, zeros. */
static void im2col_row(const bench_image *i, const float *from, int64_t tap, float *to)
{
    for (int64_t o = 0; o < i->out; o++) {
        const int64_t at = o * i->stride - i->pad + tap;
        to[o] = at >= 0 && at < i->size ? from[at] : 0.0f;
    }
}

void bench_loop_im2col(const bench_image *image, const float *x, float *columns)
{
    const bench_image i = *image;
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < i.channels * i.taps * i.taps; row++) {
        const int64_t channel = row / (i.taps * i.taps);
        const int64_t tap_y = row / i.taps % i.taps;
        const int64_t tap_x = row % i.taps;
        float *to = columns + row * i.out * i.out;
        for (int64_t o = 0; o < i.out; o++) {
            const int64_t at = o * i.stride - i.pad + tap_y;
            if (at < 0 || at >= i.size) {
                memset(to + o * i.out, 0, (size_t)i.out * sizeof *to);
            } else if (i.stride == 1 && tap_x - i.pad >= 0 && tap_x - i.pad + i.out <= i.size) {
                memcpy(to + o * i.out, x + (channel * i.size + at) * i.size + tap_x - i.pad,
                       (size_t)i.out * sizeof *to);
            } else {
                im2col_row(&i, x + (channel * i.size + at) * i.size, tap_x, to + o * i.out);
            }
        }
    }
}
