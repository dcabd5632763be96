/*
 * Contracts of the data-movement ops against vectors worked out by hand: shapes, elements, and the
 * errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST 64

static const int32_t counting[24] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

/* All elements of an I32 result. */
static void expect_i32(const char *op, const oracle_operand *operands, uint32_t count,
                       const keel_attribute *attributes, uint32_t attribute_count,
                       const int32_t *want, size_t elements)
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

/* ---- copy, transpose ------------------------------------------------------------------------- */

static void copy_follows_strides_and_repeats_at_stride_0(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, (const int64_t[]){0, 2}, counting},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    expect_i32("keel.copy", operands, 2, NULL, 0, (const int32_t[]){0, 2, 4, 0, 2, 4}, 6);
}

static void transpose_reverses_the_axes_or_permutes_them(void **state)
{
    (void)state;
    const oracle_operand reversed[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {3, 2}, NULL, NULL}};
    expect_i32("keel.transpose", reversed, 2, NULL, 0, (const int32_t[]){0, 3, 1, 4, 2, 5}, 6);
    const keel_attribute perm = oracle_ints("perm", 3, (const int64_t[]){1, 2, 0});
    const oracle_operand permuted[] = {{KEEL_I32, 3, {2, 1, 3}, NULL, counting},
                                       {KEEL_I32, 3, {1, 3, 2}, NULL, NULL}};
    expect_i32("keel.transpose", permuted, 2, &perm, 1, (const int32_t[]){0, 3, 1, 4, 2, 5}, 6);
}

static void transpose_refuses_what_is_no_permutation(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {3, 2}, NULL, NULL}};
    const keel_attribute twice = oracle_ints("perm", 2, (const int64_t[]){1, 1});
    expect_error("keel.transpose", operands, 2, &twice, 1, "perm[1] is 1, which is there already");
    const keel_attribute outside = oracle_ints("perm", 2, (const int64_t[]){0, 2});
    expect_error("keel.transpose", operands, 2, &outside, 1, "perm[1] is 2, must be 0 to 1");
    const keel_attribute few = oracle_ints("perm", 1, (const int64_t[]){0});
    expect_error("keel.transpose", operands, 2, &few, 1, "perm has 1 entries, must have 2");
}

/* ---- slice ----------------------------------------------------------------------------------- */

/* Slices a vector of 10. */
typedef struct slice_case {
    int64_t start, end, step;
    int32_t count;
    int32_t want[10];
} slice_case;

static const slice_case slices[] = {
    {2, 7, 1, 5, {2, 3, 4, 5, 6}},
    {0, INT64_MAX, 3, 4, {0, 3, 6, 9}},
    {-3, 10, 1, 3, {7, 8, 9}},
    {-100, -8, 1, 2, {0, 1}},
    {8, 3, 1, 0, {0}},
    {8, 3, -2, 3, {8, 6, 4}},
    {-1, INT64_MIN, -4, 3, {9, 5, 1}},
    {100, -100, -1, 10, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    {3, INT64_MAX, INT64_MAX, 1, {3}},
    {3, INT64_MIN, INT64_MIN, 1, {3}},
};

static void slice_takes_the_elements_that_onnx_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(slices); i++) {
        const slice_case *c = &slices[i];
        const keel_attribute attributes[] = {oracle_ints("starts", 1, &c->start),
                                             oracle_ints("ends", 1, &c->end),
                                             oracle_ints("steps", 1, &c->step)};
        const oracle_operand operands[] = {{KEEL_I32, 1, {10}, NULL, counting},
                                           {KEEL_I32, 1, {c->count}, NULL, NULL}};
        expect_i32("keel.slice", operands, 2, attributes, 3, c->want, (size_t)c->count);
    }
}

static void slice_cuts_the_axes_it_names(void **state)
{
    (void)state;
    const keel_attribute attributes[] = {oracle_ints("axes", 2, (const int64_t[]){-1, 0}),
                                         oracle_ints("starts", 2, (const int64_t[]){1, 1}),
                                         oracle_ints("ends", 2, (const int64_t[]){3, 2})};
    const oracle_operand operands[] = {{KEEL_I32, 3, {2, 2, 3}, NULL, counting},
                                       {KEEL_I32, 3, {1, 2, 2}, NULL, NULL}};
    expect_i32("keel.slice", operands, 2, attributes, 3, (const int32_t[]){7, 8, 10, 11}, 4);
}

