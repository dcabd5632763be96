/*
 * Contracts of the scans against vectors worked out by hand: values, bounds, directions, special
 * values, and the errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST 5

/* A vector, and its running results by (exclusive, reverse). */
typedef struct scan_case {
    const char *op;
    keel_dtype type;
    int32_t count;
    double in[MOST];
    int64_t exclusive, reverse;
    double want[MOST];
} scan_case;

static const scan_case cases[] = {
    {"keel.cumsum", KEEL_F32, 3, {1, 2, 3}, 0, 0, {1, 3, 6}},
    {"keel.cumsum", KEEL_F64, 3, {1, 2, 3}, 1, 0, {0, 1, 3}},
    {"keel.cumsum", KEEL_BF16, 3, {1, 2, 3}, 0, 1, {6, 5, 3}},
    {"keel.cumsum", KEEL_F16, 3, {1, 2, 3}, 1, 1, {5, 3, 0}},
    {"keel.cumsum", KEEL_I8, 3, {100, 100, 3}, 0, 0, {100, -56, -53}},
    {"keel.cumsum", KEEL_U64, 2, {0x1p63, 0x1p63}, 0, 1, {0, 0x1p63}},
    {"keel.cumsum", KEEL_U16, 1, {7}, 1, 1, {0}},
    {"keel.cumsum", KEEL_F32, 4, {1, INFINITY, 2, -INFINITY}, 0, 0, {1, INFINITY, INFINITY, NAN}},
    {"keel.cumsum", KEEL_F32, 4, {1, NAN, 2, 3}, 0, 1, {NAN, NAN, 5, 3}},
    {"keel.cumsum", KEEL_F32, 4, {1, NAN, 2, 3}, 1, 0, {0, 1, NAN, NAN}},
    {"keel.cumprod", KEEL_F32, 4, {2, 3, -1, 0.5}, 0, 0, {2, 6, -6, -3}},
    {"keel.cumprod", KEEL_F64, 4, {2, 3, -1, 0.5}, 1, 0, {1, 2, 6, -6}},
    {"keel.cumprod", KEEL_F16, 4, {2, 3, -1, 0.5}, 0, 1, {-3, -1.5, -0.5, 0.5}},
    {"keel.cumprod", KEEL_BF16, 4, {2, 3, -1, 0.5}, 1, 1, {-1.5, -0.5, 0.5, 1}},
    {"keel.cumprod", KEEL_I16, 3, {300, 300, -1}, 0, 0, {300, 24464, -24464}},
    {"keel.cumprod", KEEL_F32, 3, {0, INFINITY, 2}, 0, 0, {0, NAN, NAN}},
};

static void ask(const scan_case *c, keel_truth *out)
{
    uint64_t memory[MOST] = {0};
    for (int32_t i = 0; i < c->count; i++) {
        keel_dtype_store(c->type, memory, i, c->in[i], 0);
    }
    const keel_attribute attributes[] = {oracle_int("axis", 0),
                                         oracle_int("exclusive", c->exclusive),
                                         oracle_int("reverse", c->reverse)};
    const oracle_operand operands[] = {{c->type, 1, {c->count}, NULL, memory},
                                       {c->type, 1, {c->count}, NULL, NULL}};
    oracle_ask(c->op, operands, 2, attributes, 3, out);
}

static void running_results_are_the_true_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < KEEL_COUNT(cases); k++) {
        const scan_case *c = &cases[k];
        keel_truth truth[MOST];
        ask(c, truth);
        for (int32_t i = 0; i < c->count; i++) {
            uint64_t element = 0;
            keel_dtype_store(c->type, &element, 0, c->want[i], 0);
            const int is_integer = keel_dtype_in(c->type, KEEL_DTYPES_INTEGER);
            const int same = is_integer
                                 ? truth[i].bits == keel_dtype_load_bits(c->type, &element, 0)
                             : isnan(c->want[i]) ? isnan(truth[i].hi)
                                                 : truth[i].hi == c->want[i] && truth[i].lo == 0;
            if (!same) {
                print_error("case %zu, element %d: got %a, want %a\n", k, i, truth[i].hi,
                            c->want[i]);
            }
            assert_true(same);
            assert_int_equal(truth[i].rule, is_integer ? KEEL_RULE_BITS : KEEL_RULE_BOUND);
        }
    }
}

