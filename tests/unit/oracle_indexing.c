/*
 * Contracts of gathers and scatters against vectors worked out by hand from ONNX's definitions:
 * elements, the order of updates that meet, and the errors that name what is wrong.
 */
#include "keel_test.h"

#include <math.h>
#include <string.h>

#include "oracle_call.h"

#define MOST 64

static const int32_t counting[24] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

static keel_attribute text(const char *name, const char *value)
{
    return (keel_attribute){.name = name,
                            .kind = KEEL_ATTR_BYTES,
                            .count = (int32_t)strlen(value),
                            .value.bytes = value};
}

/* All elements of an I32 result. */
static void expect_i32(const char *op, const oracle_operand *operands, uint32_t count,
                       const keel_attribute *attributes, uint32_t attribute_count,
                       const int32_t *want, size_t elements)
{
    keel_truth truth[MOST];
    assert_true(elements <= MOST);
    oracle_ask(op, operands, count, attributes, attribute_count, truth);
    for (size_t i = 0; i < elements; i++) {
        assert_int_equal(truth[i].rule, KEEL_RULE_BITS);
        assert_int_equal(truth[i].bits, want[i]);
    }
}

static void expect_error(const char *op, const oracle_operand *operands, uint32_t count,
                         const keel_attribute *attributes, uint32_t attribute_count,
                         const char *words)
{
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, oracle_infer(op, operands, count, attributes, attribute_count, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, words);
}

/* ---- gathers --------------------------------------------------------------------------------- */

static void gather_elements_keeps_the_place_on_other_axes(void **state)
{
    (void)state;
    const int64_t places[] = {0, -1, 2, 1, 3, -4};
    const keel_attribute axis = oracle_int("axis", 1);
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting + 1},
                                       {KEEL_I64, 2, {2, 3}, NULL, places},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    expect_i32("keel.gather_elements", operands, 3, &axis, 1, (const int32_t[]){1, 3, 3, 5, 0, 0},
               6);
}

static void gather_elements_names_what_is_wrong(void **state)
{
    (void)state;
    oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                 {KEEL_I32, 2, {3, 3}, NULL, counting},
                                 {KEEL_I32, 2, {3, 3}, NULL, NULL}};
    const keel_attribute axis = oracle_int("axis", 1);
    const keel_attribute far = oracle_int("axis", -3);
    expect_error("keel.gather_elements", operands, 3, &far, 1, "axis is -3, allowed is -2 to 1");
    expect_error("keel.gather_elements", operands, 3, &axis, 1,
                 "axis 0 of indices has 3 elements, at most 2");
    operands[1].rank = 1;
    expect_error("keel.gather_elements", operands, 3, &axis, 1, "indices has rank 1, must have 2");
}

static void gather_nd_takes_slices_by_tuples(void **state)
{
    (void)state;
    const int64_t whole[] = {0, 0, 1, 1, 2, 0, -1, -2};
    const oracle_operand points[] = {{KEEL_I32, 2, {2, 2}, NULL, counting + 1},
                                     {KEEL_I64, 2, {4, 2}, NULL, whole},
                                     {KEEL_I32, 1, {4}, NULL, NULL}};
    expect_i32("keel.gather_nd", points, 3, NULL, 0, (const int32_t[]){1, 4, 0, 3}, 4);
    const int32_t rows[] = {1, -2};
    const oracle_operand slices[] = {{KEEL_I32, 3, {2, 2, 2}, NULL, counting},
                                     {KEEL_I32, 2, {2, 1}, NULL, rows},
                                     {KEEL_I32, 3, {2, 2, 2}, NULL, NULL}};
    expect_i32("keel.gather_nd", slices, 3, NULL, 0, (const int32_t[]){4, 5, 6, 7, 0, 1, 2, 3}, 8);
    const keel_attribute batch = oracle_int("batch_dims", 1);
    const oracle_operand batched[] = {{KEEL_I32, 3, {2, 2, 2}, NULL, counting},
                                      {KEEL_I32, 2, {2, 1}, NULL, rows},
                                      {KEEL_I32, 2, {2, 2}, NULL, NULL}};
    expect_i32("keel.gather_nd", batched, 3, &batch, 1, (const int32_t[]){2, 3, 4, 5}, 4);
}

