/*
 * Contracts of the ops on quantised values against vectors worked out by hand: elements, bounds
 * near ties, and the errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>
#include <string.h>

#include "oracle_call.h"

#define MOST 64

static keel_attribute text(const char *name, const char *value)
{
    return (keel_attribute){.name = name,
                            .kind = KEEL_ATTR_BYTES,
                            .count = (int32_t)strlen(value),
                            .value.bytes = value};
}

/* All elements, exactly. */
static void expect_bits(const char *op, const oracle_operand *operands, uint32_t count,
                        const keel_attribute *attributes, uint32_t attribute_count,
                        const int64_t *want, size_t elements)
{
    keel_truth truth[MOST];
    assert_true(elements <= MOST);
    oracle_ask(op, operands, count, attributes, attribute_count, truth);
    for (size_t i = 0; i < elements; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BITS);
        assert_int_equal(truth[i].bits, want[i]);
    }
}

static void expect_error(const char *op, const oracle_operand *operands, uint32_t count,
                         const keel_attribute *attributes, uint32_t attribute_count,
                         const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer(op, operands, count, attributes, attribute_count, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, words);
}

/* ---- quantize -------------------------------------------------------------------------------- */

static const float reals[8] = {0, 2, 3.5F, 1000, -254, -1000, NAN, INFINITY};

static void quantize_rounds_saturates_and_moves_by_the_zero_point(void **state)
{
    (void)state;
    const float scale = 2;
    const uint8_t zero = 128;
    const oracle_operand operands[] = {{KEEL_F32, 1, {8}, NULL, reals},
                                       {KEEL_F32, 0, {0}, NULL, &scale},
                                       {KEEL_U8, 0, {0}, NULL, &zero},
                                       {KEEL_U8, 1, {8}, NULL, NULL}};
    expect_bits("keel.quantize_linear", operands, 4, NULL, 0,
                (const int64_t[]){128, 129, 130, 255, 1, 0, 128, 255}, 8);
}

/* 0.5, 1.5, ... over 1 are ties that every division finds; over 3 they may be off by ulps. */
static void quantize_takes_ties_to_even(void **state)
{
    (void)state;
    const float x[6] = {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F};
    const float three[6] = {1.5F, 4.5F, 7.5F, -1.5F, -4.5F, -7.5F};
    const float scale[2] = {1, 3};
    const int64_t want[6] = {0, 2, 2, 0, -2, -2};
    oracle_operand operands[] = {{KEEL_F32, 1, {6}, NULL, x},
                                 {KEEL_F32, 1, {1}, NULL, &scale[0]},
                                 {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                 {KEEL_I8, 1, {6}, NULL, NULL}};
    expect_bits("keel.quantize_linear", operands, 4, NULL, 0, want, 6);
    keel_truth truth[6];
    operands[0].data = three;
    operands[1].data = &scale[1];
    oracle_ask("keel.quantize_linear", operands, 4, NULL, 0, truth);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BOUND);
        assert_true(truth[i].hi == (double)want[i]);
        assert_true(truth[i].hard == 1.0 && truth[i].tight == 0.0);
    }
}

