/* The generator against its published vectors, and the promises about order and keys. */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "keel_test.h"
#include "random.h"

/* From the known-answer file of Random123, philox 4x32 with 10 rounds. */
static void philox_gives_the_published_words(void **state)
{
    (void)state;
    static const struct {
        uint64_t key, position, stream;
        uint32_t word[4];
    } known[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {UINT64_C(0x299f31d0a4093822),
         UINT64_C(0x85a308d3243f6a88),
         UINT64_C(0x0370734413198a2e),
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < KEEL_COUNT(known); i++) {
        const conf_random got = conf_random_at(known[i].key, known[i].position, known[i].stream);
        assert_memory_equal(got.word, known[i].word, sizeof got.word);
    }
}

static void unit_numbers_are_below_one_and_use_the_upper_bits(void **state)
{
    (void)state;
    assert_true(conf_random_unit((conf_random){{0, 0, 7, 7}}) == 0.0);
    assert_true(conf_random_unit((conf_random){{0x80000000, 0, 0, 0}}) == 0.5);
    assert_true(conf_random_unit((conf_random){{UINT32_MAX, UINT32_MAX, 0, 0}}) == 1.0 - 0x1p-53);
}

static void hashes_are_the_same_on_every_machine(void **state)
{
    (void)state;
    assert_true(conf_hash_text("") == conf_hash_add(UINT64_C(0xCBF29CE484222325), 0));
    assert_true(conf_hash_text("matmul/f32") == UINT64_C(0xCD81A646608E4045));
    assert_true(conf_hash_text("matmul/f32") != conf_hash_text("matmul/f16"));
}

static void keys_differ_by_case_tensor_and_seed(void **state)
{
    (void)state;
    const uint64_t key = conf_tensor_key("add/f32/flat_1000", 0, 1);
    assert_true(key == conf_tensor_key("add/f32/flat_1000", 0, 1));
    assert_true(key != conf_tensor_key("add/f32/flat_1001", 0, 1));
    assert_true(key != conf_tensor_key("add/f32/flat_1000", 1, 1));
    assert_true(key != conf_tensor_key("add/f32/flat_1000", 0, 2));
}

/* ---- distributions --------------------------------------------------------------------------- */

#define COUNT 20000

static double *fill(int32_t kind, double low, double high, keel_dtype dtype)
{
    static double values[COUNT];
    static unsigned char stored[COUNT * 8];
    const conf_data data = {.kind = kind, .low = low, .high = high};
    conf_data_fill(&data, 12345, dtype, stored, COUNT);
    for (int64_t i = 0; i < COUNT; i++) {
        values[i] = keel_dtype_load(dtype, stored, i);
    }
    return values;
}

static void a_prefix_has_the_values_of_the_whole(void **state)
{
    (void)state;
    float whole[100];
    float prefix[37];
    for (int32_t kind = CONF_DATA_UNIFORM; kind <= CONF_DATA_WIDE_MANTISSA; kind++) {
        const conf_data data = {.kind = kind};
        conf_data_fill(&data, 99, KEEL_F32, whole, 100);
        conf_data_fill(&data, 99, KEEL_F32, prefix, 37);
        assert_memory_equal(whole, prefix, sizeof prefix);
    }
}

static void uniform_fills_its_range(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_UNIFORM, -4.0, 4.0, KEEL_F32);
    double sum = 0.0;
    double least = 9.0;
    double most = -9.0;
    for (int i = 0; i < COUNT; i++) {
        sum += v[i];
        least = fmin(least, v[i]);
        most = fmax(most, v[i]);
    }
    assert_true(least >= -4.0 && least < -3.99 && most <= 4.0 && most > 3.99);
    assert_true(fabs(sum / COUNT) < 0.07); /* four deviations of the mean */
}

static void normal_has_mean_and_deviation(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_NORMAL, 3.0, 2.0, KEEL_F64);
    double sum = 0.0;
    double square = 0.0;
    for (int i = 0; i < COUNT; i++) {
        sum += v[i];
        square += (v[i] - 3.0) * (v[i] - 3.0);
    }
    assert_true(fabs(sum / COUNT - 3.0) < 0.06);
    assert_true(fabs(square / COUNT - 4.0) < 0.17);
}

static void wide_spans_the_exponents_and_stays_finite(void **state)
{
    (void)state;
    static const keel_dtype dtypes[] = {KEEL_F64, KEEL_F32, KEEL_F16, KEEL_BF16, KEEL_F8E4M3FN};
    for (size_t k = 0; k < KEEL_COUNT(dtypes); k++) {
        const double *v = fill(CONF_DATA_WIDE, 0.0, 0.0, dtypes[k]);
        double least = INFINITY;
        double most = 0.0;
        for (int i = 0; i < COUNT; i++) {
            assert_true(isfinite(v[i]));
            least = fmin(least, fabs(v[i]));
            most = fmax(most, fabs(v[i]));
        }
        assert_true(least < 4.0 * keel_dtype_tiny(dtypes[k]));
        assert_true(most > keel_dtype_max(dtypes[k]) / 8.0);
    }
}

static void cancelling_pairs_leave_almost_nothing(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_CANCEL, 0.0, 0.0, KEEL_F32);
    for (int i = 0; i < COUNT; i += 2) {
        assert_true(fabs(v[i] + v[i + 1]) <= 0x1p-19 * fabs(v[i]));
    }
}