static void gather_nd_names_what_is_wrong(void **state)
{
    (void)state;
    oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                 {KEEL_I32, 2, {3, 2}, NULL, counting},
                                 {KEEL_I32, 1, {3}, NULL, NULL}};
    const keel_attribute one = oracle_int("batch_dims", 1);
    const keel_attribute two = oracle_int("batch_dims", 2);
    expect_error("keel.gather_nd", operands, 3, &two, 1, "batch_dims is 2, must be 0 to 1");
    expect_error("keel.gather_nd", operands, 3, &one, 1,
                 "batch axis 0 has 2 elements in data and 3 in indices");
    operands[1].shape[1] = 3;
    expect_error("keel.gather_nd", operands, 3, NULL, 0,
                 "the last axis of indices has 3 elements, must have 1 to 2");
    operands[1].rank = 0;
    expect_error("keel.gather_nd", operands, 3, NULL, 0, "indices has rank 0");
    const oracle_operand deep[] = {{KEEL_I32, 8, {1, 1, 1, 1, 1, 1, 1, 1}, NULL, counting},
                                   {KEEL_I32, 3, {1, 1, 1}, NULL, counting},
                                   {KEEL_I32, 8, {1, 1, 1, 1, 1, 1, 1, 1}, NULL, NULL}};
    expect_error("keel.gather_nd", deep, 3, NULL, 0, "give rank 9, at most 8");
}

/* ---- scatters -------------------------------------------------------------------------------- */

static void scatter_elements_lets_the_last_update_win(void **state)
{
    (void)state;
    const int64_t places[] = {1, -1, 1, 5, 0, 0};
    const keel_attribute axis = oracle_int("axis", 1);
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I64, 2, {2, 3}, NULL, places},
                                       {KEEL_I32, 2, {2, 3}, NULL, counting + 10},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    expect_i32("keel.scatter_elements", operands, 4, &axis, 1,
               (const int32_t[]){0, 12, 11, 15, 4, 5}, 6);
}

/* A reduction of data {2, 7} with 3, 5 and -4, the first and the last of which meet in element 0.
 */
typedef struct reduction_case {
    const char *name;
    int32_t want[2];
} reduction_case;

static const reduction_case reductions[] = {
    {"none", {-4, 5}}, {"add", {1, 12}}, {"mul", {-24, 35}}, {"min", {-4, 5}}, {"max", {3, 7}},
};

static void scatters_reduce_as_asked(void **state)
{
    (void)state;
    const int32_t data[] = {2, 7};
    const int32_t places[] = {0, 1, -2};
    const int32_t updates[] = {3, 5, -4};
    const oracle_operand elements[] = {{KEEL_I32, 1, {2}, NULL, data},
                                       {KEEL_I32, 1, {3}, NULL, places},
                                       {KEEL_I32, 1, {3}, NULL, updates},
                                       {KEEL_I32, 1, {2}, NULL, NULL}};
    oracle_operand tuples[4];
    memcpy(tuples, elements, sizeof tuples);
    tuples[1].rank = 2;
    tuples[1].shape[1] = 1;
    for (size_t i = 0; i < KEEL_COUNT(reductions); i++) {
        const keel_attribute reduction = text("reduction", reductions[i].name);
        expect_i32("keel.scatter_elements", elements, 4, &reduction, 1, reductions[i].want, 2);
        expect_i32("keel.scatter_nd", tuples, 4, &reduction, 1, reductions[i].want, 2);
    }
}

