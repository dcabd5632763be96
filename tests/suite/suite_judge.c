/* The comparison rules and the tally, with numbers worked out by hand. */
#include <math.h>

#include "judge.h"
#include "keel/keel.h"
#include "keel_test.h"
#include "tally.h"

#define ULP_OF_ONE 0x1p-23 /* F32 */

static keel_truth bound(double value, double hard, double tight)
{
    return (keel_truth){.hi = value, .hard = hard, .tight = tight, .rule = KEEL_RULE_BOUND};
}

static keel_truth rounded(double hi, double lo)
{
    return (keel_truth){.hi = hi, .lo = lo, .rule = KEEL_RULE_ROUNDED};
}

static conf_judgement judge_f32(float got, keel_truth truth)
{
    return conf_judge(KEEL_F32, &truth, &got, 0);
}

/*
 * KB-N053, as reported of another system: https://github.com/microsoft/onnxruntime/issues/25198
 * A mean whose true value is almost 0: noise of the size that its terms allow is right, though it
 * is many times the value; noise beyond that is not.
 */
static void noise_around_zero_is_judged_by_the_terms(void **state)
{
    (void)state;
    enum { TERMS = 899 };
    float x[TERMS];
    for (int i = 0; i < TERMS; i++) { /* of magnitude 1, and their sum is next to nothing */
        x[i] = (i & 1) != 0 ? 1.0F + (float)ULP_OF_ONE * (float)(i % 5) : -1.0F;
    }
    x[TERMS - 1] = 0.0F;
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    const keel_desc operands[] = {{.dtype = KEEL_F32, .rank = 1, .shape = {TERMS}, .stride = {1}},
                                  {.dtype = KEEL_F32, .rank = 1, .shape = {1}}};
    const void *host[] = {x};
    keel_truth truth = {0};
    assert_ok(&err, keel_op_oracle(keel_op_find(context, "keel.reduce_mean"), NULL, 0, operands, 2,
                                   host, 0, NULL, 0, 1, &truth, &err));
    assert_true(fabs(truth.hi) < 1.3e-7);
    assert_true(conf_judge(KEEL_F32, &truth, &(float){(float)truth.hi + 1e-7F}, 0).right);
    assert_true(conf_judge(KEEL_F32, &truth, &(float){(float)truth.hi - 1e-7F}, 0).right);
    assert_false(conf_judge(KEEL_F32, &truth, &(float){1e-3F}, 0).right);
    keel_context_release(context);
}

/* ---- exact rules ----------------------------------------------------------------------------- */

static void bits_must_agree_and_the_sign_of_zero_counts(void **state)
{
    (void)state;
    const keel_truth minus_zero = {.bits = INT64_C(0x80000000), .rule = KEEL_RULE_BITS};
    assert_true(judge_f32(-0.0F, minus_zero).right);
    assert_false(judge_f32(0.0F, minus_zero).right);
    const int32_t got = 7;
    keel_truth seven = {.bits = 7, .rule = KEEL_RULE_BITS};
    assert_true(conf_judge(KEEL_I32, &seven, &got, 0).right);
    seven.bits = 8;
    assert_false(conf_judge(KEEL_I32, &seven, &got, 0).right);
}

static void any_nan_matches_a_nan_and_nothing_else_does(void **state)
{
    (void)state;
    const keel_truth nan_bits = {.bits = 0x7FC00000, .rule = KEEL_RULE_BITS};
    const uint32_t other = 0xFF800001;
    float payload;
    memcpy(&payload, &other, sizeof payload);
    assert_true(judge_f32(payload, nan_bits).right);
    assert_false(judge_f32(INFINITY, nan_bits).right);
    assert_true(judge_f32(NAN, rounded((double)NAN, 0.0)).right);
    assert_false(judge_f32(NAN, rounded(1.0, 0.0)).right);
    assert_false(judge_f32(1.0F, rounded((double)NAN, 0.0)).right);
}

static void a_rounded_truth_has_one_right_neighbour(void **state)
{
    (void)state;
    const double half = ULP_OF_ONE / 2.0;
    /* A tie goes to the even neighbour, 1; the tail decides what lies just beside the tie. */
    assert_true(judge_f32(1.0F, rounded(1.0 + half, 0.0)).right);
    assert_true(judge_f32(1.0F + (float)ULP_OF_ONE, rounded(1.0 + half, 0x1p-60)).right);
    assert_false(judge_f32(1.0F, rounded(1.0 + half, 0x1p-60)).right);
    assert_true(judge_f32(INFINITY, rounded(1e300, 0.0)).right);
    assert_false(judge_f32(3.4e38F, rounded(1e300, 0.0)).right);
}

