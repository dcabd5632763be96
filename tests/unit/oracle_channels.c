/*
 * Oracles of the norms over channels and lines, and of layer_norm's statistics, against values
 * worked out with 60 decimal digits; the sentences that wrong calls get.
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
    assert_true(truth->tight <= truth->hard && truth->tight > 0);
}

static void ask(small_call *call)
{
    assert_ok(&call->err, small_call_ask(context, call, NULL, 0));
}

/* (3 - 1) / sqrt(3.5) * 2 + 0.25 and (-1 + 2) / sqrt(0.75) * -1 + 1, each twice. */
static void batch_norm_takes_each_channel_by_its_own(void **state)
{
    (void)state;
    static const double x[] = {3, 3, -1, -1};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 0.5);
    small_call call = {.op = "keel.batch_norm",
                       .type = KEEL_F64,
                       .inputs = 5,
                       .input = {{3, {1, 2, 2}, x},
                                 {1, {2}, (const double[]){2, -1}},
                                 {1, {2}, (const double[]){0.25, 1}},
                                 {1, {2}, (const double[]){1, -2}},
                                 {1, {2}, (const double[]){3, 0.25}}},
                       .attributes = &epsilon,
                       .attribute_count = 1};
    ask(&call);
    for (int i = 0; i < 2; i++) {
        expect_truth(&call.truth[i], 0x1.31acee560242ap+1, -0x1.b5553424c4b58p-54);
        expect_truth(&call.truth[2 + i], -0x1.3cd3a2c8198e2p-3, -0x1.a431f03c95f65p-57);
    }
    /* 6 u |scaled| + 2 u |y|: batch_norm.md. */
    const double y = call.truth[0].hi;
    assert_true(fabs(call.truth[0].tight / (0x1p-53 * (6 * (y - 0.25) + 2 * y)) - 1) < 1e-9);
}

static void batch_norm_with_a_negative_variance_is_nan(void **state)
{
    (void)state;
    static const double one[] = {1};
    small_call call = {.op = "keel.batch_norm",
                       .type = KEEL_F32,
                       .inputs = 5,
                       .input = {{2, {1, 1}, one},
                                 {1, {1}, one},
                                 {1, {1}, one},
                                 {1, {1}, one},
                                 {1, {1}, (const double[]){-1}}}};
    ask(&call);
    assert_true(isnan(call.truth[0].hi));
}

/* Rows 1 2 4, the second channel with scale 2 and bias 0.5. */
static void instance_norm_of_one_two_four(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 4, 1, 2, 4};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 0);
    small_call call = {.op = "keel.instance_norm",
                       .type = KEEL_F64,
                       .inputs = 3,
                       .input = {{3, {1, 2, 3}, x},
                                 {1, {2}, (const double[]){1, 2}},
                                 {1, {2}, (const double[]){0, 0.5}}},
                       .attributes = &epsilon,
                       .attribute_count = 1};
    ask(&call);
    expect_truth(&call.truth[0], -0x1.11acee560242ap+0, 0x1.b5553424c4b58p-55);
    expect_truth(&call.truth[1], -0x1.11acee560242ap-2, 0x1.b5553424c4b58p-57);
    expect_truth(&call.truth[2], 0x1.561829eb82d34p+0, 0x1.dd557ed20a1d3p-55);
    expect_truth(&call.truth[3], -0x1.a359dcac04854p+0, 0x1.b5553424c4b58p-54);
    /* -0.034...: what the bias takes away was rounded before. */
    assert_true(fabs(call.truth[4].hi + 0x1.1acee5602429dp-5) < 0x1p-61);
    expect_truth(&call.truth[5], 0x1.961829eb82d34p+1, 0x1.dd557ed20a1d3p-54);
}