static void slice_names_what_is_wrong(void **state)
{
    (void)state;
    const int64_t two[] = {0, 1};
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    keel_attribute attributes[] = {oracle_ints("starts", 2, two), oracle_ints("ends", 1, two),
                                   oracle_ints("axes", 0, two), oracle_ints("steps", 0, two)};
    expect_error("keel.slice", operands, 2, attributes, 4, "ends has 1 entries, must have 2");
    attributes[1] = oracle_ints("ends", 2, two);
    attributes[2] = oracle_ints("axes", 2, (const int64_t[]){1, -1});
    expect_error("keel.slice", operands, 2, attributes, 4, "axes[1] is axis 1");
    attributes[2] = oracle_ints("axes", 2, (const int64_t[]){0, 2});
    expect_error("keel.slice", operands, 2, attributes, 4, "axes[1] is 2, must be -2 to 1");
    attributes[2] = oracle_ints("axes", 0, two);
    attributes[3] = oracle_ints("steps", 2, (const int64_t[]){1, 0});
    expect_error("keel.slice", operands, 2, attributes, 4, "steps[1] is 0");
}

/* ---- concat, gather, fill -------------------------------------------------------------------- */

static void concat_joins_along_its_axis(void **state)
{
    (void)state;
    const keel_attribute axis = oracle_int("axis", -1);
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 2}, NULL, counting},
                                       {KEEL_I32, 2, {2, 0}, NULL, counting},
                                       {KEEL_I32, 2, {2, 1}, NULL, counting + 10},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    expect_i32("keel.concat", operands, 4, &axis, 1, (const int32_t[]){0, 1, 10, 2, 3, 11}, 6);
}

static void concat_names_what_is_wrong(void **state)
{
    (void)state;
    oracle_operand operands[] = {{KEEL_I32, 2, {2, 2}, NULL, counting},
                                 {KEEL_I32, 2, {3, 1}, NULL, counting},
                                 {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    const keel_attribute far = oracle_int("axis", 2);
    expect_error("keel.concat", operands, 3, &far, 1, "axis is 2");
    const keel_attribute axis = oracle_int("axis", 1);
    expect_error("keel.concat", operands, 3, &axis, 1, "input 1 has 3 elements along axis 0");
    operands[1].rank = 1;
    expect_error("keel.concat", operands, 3, &axis, 1, "input 1 has rank 1, must have 2");
    expect_error("keel.concat", operands, 3, NULL, 0, "attribute axis must be given");
}

static void gather_wraps_negative_indices_and_gives_0_outside(void **state)
{
    (void)state;
    const int64_t places[] = {2, -1, 3, -4, 0};
    const keel_attribute axis = oracle_int("axis", 1);
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting + 1},
                                       {KEEL_I64, 1, {5}, NULL, places},
                                       {KEEL_I32, 2, {2, 5}, NULL, NULL}};
    expect_i32("keel.gather", operands, 3, &axis, 1,
               (const int32_t[]){3, 3, 0, 0, 1, 6, 6, 0, 0, 4}, 10);
}

static void gather_puts_the_shape_of_indices_in_the_axis(void **state)
{
    (void)state;
    const int32_t places[] = {1, 0, 1, 1};
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 2}, NULL, counting},
                                       {KEEL_I32, 2, {2, 2}, NULL, places},
                                       {KEEL_I32, 3, {2, 2, 2}, NULL, NULL}};
    expect_i32("keel.gather", operands, 3, NULL, 0, (const int32_t[]){2, 3, 0, 1, 2, 3, 2, 3}, 8);
    const oracle_operand scalar[] = {{KEEL_I32, 1, {3}, NULL, counting + 4},
                                     {KEEL_I32, 0, {0}, NULL, places},
                                     {KEEL_I32, 0, {0}, NULL, NULL}};
    expect_i32("keel.gather", scalar, 3, NULL, 0, (const int32_t[]){5}, 1);
}

