/*
 * Contracts of the reductions against vectors worked out by hand: values, bounds, special values,
 * and the errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

/* Reduces a vector of up to 4 elements of one type. */
typedef struct vector_case {
    const char *op;
    keel_dtype type;
    int32_t count;
    double in[4];
    double want;
} vector_case;

static const vector_case exacts[] = {
    {"keel.reduce_sum", KEEL_I8, 3, {100, 100, 3}, -53},
    {"keel.reduce_sum", KEEL_U64, 2, {0x1p63, 0x1p63}, 0},
    {"keel.reduce_sum", KEEL_I32, 0, {0}, 0},
    {"keel.reduce_prod", KEEL_I16, 2, {300, 300}, 24464},
    {"keel.reduce_prod", KEEL_U8, 0, {0}, 1},
    {"keel.reduce_max", KEEL_F32, 3, {-3, 2, 1}, 2},
    {"keel.reduce_max", KEEL_F16, 3, {1, NAN, INFINITY}, NAN},
    {"keel.reduce_max", KEEL_F64, 2, {-0.0, 0}, 0},
    {"keel.reduce_max", KEEL_F64, 2, {-0.0, -0.0}, -0.0},
    {"keel.reduce_max", KEEL_BF16, 0, {0}, -INFINITY},
    {"keel.reduce_max", KEEL_I8, 0, {0}, -128},
    {"keel.reduce_max", KEEL_U64, 2, {1, 0x1p63}, 0x1p63},
    {"keel.reduce_max", KEEL_BOOL, 3, {0, 1, 0}, 1},
    {"keel.reduce_max", KEEL_BOOL, 0, {0}, 0},
    {"keel.reduce_min", KEEL_F32, 3, {-3, 2, 1}, -3},
    {"keel.reduce_min", KEEL_F16, 3, {1, NAN, -INFINITY}, NAN},
    {"keel.reduce_min", KEEL_F64, 2, {0, -0.0}, -0.0},
    {"keel.reduce_min", KEEL_F64, 0, {0}, INFINITY},
    {"keel.reduce_min", KEEL_U16, 0, {0}, 65535},
    {"keel.reduce_min", KEEL_I64, 2, {-0x1p63, 1}, -0x1p63},
    {"keel.reduce_min", KEEL_BOOL, 0, {0}, 1},
    {"keel.reduce_l1", KEEL_I8, 3, {-100, 100, -3}, -53},
    {"keel.reduce_l1", KEEL_I64, 2, {-0x1p63, 0}, -0x1p63},
    {"keel.reduce_sum_square", KEEL_I16, 2, {300, -2}, 24468},
    {"keel.reduce_sum_square", KEEL_U32, 0, {0}, 0},
    {"keel.reduce_l2", KEEL_I32, 2, {-3, 4}, 5},
    {"keel.reduce_l2", KEEL_U8, 3, {200, 200, 1}, 255},
    {"keel.reduce_l2", KEEL_I16, 4, {1, 1, 1, -1}, 2},
    {"keel.reduce_l2", KEEL_I8, 2, {1, -2}, 2},
    {"keel.reduce_l2", KEEL_U32, 1, {4294967295.0}, 4294967295.0},
    {"keel.reduce_l2", KEEL_I32, 4, {-0x1p31, -0x1p31, -0x1p31, -0x1p31}, 2147483647},
};

static keel_truth ask_vector(const vector_case *c)
{
    uint64_t memory[4] = {0};
    keel_truth truth;
    for (int32_t i = 0; i < c->count; i++) {
        keel_dtype_store(c->type, memory, i, c->in[i], 0);
    }
    const oracle_operand operands[] = {{c->type, 1, {c->count}, NULL, memory},
                                       {c->type, 1, {1}, NULL, NULL}};
    oracle_ask(c->op, operands, 2, NULL, 0, &truth);
    return truth;
}