/* Channels 1 2 | 4 8: -0.5 / sqrt(0.25 + 0.25) and 2 / sqrt(4 + 0.25) * 4. */
static void group_norm_of_two_groups(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 4, 8};
    const keel_attribute attributes[] = {keel_attribute_int("num_groups", 2),
                                         keel_attribute_float("epsilon", 0.25)};
    small_call call = {.op = "keel.group_norm",
                       .type = KEEL_F64,
                       .inputs = 2,
                       .input = {{2, {1, 4}, x}, {1, {4}, (const double[]){1, 2, 3, 4}}},
                       .attributes = attributes,
                       .attribute_count = 2};
    ask(&call);
    expect_truth(&call.truth[0], -0x1.6a09e667f3bcdp-1, 0x1.bdd3413b26456p-55);
    expect_truth(&call.truth[3], 0x1.f0b6848d2af1cp+1, 0x1.4662c4cc8a644p-54);
}

static void lp_norm_of_small_rows(void **state)
{
    (void)state;
    static const double x[] = {1, -2, 3, 0, 0, 0};
    small_call call = {
        .op = "keel.lp_norm", .type = KEEL_F64, .inputs = 1, .input = {{2, {2, 3}, x}}};
    ask(&call);
    expect_truth(&call.truth[1], -0x1.11acee560242ap-1, 0x1.b5553424c4b58p-56);
    expect_truth(&call.truth[2], 0x1.9a8365810363fp-1, -0x1.47ffe71b93882p-55);
    for (int i = 3; i < 6; i++) { /* 0 over 0 is 0 */
        assert_true(call.truth[i].hi == 0);
    }
    const keel_attribute p = keel_attribute_int("p", 1);
    call.attributes = &p;
    call.attribute_count = 1;
    ask(&call);
    assert_true(call.truth[2].hi == 0.5);
}

static void lrn_sums_over_neighbouring_channels(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4};
    static const double want[][2] = {{0x1.16b28f55d72d4p-1, -0x1.53f114c5b8285p-60},
                                     {0x1.4b6dd62fe4baap-1, -0x1.beb0a891c91a2p-56},
                                     {0x1.3b898ed68e72cp-1, -0x1.5607cabdfffb9p-56},
                                     {0x1.cf874c2994efcp-1, -0x1.ee44737845750p-55}};
    const keel_attribute attributes[] = {keel_attribute_int("size", 3),
                                         keel_attribute_float("alpha", 0.75)};
    small_call call = {.op = "keel.lrn",
                       .type = KEEL_F64,
                       .inputs = 1,
                       .input = {{2, {1, 4}, x}},
                       .attributes = attributes,
                       .attribute_count = 2};
    ask(&call);
    for (int i = 0; i < 4; i++) {
        expect_truth(&call.truth[i], want[i][0], want[i][1]);
    }
}

/* Of an even window the odd channel is behind. bias 2, beta 0.5, alpha / size 0.5. */
static void lrn_with_an_even_window(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4};
    static const double want[][2] = {{0x1.e2b7dddfefa66p-2, 0x1.60eea419de8e2p-58},
                                     {0x1.5f3aa673fa911p-1, -0x1.6302e5954f43dp-55},
                                     {0x1.935f94a2a4a4bp-1, -0x1.3c3ba6004c24cp-55},
                                     {0x1.43d136248490fp+0, -0x1.2648bb4986143p-55}};
    const keel_attribute attributes[] = {
        keel_attribute_int("size", 2), keel_attribute_float("alpha", 1),
        keel_attribute_float("beta", 0.5), keel_attribute_float("bias", 2)};
    small_call call = {.op = "keel.lrn",
                       .type = KEEL_F64,
                       .inputs = 1,
                       .input = {{2, {1, 4}, x}},
                       .attributes = attributes,
                       .attribute_count = 4};
    ask(&call);
    for (int i = 0; i < 4; i++) {
        expect_truth(&call.truth[i], want[i][0], want[i][1]);
    }
}

/* Rows 1 2 3 4 and 2 2 2 2 with epsilon 0.25: means 2.5 and 2; 1 / sqrt(1.5) and 2. */
static void layer_norm_gives_its_statistics(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 2, 2, 2, 2};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 0.25);
    small_call call = {.op = "keel.layer_norm",
                       .type = KEEL_F64,
                       .inputs = 1,
                       .input = {{2, {2, 4}, x}},
                       .attributes = &epsilon,
                       .attribute_count = 1,
                       .asked = 1};
    ask(&call);
    assert_int_equal(call.output.dtype, KEEL_F32);
    assert_true(call.output.rank == 2 && call.output.shape[0] == 2 && call.output.shape[1] == 1);
    assert_true(call.truth[0].hi == 2.5 && call.truth[1].hi == 2);
    call.asked = 2;
    ask(&call);
    expect_truth(&call.truth[0], 0x1.a20bd700c2c3ep-1, -0x1.fde99f28943c7p-60);
    assert_true(call.truth[1].hi == 2);
}