static void gather_refuses_a_result_of_rank_9(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 5, {1, 1, 1, 1, 1}, NULL, counting},
                                       {KEEL_I32, 5, {1, 1, 1, 1, 1}, NULL, counting},
                                       {KEEL_I32, 8, {1, 1, 1, 1, 1, 1, 1, 1}, NULL, NULL}};
    expect_error("keel.gather", operands, 3, NULL, 0, "give rank 9, at most 8");
}

static void fill_stores_the_value_of_its_type(void **state)
{
    (void)state;
    keel_truth truth[2];
    const oracle_operand half[] = {{KEEL_F16, 1, {2}, NULL, NULL}};
    const keel_attribute third = oracle_float("value", 1.0 / 3);
    oracle_ask("keel.fill", half, 1, &third, 1, truth);
    assert_int_equal(truth[1].bits, 0x3555);
    const oracle_operand bytes[] = {{KEEL_I8, 1, {2}, NULL, NULL}};
    const keel_attribute low = oracle_int("int_value", -128);
    oracle_ask("keel.fill", bytes, 1, &low, 1, truth);
    assert_int_equal(truth[0].bits, -128);
}

static void fill_refuses_the_other_types_value_and_what_does_not_fit(void **state)
{
    (void)state;
    const keel_attribute value = oracle_float("value", 1);
    const keel_attribute most = oracle_int("int_value", 128);
    const oracle_operand real[] = {{KEEL_F32, 1, {2}, NULL, NULL}};
    expect_error("keel.fill", real, 1, &most, 1, "int_value is 128, but out is f32");
    const oracle_operand bytes[] = {{KEEL_I8, 1, {2}, NULL, NULL}};
    expect_error("keel.fill", bytes, 1, &value, 1, "value is 1, but out is i8");
    expect_error("keel.fill", bytes, 1, &most, 1, "int_value is 128, must be -128 to 127 for i8");
    const keel_attribute two = oracle_int("int_value", 2);
    const oracle_operand boolean[] = {{KEEL_BOOL, 1, {2}, NULL, NULL}};
    expect_error("keel.fill", boolean, 1, &two, 1, "int_value is 2, must be 0 to 1 for bool");
}

/* ---- cast ------------------------------------------------------------------------------------ */

/* One element, as keel_dtype_load_bits() gives it, before and after. */
typedef struct cast_case {
    keel_dtype from, to;
    int64_t saturate;
    uint64_t in, want;
} cast_case;

static const cast_case casts[] = {
    /* f64 1 + 2^-11 + 2^-40: by way of f32 it would be a tie and round down to 1. */
    {KEEL_F64, KEEL_F16, 1, 0x3ff0020000001000, 0x3c01},
    {KEEL_F64, KEEL_BF16, 1, 0x3ff0100000000001, 0x3f81},
    {KEEL_F64, KEEL_F32, 1, 0x3ff0000010000001, 0x3f800001},
    {KEEL_F64, KEEL_F16, 1, 0x40effdffffffffff, 0x7bff},  /* just below 65,520: the largest */
    {KEEL_F64, KEEL_F16, 1, 0x40effe0000000000, 0x7c00},  /* 65,520: infinity */
    {KEEL_F64, KEEL_F32, 1, 1, 0},                        /* the least subnormal */
    {KEEL_I64, KEEL_BF16, 1, 0x0101000000000001, 0x5b81}, /* a tie but for the last bit */
    {KEEL_I64, KEEL_F32, 1, 0x1000001, 0x4b800000},       /* 2^24 + 1: to even */
    {KEEL_U64, KEEL_F32, 1, UINT64_MAX, 0x5f800000},
    {KEEL_I32, KEEL_BF16, 1, 0x01010001, 0x4b81},
    {KEEL_F32, KEEL_I8, 1, 0x43480000, 127},          /* 200 saturates */
    {KEEL_F32, KEEL_I8, 1, 0xc0200000, (uint64_t)-2}, /* -2.5: toward zero */
    {KEEL_F32, KEEL_U8, 1, 0xbf800000, 0},            /* -1 */
    {KEEL_F32, KEEL_I32, 1, 0x7fc00000, 0},           /* NaN */
    {KEEL_F32, KEEL_I64, 1, 0x7f800000, INT64_MAX},   /* +inf */
    {KEEL_F64, KEEL_I64, 1, 0xc3e0000000000000, (uint64_t)INT64_MIN},
    {KEEL_I32, KEEL_I8, 1, 0x180, (uint64_t)-128}, /* 384 wraps */
    {KEEL_I64, KEEL_U8, 1, (uint64_t)-1, 255},
    {KEEL_U8, KEEL_I8, 1, 200, (uint64_t)-56},
    {KEEL_F32, KEEL_BOOL, 1, 0x00000001, 1}, /* a subnormal */
    {KEEL_F32, KEEL_BOOL, 1, 0x80000000, 0}, /* -0 */
    {KEEL_F16, KEEL_BOOL, 1, 0x7e00, 1},     /* NaN */
    {KEEL_I64, KEEL_BOOL, 1, 0x100000000, 1},
    {KEEL_BOOL, KEEL_F16, 1, 1, 0x3c00},
    {KEEL_F32, KEEL_F8E4M3FN, 1, 0x44000000, 0x7e}, /* 512: 448 */
    {KEEL_F32, KEEL_F8E4M3FN, 0, 0x44000000, 0x7f}, /* NaN */
    {KEEL_F32, KEEL_F8E4M3FN, 1, 0xff800000, 0xfe}, /* -inf: -448 */
    {KEEL_F32, KEEL_F8E5M2, 1, 0x7f800000, 0x7b},   /* +inf: 57,344 */
    {KEEL_F32, KEEL_F8E5M2, 0, 0x7f800000, 0x7c},
    {KEEL_F32, KEEL_F8E4M3FNUZ, 1, 0x43800000, 0x7f}, /* 256: 240 */
    {KEEL_F32, KEEL_F8E4M3FNUZ, 0, 0x43800000, 0x80},
    {KEEL_F32, KEEL_F8E5M2FNUZ, 1, 0x80000000, 0}, /* -0: there is none */
};