static void exact_results_are_those_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(exacts); i++) {
        const vector_case *c = &exacts[i];
        const keel_truth truth = ask_vector(c);
        uint64_t want = 0;
        keel_dtype_store(c->type, &want, 0, c->want, 0);
        if (truth.bits != keel_dtype_load_bits(c->type, &want, 0)) {
            print_error("%s of %d %s: got %a, want %a\n", c->op, c->count, keel_dtype_name(c->type),
                        truth.hi, c->want);
        }
        assert_int_equal(truth.rule, KEEL_RULE_BITS);
        assert_int_equal(truth.bits, keel_dtype_load_bits(c->type, &want, 0));
    }
}

static const vector_case reals[] = {
    {"keel.reduce_sum", KEEL_F32, 3, {1, 0x1p-60, -1}, 0x1p-60},
    {"keel.reduce_sum", KEEL_F64, 3, {1, 0x1p-80, -1}, 0x1p-80},
    {"keel.reduce_sum", KEEL_F16, 0, {0}, 0},
    {"keel.reduce_sum", KEEL_F32, 2, {INFINITY, -INFINITY}, NAN},
    {"keel.reduce_sum", KEEL_F64, 2, {0x1p1023, 0x1p1023}, INFINITY},
    {"keel.reduce_mean", KEEL_BF16, 4, {1, 2, 3, 5}, 2.75},
    {"keel.reduce_mean", KEEL_F32, 0, {0}, NAN},
    {"keel.reduce_prod", KEEL_F32, 3, {1.5, -2, 3}, -9},
    {"keel.reduce_prod", KEEL_F64, 4, {0x1p-1000, 0x1p-1000, 0x1p1000, 0x1p1000}, 1},
    {"keel.reduce_prod", KEEL_F64, 2, {0, INFINITY}, NAN},
    {"keel.reduce_prod", KEEL_F16, 0, {0}, 1},
    {"keel.reduce_l1", KEEL_F32, 3, {1, -0x1p-40, -1}, 2 + 0x1p-40},
    {"keel.reduce_l1", KEEL_F32, 2, {INFINITY, -INFINITY}, INFINITY},
    {"keel.reduce_sum_square", KEEL_F32, 3, {3, -4, 12}, 169},
    {"keel.reduce_sum_square", KEEL_F64, 2, {0x1p-537, 0x1p-537}, 0x1p-1073},
    {"keel.reduce_sum_square", KEEL_F64, 2, {0x1p512, 1}, INFINITY},
    {"keel.reduce_sum_square", KEEL_BF16, 2, {NAN, INFINITY}, NAN},
    {"keel.reduce_l2", KEEL_F32, 3, {3, -4, 12}, 13},
    {"keel.reduce_l2", KEEL_F32, 2, {3 * 0x1p120, 4 * 0x1p120}, 5 * 0x1p120},
    {"keel.reduce_l2", KEEL_F64, 2, {3 * 0x1p-1074, -4 * 0x1p-1074}, 5 * 0x1p-1074},
    {"keel.reduce_l2", KEEL_F64, 2, {0x1p1023, 0}, 0x1p1023},
    {"keel.reduce_l2", KEEL_F16, 2, {-INFINITY, 1}, INFINITY},
    {"keel.reduce_l2", KEEL_F16, 2, {-INFINITY, NAN}, NAN},
    {"keel.reduce_l2", KEEL_BF16, 0, {0}, 0},
    {"keel.reduce_log_sum", KEEL_F32, 2, {0.25, 0.75}, 0},
    {"keel.reduce_log_sum", KEEL_F32, 0, {0}, -INFINITY},
    {"keel.reduce_log_sum", KEEL_F64, 2, {1, -2}, NAN},
    {"keel.reduce_log_sum", KEEL_F16, 2, {INFINITY, -2}, INFINITY},
    {"keel.reduce_log_sum_exp", KEEL_F32, 1, {-1000}, -1000},
    {"keel.reduce_log_sum_exp", KEEL_F32, 3, {-INFINITY, 7, -INFINITY}, 7},
    {"keel.reduce_log_sum_exp", KEEL_F32, 2, {-INFINITY, -INFINITY}, -INFINITY},
    {"keel.reduce_log_sum_exp", KEEL_F64, 2, {INFINITY, -INFINITY}, INFINITY},
    {"keel.reduce_log_sum_exp", KEEL_F16, 2, {INFINITY, NAN}, NAN},
    {"keel.reduce_log_sum_exp", KEEL_BF16, 0, {0}, -INFINITY},
};

