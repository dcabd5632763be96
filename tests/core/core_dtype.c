/* Conversions between element types and values, against values worked out by hand. */
#include <math.h>

#include "keel/dtype.h"
#include "keel_test.h"

/* A stored pattern and the value it stands for. */
typedef struct pattern {
    keel_dtype dtype;
    int64_t bits;
    double value;
} pattern;

static const pattern patterns[] = {
    {KEEL_F16, 0x3c00, 1},
    {KEEL_F16, 0x7bff, 65504},
    {KEEL_F16, 0x0001, 0x1p-24},
    {KEEL_F16, 0x83ff, -1023 * 0x1p-24},
    {KEEL_F16, 0xfc00, -INFINITY},
    {KEEL_BF16, 0x3f80, 1},
    {KEEL_BF16, 0x4049, 3.140625},
    {KEEL_BF16, 0x0001, 0x1p-133},
    {KEEL_BF16, 0x7f7f, 0x1.fep127},
    {KEEL_F8E4M3FN, 0x7e, 448},
    {KEEL_F8E4M3FN, 0x01, 0x1p-9},
    {KEEL_F8E4M3FN, 0x80, -0.0},
    {KEEL_F8E4M3FN, 0xb8, -1},
    {KEEL_F8E4M3FNUZ, 0x7f, 240},
    {KEEL_F8E4M3FNUZ, 0x01, 0x1p-10},
    {KEEL_F8E4M3FNUZ, 0xc0, -1},
    {KEEL_F8E5M2, 0x7b, 57344},
    {KEEL_F8E5M2, 0x7c, INFINITY},
    {KEEL_F8E5M2, 0x01, 0x1p-16},
    {KEEL_F8E5M2FNUZ, 0x7f, 57344},
    {KEEL_F8E5M2FNUZ, 0x01, 0x1p-17},
    {KEEL_F8E5M2FNUZ, 0x40, 1},
    {KEEL_I8, -128, -128},
    {KEEL_U8, 255, 255},
    {KEEL_I64, INT64_MIN, -0x1p63},
    {KEEL_U64, -1, 0x1p64},
    {KEEL_BOOL, 1, 1},
};

static void patterns_stand_for_their_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(patterns); i++) {
        const pattern *p = &patterns[i];
        uint64_t array[2] = {0};
        keel_dtype_store_bits(p->dtype, array, 1, p->bits);
        const double value = keel_dtype_load(p->dtype, array, 1);
        if (value != p->value || signbit(value) != signbit(p->value)) {
            print_error("%s %#llx: got %a, want %a\n", keel_dtype_name(p->dtype),
                        (unsigned long long)p->bits, value, p->value);
        }
        assert_true(value == p->value && signbit(value) == signbit(p->value));
        assert_true(keel_dtype_load_bits(p->dtype, array, 1) == p->bits);
    }
}

static void small_floats_survive_a_round_trip(void **state)
{
    (void)state;
    for (keel_dtype dtype = KEEL_F16; dtype <= KEEL_F8E5M2FNUZ; dtype++) {
        const int count = 1 << 8 * keel_dtype_size(dtype);
        for (int bits = 0; bits < count; bits++) {
            uint16_t in = 0;
            uint16_t out = 0;
            keel_dtype_store_bits(dtype, &in, 0, bits);
            const double value = keel_dtype_load(dtype, &in, 0);
            keel_dtype_store(dtype, &out, 0, value, 0);
            if (isnan(value)) {
                assert_true(isnan(keel_dtype_load(dtype, &out, 0)));
            } else {
                assert_int_equal(out, in);
            }
        }
    }
}

/* hi + lo, and the bits that one rounding gives. */
typedef struct rounding {
    keel_dtype dtype;
    double hi, lo;
    int64_t bits;
    int64_t saturated;
} rounding;

