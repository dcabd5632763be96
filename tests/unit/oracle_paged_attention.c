/*
 * The contract of keel.paged_attention against vectors worked out by hand, and the errors that name
 * what is wrong.
 */
#include "keel_test.h"

#include <math.h>

#include "oracle_call.h"

#define SLOTS 6 /* q, k, v, block_table, lengths, out */
#define MOST 16

/* Three blocks of two keys; all keys weigh the same, so that results are means of values. */
static const float q[4] = {0};
static const float k[6] = {1, 2, 3, 4, 5, 6};
static const float v[6] = {1, 3, 10, 20, 100, 300};

static void expect_means(const int32_t *table, const int32_t *lengths, const double *want)
{
    const oracle_operand operands[SLOTS] = {
        {KEEL_F32, 3, {2, 1, 1}, NULL, q},    {KEEL_F32, 4, {3, 2, 1, 1}, NULL, k},
        {KEEL_F32, 4, {3, 2, 1, 1}, NULL, v}, {KEEL_I32, 2, {2, 2}, NULL, table},
        {KEEL_I32, 1, {2}, NULL, lengths},    {KEEL_F32, 3, {2, 1, 1}, NULL, NULL}};
    keel_truth truth[MOST];
    oracle_ask("keel.paged_attention", operands, SLOTS, NULL, 0, truth);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(truth[i].hi - want[i]) <= 0x1p-45 * fabs(want[i]));
        assert_true(truth[i].hard <= 0x1p-10 && truth[i].tight <= truth[i].hard);
    }
}

static void keys_are_found_by_the_table(void **state)
{
    (void)state;
    const int32_t table[] = {2, 0, 1, 1};
    const int32_t all[] = {4, 4};
    const int32_t some[] = {3, 1};
    const int32_t strange[] = {-1, INT32_MAX};
    expect_means(table, all, (const double[]){101, 15});
    expect_means(table, some, (const double[]){401.0 / 3, 10});
    expect_means(table, strange, (const double[]){0, 15});
}

static void blocks_that_do_not_exist_are_not_seen(void **state)
{
    (void)state;
    const int32_t table[] = {-1, 0, 3, INT32_MIN};
    const int32_t all[] = {4, 4};
    expect_means(table, all, (const double[]){2, 0});
}

/* Two heads of q for one of k and v; weights of 1 and 2. */
static void heads_share_and_scores_weigh(void **state)
{
    (void)state;
    static const float two[] = {0, 1};
    static const float logs[] = {0, 0.693147182F};
    static const float values[] = {3, 9};
    static const int32_t zero[] = {0};
    static const int32_t length[] = {2};
    const oracle_operand operands[SLOTS] = {
        {KEEL_F32, 3, {1, 2, 1}, NULL, two},       {KEEL_F32, 4, {1, 2, 1, 1}, NULL, logs},
        {KEEL_F32, 4, {1, 2, 1, 1}, NULL, values}, {KEEL_I32, 2, {1, 1}, NULL, zero},
        {KEEL_I32, 1, {1}, NULL, length},          {KEEL_F32, 3, {1, 2, 1}, NULL, NULL}};
    keel_truth truth[MOST];
    oracle_ask("keel.paged_attention", operands, SLOTS, NULL, 0, truth);
    assert_true(fabs(truth[0].hi - 6) <= 1e-12 && fabs(truth[1].hi - 7) <= 1e-7);
}

typedef struct paged_error {
    int slot; /* that is not as it should be; its rank and shape */
    int32_t rank;
    int64_t shape[4];
    keel_attribute attribute;
    const char *words;
} paged_error;

static void wrong_calls_are_named(void **state)
{
    (void)state;
    const keel_attribute plain = oracle_float("scale", 0);
    const paged_error errors[] = {
        {0, 3, {3, 4, 8}, oracle_float("scale", INFINITY), "scale is inf"},
        {0, 3, {3, 4, 8}, oracle_float("softcap", -2), "softcap is -2, allowed is 0"},
        {0, 4, {3, 4, 1, 8}, plain, "q has rank 4, must be 3: (batch, heads, size)"},
        {1, 3, {5, 16, 16}, plain, "k has rank 3, must be 4"},
        {0, 3, {3, 4, 9}, plain, "axis 3 of k has size 8, must be 9, as axis 2 of q"},
        {2, 4, {6, 16, 2, 7}, plain, "axis 0 of v has size 6, must be 5"},
        {2, 4, {5, 15, 2, 7}, plain, "axis 1 of v has size 15, must be 16"},
        {2, 4, {5, 16, 1, 7}, plain, "axis 2 of v has size 1, must be 2"},
        {3, 2, {4, 6}, plain, "axis 0 of block_table has size 4, must be 3"},
        {3, 1, {6}, plain, "block_table has rank 1, must be 2"},
        {4, 1, {2}, plain, "axis 0 of lengths has size 2, must be 3"},
        {0, 3, {3, 5, 8}, plain, "q has 5 heads, which the 2 heads of k and v must divide"},
    };
    for (size_t i = 0; i < KEEL_COUNT(errors); i++) {
        const paged_error *e = &errors[i];
        oracle_operand operands[SLOTS] = {
            {KEEL_F32, 3, {3, 4, 8}, NULL, NULL},     {KEEL_F32, 4, {5, 16, 2, 8}, NULL, NULL},
            {KEEL_F32, 4, {5, 16, 2, 7}, NULL, NULL}, {KEEL_I32, 2, {3, 6}, NULL, NULL},
            {KEEL_I32, 1, {3}, NULL, NULL},           {KEEL_F32, 3, {3, 4, 7}, NULL, NULL}};
        operands[e->slot].rank = e->rank;
        memcpy(operands[e->slot].shape, e->shape, sizeof e->shape);
        keel_error err = KEEL_ERROR_INIT;
        assert_status(&err,
                      oracle_infer("keel.paged_attention", operands, SLOTS, &e->attribute, 1, &err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, e->words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found_by_the_table),
        cmocka_unit_test(blocks_that_do_not_exist_are_not_seen),
        cmocka_unit_test(heads_share_and_scores_weigh),
        cmocka_unit_test(wrong_calls_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