static void real_results_are_the_true_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(reals); i++) {
        const vector_case *c = &reals[i];
        const keel_truth truth = ask_vector(c);
        const int same = isnan(c->want) ? isnan(truth.hi) : truth.hi == c->want && truth.lo == 0;
        if (!same) {
            print_error("%s, case %zu: got %a + %a, want %a\n", c->op, i, truth.hi, truth.lo,
                        c->want);
        }
        assert_true(same);
        assert_int_equal(truth.rule, KEEL_RULE_BOUND);
    }
}

/* Relative to 1e-9; the bounds hold half of the smallest subnormal besides. */
static void expect_close(double got, double want)
{
    if (fabs(got - want) > 1e-9 * want) {
        print_error("got %a, want %a\n", got, want);
    }
    assert_true(fabs(got - want) <= 1e-9 * want);
}

static void sums_are_bounded_by_their_magnitudes(void **state)
{
    (void)state;
    const vector_case c = {"keel.reduce_sum", KEEL_F16, 3, {1, 2, -4}, -1};
    const keel_truth truth = ask_vector(&c);
    const double gamma = 3 * 0x1p-24 / (1 - 3 * 0x1p-24);
    expect_close(truth.hard, gamma * 7 + 0x1p-11 + 0x1p-25);
    assert_true(truth.tight == truth.hard); /* T(3) is above gamma */
    assert_true(truth.scale == 7);
}

static void means_are_bounded_as_sums_are(void **state)
{
    (void)state;
    const vector_case c = {"keel.reduce_mean", KEEL_F64, 4, {1, 2, -4, 3}, 0.5};
    const keel_truth truth = ask_vector(&c);
    const double gamma = 4 * 0x1p-53 / (1 - 4 * 0x1p-53);
    assert_true(truth.hi == 0.5);
    expect_close(truth.hard, gamma * 2.5 + 0.5 * 0x1p-53);
}

static void tight_grows_with_the_root_of_the_number(void **state)
{
    (void)state;
    static float ones[10000];
    for (size_t i = 0; i < KEEL_COUNT(ones); i++) {
        ones[i] = 1;
    }
    keel_truth truth;
    const oracle_operand operands[] = {{KEEL_F32, 1, {10000}, NULL, ones},
                                       {KEEL_F32, 1, {1}, NULL, NULL}};
    oracle_ask("keel.reduce_sum", operands, 2, NULL, 0, &truth);
    assert_true(truth.hi == 10000);
    expect_close(truth.tight, (8 + 4 * 100) * 0x1p-24 * 10000 + 0x1p-24 * 10000);
    assert_true(truth.hard > 10 * truth.tight);
}

static void products_that_depend_on_the_order_have_no_bound(void **state)
{
    (void)state;
    const vector_case bounded = {"keel.reduce_prod", KEEL_F32, 2, {0x1p100, 0x1p20}, 0x1p120};
    assert_true(isfinite(ask_vector(&bounded).hard));
    const vector_case open = {"keel.reduce_prod", KEEL_F32, 3, {0x1p100, 0x1p100, 0x1p-100}, 0};
    assert_true(isinf(ask_vector(&open).hard));
    const vector_case sum = {"keel.reduce_sum", KEEL_F32, 3, {0x1p127, 0x1p127, -0x1p127}, 0};
    assert_true(isinf(ask_vector(&sum).hard));
}