static void quantize_has_a_scale_for_each_index_or_block(void **state)
{
    (void)state;
    const float x[6] = {10, 10, 10, -10, -10, -10};
    const float scale[3] = {1, 3, 5};
    const int8_t zero[3] = {0, 1, -1};
    const oracle_operand columns[] = {{KEEL_F32, 2, {2, 3}, NULL, x},
                                      {KEEL_F32, 1, {3}, NULL, scale},
                                      {KEEL_I8, 1, {3}, NULL, zero},
                                      {KEEL_I8, 2, {2, 3}, NULL, NULL}};
    expect_bits("keel.quantize_linear", columns, 4, NULL, 0,
                (const int64_t[]){10, 4, 1, -10, -2, -3}, 6);
    const keel_attribute blocks[] = {oracle_int("axis", -1), oracle_int("block_size", 2)};
    const float each[4] = {1, 3, 5, 10};
    const oracle_operand blocked[] = {{KEEL_F32, 2, {2, 3}, NULL, x},
                                      {KEEL_F32, 2, {2, 2}, NULL, each},
                                      {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                      {KEEL_I8, 2, {2, 3}, NULL, NULL}};
    expect_bits("keel.quantize_linear", blocked, 4, blocks, 2,
                (const int64_t[]){10, 10, 3, -2, -2, -1}, 6);
}

/* 0.05001831 / 0.09997559 is 0.50030: microsoft/onnxruntime 32452. */
static void quantize_divides_in_the_type_of_the_scale(void **state)
{
    (void)state;
    const uint16_t x[2] = {0x2a67, 0xaa67};
    const uint16_t scale = 0x2e66;
    const oracle_operand operands[] = {{KEEL_F16, 1, {2}, NULL, x},
                                       {KEEL_F16, 0, {0}, NULL, &scale},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_I8, 1, {2}, NULL, NULL}};
    expect_bits("keel.quantize_linear", operands, 4, NULL, 0, (const int64_t[]){1, -1}, 2);
}

static void quantize_to_8_bit_floats_saturates_if_told_to(void **state)
{
    (void)state;
    const float x[4] = {1, 1000, -INFINITY, NAN};
    const float scale = 1;
    const oracle_operand operands[] = {{KEEL_F32, 1, {4}, NULL, x},
                                       {KEEL_F32, 0, {0}, NULL, &scale},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_F8E4M3FN, 1, {4}, NULL, NULL}};
    const keel_attribute saturate = oracle_int("saturate", 0);
    expect_bits("keel.quantize_linear", operands, 4, NULL, 0,
                (const int64_t[]){0x38, 0x7e, 0xfe, 0x7f}, 3);
    expect_bits("keel.quantize_linear", operands, 4, &saturate, 1, (const int64_t[]){0x38, 0x7f},
                2);
}

static void quantize_packs_the_first_value_low(void **state)
{
    (void)state;
    const float x[5] = {1, -3, 7, 100, -8};
    const float scale = 1;
    const uint8_t zero = 0xf1; /* 1, and a half that is not read */
    const oracle_operand operands[] = {{KEEL_F32, 1, {5}, NULL, x},
                                       {KEEL_F32, 0, {0}, NULL, &scale},
                                       {KEEL_U8, 1, {1}, NULL, &zero},
                                       {KEEL_U8, 1, {3}, NULL, NULL}};
    const keel_attribute packed = text("packed", "i4");
    /* 2, -2, 7, 7, -7 */
    expect_bits("keel.quantize_linear", operands, 4, &packed, 1,
                (const int64_t[]){0xe2, 0x77, 0x09}, 3);
}

static void quantize_names_what_is_wrong(void **state)
{
    (void)state;
    static const char op[] = "keel.quantize_linear";
    const oracle_operand x = {KEEL_F32, 2, {2, 3}, NULL, reals};
    const oracle_operand out = {KEEL_U8, 2, {2, 3}, NULL, NULL};
    const oracle_operand none = {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL};
    oracle_operand operands[] = {x, {KEEL_F32, 1, {2}, NULL, reals}, none, out};
    expect_error(op, operands, 4, NULL, 0, "y_scale has 2 elements for axis 1 of the values");
    const keel_attribute far = oracle_int("axis", 2);
    expect_error(op, operands, 4, &far, 1, "axis is 2, allowed is -2 to 1");
    operands[1] = (oracle_operand){KEEL_F32, 2, {2, 3}, NULL, reals};
    expect_error(op, operands, 4, NULL, 0, "y_scale has rank 2, without block_size at most 1");
    keel_attribute block = oracle_int("block_size", -1);
    expect_error(op, operands, 4, &block, 1, "block_size is -1, must be at least 0");
    block = oracle_int("block_size", 2);
    expect_error(op, operands, 4, &block, 1,
                 "y_scale has 3 elements for axis 1 of the values, must "
                 "have 2");
    operands[1] = (oracle_operand){KEEL_F32, 0, {0}, NULL, reals};
    expect_error(op, operands, 4, &block, 1, "y_scale has rank 0; block_size is 2");
    operands[2] = (oracle_operand){KEEL_U8, 1, {1}, NULL, reals};
    expect_error(op, operands, 4, NULL, 0,
                 "y_zero_point has rank 1 and 1 elements, y_scale rank 0");
    const keel_attribute packed[] = {text("packed", "i4"), text("packed", "i3")};
    operands[2] = (oracle_operand){KEEL_U8, 1, {2}, NULL, reals};
    expect_error(op, operands, 4, &packed[0], 1, "1 packed values need rank 1 and 1 bytes");
    expect_error(op, operands, 4, &packed[1], 1, "packed is \"i3\"");
    operands[2] = none;
    operands[3].dtype = KEEL_I8;
    expect_error(op, operands, 4, &packed[0], 1, "y is i8, packed values need u8");
    const keel_attribute saturate = oracle_int("saturate", 2);
    expect_error(op, operands, 4, &saturate, 1, "saturate is 2, must be 0 or 1");
}

