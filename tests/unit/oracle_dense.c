/*
 * The oracle of keel.matmul against products worked out by hand, its bounds against their formula,
 * and the sentences that wrong calls get.
 */
#include "keel_test.h"

#include <keel/keel.h>
#include <math.h>

#include "small_call.h"

static keel_context *context;

static int open_context(void **state)
{
    (void)state;
    return keel_context_create(NULL, &context, NULL);
}

static int close_context(void **state)
{
    (void)state;
    keel_context_release(context);
    return 0;
}

static const double left[] = {1, 2, 3, 4, 5, 6};       /* 2 x 3 */
static const double right[] = {7, 8, 9, 10, 11, 12};   /* 3 x 2 */
static const double product[] = {58, 64, 139, 154};    /* 2 x 2 */
static const double left_t[] = {1, 4, 2, 5, 3, 6};     /* 3 x 2 */
static const double right_t[] = {7, 9, 11, 8, 10, 12}; /* 2 x 3 */

static small_call product_call(keel_dtype type)
{
    return (small_call){.op = "keel.matmul",
                        .type = type,
                        .inputs = 4,
                        .input = {{2, {2, 3}, left}, {2, {3, 2}, right}}};
}

static void expect_values(const small_call *call, const double *want, int64_t count)
{
    assert_int_equal(call->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_true(call->truth[i].hi == want[i] || (isnan(want[i]) && isnan(call->truth[i].hi)));
        assert_true(call->truth[i].lo == 0.0);
    }
}

static void a_product_is_the_one_worked_out_by_hand(void **state)
{
    (void)state;
    static const keel_dtype types[] = {KEEL_F64, KEEL_F32, KEEL_F16, KEEL_BF16,
                                       KEEL_I32, KEEL_I64, KEEL_U32, KEEL_U64};
    for (size_t i = 0; i < KEEL_COUNT(types); i++) {
        small_call call = product_call(types[i]);
        assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
        expect_values(&call, product, 4);
    }
}

static void transposed_operands_give_the_same_product(void **state)
{
    (void)state;
    const keel_attribute attributes[] = {keel_attribute_int("transpose_a", 1),
                                         keel_attribute_int("transpose_b", 1)};
    small_call call = product_call(KEEL_F32);
    call.input[0] = (small_input){2, {3, 2}, left_t};
    call.input[1] = (small_input){2, {2, 3}, right_t};
    call.attributes = attributes;
    call.attribute_count = 2;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, product, 4);
}

/* K = 3, nothing added: n = 5 roundings. */
static void bounds_follow_their_formula(void **state)
{
    (void)state;
    small_call call = product_call(KEEL_F32);
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    const double u = 0x1p-24;
    const double hard = 5 * u / (1 - 5 * u) * 58 * (1 + u) + u * 58;
    assert_int_equal(call.truth[0].rule, KEEL_RULE_BOUND);
    assert_true(call.truth[0].scale == 58);
    assert_true(fabs(call.truth[0].hard / hard - 1) < 1e-9);
    assert_true(call.truth[0].tight <= call.truth[0].hard);

    /* For 1024 terms the tight one is the smaller: (8 + 4 sqrt(n)) u S + u |R|. */
    static double ones[256];
    for (size_t i = 0; i < 256; i++) {
        ones[i] = 1;
    }
    small_call deep = {.op = "keel.matmul",
                       .type = KEEL_F32,
                       .inputs = 2,
                       .input = {{2, {1, 256}, ones}, {2, {256, 1}, ones}}};
    assert_ok(&deep.err, small_call_ask(context, &deep, NULL, 0));
    assert_true(fabs(deep.truth[0].tight / ((8 + 4 * 16) * u * 256 + u * 256) - 1) < 1e-9);
    assert_true(deep.truth[0].tight < deep.truth[0].hard);
}