/* Within 2^-60, relative, of numbers worked out with more digits. */
static void expect_digits(const vector_case *c, double hi, double lo)
{
    const keel_truth truth = ask_vector(c);
    const double distance = fabs((truth.hi - hi) + (truth.lo - lo));
    if (!(distance <= fabs(hi) * 0x1p-60)) {
        print_error("%s: got %a + %a, want %a + %a\n", c->op, truth.hi, truth.lo, hi, lo);
    }
    assert_true(distance <= fabs(hi) * 0x1p-60);
}

static void norms_and_logarithms_have_these_digits(void **state)
{
    (void)state;
    /* sqrt(2) 2^-149, log(10), 1000 + log(2), log(1 + e + e^2) - 100. */
    expect_digits(&(vector_case){"keel.reduce_l2", KEEL_F32, 2, {0x1p-149, 0x1p-149}, 0},
                  0x1.6a09e667f3bcdp-149, -0x1.bdd3413b26456p-203);
    expect_digits(&(vector_case){"keel.reduce_log_sum", KEEL_F64, 4, {1, 2, 3, 4}, 0},
                  0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
    expect_digits(&(vector_case){"keel.reduce_log_sum_exp", KEEL_F32, 2, {1000, 1000}, 0},
                  0x1.f458b90bfbe8ep+9, 0x1.ef35793c76730p-45);
    expect_digits(&(vector_case){"keel.reduce_log_sum_exp", KEEL_F64, 3, {-100, -99, -98}, 0},
                  -0x1.865e9c8ac43a3p+6, -0x1.93815be84c401p-48);
}

static void logarithms_of_sums_that_cancel_have_no_bound(void **state)
{
    (void)state;
    const vector_case open = {"keel.reduce_log_sum", KEEL_F32, 3, {1, 0x1p-60, -1}, 0};
    assert_true(isinf(ask_vector(&open).hard));
    const vector_case far = {"keel.reduce_log_sum", KEEL_F32, 2, {0x1p127, 0x1p127}, 0};
    assert_true(isinf(ask_vector(&far).hard));
    const vector_case near = {"keel.reduce_log_sum", KEEL_F32, 2, {0.5, 0.5}, 0};
    const keel_truth truth = ask_vector(&near);
    const double shift = -log1p(-2 * 0x1p-24 / (1 - 2 * 0x1p-24));
    expect_close(truth.hard, shift + 6 * 0x1p-24 * shift + 0x1p-150);
}

static void norms_are_bounded_by_half_the_error_of_the_sum(void **state)
{
    (void)state;
    const vector_case c = {"keel.reduce_l2", KEEL_F16, 2, {3, 4}, 5};
    const keel_truth truth = ask_vector(&c);
    const double gamma = 4 * 0x1p-24 / (1 - 4 * 0x1p-24);
    expect_close(truth.hard, (gamma / 2 + 2 * 0x1p-24) * 5 + 5 * 0x1p-11 + 0x1p-25);
    const vector_case open = {"keel.reduce_sum_square", KEEL_F32, 2, {0x1p63, 0x1.fffffep63}, 0};
    assert_true(isfinite(ask_vector(&open).hard)); /* certain to overflow */
    const vector_case even = {"keel.reduce_sum_square", KEEL_F32, 1, {0x1.fffffep63}, 0};
    assert_true(isinf(ask_vector(&even).hard));
}

/* ---- axes ------------------------------------------------------------------------------------ */

static const int32_t counting[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void axes_and_keepdims_shape_the_result(void **state)
{
    (void)state;
    keel_truth truth[3];
    const keel_attribute attributes[] = {oracle_ints("axes", 2, (const int64_t[]){-1, 0}),
                                         oracle_int("keepdims", 0)};
    const oracle_operand operands[] = {{KEEL_I32, 3, {2, 3, 2}, NULL, counting},
                                       {KEEL_I32, 1, {3}, NULL, NULL}};
    oracle_ask("keel.reduce_sum", operands, 2, attributes, 2, truth);
    assert_int_equal(truth[0].bits, 0 + 1 + 6 + 7);
    assert_int_equal(truth[1].bits, 2 + 3 + 8 + 9);
    assert_int_equal(truth[2].bits, 4 + 5 + 10 + 11);
    const oracle_operand kept[] = {operands[0], {KEEL_I32, 3, {1, 3, 1}, NULL, NULL}};
    oracle_ask("keel.reduce_max", kept, 2, attributes, 1, truth);
    assert_int_equal(truth[1].bits, 9);
}

static void strides_are_followed(void **state)
{
    (void)state;
    keel_truth truth[2];
    const keel_attribute axes = oracle_ints("axes", 1, (const int64_t[]){1});
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, (const int64_t[]){1, 4}, counting},
                                       {KEEL_I32, 2, {2, 1}, NULL, NULL}};
    oracle_ask("keel.reduce_sum", operands, 2, &axes, 1, truth);
    assert_int_equal(truth[0].bits, 0 + 4 + 8);
    assert_int_equal(truth[1].bits, 1 + 5 + 9);
}

