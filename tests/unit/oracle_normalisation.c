/*
 * Oracles of keel.softmax, keel.rms_norm and keel.layer_norm against values worked out with 80
 * decimal digits, the special rows, and the sentences that wrong calls get.
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

/* A value to 2^-62, relative: what a long double holds. */
static void expect_truth(const keel_truth *truth, double hi, double lo)
{
    if (isnan(hi)) {
        assert_true(isnan(truth->hi));
        return;
    }
    const double distance = fabs((truth->hi - hi) + (truth->lo - lo));
    assert_true(distance <= fabs(hi) * 0x1p-62);
}

/* ---- softmax --------------------------------------------------------------------------------- */

static void softmax_of_one_two_three(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3};
    small_call call = {.op = "keel.softmax", .type = KEEL_F64, .inputs = 1, .input = {{1, {3}, x}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[0], 0x1.70c3e5f682bdap-4, -0x1.42599c64bd573p-58);
    expect_truth(&call.truth[1], 0x1.f534335ca4bcfp-3, 0x1.902d114a0a278p-57);
    expect_truth(&call.truth[2], 0x1.549a766a06791p-1, -0x1.de00862f56f7dp-58);

    /* p u (2 |x - max| + 14 + 8 + 4 sqrt(3)) + u p, and the smallest normal number. */
    const double p = call.truth[0].hi;
    const double tight = p * 0x1p-53 * (4 + 22 + 4 * sqrt(3) + 1);
    assert_true(fabs(call.truth[0].tight / tight - 1) < 1e-9);
    assert_true(fabs(call.truth[0].hard / tight - 2) < 1e-9);
}

/* Columns of a 3 x 2 array, asked for in a mixed order. */
static void softmax_goes_along_any_axis(void **state)
{
    (void)state;
    static const double x[] = {1, 5, 2, 5, 3, 5};
    static const int64_t index[] = {5, 0, 4, 3};
    const keel_attribute axis = keel_attribute_int("axis", -2);
    small_call call = {.op = "keel.softmax",
                       .type = KEEL_F32,
                       .inputs = 1,
                       .input = {{2, {3, 2}, x}},
                       .attributes = &axis,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, index, 4));
    expect_truth(&call.truth[0], 0x1.5555555555555p-2, 0x1.5555555555555p-56);
    expect_truth(&call.truth[1], 0x1.70c3e5f682bdap-4, -0x1.42599c64bd573p-58);
    expect_truth(&call.truth[2], 0x1.549a766a06791p-1, -0x1.de00862f56f7dp-58);
    expect_truth(&call.truth[3], 0x1.5555555555555p-2, 0x1.5555555555555p-56);
}

static void softmax_of_special_rows_is_nan(void **state)
{
    (void)state;
    static const double rows[][3] = {
        {-INFINITY, -INFINITY, -INFINITY}, {1, INFINITY, 2}, {1, 2, NAN}, {NAN, INFINITY, 1}};
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        small_call call = {
            .op = "keel.softmax", .type = KEEL_F16, .inputs = 1, .input = {{1, {3}, rows[i]}}};
        assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
        for (int64_t k = 0; k < 3; k++) {
            assert_true(isnan(call.truth[k].hi));
        }
    }
}