static void scatter_nd_writes_slices_and_skips_what_is_outside(void **state)
{
    (void)state;
    const int64_t places[] = {2, 0, 3, -2};
    const oracle_operand operands[] = {{KEEL_I32, 2, {3, 2}, NULL, counting},
                                       {KEEL_I64, 2, {4, 1}, NULL, places},
                                       {KEEL_I32, 2, {4, 2}, NULL, counting + 10},
                                       {KEEL_I32, 2, {3, 2}, NULL, NULL}};
    expect_i32("keel.scatter_nd", operands, 4, NULL, 0, (const int32_t[]){12, 13, 16, 17, 10, 11},
               6);
}

/* 2^24 + 1 + 1 is 2^24 in f32 and 2^24 + 2 in truth; in that order 2 * (2^127)^2 overflows. */
static void float_sums_are_true_and_bounded_and_overflow_in_order(void **state)
{
    (void)state;
    keel_truth truth[2];
    const float data[] = {0x1p24f, 2};
    const int32_t places[] = {0, 0, 1, 1, 1};
    const float updates[] = {1, 1, 0x1p127f, 0x1p127f, -0x1p127f};
    const keel_attribute add = text("reduction", "add");
    const oracle_operand operands[] = {{KEEL_F32, 1, {2}, NULL, data},
                                       {KEEL_I32, 1, {5}, NULL, places},
                                       {KEEL_F32, 1, {5}, NULL, updates},
                                       {KEEL_F32, 1, {2}, NULL, NULL}};
    oracle_ask("keel.scatter_elements", operands, 4, &add, 1, truth);
    assert_int_equal(truth[0].rule, KEEL_RULE_BOUND);
    assert_true(truth[0].hi == 0x1p24 + 2 && truth[0].hard >= 2 && truth[0].hard < 2.001);
    assert_true(isinf(truth[1].hi) && truth[1].hi > 0 && truth[1].hard < 1e-40);
}

static void scatters_name_what_is_wrong(void **state)
{
    (void)state;
    oracle_operand operands[] = {{KEEL_F8E5M2, 1, {4}, NULL, counting},
                                 {KEEL_I32, 1, {3}, NULL, counting},
                                 {KEEL_F8E5M2, 1, {2}, NULL, counting},
                                 {KEEL_F8E5M2, 1, {4}, NULL, NULL}};
    const keel_attribute mean = text("reduction", "mean");
    const keel_attribute add = text("reduction", "add");
    expect_error("keel.scatter_elements", operands, 4, &mean, 1,
                 "reduction is \"mean\", must be none, add, mul, min or max");
    expect_error("keel.scatter_elements", operands, 4, &add, 1, "but data is f8e5m2");
    expect_error("keel.scatter_elements", operands, 4, NULL, 0,
                 "axis 0 of updates has 2 elements, must have 3");
    operands[2].rank = 0;
    expect_error("keel.scatter_elements", operands, 4, NULL, 0, "updates has rank 0, must have 1");
    expect_error("keel.scatter_nd", operands, 4, NULL, 0,
                 "the last axis of indices has 3 elements, must have 1 to 1");
    operands[1].rank = 2;
    operands[1].shape[1] = 1;
    expect_error("keel.scatter_nd", operands, 4, NULL, 0, "updates has rank 0, must have 1");
    operands[2].rank = 1;
    expect_error("keel.scatter_nd", operands, 4, NULL, 0,
                 "axis 0 of updates has 2 elements, must have 3, as in indices");
}