static void wrong_axes_are_named(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {2, 1}, NULL, NULL}};
    const keel_attribute twice = oracle_ints("axes", 2, (const int64_t[]){1, -1});
    assert_status(&err, oracle_infer("keel.reduce_sum", operands, 2, &twice, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "axes[1] is axis 1, which is there already");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute far = oracle_ints("axes", 1, (const int64_t[]){2});
    assert_status(&err, oracle_infer("keel.reduce_sum", operands, 2, &far, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "is 2");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute keepdims = oracle_int("keepdims", 2);
    assert_status(&err, oracle_infer("keel.reduce_sum", operands, 2, &keepdims, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "keepdims is 2, must be 0 or 1");
    err = (keel_error)KEEL_ERROR_INIT;
    const keel_attribute noop = oracle_int("noop_with_empty_axes", -1);
    assert_status(&err, oracle_infer("keel.reduce_sum", operands, 2, &noop, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "noop_with_empty_axes is -1, must be 0 or 1");
}

static void without_axes_each_element_stands_alone(void **state)
{
    (void)state;
    keel_truth truth[12];
    const keel_attribute attributes[] = {oracle_int("noop_with_empty_axes", 1),
                                         oracle_int("keepdims", 0)};
    const oracle_operand operands[] = {{KEEL_I32, 2, {4, 3}, NULL, counting},
                                       {KEEL_I32, 2, {4, 3}, NULL, NULL}};
    oracle_ask("keel.reduce_sum_square", operands, 2, attributes, 2, truth);
    assert_int_equal(truth[11].bits, 121);
    const keel_attribute axes[] = {oracle_int("noop_with_empty_axes", 1),
                                   oracle_ints("axes", 1, (const int64_t[]){1})};
    const oracle_operand rows[] = {operands[0], {KEEL_I32, 2, {4, 1}, NULL, NULL}};
    oracle_ask("keel.reduce_sum", rows, 2, axes, 2, truth);
    assert_int_equal(truth[1].bits, 3 + 4 + 5);
}

/* ---- argmax and argmin ------------------------------------------------------------------------
 */

/* The place in a vector of 4, by the first of equals and by the last. */
typedef struct argmax_case {
    keel_dtype type;
    double in[4];
    int64_t first, last;
} argmax_case;

static const argmax_case places[] = {
    {KEEL_F32, {1, 3, 3, 2}, 1, 2},
    {KEEL_F16, {1, NAN, INFINITY, NAN}, 1, 3},
    {KEEL_F64, {-0.0, 0, -0.0, -1}, 0, 2},
    {KEEL_BF16, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, 0, 3},
    {KEEL_I8, {-128, 127, 0, 127}, 1, 3},
    {KEEL_U64, {1, 0x1p63, 2, 3}, 1, 1},
    {KEEL_BOOL, {0, 0, 1, 1}, 2, 3},
};

static void argmax_is_the_place_of_the_greatest(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * KEEL_COUNT(places); i++) {
        const argmax_case *c = &places[i / 2];
        uint64_t memory[4] = {0};
        keel_truth truth;
        for (int32_t k = 0; k < 4; k++) {
            keel_dtype_store(c->type, memory, k, c->in[k], 0);
        }
        const keel_attribute last = oracle_int("select_last_index", (int64_t)(i % 2));
        const oracle_operand operands[] = {{c->type, 1, {4}, NULL, memory},
                                           {KEEL_I64, 1, {1}, NULL, NULL}};
        oracle_ask("keel.argmax", operands, 2, &last, 1, &truth);
        assert_int_equal(truth.rule, KEEL_RULE_BITS);
        assert_int_equal(truth.bits, i % 2 ? c->last : c->first);
    }
}

static const argmax_case least_places[] = {
    {KEEL_F32, {2, 1, 1, 3}, 1, 2},
    {KEEL_F16, {NAN, 1, -INFINITY, NAN}, 2, 2},
    {KEEL_F64, {0, -0.0, 0, 1}, 0, 2},
    {KEEL_BF16, {NAN, NAN, NAN, NAN}, 0, 3},
    {KEEL_F32, {NAN, INFINITY, NAN, INFINITY}, 1, 3},
    {KEEL_I8, {-128, 127, -128, 0}, 0, 2},
    {KEEL_U64, {0x1p63, 2, 1, 3}, 2, 2},
    {KEEL_BOOL, {1, 0, 1, 0}, 1, 3},
};

static void argmin_is_the_place_of_the_least(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * KEEL_COUNT(least_places); i++) {
        const argmax_case *c = &least_places[i / 2];
        uint64_t memory[4] = {0};
        keel_truth truth;
        for (int32_t k = 0; k < 4; k++) {
            keel_dtype_store(c->type, memory, k, c->in[k], 0);
        }
        const keel_attribute last = oracle_int("select_last_index", (int64_t)(i % 2));
        const oracle_operand operands[] = {{c->type, 1, {4}, NULL, memory},
                                           {KEEL_I64, 1, {1}, NULL, NULL}};
        oracle_ask("keel.argmin", operands, 2, &last, 1, &truth);
        assert_int_equal(truth.bits, i % 2 ? c->last : c->first);
    }
}

static void argmax_refuses_an_axis_of_no_elements(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 0}, NULL, counting},
                                       {KEEL_I64, 2, {2, 1}, NULL, NULL}};
    const keel_attribute last = oracle_int("axis", -1);
    assert_status(&err, oracle_infer("keel.argmax", operands, 2, &last, 1, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "axis 1 of in has 0 elements, must have at least 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_results_are_those_bits),
        cmocka_unit_test(real_results_are_the_true_values),
        cmocka_unit_test(sums_are_bounded_by_their_magnitudes),
        cmocka_unit_test(means_are_bounded_as_sums_are),
        cmocka_unit_test(tight_grows_with_the_root_of_the_number),
        cmocka_unit_test(products_that_depend_on_the_order_have_no_bound),
        cmocka_unit_test(axes_and_keepdims_shape_the_result),
        cmocka_unit_test(strides_are_followed),
        cmocka_unit_test(wrong_axes_are_named),
        cmocka_unit_test(argmax_is_the_place_of_the_greatest),
        cmocka_unit_test(argmin_is_the_place_of_the_least),
        cmocka_unit_test(without_axes_each_element_stands_alone),
        cmocka_unit_test(norms_and_logarithms_have_these_digits),
        cmocka_unit_test(logarithms_of_sums_that_cancel_have_no_bound),
        cmocka_unit_test(norms_are_bounded_by_half_the_error_of_the_sum),
        cmocka_unit_test(argmax_refuses_an_axis_of_no_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
