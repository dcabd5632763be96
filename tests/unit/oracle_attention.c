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
    const oracle_operand none = {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL};
    const keel_attribute plain = oracle_int("interleaved", 0);
    const rotary_error errors[] = {
        {{KEEL_F32, 2, {4, 6}, NULL, NULL},
         tokens,
         tokens,
         none,
         plain,
         "x has rank 2, allowed are 4"},
        {x, tokens, tokens, none, oracle_int("interleaved", 2),
         "interleaved is 2, allowed are 0 and 1"},
        {x, tokens, tokens, none, oracle_int("num_heads", 2), "num_heads is 2, but x has 3 heads"},
        {x, tokens, tokens, none, oracle_int("num_heads", -1), "num_heads is -1"},
        {flat, tokens, tokens, none, plain, "x has rank 3, so num_heads must be given"},
        {flat, tokens, tokens, none, oracle_int("num_heads", 4),
         "num_heads is 4, but the last axis of x has 18"},
        {x, tokens, tokens, none, oracle_int("rotary_embedding_dim", 5),
         "rotary_embedding_dim is 5, must be even"},
        {x, tokens, tokens, none, oracle_int("rotary_embedding_dim", 8),
         "from 0 to the head's size, 6"},
        {{KEEL_F32, 4, {2, 3, 4, 7}, NULL, NULL},
         tokens,
         tokens,
         none,
         plain,
         "the head's size is 7, must be even"},
        {x, rows, rows, none, plain, "cos_cache has rank 2, must be 3"},
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
         none,
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotary_turns_halves),
        cmocka_unit_test(rotary_turns_a_part_of_interleaved_heads),
        cmocka_unit_test(rotary_takes_no_angle_from_outside_the_caches),
        cmocka_unit_test(rotary_fuses_nothing),
        cmocka_unit_test(rotary_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
