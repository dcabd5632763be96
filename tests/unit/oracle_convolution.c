/*
 * The oracles of keel.conv and keel.conv_transpose against results worked out by hand or printed in
 * ONNX's own examples, their bounds against the formula, and the sentences that wrong calls get.
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

static double ramp[64]; /* 0, 1, 2, ... */
static double ones[64];

static void expect_values(const small_call *call, const double *want, int64_t count)
{
    assert_int_equal(call->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_true(call->truth[i].hi == want[i] || (isnan(want[i]) && isnan(call->truth[i].hi)));
        assert_true(call->truth[i].lo == 0.0);
    }
}

static keel_attribute ints(const char *name, const int64_t *values, int32_t count)
{
    return keel_attribute_ints(name, (keel_int64_list){values, count});
}

/* A 5 x 5 image 0..24 and a window of nine ones. */
static small_call image_call(void)
{
    return (small_call){.op = "keel.conv",
                        .type = KEEL_F32,
                        .inputs = 3,
                        .input = {{4, {1, 1, 5, 5}, ramp}, {4, {1, 1, 3, 3}, ones}}};
}

static const int64_t pads_of_one[] = {1, 1, 1, 1};

static void padded_sums_are_those_of_the_standard(void **state)
{
    (void)state;
    static const double want[] = {12,  21, 27, 33,  24,  33,  54,  63, 72,  51,  63,  99, 108,
                                  117, 81, 93, 144, 153, 162, 111, 72, 111, 117, 123, 84};
    static const keel_dtype types[] = {KEEL_F64, KEEL_F32, KEEL_F16, KEEL_BF16};
    const keel_attribute pads = ints("pads", pads_of_one, 4);
    for (size_t i = 0; i < KEEL_COUNT(types); i++) {
        small_call call = image_call();
        call.type = types[i];
        call.attributes = &pads;
        call.attribute_count = 1;
        assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
        expect_values(&call, want, KEEL_COUNT(want));
    }
}

static void strides_skip_windows(void **state)
{
    (void)state;
    static const double want[] = {12, 27, 24, 63, 108, 81, 123, 198, 141, 112, 177, 124};
    static const double lower[] = {12, 27, 24, 63, 108, 81, 72, 117, 84};
    const int64_t two[] = {2, 2};
    keel_attribute attributes[] = {ints("pads", pads_of_one, 4), ints("strides", two, 2)};
    small_call call = image_call();
    call.input[0].shape[2] = 7;
    call.attributes = attributes;
    call.attribute_count = 2;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
    call.input[0].shape[2] = 5;
    attributes[0] = keel_attribute_bytes("auto_pad", "SAME_LOWER");
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, lower, KEEL_COUNT(lower));
}

/* Dilated taps 2 apart: corners of a 3 x 3 square. */
static void dilations_spread_the_taps(void **state)
{
    (void)state;
    static const double want[] = {24, 28, 32, 44, 48, 52, 64, 68, 72};
    const int64_t two[] = {2, 2};
    const keel_attribute attribute = ints("dilations", two, 2);
    small_call call = image_call();
    call.input[1].shape[2] = call.input[1].shape[3] = 2;
    call.attributes = &attribute;
    call.attribute_count = 1;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
}

/* Two groups: channel 0 with weights 1 and 2, channel 1 with 3 and 4; biases 10 to 40. */
static void groups_do_not_mix(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6};
    static const double w[] = {1, 2, 3, 4};
    static const double bias[] = {10, 20, 30, 40};
    static const double want[] = {11, 12, 13, 22, 24, 26, 42, 45, 48, 56, 60, 64};
    const keel_attribute group = keel_attribute_int("group", 2);
    small_call call = {.op = "keel.conv",
                       .type = KEEL_F32,
                       .inputs = 3,
                       .input = {{3, {1, 2, 3}, x}, {3, {4, 1, 1}, w}, {1, {4}, bias}},
                       .attributes = &group,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
}

static void a_transposed_window_spreads_the_input(void **state)
{
    (void)state;
    static const double want[] = {0,  1,  3, 3,  2,  3,  8,  15, 12, 7,  9,  21, 36,
                                  27, 15, 9, 20, 33, 24, 13, 6,  13, 21, 15, 8};
    small_call call = {.op = "keel.conv_transpose",
                       .type = KEEL_F32,
                       .inputs = 3,
                       .input = {{4, {1, 1, 3, 3}, ramp}, {4, {1, 1, 3, 3}, ones}}};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
}

/* Two positions 1, 2 two apart through taps 1, 10, 100; one more element by output_padding. */
static void output_padding_adds_to_the_end(void **state)
{
    (void)state;
    static const double x[] = {1, 2};
    static const double w[] = {1, 10, 100};
    static const double bias[] = {0.5};
    static const double want[] = {1.5, 10.5, 102.5, 20.5, 200.5, 0.5};
    static const double fitted[] = {10.5, 102.5, 20.5, 200.5};
    const int64_t two[] = {2};
    const int64_t one[] = {1};
    const int64_t four[] = {4};
    keel_attribute attributes[] = {ints("strides", two, 1), ints("output_padding", one, 1)};
    small_call call = {.op = "keel.conv_transpose",
                       .type = KEEL_F32,
                       .inputs = 3,
                       .input = {{3, {1, 1, 2}, x}, {3, {1, 1, 3}, w}, {1, {1}, bias}},
                       .attributes = attributes,
                       .attribute_count = 2};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
    attributes[1] = ints("output_shape", four, 1); /* one of five too many: the first */
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, fitted, KEEL_COUNT(fitted));
}

