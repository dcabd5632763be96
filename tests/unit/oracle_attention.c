/*
 * Contracts of the attention family against vectors worked out by hand, and the errors that name
 * what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define MOST 64

static void expect_error(const char *op, const oracle_operand *operands, uint32_t count,
                         const keel_attribute *attributes, uint32_t attribute_count,
                         const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer(op, operands, count, attributes, attribute_count, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, words);
}

/* ---- rotary_embedding ------------------------------------------------------------------------ */

static const float one_to_eight[] = {1, 2, 3, 4, 5, 6, 7, 8};
/* Rows of two angles: a quarter turn and none; the 3-4-5 triangle and a half turn. */
static const float cosines[] = {0, 1, 0.6F, -1};
static const float sines[] = {1, 0, 0.8F, 0};

static void expect_floats(const oracle_operand *operands, const keel_attribute *attributes,
                          uint32_t attribute_count, const float *want, int elements)
{
    keel_truth truth[MOST];
    oracle_ask("keel.rotary_embedding", operands, 5, attributes, attribute_count, truth);
    for (int i = 0; i < elements; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BITS);
        assert_true(truth[i].hi == (double)want[i]);
    }
}

/* One head of four, two tokens. */
static void rotary_turns_halves(void **state)
{
    (void)state;
    static const int64_t ids[] = {1, 0};
    const oracle_operand operands[] = {{KEEL_F32, 4, {1, 1, 2, 4}, NULL, one_to_eight},
                                       {KEEL_F32, 2, {2, 2}, NULL, cosines},
                                       {KEEL_F32, 2, {2, 2}, NULL, sines},
                                       {KEEL_I64, 2, {1, 2}, NULL, ids},
                                       {KEEL_F32, 4, {1, 1, 2, 4}, NULL, NULL}};
    /* Pairs (1, 3) by 3-4-5 and (2, 4) by a half turn; (5, 7) by a quarter and (6, 8) by none. */
    const float want[] = {0.6F - 0.8F * 3.0F, -2, 0.8F + 0.6F * 3.0F, -4, -7, 6, 5, 8};
    expect_floats(operands, NULL, 0, want, 8);
}

/* Two heads of four in three axes, of which two elements each are rotated, as neighbours. */
static void rotary_turns_a_part_of_interleaved_heads(void **state)
{
    (void)state;
    static const float quarter_cosine[] = {0};
    static const float quarter_sine[] = {1};
    const keel_attribute attributes[] = {oracle_int("interleaved", 1), oracle_int("num_heads", 2),
                                         oracle_int("rotary_embedding_dim", 2)};
    const oracle_operand operands[] = {{KEEL_F32, 3, {1, 1, 8}, NULL, one_to_eight},
                                       {KEEL_F32, 3, {1, 1, 1}, NULL, quarter_cosine},
                                       {KEEL_F32, 3, {1, 1, 1}, NULL, quarter_sine},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_F32, 3, {1, 1, 8}, NULL, NULL}};
    const float want[] = {-2, 1, 3, 4, -6, 5, 7, 8};
    expect_floats(operands, attributes, 3, want, 8);
}

static void rotary_takes_no_angle_from_outside_the_caches(void **state)
{
    (void)state;
    static const int64_t ids[] = {-1, 2};
    const oracle_operand operands[] = {{KEEL_F32, 4, {1, 1, 2, 4}, NULL, one_to_eight},
                                       {KEEL_F32, 2, {2, 2}, NULL, cosines},
                                       {KEEL_F32, 2, {2, 2}, NULL, sines},
                                       {KEEL_I64, 2, {1, 2}, NULL, ids},
                                       {KEEL_F32, 4, {1, 1, 2, 4}, NULL, NULL}};
    const float want[] = {0, 0, 0, 0, 0, 0, 0, 0};
    expect_floats(operands, NULL, 0, want, 8);
}

