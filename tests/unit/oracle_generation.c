/*
 * Contracts of the ops whose elements depend on their place against vectors worked out by hand.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST 32

static const int32_t counting[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

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

/* ---- range ----------------------------------------------------------------------------------- */

static void range_counts_up_and_down(void **state)
{
    (void)state;
    const oracle_operand out = {KEEL_I32, 1, {4}, NULL, NULL};
    const keel_attribute up[] = {oracle_int("int_start", -3), oracle_int("int_limit", 8),
                                 oracle_int("int_delta", 3)};
    const keel_attribute down[] = {oracle_int("int_start", 2), oracle_int("int_limit", -5),
                                   oracle_int("int_delta", -2)};
    expect_i32("keel.range", &out, 1, up, 3, (const int32_t[]){-3, 0, 3, 6}, 4);
    expect_i32("keel.range", &out, 1, down, 3, (const int32_t[]){2, 0, -2, -4}, 4);
}

/* All of I64 in steps of 2^62. */
static void range_goes_from_end_to_end(void **state)
{
    (void)state;
    const oracle_operand out = {KEEL_I64, 1, {4}, NULL, NULL};
    const keel_attribute all[] = {oracle_int("int_start", INT64_MIN),
                                  oracle_int("int_limit", INT64_MAX),
                                  oracle_int("int_delta", INT64_C(1) << 62)};
    keel_truth truth[4];
    oracle_ask("keel.range", &out, 1, all, 3, truth);
    assert_int_equal(truth[0].bits, INT64_MIN);
    assert_int_equal(truth[2].bits, 0);
    assert_int_equal(truth[3].bits, INT64_C(1) << 62);
}

/* 0.1 is f32's; ten steps of it are 1 + 1.49e-8, beyond limit. */
static void range_rounds_its_ends_and_nothing_adds_up(void **state)
{
    (void)state;
    const oracle_operand out = {KEEL_F32, 1, {10}, NULL, NULL};
    const keel_attribute tenths[] = {oracle_float("limit", 1.0), oracle_float("delta", 0.1)};
    keel_truth truth[10];
    oracle_ask("keel.range", &out, 1, tenths, 2, truth);
    assert_true(truth[9].hi == 9 * (double)0.1F && truth[9].lo == 0);
    assert_int_equal(truth[9].rule, KEEL_RULE_BOUND);
    assert_true(truth[9].tight < 0x1.1p-23 && truth[9].hard > truth[9].tight);
}

static void range_names_what_it_refuses(void **state)
{
    (void)state;
    const oracle_operand real = {KEEL_F32, 1, {0}, NULL, NULL};
    const oracle_operand whole = {KEEL_I16, 1, {0}, NULL, NULL};
    const keel_attribute still = oracle_float("delta", 0);
    const keel_attribute endless = oracle_float("limit", INFINITY);
    const keel_attribute stuck = oracle_int("int_delta", 0);
    const keel_attribute far = oracle_int("int_limit", 32768);
    expect_error("keel.range", &real, 1, &still, 1, "delta is 0 in f32, must be finite and not 0");
    expect_error("keel.range", &real, 1, &endless, 1, "limit is inf in f32, must be finite");
    expect_error("keel.range", &whole, 1, &stuck, 1,
                 "int_delta is 0, must be -32768 to 32767 for i16, and not 0");
    expect_error("keel.range", &whole, 1, &far, 1,
                 "int_limit is 32768, must be -32768 to 32767 for i16");
    expect_error("keel.range", &whole, 1, &endless, 1,
                 "limit is given, but out is i16, which takes int_limit");
    const keel_attribute other = oracle_int("int_limit", 7);
    expect_error("keel.range", &real, 1, &other, 1,
                 "int_limit is given, but out is f32, which takes limit");
}

/* ---- eye_like, trilu ------------------------------------------------------------------------- */

static void eye_like_has_ones_on_its_diagonal(void **state)
{
    (void)state;
    const oracle_operand out = {KEEL_I32, 2, {2, 3}, NULL, NULL};
    const oracle_operand line = {KEEL_I32, 1, {3}, NULL, NULL};
    const keel_attribute above = oracle_int("k", 1);
    const keel_attribute beyond = oracle_int("k", INT64_MIN);
    expect_i32("keel.eye_like", &out, 1, NULL, 0, (const int32_t[]){1, 0, 0, 0, 1, 0}, 6);
    expect_i32("keel.eye_like", &out, 1, &above, 1, (const int32_t[]){0, 1, 0, 0, 0, 1}, 6);
    expect_i32("keel.eye_like", &out, 1, &beyond, 1, (const int32_t[]){0, 0, 0, 0, 0, 0}, 6);
    expect_error("keel.eye_like", &line, 1, NULL, 0, "out has rank 1, must have 2");
}