static void cast_gives_these_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(casts); i++) {
        const cast_case *c = &casts[i];
        keel_truth truth;
        const keel_attribute saturate = oracle_int("saturate", c->saturate);
        const oracle_operand operands[] = {{c->from, 1, {1}, NULL, &c->in},
                                           {c->to, 1, {1}, NULL, NULL}};
        oracle_ask("keel.cast", operands, 2, &saturate, 1, &truth);
        if (truth.bits != (int64_t)c->want) {
            print_error("%s %llx to %s: got %llx, want %llx\n", keel_dtype_name(c->from),
                        (unsigned long long)c->in, keel_dtype_name(c->to),
                        (unsigned long long)truth.bits, (unsigned long long)c->want);
        }
        assert_int_equal(truth.rule, KEEL_RULE_BITS);
        assert_int_equal(truth.bits, (int64_t)c->want);
    }
}

static void cast_refuses_a_saturate_of_2(void **state)
{
    (void)state;
    const keel_attribute saturate = oracle_int("saturate", 2);
    const oracle_operand operands[] = {{KEEL_I32, 1, {1}, NULL, counting},
                                       {KEEL_F32, 1, {1}, NULL, NULL}};
    expect_error("keel.cast", operands, 2, &saturate, 1, "saturate is 2, must be 0 or 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_follows_strides_and_repeats_at_stride_0),
        cmocka_unit_test(transpose_reverses_the_axes_or_permutes_them),
        cmocka_unit_test(transpose_refuses_what_is_no_permutation),
        cmocka_unit_test(slice_takes_the_elements_that_onnx_says),
        cmocka_unit_test(slice_cuts_the_axes_it_names),
        cmocka_unit_test(slice_names_what_is_wrong),
        cmocka_unit_test(concat_joins_along_its_axis),
        cmocka_unit_test(concat_names_what_is_wrong),
        cmocka_unit_test(gather_wraps_negative_indices_and_gives_0_outside),
        cmocka_unit_test(gather_puts_the_shape_of_indices_in_the_axis),
        cmocka_unit_test(gather_refuses_a_result_of_rank_9),
        cmocka_unit_test(fill_stores_the_value_of_its_type),
        cmocka_unit_test(fill_refuses_the_other_types_value_and_what_does_not_fit),
        cmocka_unit_test(cast_gives_these_bits),
        cmocka_unit_test(cast_refuses_a_saturate_of_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