static void tiny_values_reach_the_subnormals(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_NEAR_TINY, 0.0, 0.0, KEEL_F32);
    int below = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(v[i] != 0.0 && fabs(v[i]) <= 0x1p-125);
        below += fabs(v[i]) < 0x1p-126;
    }
    assert_true(below > COUNT / 2);
}

static void wide_mantissas_are_odd_and_need_thirteen_bits(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_WIDE_MANTISSA, 0.0, 0.0, KEEL_F32);
    for (int i = 0; i < COUNT; i++) {
        assert_true(fabs(v[i]) >= 4096.0 && fabs(v[i]) < 8192.0 && fmod(v[i], 2.0) != 0.0);
    }
}

static void special_data_has_every_kind_of_value(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_SPECIAL, 0.0, 0.0, KEEL_F16);
    int nans = 0;
    int infinities = 0;
    int minus_zeros = 0;
    int subnormals = 0;
    int ordinary = 0;
    for (int i = 0; i < COUNT; i++) {
        nans += isnan(v[i]);
        infinities += isinf(v[i]) != 0;
        minus_zeros += v[i] == 0.0 && signbit(v[i]) != 0;
        subnormals += v[i] != 0.0 && fabs(v[i]) < 0x1p-14;
        ordinary += fabs(v[i]) > 0.001 && fabs(v[i]) <= 4.0;
    }
    assert_true(nans > 100 && infinities > 100 && minus_zeros > 100 && subnormals > 100);
    assert_true(ordinary > COUNT / 2);
}

static void whole_numbers_fill_small_types(void **state)
{
    (void)state;
    const double *v = fill(CONF_DATA_INTEGER, -3.0, 3.0, KEEL_I8);
    int seen[7] = {0};
    for (int i = 0; i < COUNT; i++) {
        assert_true(v[i] >= -3.0 && v[i] <= 3.0);
        seen[(int)v[i] + 3]++;
    }
    for (int i = 0; i < 7; i++) {
        assert_in_range(seen[i], COUNT / 7 - 400, COUNT / 7 + 400);
    }
    v = fill(CONF_DATA_UNIFORM, -4.0, 4.0, KEEL_U8); /* too narrow: replaced by [0, 200] */
    double most = 0.0;
    for (int i = 0; i < COUNT; i++) {
        most = fmax(most, v[i]);
    }
    assert_true(most == 200.0);
}

static void every_value_has_its_index_as_bits(void **state)
{
    (void)state;
    static uint16_t values[65536];
    const conf_data data = {.kind = CONF_DATA_ALL};
    conf_data_fill(&data, 1, KEEL_F16, values, 65536);
    for (uint32_t i = 0; i < 65536; i++) {
        assert_int_equal(values[i], i);
    }
}

static void given_values_repeat(void **state)
{
    (void)state;
    static const double given[] = {1.5, -2.0, 1.0 / 3.0};
    static const int64_t raw[] = {0x7F800001};
    float values[7];
    conf_data data = {.kind = CONF_DATA_VALUES, .values = given, .count = 3};
    conf_data_fill(&data, 1, KEEL_F32, values, 7);
    assert_true(values[3] == 1.5F && values[4] == -2.0F && values[5] == 1.0F / 3.0F);
    data = (conf_data){.kind = CONF_DATA_RAW, .raw = raw, .count = 1};
    uint32_t bits = 0;
    conf_data_fill(&data, 1, KEEL_F32, &bits, 1);
    assert_int_equal(bits, 0x7F800001);
}

static void data_knows_whether_it_is_finite(void **state)
{
    (void)state;
    static const double bad[] = {1.0, INFINITY};
    assert_true(conf_data_is_finite(&(conf_data){.kind = CONF_DATA_WIDE}, KEEL_F32));
    assert_false(conf_data_is_finite(&(conf_data){.kind = CONF_DATA_SPECIAL}, KEEL_F32));
    assert_true(conf_data_is_finite(&(conf_data){.kind = CONF_DATA_SPECIAL}, KEEL_I32));
    assert_false(conf_data_is_finite(
        &(conf_data){.kind = CONF_DATA_VALUES, .values = bad, .count = 2}, KEEL_F32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_words),
        cmocka_unit_test(unit_numbers_are_below_one_and_use_the_upper_bits),
        cmocka_unit_test(hashes_are_the_same_on_every_machine),
        cmocka_unit_test(keys_differ_by_case_tensor_and_seed),
        cmocka_unit_test(a_prefix_has_the_values_of_the_whole),
        cmocka_unit_test(uniform_fills_its_range),
        cmocka_unit_test(normal_has_mean_and_deviation),
        cmocka_unit_test(wide_spans_the_exponents_and_stays_finite),
        cmocka_unit_test(cancelling_pairs_leave_almost_nothing),
        cmocka_unit_test(tiny_values_reach_the_subnormals),
        cmocka_unit_test(wide_mantissas_are_odd_and_need_thirteen_bits),
        cmocka_unit_test(special_data_has_every_kind_of_value),
        cmocka_unit_test(whole_numbers_fill_small_types),
        cmocka_unit_test(every_value_has_its_index_as_bits),
        cmocka_unit_test(given_values_repeat),
        cmocka_unit_test(data_knows_whether_it_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