/* Each product is rounded before the sum: fused, the first element would be 2^-46, not 0. */
static void rotary_fuses_nothing(void **state)
{
    (void)state;
    static const float x[] = {1 + 0x1p-23F, 1};
    static const float c[] = {1 + 0x1p-23F};
    static const float s[] = {1 + 0x1p-22F};
    const oracle_operand operands[] = {{KEEL_F32, 4, {1, 1, 1, 2}, NULL, x},
                                       {KEEL_F32, 3, {1, 1, 1}, NULL, c},
                                       {KEEL_F32, 3, {1, 1, 1}, NULL, s},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_F32, 4, {1, 1, 1, 2}, NULL, NULL}};
    const float want[] = {0, 2 + 0x1p-21F};
    expect_floats(operands, NULL, 0, want, 2);
}

typedef struct rotary_error {
    oracle_operand x, cos, sin, ids;
    keel_attribute attribute;
    const char *words;
} rotary_error;

static void rotary_names_what_is_wrong(void **state)
{
    (void)state;
    const oracle_operand x = {KEEL_F32, 4, {2, 3, 4, 6}, NULL, NULL};
    const oracle_operand flat = {KEEL_F32, 3, {2, 4, 18}, NULL, NULL};
    const oracle_operand tokens = {KEEL_F32, 3, {2, 4, 3}, NULL, NULL};
    const oracle_operand rows = {KEEL_F32, 2, {9, 3}, NULL, NULL};
    const oracle_operand ids = {KEEL_I64, 2, {2, 4}, NULL, NULL};
    const oracle_operand absent = {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL};
    const keel_attribute plain = oracle_int("interleaved", 0);
    const rotary_error errors[] = {
        {{KEEL_F32, 2, {4, 6}, NULL, NULL},
         tokens,
         tokens,
         absent,
         plain,
         "x has rank 2, allowed are 4"},
        {x, tokens, tokens, absent, oracle_int("interleaved", 2),
         "interleaved is 2, allowed are 0 and 1"},
        {x, tokens, tokens, absent, oracle_int("num_heads", 2),
         "num_heads is 2, but x has 3 heads"},
        {x, tokens, tokens, absent, oracle_int("num_heads", -1), "num_heads is -1"},
        {flat, tokens, tokens, absent, plain, "x has rank 3, so num_heads must be given"},
        {flat, tokens, tokens, absent, oracle_int("num_heads", 4),
         "num_heads is 4, but the last axis of x has 18"},
        {x, tokens, tokens, absent, oracle_int("rotary_embedding_dim", 5),
         "rotary_embedding_dim is 5, must be even"},
        {x, tokens, tokens, absent, oracle_int("rotary_embedding_dim", 8),
         "from 0 to the head's size, 6"},
        {{KEEL_F32, 4, {2, 3, 4, 7}, NULL, NULL},
         tokens,
         tokens,
         absent,
         plain,
         "the head's size is 7, must be even"},
        {x, rows, rows, absent, plain, "cos_cache has rank 2, must be 3"},
        {x, tokens, tokens, ids, plain, "cos_cache has rank 3, must be 2"},
        {x,
         {KEEL_F32, 2, {9, 2}, NULL, NULL},
         rows,
         ids,
         plain,
         "axis 1 of cos_cache has size 2, must be 3"},
        {x,
         rows,
         {KEEL_F32, 2, {8, 3}, NULL, NULL},
         ids,
         plain,
         "axis 0 of sin_cache has size 8, must be 9"},
        {x,
         tokens,
         {KEEL_F32, 3, {1, 4, 3}, NULL, NULL},
         absent,
         plain,
         "axis 0 of sin_cache has size 1, must be 2"},
        {x, rows, rows, {KEEL_I64, 1, {8}, NULL, NULL}, plain, "position_ids has rank 1"},
        {x,
         rows,
         rows,
         {KEEL_I64, 2, {2, 5}, NULL, NULL},
         plain,
         "axis 1 of position_ids has size 5, must be 4"},
    };
    for (size_t i = 0; i < KEEL_COUNT(errors); i++) {
        const rotary_error *e = &errors[i];
        const oracle_operand operands[] = {e->x, e->cos, e->sin, e->ids, e->x};
        expect_error("keel.rotary_embedding", operands, 5, &e->attribute, 1, e->words);
    }
}

