/*
 * Oracles of pooling against results written by hand, and the sentences that wrong calls get.
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

static const int64_t one[] = {1};
static const int64_t two[] = {2};
static const int64_t three[] = {3};
static const int64_t seven[] = {7};
static const int64_t two_two[] = {2, 2};
static const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static keel_attribute ints(const char *name, const int64_t *values, int32_t count)
{
    return keel_attribute_ints(name, (keel_int64_list){values, count});
}

static void expect_values(small_call *call, const double *want, int64_t count)
{
    assert_ok(&call->err, small_call_ask(context, call, NULL, 0));
    assert_int_equal(call->count, count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(want[i])) {
            assert_true(isnan(call->truth[i].hi));
        } else if (isinf(want[i])) {
            assert_true(call->truth[i].hi == want[i]);
        } else {
            const double distance = fabs((call->truth[i].hi - want[i]) + call->truth[i].lo);
            assert_true(distance <= fabs(want[i]) * 0x1p-52);
        }
    }
}

static void max_pool_lets_a_nan_win(void **state)
{
    (void)state;
    static const double x[] = {NAN, NAN, 1, NAN, 3, 4, -0.0, 0.0, -INFINITY, -INFINITY};
    const keel_attribute attributes[] = {ints("kernel_shape", two, 1), ints("strides", two, 1)};
    small_call call = {.op = "keel.max_pool",
                       .type = KEEL_F32,
                       .inputs = 1,
                       .input = {{3, {1, 1, 10}, x}},
                       .attributes = attributes,
                       .attribute_count = 2};
    expect_values(&call, (const double[]){NAN, NAN, 4, 0, -INFINITY}, 5);
    assert_false(signbit(call.truth[3].hi)); /* +0 is above -0 */
    call.asked = 1; /* the first NaN, the place of +0, the first of equals */
    expect_values(&call, (const double[]){0, 3, 5, 7, 8}, 5);
}

/* 3 x 3, windows of 2 x 2: the greatest is at the lower right; the second channel has equals. */
static void max_pool_counts_places_by_rows_or_columns(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    keel_attribute attributes[] = {ints("kernel_shape", two_two, 2),
                                   keel_attribute_int("storage_order", 0)};
    small_call call = {.op = "keel.max_pool",
                       .type = KEEL_U8,
                       .inputs = 1,
                       .input = {{4, {1, 2, 3, 3}, x}},
                       .attributes = attributes,
                       .attribute_count = 2,
                       .asked = 1};
    expect_values(&call, (const double[]){4, 5, 7, 8, 9, 10, 12, 13}, 8);
    attributes[1] = keel_attribute_int("storage_order", 1);
    expect_values(&call, (const double[]){4, 7, 5, 8, 9, 12, 10, 13}, 8);
}

/* 1 .. 9 with windows of 7 and steps of 3: 28 / 7, 39 / 7, and 24 over what is there. */
static void average_pool_counts_what_exists(void **state)
{
    (void)state;
    static const int64_t pads[] = {0, 3};
    keel_attribute attributes[] = {ints("kernel_shape", seven, 1), ints("strides", three, 1),
                                   ints("pads", pads, 2), keel_attribute_int("ceil_mode", 1),
                                   keel_attribute_int("count_include_pad", 1)};
    small_call call = {.op = "keel.average_pool",
                       .type = KEEL_F64,
                       .inputs = 1,
                       .input = {{3, {1, 1, 9}, nine}},
                       .attributes = attributes,
                       .attribute_count = 5};
    expect_values(&call, (const double[]){4, 39.0 / 7, 4}, 3); /* 24 / 6: three of the padding */
    attributes[4] = keel_attribute_int("count_include_pad", 0);
    expect_values(&call, (const double[]){4, 6.5, 8}, 3); /* 39 / 6, 24 / 3 */
}

static void average_pool_with_dilation(void **state)
{
    (void)state;
    const keel_attribute attributes[] = {ints("kernel_shape", three, 1), ints("dilations", two, 1)};
    small_call call = {.op = "keel.average_pool",
                       .type = KEEL_F32,
                       .inputs = 1,
                       .input = {{3, {1, 1, 9}, nine}},
                       .attributes = attributes,
                       .attribute_count = 2};
    expect_values(&call, (const double[]){3, 4, 5, 6, 7}, 5);
}

/* Of one element too few, SAME_UPPER pads the end and SAME_LOWER the beginning. */
static void pads_of_the_same_size_go_where_they_are_told(void **state)
{
    (void)state;
    keel_attribute attributes[] = {ints("kernel_shape", two, 1),
                                   keel_attribute_bytes("auto_pad", "SAME_UPPER")};
    small_call call = {.op = "keel.average_pool",
                       .type = KEEL_F32,
                       .inputs = 1,
                       .input = {{3, {1, 1, 3}, nine}},
                       .attributes = attributes,
                       .attribute_count = 2};
    expect_values(&call, (const double[]){1.5, 2.5, 3}, 3);
    attributes[1] = keel_attribute_bytes("auto_pad", "SAME_LOWER");
    expect_values(&call, (const double[]){1, 1.5, 2.5}, 3);
    attributes[1] = keel_attribute_bytes("auto_pad", "VALID");
    expect_values(&call, (const double[]){1.5, 2.5}, 2);
}

