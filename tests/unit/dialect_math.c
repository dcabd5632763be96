/*
 * The functions of the kernel dialect against long double: a sweep over all f32 and a dense one
 * over the interval where the function is interesting. The bounds are those of
 * docs/kernel-language.md.
 */
#include "dialect_probe.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES (1 << 18)

/* f(x) of a test, where x is exact. reach: the dense sweep runs over -reach..reach. */
typedef struct math_case {
    const char *name;
    long double (*f)(long double x);
    double reach;
    double ulps;
} math_case;

static long double sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double silu(long double x)
{
    return x == -INFINITY ? -0.0L : x * sigmoid(x);
}

static long double inverse_root(long double x)
{
    return 1 / sqrtl(x);
}

static const math_case cases[] = {
    {"exp", expl, 105, 1.5},       {"expm1", expm1l, 90, 2},   {"log", logl, 8, 1.5},
    {"log1p", log1pl, 2, 2},       {"tanh", tanhl, 10, 2},     {"erf", erfl, 4, 2},
    {"sigmoid", sigmoid, 90, 4},   {"silu", silu, 90, 4},      {"sqrt", sqrtl, 8, 0.5},
    {"rsqrt", inverse_root, 8, 1}, {"sin", sinl, 10, 1.5},     {"sin", sinl, 150000, 1.5},
    {"cos", cosl, 10, 1.5},        {"cos", cosl, 150000, 1.5},
};

static double spacing(float value)
{
    int exponent;
    (void)frexpf(value, &exponent);
    return value == 0 || exponent < -125 ? 0x1p-149 : ldexp(1, exponent - 24);
}

/* Fails unless got is within ulps of truth; infinities, NaN and the sign of zero must be right. */
static void expect_close(const char *name, float x, float y, float got, long double truth,
                         double ulps)
{
    const float want = (float)truth;
    int good = isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
    if (!good && isfinite(got) && isfinite(want)) {
        const int zeros_differ = got == 0 && want == 0;
        good = !zeros_differ && fabsl((long double)got - truth) <= ulps * spacing(want);
    } else if (!good && isfinite((double)truth)) {
        /* Where rounding decides between the largest value and infinity. */
        good = fabsl(truth) > (long double)0x1.fffff8p+127f && !signbit(got) == !signbit(want);
    }
    if (!good) {
        print_error("%s(%a, %a): got %a, want %a within %g ulp\n", name, (double)x, (double)y,
                    (double)got, (double)want, ulps);
    }
    assert_true(good);
}

static float *floats_of(int64_t n)
{
    float *array = calloc((size_t)n, sizeof *array);
    assert_non_null(array);
    return array;
}

/* Half of the samples over all bit patterns, half evenly over -reach..reach. */
static void fill(float *x, double reach)
{
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint32_t bits = i * 32749u + (i >> 7);
        memcpy(&x[i], &bits, sizeof bits);
        if (i % 2 != 0) {
            x[i] = (float)(reach * (2.0 * i / SAMPLES - 1));
        }
    }
}

static void f32_functions_keep_their_bounds(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    float *x = floats_of(SAMPLES);
    float *got = floats_of(SAMPLES);
    for (size_t c = 0; c < KEEL_COUNT(cases); c++) {
        char expression[64];
        (void)snprintf(expression, sizeof expression, "F0(k_%s)(x)", cases[c].name);
        fill(x, cases[c].reach);
        dialect_probe_map(probe, expression,
                          &(dialect_arrays){KEEL_F32, KEEL_F32, SAMPLES, x, NULL, got});
        for (int64_t i = 0; i < SAMPLES; i++) {
            expect_close(cases[c].name, x[i], 0, got[i], cases[c].f((long double)x[i]),
                         cases[c].ulps);
        }
    }
    free(got);
    free(x);
}