/* ---- attention ------------------------------------------------------------------------------- */

#define SLOTS 7 /* q, k, v, attn_mask, attn_bias, nonpad_kv_seqlen, out */
static const oracle_operand none = {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL};

/* The whole result, to 2^-50 of what is wanted or of 1. */
static void expect_attention(const oracle_operand *operands, const keel_attribute *attributes,
                             uint32_t attribute_count, const double *want, int elements)
{
    keel_truth truth[MOST];
    oracle_ask("keel.attention", operands, SLOTS, attributes, attribute_count, truth);
    for (int i = 0; i < elements; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BOUND);
        assert_true(fabs(truth[i].hi - want[i]) <= 0x1p-50 * fmax(1.0, fabs(want[i])));
        assert_true(truth[i].tight <= truth[i].hard && truth[i].hard < 1e-10);
    }
}

static const double zero_one[] = {0, 1};
static const double halves[] = {0, 0.69314718055994530942}; /* e^ of them is 1 and 2 */
static const double two_values[] = {3, 9};

/* One query of one element, two keys. */
static void attention_weighs_by_exponentials(void **state)
{
    (void)state;
    const keel_attribute scale = oracle_float("scale", 1);
    const oracle_operand operands[SLOTS] = {{KEEL_F64, 4, {1, 1, 1, 1}, NULL, &zero_one[1]},
                                            {KEEL_F64, 4, {1, 1, 2, 1}, NULL, halves},
                                            {KEEL_F64, 4, {1, 1, 2, 1}, NULL, two_values},
                                            none,
                                            none,
                                            none,
                                            {KEEL_F64, 4, {1, 1, 1, 1}, NULL, NULL}};
    const double want[] = {7}; /* (3 + 2 * 9) / 3 */
    expect_attention(operands, &scale, 1, want, 1);
}

/* The scale of four elements is 1/2. */
static void attention_divides_by_the_root_of_the_size(void **state)
{
    (void)state;
    static const double q[] = {1, 1, 1, 1};
    static const double k[] = {0,
                               0,
                               0,
                               0,
                               0.34657359027997265471,
                               0.34657359027997265471,
                               0.34657359027997265471,
                               0.34657359027997265471};
    const oracle_operand operands[SLOTS] = {{KEEL_F64, 4, {1, 1, 1, 4}, NULL, q},
                                            {KEEL_F64, 4, {1, 1, 2, 4}, NULL, k},
                                            {KEEL_F64, 4, {1, 1, 2, 1}, NULL, two_values},
                                            none,
                                            none,
                                            none,
                                            {KEEL_F64, 4, {1, 1, 1, 1}, NULL, NULL}};
    const double want[] = {7};
    expect_attention(operands, NULL, 0, want, 1);
}

/* Four heads of q in three axes share two of k and v, whose keys all weigh the same. */
static void attention_shares_heads_in_groups(void **state)
{
    (void)state;
    static const double q[8] = {0};
    static const double k[4] = {5, 6, 7, 8};
    static const double v[4] = {1, 10, 3, 30}; /* two keys of two heads */
    const keel_attribute heads[] = {oracle_int("q_num_heads", 4), oracle_int("kv_num_heads", 2)};
    const oracle_operand operands[SLOTS] = {{KEEL_F64, 3, {1, 2, 4}, NULL, q},
                                            {KEEL_F64, 3, {1, 2, 2}, NULL, k},
                                            {KEEL_F64, 3, {1, 2, 2}, NULL, v},
                                            none,
                                            none,
                                            none,
                                            {KEEL_F64, 3, {1, 2, 4}, NULL, NULL}};
    const double want[] = {2, 2, 20, 20, 2, 2, 20, 20};
    expect_attention(operands, heads, 2, want, 8);
}