/* ---- dequantize ------------------------------------------------------------------------------ */

static void dequantize_subtracts_before_it_multiplies(void **state)
{
    (void)state;
    const uint8_t x[3] = {0, 128, 255};
    const uint8_t zero = 128;
    const float scale = 0.5F;
    const double want[3] = {-64, 0, 63.5};
    const oracle_operand operands[] = {{KEEL_U8, 1, {3}, NULL, x},
                                       {KEEL_F32, 0, {0}, NULL, &scale},
                                       {KEEL_U8, 0, {0}, NULL, &zero},
                                       {KEEL_F16, 1, {3}, NULL, NULL}};
    keel_truth truth[3];
    oracle_ask("keel.dequantize_linear", operands, 4, NULL, 0, truth);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_ROUNDED);
        assert_true(truth[i].hi == want[i] && truth[i].lo == 0.0);
    }
}

/* 2^31 - 1 - (-2^31) does not fit 32 bits, nor 24; its bound is (2 u + 2 u^2) |y|. */
static void dequantize_of_32_bits_does_not_wrap(void **state)
{
    (void)state;
    const int32_t x = INT32_MAX;
    const int32_t zero = INT32_MIN;
    const float scale = 1;
    const oracle_operand operands[] = {{KEEL_I32, 0, {0}, NULL, &x},
                                       {KEEL_F32, 0, {0}, NULL, &scale},
                                       {KEEL_I32, 0, {0}, NULL, &zero},
                                       {KEEL_F32, 0, {0}, NULL, NULL}};
    keel_truth truth;
    oracle_ask("keel.dequantize_linear", operands, 4, NULL, 0, &truth);
    assert_int_equal(truth.rule, KEEL_RULE_BOUND);
    assert_true(truth.hi == 4294967295.0);
    assert_true(truth.hard >= 0x1p-23 * 4294967295.0 && truth.hard < 0x1.0002p-23 * 4294967295.0);
}

static void dequantize_unpacks_to_the_shape_that_is_given(void **state)
{
    (void)state;
    const uint8_t x[3] = {0xe2, 0x78, 0xf9};
    const float scale[2] = {1, 10};
    const uint8_t zero = 0x10; /* 0 and 1 */
    const keel_attribute attributes[] = {text("packed", "i4"), oracle_int("axis", 0)};
    const double want[6] = {2, -2, -8, 60, -80, -20};
    const oracle_operand operands[] = {{KEEL_U8, 1, {3}, NULL, x},
                                       {KEEL_F32, 1, {2}, NULL, scale},
                                       {KEEL_U8, 1, {1}, NULL, &zero},
                                       {KEEL_F32, 2, {2, 3}, NULL, NULL}};
    keel_truth truth[6];
    oracle_ask("keel.dequantize_linear", operands, 4, attributes, 2, truth);
    for (int i = 0; i < 6; i++) {
        assert_true(truth[i].hi == want[i]);
    }
    oracle_operand odd[4];
    memcpy(odd, operands, sizeof odd);
    odd[0].shape[0] = 4;
    expect_error("keel.dequantize_linear", odd, 4, attributes, 2,
                 "x has rank 1 and 4 elements; 6 packed values need rank 1 and 3 bytes");
}