static void alpha_beta_and_bias_take_part(void **state)
{
    (void)state;
    static const double c[] = {10, 20, 30, 40};
    static const double bias[] = {3, -4};
    static const double want[] = {0.5 * 58 - 20 + 3, 0.5 * 64 - 40 - 4, 0.5 * 139 - 60 + 3,
                                  0.5 * 154 - 80 - 4};
    const keel_attribute attributes[] = {keel_attribute_float("alpha", 0.5),
                                         keel_attribute_float("beta", -2)};
    small_call call = product_call(KEEL_F64);
    call.input[2] = (small_input){1, {2}, bias};
    call.input[3] = (small_input){2, {2, 2}, c};
    call.attributes = attributes;
    call.attribute_count = 2;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, 4);
}

static void beta_zero_ignores_a_nan_in_c(void **state)
{
    (void)state;
    static const double c[] = {NAN, INFINITY, NAN, NAN};
    small_call call = product_call(KEEL_F32);
    call.input[3] = (small_input){2, {2, 2}, c};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, product, 4);
}

static void an_empty_inner_axis_leaves_c_and_bias(void **state)
{
    (void)state;
    static const double c[] = {1, 2, 3, 4};
    static const double bias[] = {10};
    static const double want[] = {13, 16, 19, 22};
    const keel_attribute beta = keel_attribute_float("beta", 3);
    small_call call = {
        .op = "keel.matmul",
        .type = KEEL_F16,
        .inputs = 4,
        .input = {{2, {2, 0}, left}, {2, {0, 2}, right}, {1, {1}, bias}, {2, {2, 2}, c}},
        .attributes = &beta,
        .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, 4);
}