/* Queries that do not tell keys apart: each result is the mean of what the query sees. */
static void expect_means(const oracle_operand *mask, const oracle_operand *bias,
                         const int64_t *lengths, int64_t causal, const double *want)
{
    static const double q[3] = {0};
    static const double v[4] = {1, 3, 8, 100};
    const keel_attribute attribute = oracle_int("is_causal", causal);
    oracle_operand operands[SLOTS] = {{KEEL_F64, 4, {1, 1, 3, 1}, NULL, q},
                                      {KEEL_F64, 4, {1, 1, 4, 1}, NULL, v},
                                      {KEEL_F64, 4, {1, 1, 4, 1}, NULL, v},
                                      none,
                                      none,
                                      none,
                                      {KEEL_F64, 4, {1, 1, 3, 1}, NULL, NULL}};
    operands[3] = mask != NULL ? *mask : none;
    operands[4] = bias != NULL ? *bias : none;
    if (lengths != NULL) {
        operands[5] = (oracle_operand){KEEL_I64, 1, {1}, NULL, lengths};
    }
    expect_attention(operands, &attribute, 1, want, 3);
}

static void attention_sees_what_it_may(void **state)
{
    (void)state;
    static const int64_t lengths[] = {3, 2, 0, -5, 9, INT64_MAX};
    static const unsigned char seen[] = {1, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 1};
    static const unsigned char two[] = {0, 1};
    static const double hide[] = {0, -INFINITY, 0, -INFINITY};
    const oracle_operand mask = {KEEL_BOOL, 2, {3, 4}, NULL, seen};
    const oracle_operand short_mask = {KEEL_BOOL, 1, {2}, NULL, two};
    const oracle_operand column = {KEEL_BOOL, 2, {3, 1}, NULL, seen};
    const oracle_operand bias = {KEEL_F64, 1, {4}, NULL, hide};
    expect_means(NULL, NULL, NULL, 0, (const double[]){28, 28, 28});
    expect_means(NULL, NULL, NULL, 1, (const double[]){1, 2, 4});
    expect_means(NULL, NULL, &lengths[0], 0, (const double[]){4, 4, 4});
    /* The last of three queries sees all that are there, those before it less. */
    expect_means(NULL, NULL, &lengths[0], 1, (const double[]){1, 2, 4});
    expect_means(NULL, NULL, &lengths[1], 1, (const double[]){0, 1, 2});
    expect_means(NULL, NULL, &lengths[2], 0, (const double[]){0, 0, 0});
    expect_means(NULL, NULL, &lengths[3], 1, (const double[]){0, 0, 0});
    expect_means(NULL, NULL, &lengths[4], 1, (const double[]){2, 4, 28});
    expect_means(NULL, NULL, &lengths[5], 1, (const double[]){2, 4, 28});
    expect_means(&mask, NULL, NULL, 0, (const double[]){4.5, 0, 51.5});
    expect_means(&mask, NULL, &lengths[0], 1, (const double[]){1, 0, 3});
    expect_means(&short_mask, NULL, NULL, 0, (const double[]){3, 3, 3});
    expect_means(&column, NULL, NULL, 0, (const double[]){28, 0, 28});
    expect_means(NULL, &bias, NULL, 0, (const double[]){4.5, 4.5, 4.5});
}