/* ---- products -------------------------------------------------------------------------------- */

static const uint8_t left[6] = {1, 2, 3, 4, 5, 255};
static const int8_t right[6] = {1, -1, 2, -2, 127, -128};

static void products_subtract_zero_points_and_wrap(void **state)
{
    (void)state;
    const uint8_t a_zero = 1;
    const int8_t b_zero[2] = {-1, 1};
    const oracle_operand operands[] = {{KEEL_U8, 2, {2, 3}, NULL, left},
                                       {KEEL_I8, 2, {3, 2}, NULL, right},
                                       {KEEL_U8, 0, {0}, NULL, &a_zero},
                                       {KEEL_I8, 1, {2}, NULL, b_zero},
                                       {KEEL_I32, 2, {2, 2}, NULL, NULL}};
    /* (0 1 2; 3 4 254) by (2 -2; 3 -3; 128 -129) */
    expect_bits("keel.matmul_integer", operands, 5, NULL, 0,
                (const int64_t[]){259, -261, 32530, -32784}, 4);
    const uint8_t one = 255;
    const int64_t still[2] = {0, 0};
    const oracle_operand many[] = {{KEEL_U8, 2, {1, 70001}, still, &one},
                                   {KEEL_U8, 2, {70001, 1}, still, &one},
                                   {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                   {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                   {KEEL_I32, 2, {1, 1}, NULL, NULL}};
    /* 65025 * 70001 - 2^32 */
    expect_bits("keel.matmul_integer", many, 5, NULL, 0, (const int64_t[]){256847729}, 1);
}

/* Sums 5 and 4 of scale 0.25 * 2 / 1 are 2.5, a tie, and 2. With 3 * 2 / 12 f32 may be off. */
static void products_are_quantised_again_to_even(void **state)
{
    (void)state;
    const uint8_t a[2] = {5, 4};
    const int8_t b = 1;
    const uint8_t none = 0;
    const int8_t zero[2] = {0, 10};
    const float scale[5] = {0.25F, 2, 1, 3, 12};
    oracle_operand operands[] = {
        {KEEL_U8, 2, {2, 1}, NULL, a},       {KEEL_F32, 0, {0}, NULL, &scale[0]},
        {KEEL_U8, 0, {0}, NULL, &none},      {KEEL_I8, 2, {1, 1}, NULL, &b},
        {KEEL_F32, 0, {0}, NULL, &scale[1]}, {KEEL_I8, 0, {0}, NULL, &zero[0]},
        {KEEL_F32, 0, {0}, NULL, &scale[2]}, {KEEL_I8, 1, {2}, NULL, zero},
        {KEEL_I8, 2, {2, 1}, NULL, NULL}};
    expect_bits("keel.qlinear_matmul", operands, 9, NULL, 0, (const int64_t[]){2, 12}, 2);
    keel_truth truth[2];
    operands[1].data = &scale[3];
    operands[6].data = &scale[4];
    oracle_ask("keel.qlinear_matmul", operands, 9, NULL, 0, truth);
    assert_int_equal(truth[0].rule, KEEL_RULE_BOUND);
    assert_true(truth[0].hi == 2.0 && truth[0].hard == 1.0 && truth[0].tight == 1.0);
    assert_int_equal(truth[1].rule, KEEL_RULE_BITS);
    assert_int_equal(truth[1].bits, 12);
}

/* A window of two taps over 1 2 3 with a pad before: the pad is the zero point, 2. */
static void convolutions_pad_with_the_zero_point(void **state)
{
    (void)state;
    const uint8_t x[3] = {1, 2, 3};
    const uint8_t x_zero = 2;
    const int8_t w[2] = {10, 100};
    const keel_attribute pads = oracle_ints("pads", 2, (const int64_t[]){1, 0});
    const oracle_operand operands[] = {{KEEL_U8, 3, {1, 1, 3}, NULL, x},
                                       {KEEL_I8, 3, {1, 1, 2}, NULL, w},
                                       {KEEL_U8, 0, {0}, NULL, &x_zero},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_I32, 3, {1, 1, 3}, NULL, NULL}};
    expect_bits("keel.conv_integer", operands, 5, &pads, 1, (const int64_t[]){-100, -10, 100}, 3);
}

static void products_name_what_is_wrong(void **state)
{
    (void)state;
    const oracle_operand none = {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL};
    oracle_operand operands[] = {{KEEL_U8, 2, {2, 3}, NULL, left},
                                 {KEEL_I8, 2, {3, 2}, NULL, right},
                                 {KEEL_U8, 1, {3}, NULL, left},
                                 none,
                                 {KEEL_I32, 2, {2, 2}, NULL, NULL}};
    expect_error("keel.matmul_integer", operands, 5, NULL, 0,
                 "axis 0 of a_zero_point has 3 elements, must have 1 or 2");
    operands[2] = none;
    operands[3] = (oracle_operand){KEEL_I8, 2, {2, 2}, NULL, right};
    expect_error("keel.matmul_integer", operands, 5, NULL, 0,
                 "axis 0 of b_zero_point has 2 elements, must have 1 or 1");
    operands[1].shape[0] = 2;
    expect_error("keel.matmul_integer", operands, 5, NULL, 0, "inner sizes differ");
    operands[1].rank = 1;
    expect_error("keel.matmul_integer", operands, 5, NULL, 0, "b has rank 1, at least 2 is needed");
    oracle_operand conv[] = {{KEEL_U8, 3, {1, 2, 3}, NULL, left},
                             {KEEL_I8, 3, {3, 1, 2}, NULL, right},
                             none,
                             {KEEL_I8, 1, {2}, NULL, right},
                             {KEEL_I32, 3, {1, 3, 2}, NULL, NULL}};
    expect_error("keel.conv_integer", conv, 5, NULL, 0,
                 "axis 1 of w has 1 elements, must have 2: channels of x in a group");
    keel_attribute group = oracle_int("group", 2);
    expect_error("keel.conv_integer", conv, 5, &group, 1, "group is 2, which does not divide");
    group = oracle_int("group", 0);
    expect_error("keel.conv_integer", conv, 5, &group, 1, "group is 0, must be at least 1");
    conv[1].shape[1] = 2;
    expect_error("keel.conv_integer", conv, 5, NULL, 0,
                 "w_zero_point has 2 elements, must have 1 or 3");
    conv[1].rank = 2;
    expect_error("keel.conv_integer", conv, 5, NULL, 0, "w has rank 2, must have that of x, 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantize_rounds_saturates_and_moves_by_the_zero_point),
        cmocka_unit_test(quantize_takes_ties_to_even),
        cmocka_unit_test(quantize_has_a_scale_for_each_index_or_block),
        cmocka_unit_test(quantize_divides_in_the_type_of_the_scale),
        cmocka_unit_test(quantize_to_8_bit_floats_saturates_if_told_to),
        cmocka_unit_test(quantize_packs_the_first_value_low),
        cmocka_unit_test(quantize_names_what_is_wrong),
        cmocka_unit_test(dequantize_subtracts_before_it_multiplies),
        cmocka_unit_test(dequantize_of_32_bits_does_not_wrap),
        cmocka_unit_test(dequantize_unpacks_to_the_shape_that_is_given),
        cmocka_unit_test(products_subtract_zero_points_and_wrap),
        cmocka_unit_test(products_are_quantised_again_to_even),
        cmocka_unit_test(convolutions_pad_with_the_zero_point),
        cmocka_unit_test(products_name_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
