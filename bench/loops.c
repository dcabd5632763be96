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