/* The cap bounds scores of 0 and infinity to 0 and 1; the bias comes after it. */
static void attention_caps_before_the_bias(void **state)
{
    (void)state;
    static const double q[] = {INFINITY};
    static const double k[] = {-1, 1};
    static const double bias[] = {2, -0.69314718055994530942};
    const keel_attribute attributes[] = {oracle_float("softcap", 1), oracle_float("scale", 1)};
    const oracle_operand operands[SLOTS] = {
        {KEEL_F64, 4, {1, 1, 1, 1}, NULL, q},          {KEEL_F64, 4, {1, 1, 2, 1}, NULL, k},
        {KEEL_F64, 4, {1, 1, 2, 1}, NULL, two_values}, none,
        {KEEL_F64, 4, {1, 1, 1, 2}, NULL, bias},       none,
        {KEEL_F64, 4, {1, 1, 1, 1}, NULL, NULL}};
    /* e^(-1 + 2) and e^(1 - ln 2): weights of 2 and 1. */
    const double want[] = {5};
    expect_attention(operands, attributes, 2, want, 1);
}

/* A NaN behind the last key that a query sees is nothing to it, a score that is no number is. */
static void attention_of_what_is_no_number(void **state)
{
    (void)state;
    static const float q[] = {0, 0};
    static const float v[] = {1, NAN};
    const keel_attribute causal = oracle_int("is_causal", 1);
    const oracle_operand operands[SLOTS] = {{KEEL_F32, 4, {1, 1, 2, 1}, NULL, q},
                                            {KEEL_F32, 4, {1, 1, 2, 1}, NULL, v},
                                            {KEEL_F32, 4, {1, 1, 2, 1}, NULL, v},
                                            none,
                                            none,
                                            none,
                                            {KEEL_F32, 4, {1, 1, 2, 1}, NULL, NULL}};
    keel_truth truth[2];
    oracle_ask("keel.attention", operands, SLOTS, &causal, 1, truth);
    assert_true(truth[0].hi == 1 && truth[0].hard < 1e-4);
    assert_true(isnan(truth[1].hi) && truth[1].hard < 1e-30);
}

/* One key: d is (8 + 4 sqrt(1) + 2) |q k|, and all weight is on it. */
static void attention_bounds_as_the_page_says(void **state)
{
    (void)state;
    static const float two[] = {2};
    const oracle_operand operands[SLOTS] = {{KEEL_F32, 4, {1, 1, 1, 1}, NULL, two},
                                            {KEEL_F32, 4, {1, 1, 1, 1}, NULL, two},
                                            {KEEL_F32, 4, {1, 1, 1, 1}, NULL, two},
                                            none,
                                            none,
                                            none,
                                            {KEEL_F32, 4, {1, 1, 1, 1}, NULL, NULL}};
    keel_truth truth[1];
    oracle_ask("keel.attention", operands, SLOTS, NULL, 0, truth);
    const double u = 0x1p-24;
    const double tight = 2 * (expm1(2 * 14 * 4 * u) + u + (12 + 12) * u) + 2 * u;
    assert_true(fabs(truth[0].tight / tight - 1) < 1e-9);
    assert_true(fabs(truth[0].hard / tight - 2) < 1e-9);
}

typedef struct attention_error {
    int slot; /* that is not as it should be; its rank and shape */
    int32_t rank;
    int64_t shape[5];
    keel_attribute attribute;
    const char *words;
} attention_error;