/* ---- wrong calls ----------------------------------------------------------------------------- */

typedef struct wrong_call {
    const char *op;
    uint32_t inputs;
    small_input x, scale;
    keel_attribute attribute[2];
    const char *mentions;
} wrong_call;

static void wrong_calls_are_named(void **state)
{
    (void)state;
    static const double v[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const small_input array = {3, {1, 4, 2}, v};
    const small_input line = {1, {4}, v};
    const small_input none = {0};
    const small_input short_scale = {1, {3}, v};
    const keel_attribute epsilon = keel_attribute_float("epsilon", 1e-5);
    const keel_attribute two = keel_attribute_int("num_groups", 2);
    const keel_attribute size = keel_attribute_int("size", 3);
    const keel_attribute axis = keel_attribute_int("axis", 0);
    const wrong_call wrong[] = {
        {"keel.batch_norm",
         5,
         array,
         short_scale,
         {epsilon, keel_attribute_int("training_mode", 0)},
         "scale has 3 elements, must have 4"},
        {"keel.batch_norm",
         5,
         array,
         line,
         {epsilon, keel_attribute_int("training_mode", 1)},
         "training_mode is 1, must be 0"},
        {"keel.batch_norm",
         5,
         line,
         line,
         {epsilon, keel_attribute_int("training_mode", 0)},
         "x has rank 1, must have at least 2"},
        {"keel.group_norm",
         3,
         array,
         line,
         {epsilon, keel_attribute_int("num_groups", 3)},
         "num_groups is 3, must be 1 or more and divide the 4 channels"},
        {"keel.group_norm",
         3,
         array,
         line,
         {epsilon, keel_attribute_int("num_groups", 0)},
         "num_groups is 0"},
        {"keel.group_norm",
         3,
         array,
         line,
         {keel_attribute_float("epsilon", -1), two},
         "epsilon is -1, allowed is 0 to"},
        {"keel.group_norm", 3, array, array, {epsilon, two}, "scale has rank 3, must have 1"},
        {"keel.lp_norm",
         1,
         array,
         none,
         {axis, keel_attribute_int("p", 3)},
         "p is 3, must be 1 or 2"},
        {"keel.lp_norm",
         1,
         array,
         none,
         {keel_attribute_int("axis", 3), keel_attribute_int("p", 2)},
         "axis is 3, allowed is -3 to 2"},
        {"keel.lrn",
         1,
         array,
         none,
         {keel_attribute_int("size", 0), keel_attribute_float("beta", 1)},
         "size is 0, must be 1 to"},
        {"keel.lrn", 1, array, none, {size, keel_attribute_float("beta", NAN)}, "beta is nan"},
        {"keel.lrn", 1, line, none, {size, keel_attribute_float("beta", 1)}, "x has rank 1"},
    };
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        small_call call = {.op = wrong[i].op,
                           .type = KEEL_F32,
                           .inputs = wrong[i].inputs,
                           .input = {wrong[i].x, wrong[i].scale, line, line, line},
                           .attributes = wrong[i].attribute,
                           .attribute_count = 2};
        assert_status(&call.err, small_call_ask(context, &call, NULL, 0),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&call.err, wrong[i].mentions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_norm_takes_each_channel_by_its_own),
        cmocka_unit_test(batch_norm_with_a_negative_variance_is_nan),
        cmocka_unit_test(instance_norm_of_one_two_four),
        cmocka_unit_test(group_norm_of_two_groups),
        cmocka_unit_test(lp_norm_of_small_rows),
        cmocka_unit_test(lrn_sums_over_neighbouring_channels),
        cmocka_unit_test(lrn_with_an_even_window),
        cmocka_unit_test(layer_norm_gives_its_statistics),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