static void softmax_leaves_out_minus_infinity(void **state)
{
    (void)state;
    static const double x[] = {-INFINITY, 5, -INFINITY, 5};
    small_call call = {.op = "keel.softmax", .type = KEEL_F32, .inputs = 1, .input = {{1, {4}, x}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_true(call.truth[0].hi == 0 && call.truth[1].hi == 0.5);
    assert_true(call.truth[0].hard < 1e-30);
}

/* ---- log_softmax ----------------------------------------------------------------------------- */

static void log_softmax_of_one_two_three(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3};
    small_call call = {
        .op = "keel.log_softmax", .type = KEEL_F64, .inputs = 1, .input = {{1, {3}, x}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[0], -0x1.342c6ea778b93p+1, -0x1.8fd482f677fd8p-53);
    expect_truth(&call.truth[1], -0x1.6858dd4ef1727p+0, 0x1.c0adf426200a2p-55);
    expect_truth(&call.truth[2], -0x1.a163753bc5c9bp-2, -0x1.fa905eceffaf1p-58);

    /* u (2 |x - max| + 2 D + 4 log s + 14 + 8 + 4 sqrt(3)) + 2 u |R| */
    const double mean = (2 * exp(-2) + exp(-1)) / (exp(-2) + exp(-1) + 1);
    const double rest = log(exp(-2) + exp(-1) + 1);
    const double tight =
        0x1p-53 * (2 * 2 + 2 * mean + 4 * rest + 22 + 4 * sqrt(3) + 2 * (2 + rest));
    assert_true(fabs(call.truth[0].tight / tight - 1) < 1e-9);
    assert_true(fabs(call.truth[0].hard / tight - 2) < 1e-9);
}

static void log_softmax_of_special_rows(void **state)
{
    (void)state;
    static const double rows[][3] = {{-INFINITY, -INFINITY, -INFINITY},
                                     {1, INFINITY, 2},
                                     {1, 2, NAN},
                                     {-INFINITY, 7, -INFINITY}};
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        small_call call = {
            .op = "keel.log_softmax", .type = KEEL_F16, .inputs = 1, .input = {{1, {3}, rows[i]}}};
        assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
        for (int64_t k = 0; k < 3; k++) {
            const double want = i < 3 ? NAN : k == 1 ? 0 : -INFINITY;
            assert_true(isnan(want) ? isnan(call.truth[k].hi) : call.truth[k].hi == want);
        }
    }
}

/* The logarithm is not lost beside a maximum that is larger by 2^60. */
static void log_softmax_keeps_digits_beside_a_large_maximum(void **state)
{
    (void)state;
    static const double x[] = {0x1p60, 0x1p60};
    small_call call = {
        .op = "keel.log_softmax", .type = KEEL_F64, .inputs = 1, .input = {{1, {2}, x}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[0], -0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56);
    assert_true(call.truth[0].hard < 100 * 0x1p-53);
}

/* ---- norms ----------------------------------------------------------------------------------- */

static void rms_norm_of_three_and_four(void **state)
{
    (void)state;
    static const double x[] = {3, 4};
    static const double scale[] = {2, -1};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 0);
    small_call call = {.op = "keel.rms_norm",
                       .type = KEEL_F64,
                       .inputs = 2,
                       .input = {{1, {2}, x}, {1, {2}, scale}},
                       .attributes = &epsilon,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[0], 0x1.b27247aff148fp+0, 0x1.3da393b0e1e65p-56);
    expect_truth(&call.truth[1], -0x1.21a1851ff630ap+0, -0x1.a784c4ebd7ddcp-57);
    const double relative = ((8 + 4 * sqrt(2)) / 2 + 6 + 1) * 0x1p-53;
    assert_true(fabs(call.truth[0].tight / (relative * call.truth[0].hi) - 1) < 1e-9);
}

static void layer_norm_of_one_to_four(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 4, 3, 2, 1};
    static const double scale[] = {1, 2, 1, 2};
    static const double bias[] = {0, 0.25, 0, 0.25};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 0);
    small_call call = {.op = "keel.layer_norm",
                       .type = KEEL_F64,
                       .inputs = 3,
                       .input = {{2, {2, 4}, x}, {1, {4}, scale}, {1, {4}, bias}},
                       .attributes = &epsilon,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[0], -0x1.5775c544ff263p+0, 0x1.7f4210b2bf908p-56);
    expect_truth(&call.truth[1], -0x1.49f25c5bfedd9p-1, -0x1.ab294a33804a5p-56);
    expect_truth(&call.truth[2], 0x1.c9f25c5bfedd9p-2, 0x1.ab294a33804a5p-57);
    expect_truth(&call.truth[3], 0x1.7775c544ff263p+1, -0x1.7f4210b2bf908p-55);
    expect_truth(&call.truth[4], 0x1.5775c544ff263p+0, -0x1.7f4210b2bf908p-56);
    assert_true(call.truth[0].tight < call.truth[0].hard && call.truth[0].tight > 0);
}