static void a_wrong_exact_element_reports_its_distance(void **state)
{
    (void)state;
    const conf_judgement j = judge_f32(1.0F + 3.0F * (float)ULP_OF_ONE, rounded(1.0, 0.0));
    assert_false(j.right);
    assert_true(j.ulp == 3.0);
    assert_true(isinf(j.hard_ratio));
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void a_distance_is_judged_by_both_bounds(void **state)
{
    (void)state;
    const keel_truth truth = bound(1.0, 4.0 * ULP_OF_ONE, 2.0 * ULP_OF_ONE);
    conf_judgement j = judge_f32(1.0F + 2.0F * (float)ULP_OF_ONE, truth);
    assert_true(j.right && j.tight_right && j.ulp == 2.0);
    j = judge_f32(1.0F + 3.0F * (float)ULP_OF_ONE, truth);
    assert_true(j.right && !j.tight_right);
    assert_true(fabs(j.hard_ratio - 0.75) < 1e-9 && fabs(j.tight_ratio - 1.5) < 1e-9);
    j = judge_f32(1.0F + 5.0F * (float)ULP_OF_ONE, truth);
    assert_false(j.right);
    j = judge_f32(1.0F - (float)ULP_OF_ONE, truth);
    assert_true(fabs(j.signed_ratio + 0.5) < 1e-9);
}

static void the_tail_of_the_truth_counts(void **state)
{
    (void)state;
    keel_truth truth = bound(1.0, 0x1p-25, 0x1p-25);
    truth.lo = 0x1p-24;
    assert_false(judge_f32(1.0F, truth).right);
    truth.hard = truth.tight = 0x1p-24;
    assert_true(judge_f32(1.0F, truth).right);
}

static void half_the_smallest_subnormal_is_always_allowed(void **state)
{
    (void)state;
    assert_true(judge_f32(0.0F, bound(0x1p-150, 0.0, 0.0)).right);
    assert_false(judge_f32(0.0F, bound(0x1p-149, 0.0, 0.0)).right);
    assert_true(judge_f32(-0.0F, bound(0.0, 0.0, 0.0)).right); /* a sum's zero has any sign */
    const double got = 0x1p-1074;
    keel_truth truth = bound(0.0, 0.0, 0.0);
    assert_true(conf_judge(KEEL_F64, &truth, &got, 0).tight_right);
    truth.hi = -0x1p-1074;
    assert_false(conf_judge(KEEL_F64, &truth, &got, 0).right);
}

static void a_tight_bound_above_the_hard_one_is_cut(void **state)
{
    (void)state;
    const conf_judgement j = judge_f32(1.5F, bound(1.0, 1.0, 100.0));
    assert_true(fabs(j.tight_ratio - 0.5) < 1e-9);
}

static void infinities_are_compared_after_rounding(void **state)
{
    (void)state;
    const double max = keel_dtype_max(KEEL_F32);
    assert_true(judge_f32(INFINITY, bound(1e39, 1.0, 1.0)).right);
    assert_false(judge_f32(-INFINITY, bound(1e39, 1.0, 1.0)).right);
    assert_true(judge_f32(INFINITY, bound((double)INFINITY, 0.0, 0.0)).right);
    assert_false(judge_f32(3e38F, bound((double)INFINITY, 0.0, 0.0)).right);
    /* Just below the largest value an infinity is right, further below it is not. */
    assert_true(judge_f32(INFINITY, bound(max * (1.0 - 0x1p-23), 1e30, 1e30)).right);
    assert_false(judge_f32(INFINITY, bound(max * (1.0 - 0x1p-20), 1e30, 1e30)).right);
    assert_false(judge_f32(-INFINITY, bound(max * (1.0 - 0x1p-23), 1e30, 1e30)).right);
    /* The largest value instead of an infinity, if the bound allows it. */
    assert_true(judge_f32((float)max, bound(max * 1.0001, 1e35, 1e35)).right);
    assert_false(judge_f32((float)max, bound(max * 1.0001, 1e30, 1e30)).right);
}

static void an_infinite_bound_promises_nothing(void **state)
{
    (void)state;
    assert_true(judge_f32(NAN, bound(0.0, (double)INFINITY, (double)INFINITY)).right);
    assert_true(judge_f32(-5.0F, bound((double)INFINITY, (double)INFINITY, 1.0)).right);
    assert_false(judge_f32(NAN, bound(0.0, 1e300, 1e300)).right);
}

static void ulps_are_of_the_binade_of_the_truth(void **state)
{
    (void)state;
    assert_true(conf_ulp(KEEL_F32, 1.0) == 0x1p-23);
    assert_true(conf_ulp(KEEL_F32, 1.999) == 0x1p-23);
    assert_true(conf_ulp(KEEL_F32, -2.0) == 0x1p-22);
    assert_true(conf_ulp(KEEL_F32, 0.0) == 0x1p-149);
    assert_true(conf_ulp(KEEL_F16, 1.0) == 0x1p-10);
    assert_true(conf_ulp(KEEL_BF16, 1.0) == 0x1p-7);
    assert_true(conf_ulp(KEEL_F64, 1.0) == 0x1p-52);
    assert_true(conf_ulp(KEEL_F8E4M3FN, 1.0) == 0x1p-3);
}

static void elements_are_shown_with_their_bits(void **state)
{
    (void)state;
    char text[40];
    const float minus_zero = -0.0F;
    const uint64_t large = UINT64_MAX;
    const int8_t small = -3;
    conf_element_text(KEEL_F32, &minus_zero, 0, text, sizeof text);
    assert_string_equal(text, "-0 (0x80000000)");
    conf_element_text(KEEL_U64, &large, 0, text, sizeof text);
    assert_string_equal(text, "18446744073709551615");
    conf_element_text(KEEL_I8, &small, 0, text, sizeof text);
    assert_string_equal(text, "-3");
}

/* ---- tally ----------------------------------------------------------------------------------- */

static void add(conf_tally *tally, const keel_tensor *tensor, const float *values, int64_t index,
                keel_truth truth)
{
    const conf_element element = {.tensor = tensor, .dense = values, .index = index};
    conf_tally_add(tally, &element, &truth);
}

static void a_tally_counts_and_keeps_the_worst_first(void **state)
{
    (void)state;
    static conf_tally tally;
    static conf_result result;
    const keel_tensor tensor = {.dtype = KEEL_F32, .rank = 2, .shape = {2, 3}};
    const float values[6] = {1.0F, 1.5F, 5.0F, 1.0F, 1.0F, 3.0F};
    for (int64_t i = 0; i < 6; i++) {
        add(&tally, &tensor, values, i, bound(1.0, 1.0, 0.25));
    }
    conf_tally_report(&tally, &result);
    assert_int_equal(result.checked, 6);
    assert_int_equal(result.wrong, 2);
    assert_int_equal(tally.loose, 1);
    assert_int_equal(result.worst_count, 3);
    assert_true(result.worst[0].got == 5.0 && result.worst[0].want == 1.0);
    assert_int_equal(result.worst[0].index[0], 0);
    assert_int_equal(result.worst[0].index[1], 2);
    assert_int_equal(result.worst[1].index[0], 1);
    assert_int_equal(result.worst[1].index[1], 2);
    assert_true(fabs(result.hard - 4.0) < 1e-9);
    assert_true(fabs(result.tight - 16.0) < 1e-9);
    /* Ratios 0, 2, 16, 0, 0, 8. */
    assert_true(fabs(result.bias - 26.0 / 6.0) < 1e-9);
    assert_true(fabs(result.rms - sqrt((4.0 + 256.0 + 64.0) / 6.0)) < 1e-9);
    assert_true(fabs(result.nmse - (0.25 + 16.0 + 4.0) / 6.0) < 1e-9);
    assert_true(isnan(result.exact));
}

static void a_tally_keeps_at_most_64_elements(void **state)
{
    (void)state;
    static conf_tally tally;
    static float values[100];
    const keel_tensor tensor = {.dtype = KEEL_F32, .rank = 1, .shape = {100}};
    for (int64_t i = 0; i < 100; i++) {
        values[i] = (float)(i + 2);
        add(&tally, &tensor, values, i, bound(0.0, 1.0, 1.0));
    }
    assert_int_equal(tally.worst_count, CONF_WORST_MAX);
    assert_true(tally.worst[0].got == 101.0);
    assert_true(tally.worst[63].got == 38.0);
    assert_int_equal(tally.wrong, 100);
}

static void the_share_of_exact_elements_is_reported(void **state)
{
    (void)state;
    static conf_tally tally;
    static conf_result result;
    const keel_tensor tensor = {.dtype = KEEL_F32, .rank = 1, .shape = {4}};
    const float values[4] = {1.0F, 2.0F, 3.0F, 4.5F};
    for (int64_t i = 0; i < 4; i++) {
        add(&tally, &tensor, values, i, rounded((double)(i + 1), 0.0));
    }
    conf_tally_report(&tally, &result);
    assert_true(result.exact == 0.75);
    assert_true(isnan(result.rms));
    assert_true(isinf(result.worst[0].ratio));
}

/* ---- trust ----------------------------------------------------------------------------------- */

static const char *doubt_of(const double *values, size_t distinct, size_t count, double hard,
                            keel_dtype dtype)
{
    conf_trust trust = {0};
    for (size_t i = 0; i < count; i++) {
        const keel_truth truth = bound(values[i % distinct], hard, hard);
        conf_trust_add(&trust, dtype, &truth);
    }
    return conf_trust_doubt(&trust, dtype);
}

static void data_that_proves_little_is_doubted(void **state)
{
    (void)state;
    static const double good[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const double zeros[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double some_zeros[] = {1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0};
    static const double nans[] = {1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    static const double both[] = {1, 0};
    double mostly_zero[100] = {0};
    double just_enough[100] = {0};
    for (int i = 0; i < 10; i++) {
        mostly_zero[i] = i < 9 ? i + 1 : 0; /* 91 zeros */
        just_enough[i] = i + 1;             /* 90 zeros */
    }
    assert_non_null(doubt_of(mostly_zero, 100, 100, 0.0, KEEL_F32));
    assert_null(doubt_of(just_enough, 100, 100, 0.0, KEEL_F32));
    assert_null(doubt_of(good, 8, 64, 0.1, KEEL_F32));
    assert_non_null(doubt_of(good, 7, 64, 0.1, KEEL_F32));
    assert_null(doubt_of(good, 7, 31, 0.1, KEEL_F32));     /* too few to ask */
    assert_non_null(doubt_of(good, 8, 64, 5.5, KEEL_F32)); /* 0 would pass for 1 to 5 */
    assert_null(doubt_of(good, 8, 64, 5.0, KEEL_F32));     /* for 1 to 4: no more than half */
    assert_non_null(doubt_of(zeros, 12, 120, 0.1, KEEL_F32));
    assert_null(doubt_of(some_zeros, 12, 120, 0.1, KEEL_F32));
    assert_non_null(doubt_of(nans, 12, 120, 0.1, KEEL_F32));
    assert_null(doubt_of(both, 2, 64, 0.0, KEEL_BOOL));
    assert_non_null(doubt_of(both, 1, 64, 0.0, KEEL_BOOL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_around_zero_is_judged_by_the_terms),
        cmocka_unit_test(bits_must_agree_and_the_sign_of_zero_counts),
        cmocka_unit_test(any_nan_matches_a_nan_and_nothing_else_does),
        cmocka_unit_test(a_rounded_truth_has_one_right_neighbour),
        cmocka_unit_test(a_wrong_exact_element_reports_its_distance),
        cmocka_unit_test(a_distance_is_judged_by_both_bounds),
        cmocka_unit_test(the_tail_of_the_truth_counts),
        cmocka_unit_test(half_the_smallest_subnormal_is_always_allowed),
        cmocka_unit_test(a_tight_bound_above_the_hard_one_is_cut),
        cmocka_unit_test(infinities_are_compared_after_rounding),
        cmocka_unit_test(an_infinite_bound_promises_nothing),
        cmocka_unit_test(ulps_are_of_the_binade_of_the_truth),
        cmocka_unit_test(elements_are_shown_with_their_bits),
        cmocka_unit_test(a_tally_counts_and_keeps_the_worst_first),
        cmocka_unit_test(a_tally_keeps_at_most_64_elements),
        cmocka_unit_test(the_share_of_exact_elements_is_reported),
        cmocka_unit_test(data_that_proves_little_is_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