/* Weights of a transposed convolution are [C, M / group, taps]. */
static void groups_of_a_transposed_window_do_not_mix(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4};
    static const double w[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double want[] = {7, 10, 43, 50};
    const keel_attribute group = keel_attribute_int("group", 2);
    small_call call = {.op = "keel.conv_transpose",
                       .type = KEEL_F32,
                       .inputs = 3,
                       .input = {{3, {1, 4, 1}, x}, {3, {4, 2, 1}, w}},
                       .attributes = &group,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    expect_values(&call, want, KEEL_COUNT(want));
}

/* K = 9, with a bias: n = 10; the same for a corner, where five taps lie on padding. */
static void bounds_follow_their_formula(void **state)
{
    (void)state;
    static const double bias[] = {100};
    const keel_attribute pads = ints("pads", pads_of_one, 4);
    const double u = 0x1p-24;
    small_call call = image_call();
    call.input[2] = (small_input){1, {1}, bias};
    call.attributes = &pads;
    call.attribute_count = 1;
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    const double lost = 12 * 0x1p-150;
    const double hard = 12 * u / (1 - 12 * u) * 112 * (1 + u) + u * 112 + lost;
    assert_true(call.truth[0].hi == 112 && call.truth[0].scale == 112);
    assert_true(fabs(call.truth[0].hard / hard - 1) < 1e-12);
    const double tight = (8 + 4 * sqrt(10)) * u * 112 + u * 112;
    assert_true(fabs(call.truth[0].tight / fmin(tight, hard) - 1) < 1e-9);
}

/* What meets padding does not count, unless it is a weight without a value. */
static void padding_leaves_infinite_weights_open(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3};
    static const double w[] = {INFINITY, 1, 1};
    const int64_t one[] = {1, 1};
    const keel_attribute pads = ints("pads", one, 2);
    small_call call = {.op = "keel.conv",
                       .type = KEEL_F32,
                       .inputs = 3,
                       .input = {{3, {1, 1, 3}, x}, {3, {1, 1, 3}, w}},
                       .attributes = &pads,
                       .attribute_count = 1};
    assert_ok(&call.err, small_call_ask(context, &call, NULL, 0));
    assert_true(call.truth[0].hi == 3 && isinf(call.truth[0].hard));
    assert_true(isinf(call.truth[1].hi) && call.truth[1].hard == 0x1p-150);
    assert_true(isinf(call.truth[2].hi) && call.truth[2].hard == 0x1p-150);
}

static void expect_refusal(small_call *call, const char *words)
{
    assert_status(&call->err, small_call_ask(context, call, NULL, 0), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&call->err, call->op);
    assert_mentions(&call->err, words);
}

static void wrong_shapes_are_named(void **state)
{
    (void)state;
    small_call call = image_call();
    call.input[1].rank = 3;
    expect_refusal(&call, "w has rank 3, it must be that of x, 4");
    call = image_call();
    call.input[1].shape[1] = 2;
    expect_refusal(&call, "axis 1 of w has 2 elements, it must have 1: 1 channels of x in 1 gr");
    call = image_call();
    call.input[2] = (small_input){2, {1, 1}, ones};
    expect_refusal(&call, "bias has rank 2, it must be 1");
    call = image_call();
    call.input[2] = (small_input){1, {2}, ones};
    expect_refusal(&call, "bias has 2 elements, it must have 1, the channels of the output");
    call = image_call();
    call.op = "keel.conv_transpose";
    call.input[1].shape[0] = 2;
    expect_refusal(&call, "axis 0 of w has 2 elements, it must have 1, the channels of x");
}

static void wrong_groups_are_named(void **state)
{
    (void)state;
    keel_attribute group = keel_attribute_int("group", 0);
    small_call call = image_call();
    call.attributes = &group;
    call.attribute_count = 1;
    expect_refusal(&call, "group is 0, it must be at least 1");
    group = keel_attribute_int("group", 2);
    expect_refusal(&call, "axis 1 of x has 1 elements, group is 2 and must divide it");
    call.input[0] = (small_input){4, {1, 2, 5, 5}, ramp};
    expect_refusal(&call, "axis 0 of w has 1 elements, group is 2 and must divide it");
}

int main(void)
{
    for (size_t i = 0; i < KEEL_COUNT(ramp); i++) {
        ramp[i] = (double)i;
        ones[i] = 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padded_sums_are_those_of_the_standard),
        cmocka_unit_test(strides_skip_windows),
        cmocka_unit_test(dilations_spread_the_taps),
        cmocka_unit_test(groups_do_not_mix),
        cmocka_unit_test(a_transposed_window_spreads_the_input),
        cmocka_unit_test(output_padding_adds_to_the_end),
        cmocka_unit_test(groups_of_a_transposed_window_do_not_mix),
        cmocka_unit_test(bounds_follow_their_formula),
        cmocka_unit_test(padding_leaves_infinite_weights_open),
        cmocka_unit_test(wrong_shapes_are_named),
        cmocka_unit_test(wrong_groups_are_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