static void trilu_keeps_a_triangle(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {3, 4}, NULL, counting},
                                       {KEEL_I32, 2, {3, 4}, NULL, NULL}};
    const oracle_operand line[] = {{KEEL_I32, 1, {4}, NULL, counting},
                                   {KEEL_I32, 1, {4}, NULL, NULL}};
    const keel_attribute lower[] = {oracle_int("upper", 0), oracle_int("k", -1)};
    const keel_attribute above = oracle_int("k", 2);
    const keel_attribute bad = oracle_int("upper", 2);
    expect_i32("keel.trilu", operands, 2, NULL, 0,
               (const int32_t[]){1, 2, 3, 4, 0, 6, 7, 8, 0, 0, 11, 12}, 12);
    expect_i32("keel.trilu", operands, 2, &above, 1,
               (const int32_t[]){0, 0, 3, 4, 0, 0, 0, 8, 0, 0, 0, 0}, 12);
    expect_i32("keel.trilu", operands, 2, lower, 2,
               (const int32_t[]){0, 0, 0, 0, 5, 0, 0, 0, 9, 10, 0, 0}, 12);
    expect_error("keel.trilu", line, 2, NULL, 0, "in has rank 1, must have at least 2");
    expect_error("keel.trilu", operands, 2, &bad, 1, "upper is 2, must be 0 or 1");
}

/* ---- one_hot --------------------------------------------------------------------------------- */

static void one_hot_points_from_either_end(void **state)
{
    (void)state;
    static const int64_t indices[] = {1, -1, 3};
    static const int32_t values[] = {5, 9};
    const keel_attribute last = oracle_int("depth", 3);
    const keel_attribute first[] = {oracle_int("depth", 3), oracle_int("axis", 0)};
    const oracle_operand rows[] = {{KEEL_I64, 1, {3}, NULL, indices},
                                   {KEEL_I32, 1, {2}, NULL, values},
                                   {KEEL_I32, 2, {3, 3}, NULL, NULL}};
    expect_i32("keel.one_hot", rows, 3, &last, 1, (const int32_t[]){5, 9, 5, 5, 5, 9, 5, 5, 5}, 9);
    expect_i32("keel.one_hot", rows, 3, first, 2, (const int32_t[]){5, 5, 5, 9, 5, 5, 5, 9, 5}, 9);
}

static void one_hot_names_what_it_refuses(void **state)
{
    (void)state;
    static const int64_t indices[] = {1, -1, 3};
    const oracle_operand operands[] = {{KEEL_I64, 1, {3}, NULL, indices},
                                       {KEEL_I32, 1, {3}, NULL, counting},
                                       {KEEL_I32, 2, {3, 3}, NULL, NULL}};
    const oracle_operand good[] = {{KEEL_I64, 1, {3}, NULL, indices},
                                   {KEEL_I32, 1, {2}, NULL, counting},
                                   {KEEL_I32, 2, {3, 3}, NULL, NULL}};
    const keel_attribute depth = oracle_int("depth", 3);
    const keel_attribute minus = oracle_int("depth", -1);
    const keel_attribute far[] = {oracle_int("depth", 3), oracle_int("axis", 2)};
    expect_error("keel.one_hot", operands, 3, &depth, 1,
                 "values have rank 1 and 3 elements, must have rank 1 and 2");
    expect_error("keel.one_hot", good, 3, &minus, 1, "depth is -1, must be at least 0");
    expect_error("keel.one_hot", good, 3, far, 2, "axis is 2, allowed is -2 to 1");
    expect_error("keel.one_hot", good, 3, NULL, 0, "depth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_counts_up_and_down),
        cmocka_unit_test(range_goes_from_end_to_end),
        cmocka_unit_test(range_rounds_its_ends_and_nothing_adds_up),
        cmocka_unit_test(range_names_what_it_refuses),
        cmocka_unit_test(eye_like_has_ones_on_its_diagonal),
        cmocka_unit_test(trilu_keeps_a_triangle),
        cmocka_unit_test(one_hot_points_from_either_end),
        cmocka_unit_test(one_hot_names_what_it_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