static void attention_names_what_is_wrong(void **state)
{
    (void)state;
    const keel_attribute plain = oracle_int("is_causal", 0);
    const attention_error errors[] = {
        {0, 4, {2, 4, 3, 8}, oracle_int("is_causal", 2), "is_causal is 2, allowed are 0 and 1"},
        {0, 4, {2, 4, 3, 8}, oracle_float("scale", INFINITY), "scale is inf"},
        {0, 4, {2, 4, 3, 8}, oracle_float("softcap", -1), "softcap is -1, allowed is 0"},
        {0, 4, {2, 4, 3, 8}, oracle_float("softcap", NAN), "softcap is nan"},
        {0, 4, {2, 4, 3, 8}, oracle_int("q_num_heads", 3), "q_num_heads is 3, but q has 4 heads"},
        {0, 4, {2, 4, 3, 8}, oracle_int("kv_num_heads", -2), "kv_num_heads is -2"},
        {0, 5, {1, 2, 4, 3, 8}, plain, "q has rank 5, allowed are 4"},
        {0, 3, {2, 3, 32}, plain, "q has rank 3, so q_num_heads must be given"},
        {0, 3, {2, 3, 32}, oracle_int("q_num_heads", 4), "the rank of q is 3, of k 4"},
        {0, 4, {3, 4, 3, 8}, plain, "the batch of q is 3, of k 2"},
        {0, 4, {2, 5, 3, 8}, plain, "q has 5 heads, which the 2 heads of k and v must divide"},
        {0, 4, {2, 4, 3, 9}, plain, "the head's size of q is 9, of k 8"},
        {2, 4, {2, 4, 5, 7}, plain, "the number of heads of k is 2, of v 4"},
        {2, 4, {2, 2, 6, 7}, plain, "the sequence of k is 5, of v 6"},
        {3, 5, {1, 2, 4, 3, 5}, plain, "attn_mask has rank 5, at most 4"},
        {3, 2, {2, 5}, plain, "axis 0 of attn_mask has size 2, allowed are 1 and 3, the queries"},
        {4, 2, {3, 6}, plain, "axis 1 of attn_bias has size 6, allowed are 1 and up to 5"},
        {4, 3, {2, 3, 5}, plain, "axis 0 of attn_bias has size 2, allowed are 1 and 4"},
        {5, 1, {3}, plain, "first size 3, must have rank 1 and size 2, the batch"},
        {5, 2, {2, 1}, plain, "nonpad_kv_seqlen has rank 2"},
    };
    for (size_t i = 0; i < KEEL_COUNT(errors); i++) {
        const attention_error *e = &errors[i];
        oracle_operand operands[SLOTS] = {{KEEL_F32, 4, {2, 4, 3, 8}, NULL, NULL},
                                          {KEEL_F32, 4, {2, 2, 5, 8}, NULL, NULL},
                                          {KEEL_F32, 4, {2, 2, 5, 7}, NULL, NULL},
                                          none,
                                          none,
                                          none,
                                          {KEEL_F32, 4, {2, 4, 3, 7}, NULL, NULL}};
        oracle_operand *wrong = &operands[e->slot];
        wrong->dtype = e->slot == 3 ? KEEL_BOOL : e->slot == 5 ? KEEL_I64 : KEEL_F32;
        wrong->rank = e->rank;
        memcpy(wrong->shape, e->shape, sizeof e->shape);
        expect_error("keel.attention", operands, SLOTS, &e->attribute, 1, e->words);
    }
    const oracle_operand both[SLOTS] = {
        {KEEL_F32, 4, {2, 4, 3, 8}, NULL, NULL}, {KEEL_F32, 4, {2, 2, 5, 8}, NULL, NULL},
        {KEEL_F32, 4, {2, 2, 5, 7}, NULL, NULL}, {KEEL_BOOL, 2, {3, 5}, NULL, NULL},
        {KEEL_F32, 2, {3, 5}, NULL, NULL},       none,
        {KEEL_F32, 4, {2, 4, 3, 7}, NULL, NULL}};
    expect_error("keel.attention", both, SLOTS, &plain, 1,
                 "attn_mask and attn_bias are both given");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotary_turns_halves),
        cmocka_unit_test(rotary_turns_a_part_of_interleaved_heads),
        cmocka_unit_test(rotary_takes_no_angle_from_outside_the_caches),
        cmocka_unit_test(rotary_fuses_nothing),
        cmocka_unit_test(rotary_names_what_is_wrong),
        cmocka_unit_test(attention_weighs_by_exponentials),
        cmocka_unit_test(attention_divides_by_the_root_of_the_size),
        cmocka_unit_test(attention_shares_heads_in_groups),
        cmocka_unit_test(attention_sees_what_it_may),
        cmocka_unit_test(attention_caps_before_the_bias),
        cmocka_unit_test(attention_of_what_is_no_number),
        cmocka_unit_test(attention_bounds_as_the_page_says),
        cmocka_unit_test(attention_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