static void batch_axes_broadcast(void **state)
{
    (void)state;
    static const double a[] = {1, 2, 3, 4};       /* 2 x 1 matrices of 1 x 2 */
    static const double b[] = {5, 6, 7, 8, 9, 1}; /* 3 matrices of 2 x 1 */
    static const double want[] = {17, 23, 11, 39, 53, 31};
    small_call call = {.op = "keel.matmul",
                       .type = KEEL_F32,
                       .inputs = 2,
                       .input = {{4, {2, 1, 1, 2}, a}, {3, {3, 2, 1}, b}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_int_equal(call.output.rank, 4);
    expect_values(&call, want, 6);
}

static void doubles_are_multiplied_to_106_bits(void **state)
{
    (void)state;
    const double x = 0x1.0000000000001p+0;
    const double a[] = {x, 0x1p+60, 1};
    const double b[] = {x, 1, -0x1p+60};
    small_call call = {.op = "keel.matmul",
                       .type = KEEL_F64,
                       .inputs = 2,
                       .input = {{2, {1, 3}, a}, {2, {3, 1}, b}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_true(call.truth[0].hi == 0x1.0000000000002p+0);
    assert_true(call.truth[0].lo == 0x1p-104 || call.truth[0].lo == 0); /* beside 2^60: 2^-44 */
    call.input[0] = (small_input){2, {1, 1}, a};
    call.input[1] = (small_input){2, {1, 1}, b};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_true(call.truth[0].hi == 0x1.0000000000002p+0 && call.truth[0].lo == 0x1p-104);
}

static void integers_wrap(void **state)
{
    (void)state;
    static const double a[] = {2147483647, -2147483648.0};
    static const double b[] = {2, 3};
    small_call call = {.op = "keel.matmul",
                       .type = KEEL_I32,
                       .inputs = 2,
                       .input = {{2, {1, 2}, a}, {2, {2, 1}, b}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_int_equal(call.truth[0].rule, KEEL_RULE_BITS);
    assert_int_equal(call.truth[0].bits, 2147483646); /* -2^31 - 2 modulo 2^32 */
}

static void infinities_and_nans_arrive(void **state)
{
    (void)state;
    static const double a[] = {INFINITY, 1, INFINITY, INFINITY, NAN, 0};
    static const double b[] = {1, -INFINITY};
    static const double want[] = {NAN, NAN, NAN};
    static const double two[] = {2, 1};
    static const double also[] = {INFINITY, INFINITY, NAN};
    small_call call = {.op = "keel.matmul",
                       .type = KEEL_F32,
                       .inputs = 2,
                       .input = {{2, {3, 2}, a}, {2, {2, 1}, b}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, 3);
    call.input[1].values = two;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, also, 3);
}

/* Few questions read columns one by one, many read all of b first. */
static void single_elements_equal_the_whole(void **state)
{
    (void)state;
    small_call all = product_call(KEEL_F32);
    assert_ok(&all.err, small_call_ask(context, &all, NULL, 0));
    for (int64_t i = 0; i < all.count; i++) {
        small_call one = product_call(KEEL_F32);
        assert_ok(&one.err, small_call_ask(context, &one, &i, 1));
        assert_memory_equal(&one.truth[0], &all.truth[i], sizeof all.truth[i]);
    }
}

/* One thing wrong with the product, and a part of the sentence about it. */
typedef struct wrong_call {
    small_input a, b, bias, c;
    keel_attribute attribute;
    keel_dtype type;
    const char *mentions;
} wrong_call;

static void wrong_calls_are_named(void **state)
{
    (void)state;
    const small_input a = {2, {2, 3}, left};
    const small_input b = {2, {3, 2}, right};
    const small_input none = {0};
    const keel_attribute alpha = keel_attribute_float("alpha", 1);
    const wrong_call wrong[] = {
        {{1, {3}, left}, b, none, none, alpha, KEEL_F32, "a has rank 1, at least 2 is needed"},
        {a,
         {2, {2, 3}, right},
         none,
         none,
         alpha,
         KEEL_F32,
         "inner sizes differ: axis 1 of a has 3, axis 0 of b has 2"},
        {{3, {2, 1, 3}, left},
         {3, {3, 3, 1}, right},
         none,
         none,
         alpha,
         KEEL_F32,
         "batch axis 0 of the output: a has size 2 and b 3"},
        {a,
         b,
         {1, {3}, left},
         none,
         alpha,
         KEEL_F32,
         "bias has size 3 where the output's axis 1 has 2"},
        {a, b, {3, {1, 2, 2}, left}, none, alpha, KEEL_F32, "bias has rank 3, the output's is 2"},
        {a, b, none, none, keel_attribute_float("beta", 2), KEEL_F32, "beta is 2 but c is absent"},
        {a, b, none, none, keel_attribute_int("transpose_a", 2), KEEL_F32,
         "transpose_a is 2, allowed are 0 and 1"},
        {a, b, none, none, keel_attribute_float("alpha", NAN), KEEL_F32, "alpha is nan"},
        {a, b, none, none, keel_attribute_float("alpha", 1e39), KEEL_BF16, "alpha is 1e+39"},
        {a, b, none, none, keel_attribute_float("alpha", 0.5), KEEL_I32,
         "alpha is 0.5, i32 needs a whole number"},
    };
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        small_call call = product_call(wrong[i].type);
        call.input[0] = wrong[i].a;
        call.input[1] = wrong[i].b;
        call.input[2] = wrong[i].bias;
        call.input[3] = wrong[i].c;
        call.attributes = &wrong[i].attribute;
        call.attribute_count = 1;
        assert_status(&call.err, small_call_ask(context, &call, NULL, 0),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&call.err, wrong[i].mentions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_the_one_worked_out_by_hand),
        cmocka_unit_test(transposed_operands_give_the_same_product),
        cmocka_unit_test(bounds_follow_their_formula),
        cmocka_unit_test(alpha_beta_and_bias_take_part),
        cmocka_unit_test(beta_zero_ignores_a_nan_in_c),
        cmocka_unit_test(an_empty_inner_axis_leaves_c_and_bias),
        cmocka_unit_test(batch_axes_broadcast),
        cmocka_unit_test(doubles_are_multiplied_to_106_bits),
        cmocka_unit_test(integers_wrap),
        cmocka_unit_test(infinities_and_nans_arrive),
        cmocka_unit_test(single_elements_equal_the_whole),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