/* Pairs whose power is finite, any pairs, and every pair of the special values. */
static void fill_pairs(float *x, float *y)
{
    static const float special[] = {0,  -0.0F, 1,     -1, INFINITY, -INFINITY,   NAN,     2,
                                    -2, 0.5F,  -0.5F, 3,  -3,       16777216.0F, 8388609, 1e-45F};
    const uint32_t count = KEEL_COUNT(special);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const uint32_t bits = i * 32749u + (i >> 7);
        const uint32_t other = i * 2654435761u;
        memcpy(&x[i], &bits, sizeof bits);
        memcpy(&y[i], &other, sizeof other);
        if (i % 4 != 0) {
            const double exponent = 100 * (2.0 * (other >> 8) / 0x1p24 - 1);
            const double root = log(fabs((double)x[i]));
            y[i] = (float)(exponent / (root == 0 || !isfinite(root) ? 1 : root));
            y[i] = i % 4 == 1 ? rintf(y[i]) : y[i];
            x[i] = i % 4 == 2 ? fabsf(x[i]) : x[i];
        }
    }
    for (uint32_t i = 0; i < count * count; i++) {
        x[i] = special[i / count];
        y[i] = special[i % count];
    }
}

static void pow_keeps_its_bound_and_the_special_values_of_c(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    float *x = floats_of(SAMPLES);
    float *y = floats_of(SAMPLES);
    float *got = floats_of(SAMPLES);
    fill_pairs(x, y);
    dialect_probe_map(probe, "F0(k_pow)(x, y)",
                      &(dialect_arrays){KEEL_F32, KEEL_F32, SAMPLES, x, y, got});
    for (int64_t i = 0; i < SAMPLES; i++) {
        expect_close("pow", x[i], y[i], got[i], powl((long double)x[i], (long double)y[i]), 4);
    }
    free(got);
    free(y);
    free(x);
}

/* Eight at once: the simd style's exponential is the same function. */
static void the_vector_exponential_equals_the_scalar_one(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    float *x = floats_of(SAMPLES);
    float *scalar = floats_of(SAMPLES);
    float *vector = floats_of(SAMPLES);
    fill(x, 105);
    dialect_probe_map(probe, "k_exp_f32(x)",
                      &(dialect_arrays){KEEL_F32, KEEL_F32, SAMPLES, x, NULL, scalar});
    dialect_probe_eights(probe, "V8ST1(o, j, v8_exp(V8LD0(a, j)))",
                         &(dialect_arrays){KEEL_F32, KEEL_F32, SAMPLES, x, NULL, vector});
    for (int64_t i = 0; i < SAMPLES; i++) {
        expect_close("v8_exp", x[i], 0, vector[i], (long double)scalar[i], 0);
    }
    free(vector);
    free(scalar);
    free(x);
}

static void integer_division_never_traps(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    static const int32_t a[] = {7, -7, 7, -7, 5, 0, INT32_MIN, INT32_MIN, INT32_MAX};
    static const int32_t b[] = {2, 2, -2, -2, 0, 0, -1, 1, -1};
    static const int32_t want[] = {3, -3, -3, 3, 0, 0, INT32_MIN, INT32_MIN, -INT32_MAX};
    int32_t got[KEEL_COUNT(a)];
    dialect_probe_map(probe, "F0(k_div)(x, y)",
                      &(dialect_arrays){KEEL_I32, KEEL_I32, KEEL_COUNT(a), a, b, got});
    assert_memory_equal(got, want, sizeof want);
}

static void maximum_and_minimum_follow_ieee_2019(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    static const float a[] = {1, -0.0F, 0.0F, NAN, 1, -INFINITY};
    static const float b[] = {2, 0.0F, -0.0F, 1, NAN, 3};
    float high[KEEL_COUNT(a)];
    float low[KEEL_COUNT(a)];
    dialect_probe_map(probe, "F0(k_max)(x, y)",
                      &(dialect_arrays){KEEL_F32, KEEL_F32, KEEL_COUNT(a), a, b, high});
    dialect_probe_map(probe, "F0(k_min)(x, y)",
                      &(dialect_arrays){KEEL_F32, KEEL_F32, KEEL_COUNT(a), a, b, low});
    static const float highs[] = {2, 0.0F, 0.0F, NAN, NAN, 3};
    static const float lows[] = {1, -0.0F, -0.0F, NAN, NAN, -INFINITY};
    for (size_t i = 0; i < KEEL_COUNT(a); i++) {
        expect_close("max", a[i], b[i], high[i], (long double)highs[i], 0);
        expect_close("min", a[i], b[i], low[i], (long double)lows[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_functions_keep_their_bounds),
        cmocka_unit_test(pow_keeps_its_bound_and_the_special_values_of_c),
        cmocka_unit_test(the_vector_exponential_equals_the_scalar_one),
        cmocka_unit_test(integer_division_never_traps),
        cmocka_unit_test(maximum_and_minimum_follow_ieee_2019),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