static const rounding roundings[] = {
    {KEEL_F16, 2049, 0, 0x6800, 0x6800},       /* a tie goes to even: 2048 */
    {KEEL_F16, 2049, 0x1p-60, 0x6801, 0x6801}, /* a hair above it: 2050 */
    {KEEL_F16, 2049, -0x1p-60, 0x6800, 0x6800},
    {KEEL_F16, 65519.996, 0, 0x7bff, 0x7bff},
    {KEEL_F16, 65520, 0, 0x7c00, 0x7c00}, /* 16-bit floats never saturate */
    {KEEL_F16, 0x1p-25, 0, 0, 0},
    {KEEL_F16, 0x1p-25, 0x1p-80, 1, 1},
    {KEEL_BF16, 1 + 0x1p-8, 0, 0x3f80, 0x3f80},
    {KEEL_BF16, 1 + 3 * 0x1p-8, 0, 0x3f82, 0x3f82},
    {KEEL_F8E4M3FN, 464, 0, 0x7e, 0x7e}, /* a tie between 448 and the NaN */
    {KEEL_F8E4M3FN, 465, 0, 0x7f, 0x7e},
    {KEEL_F8E4M3FN, -INFINITY, 0, 0xff, 0xfe},
    {KEEL_F8E4M3FNUZ, -1000, 0, 0x80, 0xff},
    {KEEL_F8E4M3FNUZ, -0.0, 0, 0, 0},
    {KEEL_F8E4M3FNUZ, -0x1p-12, 0, 0, 0}, /* rounds to zero, which has no sign */
    {KEEL_F8E5M2, 61440, 0, 0x7c, 0x7b},
    {KEEL_F8E5M2FNUZ, 1e9, 0, 0x80, 0x7f},
    {KEEL_I32, 2.9999999, 0, 2, 2},
    {KEEL_I32, 3, -0x1p-60, 2, 2},
    {KEEL_I32, -3, 0x1p-60, -2, -2},
    {KEEL_I32, 1e30, 0, INT32_MAX, INT32_MAX},
    {KEEL_I32, -INFINITY, 0, INT32_MIN, INT32_MIN},
    {KEEL_I32, NAN, 0, 0, 0},
    {KEEL_I64, 0x1p63, -5, INT64_MAX - 4, INT64_MAX - 4},
    {KEEL_U8, -7, 0, 0, 0},
    {KEEL_U8, 255.9, 0, 255, 255},
    {KEEL_BOOL, 0, 0, 0, 0},
    {KEEL_BOOL, NAN, 0, 1, 1},
    {KEEL_BOOL, 0x1p-1070, 0, 1, 1},
};

static void a_sum_is_rounded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(roundings); i++) {
        const rounding *r = &roundings[i];
        for (int saturate = 0; saturate < 2; saturate++) {
            uint64_t out = 0;
            (saturate ? keel_dtype_store_saturate : keel_dtype_store)(r->dtype, &out, 0, r->hi,
                                                                      r->lo);
            const int64_t got = keel_dtype_load_bits(r->dtype, &out, 0);
            const int64_t want = saturate ? r->saturated : r->bits;
            if (got != want) {
                print_error("%s of %a + %a: got %#llx, want %#llx\n", keel_dtype_name(r->dtype),
                            r->hi, r->lo, (unsigned long long)got, (unsigned long long)want);
            }
            assert_true(got == want);
        }
    }
}

static void single_precision_rounds_the_sum_not_its_first_part(void **state)
{
    (void)state;
    float out;
    keel_dtype_store(KEEL_F32, &out, 0, 1 + 0x1p-24, 0x1p-80);
    assert_true(out == 1 + 0x1p-23f);
    keel_dtype_store(KEEL_F32, &out, 0, 1 + 0x1p-24, 0);
    assert_true(out == 1);
    keel_dtype_store(KEEL_F32, &out, 0, 0x1p128, 0);
    assert_true(out == INFINITY);
    keel_dtype_store(KEEL_F32, &out, 0, 0x1p-150, 0x1p-200);
    assert_true(out == 0x1p-149f);
}

static void names_and_sizes_agree(void **state)
{
    (void)state;
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        assert_int_equal(keel_dtype_find(keel_dtype_name(dtype)), dtype);
        assert_true(keel_dtype_size(dtype) > 0);
    }
    assert_int_equal(keel_dtype_find("f33"), KEEL_DTYPE_NONE);
    assert_int_equal(keel_dtype_find(NULL), KEEL_DTYPE_NONE);
    assert_int_equal(keel_dtype_size(-4), 0);
    assert_string_equal(keel_dtype_name(99), "?");
    assert_true(keel_dtype_unit(KEEL_F32) == 0x1p-24);
    assert_true(keel_dtype_subnormal(KEEL_F16) == 0x1p-24);
    assert_true(keel_dtype_tiny(KEEL_BF16) == 0x1p-126);
    assert_true(keel_dtype_max(KEEL_F8E4M3FN) == 448);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_stand_for_their_values),
        cmocka_unit_test(small_floats_survive_a_round_trip),
        cmocka_unit_test(a_sum_is_rounded_once),
        cmocka_unit_test(single_precision_rounds_the_sum_not_its_first_part),
        cmocka_unit_test(names_and_sizes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