/* Out in the place of an input that is still read when out is written. */
static void scatters_write_over_data_and_no_other_input(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        int32_t alias;
        const char *words;
    } cases[] = {
        {"keel.scatter_elements", 0, NULL},
        {"keel.scatter_elements", 1, "out is the same view as indices"},
        {"keel.scatter_elements", 2, "out is the same view as updates"},
        {"keel.tensor_scatter", 0, NULL},
        {"keel.tensor_scatter", 1, "out is the same view as update"},
    };
    for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
        keel_context *context = NULL;
        keel_error err = KEEL_ERROR_INIT;
        const int is_cache = strcmp(cases[i].op, "keel.tensor_scatter") == 0;
        keel_desc descs[4];
        assert_ok(&err, keel_context_create(NULL, &context, &err));
        for (int k = 0; k < 4; k++) {
            descs[k] = (keel_desc){.dtype = KEEL_I64,
                                   .rank = 3,
                                   .shape = {2, 2, 2},
                                   .stride = {4, 2, 1},
                                   .align = 8,
                                   .alias = -1};
        }
        descs[2].dtype = is_cache ? KEEL_DTYPE_NONE : KEEL_I64;
        descs[3].alias = cases[i].alias;
        const keel_status status =
            keel_op_infer(context, cases[i].op, descs, 3, NULL, 0, &descs[3], 1, &err);
        assert_int_equal(status, cases[i].words != NULL ? KEEL_ERR_INVALID_ARGUMENT : KEEL_OK);
        if (cases[i].words != NULL) {
            assert_mentions(&err, cases[i].words);
        }
        keel_context_release(context);
    }
}

/* ---- tensor_scatter -------------------------------------------------------------------------- */

static void tensor_scatter_writes_from_each_index_on(void **state)
{
    (void)state;
    const int32_t past[8] = {0};
    const int64_t starts[] = {2, 3};
    keel_attribute attributes[] = {oracle_int("axis", 1), text("mode", "linear")};
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 4}, NULL, past},
                                       {KEEL_I32, 2, {2, 2}, NULL, counting + 1},
                                       {KEEL_I64, 1, {2}, NULL, starts},
                                       {KEEL_I32, 2, {2, 4}, NULL, NULL}};
    expect_i32("keel.tensor_scatter", operands, 4, attributes, 2,
               (const int32_t[]){0, 0, 1, 2, 0, 0, 0, 3}, 8);
    attributes[1] = text("mode", "circular");
    expect_i32("keel.tensor_scatter", operands, 4, attributes, 2,
               (const int32_t[]){0, 0, 1, 2, 4, 0, 0, 3}, 8);
}

static void tensor_scatter_names_what_is_wrong(void **state)
{
    (void)state;
    oracle_operand operands[] = {{KEEL_I32, 2, {2, 4}, NULL, counting},
                                 {KEEL_I32, 2, {2, 5}, NULL, counting},
                                 {KEEL_I64, 1, {3}, NULL, counting},
                                 {KEEL_I32, 2, {2, 4}, NULL, NULL}};
    keel_attribute attributes[] = {oracle_int("axis", 1), text("mode", "ring")};
    expect_error("keel.tensor_scatter", operands, 4, NULL, 0, "axis is -2, axis 0 of past_cache");
    expect_error("keel.tensor_scatter", operands, 4, attributes, 2, "mode is \"ring\"");
    expect_error("keel.tensor_scatter", operands, 4, attributes, 1,
                 "axis 1 of update has 5 elements, must have at most 4");
    operands[1].shape[1] = 1;
    expect_error("keel.tensor_scatter", operands, 4, attributes, 1,
                 "write_indices has rank 1 and 3 elements, must have rank 1 and 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_elements_keeps_the_place_on_other_axes),
        cmocka_unit_test(gather_elements_names_what_is_wrong),
        cmocka_unit_test(gather_nd_takes_slices_by_tuples),
        cmocka_unit_test(gather_nd_names_what_is_wrong),
        cmocka_unit_test(scatter_elements_lets_the_last_update_win),
        cmocka_unit_test(scatters_reduce_as_asked),
        cmocka_unit_test(scatter_nd_writes_slices_and_skips_what_is_outside),
        cmocka_unit_test(float_sums_are_true_and_bounded_and_overflow_in_order),
        cmocka_unit_test(scatters_name_what_is_wrong),
        cmocka_unit_test(scatters_write_over_data_and_no_other_input),
        cmocka_unit_test(tensor_scatter_writes_from_each_index_on),
        cmocka_unit_test(tensor_scatter_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