static void lp_pool_of_one_two_three(void **state)
{
    (void)state;
    static const double x[] = {1, -2, 3};
    keel_attribute attributes[] = {ints("kernel_shape", three, 1), keel_attribute_int("p", 3)};
    small_call call = {.op = "keel.lp_pool",
                       .type = KEEL_F64,
                       .inputs = 1,
                       .input = {{3, {1, 1, 3}, x}},
                       .attributes = attributes,
                       .attribute_count = 2};
    expect_values(&call, (const double[]){0x1.a6a58d55e307cp+1}, 1);
    attributes[1] = keel_attribute_int("p", 2);
    expect_values(&call, (const double[]){0x1.deeea11683f49p+1}, 1);
    attributes[1] = keel_attribute_int("p", 1);
    expect_values(&call, (const double[]){6}, 1);
}

static void windows_in_padding_are_refused(void **state)
{
    (void)state;
    static const struct {
        int64_t kernel[1], dilation[1], pads[2], size;
        const char *mentions;
    } wrong[] = {
        {{2}, {1}, {0, 2}, 3, "window 3 of 4 meets only padding"},
        {{2}, {2}, {1, 1}, 1, "window 0 of 1 meets only padding"}, /* one tap on either side */
        {{3}, {1}, {5, 5}, 4, "window 0 of 12 meets only padding"},
    };
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        const keel_attribute attributes[] = {ints("kernel_shape", wrong[i].kernel, 1),
                                             ints("dilations", wrong[i].dilation, 1),
                                             ints("pads", wrong[i].pads, 2)};
        small_call call = {.op = "keel.max_pool",
                           .type = KEEL_F32,
                           .inputs = 1,
                           .input = {{3, {1, 1, wrong[i].size}, nine}},
                           .attributes = attributes,
                           .attribute_count = 3};
        assert_status(&call.err, small_call_ask(context, &call, NULL, 0),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&call.err, wrong[i].mentions);
    }
}

/* ---- wrong calls ----------------------------------------------------------------------------- */

typedef struct wrong_call {
    const char *op;
    small_input x;
    keel_attribute attribute[2];
    const char *mentions;
} wrong_call;

static void wrong_calls_are_named(void **state)
{
    (void)state;
    static const int64_t zero[] = {0};
    const small_input line = {3, {1, 1, 9}, nine};
    const small_input flat = {2, {1, 9}, nine};
    const keel_attribute window = ints("kernel_shape", two, 1);
    const wrong_call wrong[] = {
        {"keel.max_pool",
         line,
         {window, keel_attribute_int("storage_order", 2)},
         "storage_order is 2, must be 0 or 1"},
        {"keel.average_pool",
         line,
         {window, keel_attribute_int("count_include_pad", -1)},
         "count_include_pad is -1, must be 0 or 1"},
        {"keel.lp_pool", line, {window, keel_attribute_int("p", 0)}, "p is 0, must be 1 to"},
        {"keel.lp_pool", line, {window, ints("strides", zero, 1)}, "strides[0] is 0"},
        {"keel.lp_pool", line, {window, ints("strides", two_two, 2)}, "strides has 2 elements"},
        {"keel.max_pool", flat, {window, keel_attribute_int("ceil_mode", 0)}, "x has rank 2"},
        {"keel.max_pool", line, {window, keel_attribute_int("ceil_mode", 2)}, "ceil_mode is 2"},
        {"keel.max_pool",
         line,
         {window, keel_attribute_bytes("auto_pad", "SAME")},
         "auto_pad is \"SAME\""},
        {"keel.average_pool",
         {3, {1, 1, 1}, nine},
         {window, ints("strides", one, 1)},
         "the window spans 2 elements"},
    };
    for (size_t i = 0; i < KEEL_COUNT(wrong); i++) {
        small_call call = {.op = wrong[i].op,
                           .type = KEEL_F32,
                           .inputs = 1,
                           .input = {wrong[i].x},
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
        cmocka_unit_test(max_pool_lets_a_nan_win),
        cmocka_unit_test(max_pool_counts_places_by_rows_or_columns),
        cmocka_unit_test(average_pool_counts_what_exists),
        cmocka_unit_test(average_pool_with_dilation),
        cmocka_unit_test(pads_of_the_same_size_go_where_they_are_told),
        cmocka_unit_test(lp_pool_of_one_two_three),
        cmocka_unit_test(windows_in_padding_are_refused),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