/* Relative to 1e-9. */
static void expect_close(double got, double want)
{
    assert_true(fabs(got - want) <= 1e-9 * want);
}

static void each_result_is_bounded_by_its_own_terms(void **state)
{
    (void)state;
    const scan_case c = {"keel.cumsum", KEEL_F16, 3, {1, 2, -4}, 0, 0, {0}};
    keel_truth truth[MOST];
    ask(&c, truth);
    const double one = 0x1p-24 / (1 - 0x1p-24);
    const double three = 3 * 0x1p-24 / (1 - 3 * 0x1p-24);
    expect_close(truth[0].hard, one * 1 + 0x1p-11 + 0x1p-25);
    expect_close(truth[2].hard, three * 7 + 0x1p-11 + 0x1p-25);
    const scan_case none = {"keel.cumsum", KEEL_F16, 3, {1, 2, -4}, 1, 0, {0}};
    ask(&none, truth);
    expect_close(truth[0].hard, 0x1p-25);
}

static void results_that_depend_on_the_order_have_no_bound(void **state)
{
    (void)state;
    keel_truth truth[MOST];
    const scan_case sum = {"keel.cumsum", KEEL_F32, 3, {0x1p127, 0x1p127, -0x1p127}, 0, 0, {0}};
    ask(&sum, truth);
    assert_true(isfinite(truth[0].hard) && isinf(truth[2].hard));
    const scan_case product = {
        "keel.cumprod", KEEL_F32, 3, {0x1p100, 0x1p100, 0x1p-100}, 0, 0, {0}};
    ask(&product, truth);
    assert_true(isfinite(truth[1].hard) && isinf(truth[2].hard));
}

static const int32_t counting[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void any_axis_and_strides_are_followed(void **state)
{
    (void)state;
    keel_truth truth[6];
    const keel_attribute attributes[] = {oracle_int("axis", -2), oracle_int("reverse", 1)};
    const oracle_operand operands[] = {{KEEL_I32, 2, {3, 2}, (const int64_t[]){4, 1}, counting},
                                       {KEEL_I32, 2, {3, 2}, NULL, NULL}};
    oracle_ask("keel.cumsum", operands, 2, attributes, 2, truth);
    assert_int_equal(truth[0].bits, 0 + 4 + 8);
    assert_int_equal(truth[1].bits, 1 + 5 + 9);
    assert_int_equal(truth[3].bits, 5 + 9);
    assert_int_equal(truth[4].bits, 8);
}

static void wrong_attributes_are_named(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer("keel.cumsum", operands, 2, NULL, 0, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "axis");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute far = oracle_int("axis", 2);
    assert_status(&err, oracle_infer("keel.cumprod", operands, 2, &far, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "axis is 2, allowed is -2 to 1");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute flags[] = {oracle_int("axis", 0), oracle_int("exclusive", 2)};
    assert_status(&err, oracle_infer("keel.cumsum", operands, 2, flags, 2, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "exclusive is 2, must be 0 or 1");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute back[] = {oracle_int("axis", 0), oracle_int("reverse", -1)};
    assert_status(&err, oracle_infer("keel.cumsum", operands, 2, back, 2, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "reverse is -1, must be 0 or 1");
    err = (keel_error)KEEL_ERROR_INIT;
    const oracle_operand scalar[] = {{KEEL_I32, 0, {0}, NULL, counting},
                                     {KEEL_I32, 0, {0}, NULL, NULL}};
    assert_status(&err, oracle_infer("keel.cumsum", scalar, 2, flags, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "rank 0 has no axis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_results_are_the_true_values),
        cmocka_unit_test(each_result_is_bounded_by_its_own_terms),
        cmocka_unit_test(results_that_depend_on_the_order_have_no_bound),
        cmocka_unit_test(any_axis_and_strides_are_followed),
        cmocka_unit_test(wrong_attributes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