/* axis 0 of a 2 x 2 array: one row of four. */
static void norms_take_several_axes_as_one_row(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4};
    const keel_attribute attributes[] = {keel_attribute_int("axis", 0),
                                         keel_attribute_float("epsilon", 0)};
    small_call call = {.op = "keel.layer_norm",
                       .type = KEEL_F32,
                       .inputs = 1,
                       .input = {{2, {2, 2}, x}},
                       .attributes = attributes,
                       .attribute_count = 2};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_truth(&call.truth[3], 0x1.5775c544ff263p+0, -0x1.7f4210b2bf908p-56);
}

static void a_sum_of_squares_that_overflows_is_not_bounded(void **state)
{
    (void)state;
    static const double x[] = {0x1p+70, 1};
    small_call call = {
        .op = "keel.rms_norm", .type = KEEL_F32, .inputs = 1, .input = {{1, {2}, x}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_true(isfinite(call.truth[0].hi) && isinf(call.truth[0].hard));
}

/* ---- wrong calls ----------------------------------------------------------------------------- */

typedef struct wrong_call {
    const char *op;
    small_input x, scale;
    keel_attribute attribute;
    const char *mentions;
} wrong_call;

static void wrong_calls_are_named(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6};
    const small_input array = {2, {2, 3}, x};
    const small_input none = {0};
    const keel_attribute last = keel_attribute_int("axis", 1);
    const wrong_call wrong[] = {
        {"keel.softmax", array, none, keel_attribute_int("axis", 2),
         "axis is 2, allowed is -2 to 1"},
        {"keel.softmax", {0, {0}, x}, none, last, "rank 0 has no axis"},
        {"keel.rms_norm", array, none, keel_attribute_int("axis", -3), "axis is -3"},
        {"keel.rms_norm", array, none, keel_attribute_float("epsilon", -1e-9), "epsilon is -1e-09"},
        {"keel.layer_norm", array, none, keel_attribute_float("epsilon", INFINITY),
         "epsilon is inf"},
        {"keel.layer_norm", array, none, keel_attribute_float("epsilon", NAN), "epsilon is nan"},
        {"keel.layer_norm", array, {2, {2, 3}, x}, last, "scale has rank 2, but a row"},
        {"keel.rms_norm",
         array,
         {1, {2}, x},
         last,
         "axis 0 of scale has size 2, allowed is 1 or 3"},
    };
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        const int is_softmax = strcmp(wrong[i].op, "keel.softmax") == 0;
        small_call call = {.op = wrong[i].op,
                           .type = KEEL_F32,
                           .inputs = is_softmax ? 1 : 2,
                           .input = {wrong[i].x, wrong[i].scale},
                           .attributes = &wrong[i].attribute,
                           .attribute_count = 1};
        assert_status(&call.err, small_call_ask(context, &call, NULL, 0),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&call.err, wrong[i].mentions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_of_one_two_three),
        cmocka_unit_test(softmax_goes_along_any_axis),
        cmocka_unit_test(softmax_of_special_rows_is_nan),
        cmocka_unit_test(softmax_leaves_out_minus_infinity),
        cmocka_unit_test(log_softmax_of_one_two_three),
        cmocka_unit_test(log_softmax_of_special_rows),
        cmocka_unit_test(log_softmax_keeps_digits_beside_a_large_maximum),
        cmocka_unit_test(rms_norm_of_three_and_four),
        cmocka_unit_test(layer_norm_of_one_to_four),
        cmocka_unit_test(norms_take_several_axes_as_one_row),
        cmocka_unit_test(a_sum_of_squares_that_overflows_is_not_bounded),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
