/*
 * The 16- and 8-bit floats of the kernel dialect against libkeel's own conversions: every code
 * widened, and narrowed values around every code and every rounding boundary.
 */
#include "dialect_probe.h"

#include <math.h>
#include <stdlib.h>

/* Values per code: itself, the middle to the next one, and f32's neighbours of that middle. */
#define PER_CODE 4
#define PATTERNS (1 << 18)

typedef struct narrow_type {
    keel_dtype dtype;
    int64_t codes;
} narrow_type;

static const narrow_type types[] = {
    {KEEL_F16, 65536},      {KEEL_BF16, 65536}, {KEEL_F8E4M3FN, 256},
    {KEEL_F8E4M3FNUZ, 256}, {KEEL_F8E5M2, 256}, {KEEL_F8E5M2FNUZ, 256},
};

static void *array_of(int64_t n, size_t size)
{
    void *array = calloc((size_t)n, size);
    assert_non_null(array);
    return array;
}

static void expect_same_value(keel_dtype dtype, int64_t code, double got, double want)
{
    const int same = isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
    if (!same) {
        print_error("%s code 0x%llx: got %a, want %a\n", keel_dtype_name(dtype),
                    (unsigned long long)code, got, want);
    }
    assert_true(same);
}

static void every_code_widens_exactly(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    for (size_t t = 0; t < KEEL_COUNT(types); t++) {
        const narrow_type *type = &types[t];
        const int64_t n = type->codes;
        void *codes = array_of(n, (size_t)keel_dtype_size(type->dtype));
        float *values = array_of(n, sizeof *values);
        for (int64_t code = 0; code < n; code++) {
            keel_dtype_store_bits(type->dtype, codes, code, code);
        }
        dialect_probe_map(probe, "x",
                          &(dialect_arrays){type->dtype, KEEL_F32, n, codes, NULL, values});
        for (int64_t code = 0; code < n; code++) {
            expect_same_value(type->dtype, code, values[code],
                              keel_dtype_load(type->dtype, codes, code));
        }
        free(values);
        free(codes);
    }
}

/* Fills in values that a conversion could round wrongly; returns how many. */
static int64_t boundaries(const narrow_type *type, float *out)
{
    int64_t n = 0;
    uint32_t codes[2];
    for (int64_t code = 0; code < type->codes; code++) {
        keel_dtype_store_bits(type->dtype, codes, 0, code);
        const float value = (float)keel_dtype_load(type->dtype, codes, 0);
        keel_dtype_store_bits(type->dtype, codes, 0, (code + 1) % type->codes);
        const float next = (float)keel_dtype_load(type->dtype, codes, 0);
        const float largest = (float)keel_dtype_max(type->dtype);
        /* Beyond the largest value the grid goes on as if there were one more. */
        const float step = ldexpf(2 * (float)keel_dtype_unit(type->dtype), ilogbf(largest));
        const float beyond = copysignf(largest + step, value);
        const float middle =
            fabsf(value) == largest ? value / 2 + beyond / 2 : value / 2 + next / 2;
        out[n++] = value;
        out[n++] = middle;
        out[n++] = nextafterf(middle, INFINITY);
        out[n++] = nextafterf(middle, -INFINITY);
    }
    for (uint32_t i = 0; i < PATTERNS; i++) {
        const uint32_t bits = i * 16381u + (i >> 3);
        memcpy(&out[n++], &bits, sizeof bits);
    }
    return n;
}

static void expect_narrowed(keel_dtype dtype, const float *values, const void *codes, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t want = 0;
        keel_dtype_store(dtype, &want, 0, values[i], 0);
        const double wanted = keel_dtype_load(dtype, &want, 0);
        const double got = keel_dtype_load(dtype, codes, i);
        const int same = isnan(wanted) ? isnan(got)
                                       : keel_dtype_load_bits(dtype, codes, i) ==
                                             keel_dtype_load_bits(dtype, &want, 0);
        if (!same) {
            print_error("%a to %s: got %a, want %a\n", (double)values[i], keel_dtype_name(dtype),
                        got, wanted);
        }
        assert_true(same);
    }
}

static void narrowing_rounds_to_nearest_even(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    for (size_t t = 0; t < KEEL_COUNT(types); t++) {
        const narrow_type *type = &types[t];
        float *values = array_of(type->codes * PER_CODE + PATTERNS, sizeof *values);
        const int64_t n = boundaries(type, values);
        void *codes = array_of(n, (size_t)keel_dtype_size(type->dtype));
        dialect_probe_map(probe, "x",
                          &(dialect_arrays){KEEL_F32, type->dtype, n, values, NULL, codes});
        expect_narrowed(type->dtype, values, codes, n);
        free(codes);
        free(values);
    }
}

/* The vector forms, which preludes may map to instructions of the device. */
static void eight_at_once_are_the_same(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    for (size_t t = 0; t < 2; t++) {
        const narrow_type *type = &types[t];
        float *values = array_of(type->codes * PER_CODE + PATTERNS, sizeof *values);
        const int64_t n = boundaries(type, values) / 8 * 8;
        void *codes = array_of(n, (size_t)keel_dtype_size(type->dtype));
        float *back = array_of(n, sizeof *back);
        dialect_probe_eights(probe, "V8ST1(o, j, V8LD0(a, j))",
                             &(dialect_arrays){KEEL_F32, type->dtype, n, values, NULL, codes});
        expect_narrowed(type->dtype, values, codes, n);
        dialect_probe_eights(probe, "V8ST1(o, j, V8LD0(a, j))",
                             &(dialect_arrays){type->dtype, KEEL_F32, n, codes, NULL, back});
        for (int64_t i = 0; i < n; i++) {
            expect_same_value(type->dtype, keel_dtype_load_bits(type->dtype, codes, i), back[i],
                              keel_dtype_load(type->dtype, codes, i));
        }
        free(back);
        free(codes);
        free(values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_widens_exactly),
        cmocka_unit_test(narrowing_rounds_to_nearest_even),
        cmocka_unit_test(eight_at_once_are_the_same),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
