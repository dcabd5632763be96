/*
 * The f64 functions of the kernel dialect against long double: a sweep over all exponents and a
 * dense one over the interval where the function is interesting. The bounds are those of
 * docs/kernel-language.md.
 */
#include "dialect_probe.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES (1 << 17)

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
    {"exp", expl, 746, 1.5},       {"expm1", expm1l, 2, 2},   {"expm1", expm1l, 710, 2},
    {"log", logl, 8, 1.5},         {"log1p", log1pl, 2, 2},   {"tanh", tanhl, 1, 3},
    {"tanh", tanhl, 23, 3},        {"erf", erfl, 6, 2},       {"sigmoid", sigmoid, 10, 4},
    {"sigmoid", sigmoid, 700, 4},  {"silu", silu, 750, 4},    {"sqrt", sqrtl, 8, 0.5},
    {"rsqrt", inverse_root, 8, 1}, {"sin", sinl, 10, 1.5},    {"sin", sinl, 150000, 1.5},
    {"cos", cosl, 10, 1.5},        {"cos", cosl, 150000, 1.5}};

static double spacing(double value)
{
    int exponent;
    (void)frexp(value, &exponent);
    return value == 0 || exponent < -1021 ? 0x1p-1074 : ldexp(1, exponent - 53);
}

/* Fails unless got is within ulps of truth; infinities, NaN and the sign of zero must be right. */
static void expect_close(const char *name, double x, double y, double got, long double truth,
                         double ulps)
{
    const double want = (double)truth;
    int good = isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
    if (!good && isfinite(got) && isfinite(want)) {
        const int zeros_differ = got == 0 && want == 0;
        /* A correctly rounded root may be off by half an ulp of a long double more. */
        const double bound = ulps == 0.5 ? 0.5 + 0x1p-11 : ulps;
        good = !zeros_differ && fabsl((long double)got - truth) <= bound * spacing(want);
    }
    if (!good) {
        print_error("%s(%a, %a): got %a, want %a within %g ulp\n", name, x, y, got, want, ulps);
    }
    assert_true(good);
}

static double *doubles_of(int64_t n)
{
    double *array = calloc((size_t)n, sizeof *array);
    assert_non_null(array);
    return array;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Half of the samples over all bit patterns, half evenly over -reach..reach. */
static void fill(double *x, double reach)
{
    for (uint64_t i = 0; i < SAMPLES; i++) {
        x[i] = i % 2 == 0 ? from_bits(i * UINT64_C(0x9e3779b97f4a7c15))
                          : reach * (2.0 * (double)i / SAMPLES - 1);
    }
    static const double special[] = {0,       -0.0,      INFINITY,   -INFINITY, NAN,
                                     0x1p-53, 0x1p-1074, -0x1p-1022, 1,         -1};
    memcpy(x, special, sizeof special);
}

static void f64_functions_keep_their_bounds(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F64);
    double *x = doubles_of(SAMPLES);
    double *got = doubles_of(SAMPLES);
    for (size_t c = 0; c < KEEL_COUNT(cases); c++) {
        char expression[64];
        (void)snprintf(expression, sizeof expression, "F0(k_%s)(x)", cases[c].name);
        fill(x, cases[c].reach);
        dialect_probe_map(probe, expression,
                          &(dialect_arrays){KEEL_F64, KEEL_F64, SAMPLES, x, NULL, got});
        for (int64_t i = 0; i < SAMPLES; i++) {
            expect_close(cases[c].name, x[i], 0, got[i], cases[c].f((long double)x[i]),
                         cases[c].ulps);
        }
    }
    free(got);
    free(x);
}

/* Pairs whose power is finite, any pairs, and every pair of the special values. */
static void fill_pairs(double *x, double *y)
{
    static const double special[] = {0,   -0.0, 1, -1, INFINITY, -INFINITY,          NAN,   2, -2,
                                     0.5, -0.5, 3, -3, 0x1p53,   4503599627370497.0, 5e-324};
    const uint32_t count = KEEL_COUNT(special);
    for (uint64_t i = 0; i < SAMPLES; i++) {
        x[i] = from_bits(i * UINT64_C(0x9e3779b97f4a7c15));
        x[i] = i % 3 == 0 ? 0.5 + (double)i / SAMPLES : x[i];
        y[i] = from_bits(i * UINT64_C(0xbf58476d1ce4e5b9));
        if (i % 8 != 0) {
            const double exponent =
                740 * (2 * fabs(remainder((double)i * 0.618033988749895, 1)) - 1);
            const double root = log(fabs(x[i]));
            y[i] = exponent / (root == 0 || !isfinite(root) ? 1 : root);
            y[i] = i % 4 == 1 ? rint(y[i]) : y[i];
            x[i] = i % 4 == 1 ? x[i] : fabs(x[i]);
        }
    }
    for (uint32_t i = 0; i < count * count; i++) {
        x[i] = special[i / count];
        y[i] = special[i % count];
    }
}

static void pow_keeps_its_bound_and_the_special_values_of_c(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F64);
    double *x = doubles_of(SAMPLES);
    double *y = doubles_of(SAMPLES);
    double *got = doubles_of(SAMPLES);
    fill_pairs(x, y);
    dialect_probe_map(probe, "F0(k_pow)(x, y)",
                      &(dialect_arrays){KEEL_F64, KEEL_F64, SAMPLES, x, y, got});
    for (int64_t i = 0; i < SAMPLES; i++) {
        expect_close("pow", x[i], y[i], got[i], powl((long double)x[i], (long double)y[i]), 4);
    }
    free(got);
    free(y);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f64_functions_keep_their_bounds),
        cmocka_unit_test(pow_keeps_its_bound_and_the_special_values_of_c),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
