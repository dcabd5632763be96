/*
 * Contracts of the ops that put elements into other places by a rule against vectors worked out by
 * hand: blocks between channels and pixels, repeats, pads.
 */
#include "keel_test.h"

#include <string.h>

#include "oracle_call.h"

#define MOST 64

static const int32_t counting[24] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

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

static keel_attribute text(const char *name, const char *value)
{
    return (keel_attribute){.name = name,
                            .kind = KEEL_ATTR_BYTES,
                            .count = (int32_t)strlen(value),
                            .value.bytes = value};
}

/* ---- depth_to_space, space_to_depth ---------------------------------------------------------- */

static void depth_to_space_spreads_channels(void **state)
{
    (void)state;
    /* Channel k holds 2k and 2k + 1, side by side. */
    const oracle_operand operands[] = {{KEEL_I32, 4, {1, 8, 1, 2}, NULL, counting},
                                       {KEEL_I32, 4, {1, 2, 2, 4}, NULL, NULL}};
    const keel_attribute dcr[] = {oracle_int("blocksize", 2), text("mode", "DCR")};
    const keel_attribute crd[] = {oracle_int("blocksize", 2), text("mode", "CRD")};
    const int32_t far[] = {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15};
    const int32_t near[] = {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15};
    expect_i32("keel.depth_to_space", operands, 2, dcr, 2, far, 16);
    expect_i32("keel.depth_to_space", operands, 2, dcr, 1, far, 16);
    expect_i32("keel.depth_to_space", operands, 2, crd, 2, near, 16);
}

static void space_to_depth_gathers_blocks(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 4, {1, 2, 2, 4}, NULL, counting},
                                       {KEEL_I32, 4, {1, 8, 1, 2}, NULL, NULL}};
    const keel_attribute two = oracle_int("blocksize", 2);
    const int32_t want[] = {0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15};
    expect_i32("keel.space_to_depth", operands, 2, &two, 1, want, 16);
}

static void blocks_name_what_is_wrong(void **state)
{
    (void)state;
    const int64_t repeated[] = {0, 0, 0, 0};
    const oracle_operand flat[] = {{KEEL_I32, 3, {8, 1, 2}, NULL, counting},
                                   {KEEL_I32, 3, {2, 2, 4}, NULL, NULL}};
    const oracle_operand image[] = {{KEEL_I32, 4, {1, 6, 2, 2}, NULL, counting},
                                    {KEEL_I32, 4, {1, 1, 4, 4}, NULL, NULL}};
    const oracle_operand tall[] = {{KEEL_U8, 4, {1, 0, INT64_C(1) << 62, 1}, repeated, counting},
                                   {KEEL_U8, 4, {1, 0, 4, 4}, NULL, NULL}};
    const oracle_operand many[] = {{KEEL_U8, 4, {1, INT64_C(1) << 61, 0, 2}, repeated, counting},
                                   {KEEL_U8, 4, {1, 0, 4, 4}, NULL, NULL}};
    keel_attribute attributes[] = {oracle_int("blocksize", 2), text("mode", "DRC")};
    expect_error("keel.depth_to_space", flat, 2, attributes, 1, "in has rank 3, must have 4");
    expect_error("keel.space_to_depth", flat, 2, attributes, 1, "in has rank 3, must have 4");
    expect_error("keel.depth_to_space", image, 2, attributes, 2,
                 "mode is \"DRC\", must be DCR or CRD");
    expect_error("keel.depth_to_space", image, 2, attributes, 1,
                 "in has 6 channels (axis 1), must have a multiple of 4");
    expect_error("keel.depth_to_space", tall, 2, attributes, 1,
                 "axis 2 of in has 4611686018427387904");
    expect_error("keel.space_to_depth", many, 2, attributes, 1,
                 "in has 2305843009213693952 channels");
    attributes[0] = oracle_int("blocksize", 3);
    expect_error("keel.space_to_depth", image, 2, attributes, 1,
                 "axis 2 of in has 2 elements, must have a multiple of blocksize, 3");
    attributes[0] = oracle_int("blocksize", 0);
    expect_error("keel.depth_to_space", image, 2, attributes, 1,
                 "blocksize is 0, must be 1 to 2147483647");
    attributes[0] = oracle_int("blocksize", INT64_C(1) << 31);
    expect_error("keel.space_to_depth", image, 2, attributes, 1, "blocksize is 2147483648");
}

/* ---- tile ------------------------------------------------------------------------------------ */

static void tile_repeats_each_axis(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {4, 6}, NULL, NULL}};
    const keel_attribute both = oracle_ints("repeats", 2, (const int64_t[]){2, 2});
    expect_i32(
        "keel.tile", operands, 2, &both, 1,
        (const int32_t[]){0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5},
        24);
    const oracle_operand none[] = {operands[0], {KEEL_I32, 2, {2, 0}, NULL, NULL}};
    const keel_attribute never = oracle_ints("repeats", 2, (const int64_t[]){1, 0});
    expect_i32("keel.tile", none, 2, &never, 1, NULL, 0);
}

static void tile_names_what_is_wrong(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 2, {4, 6}, NULL, NULL}};
    const keel_attribute few = oracle_ints("repeats", 1, (const int64_t[]){2});
    const keel_attribute below = oracle_ints("repeats", 2, (const int64_t[]){2, -1});
    const keel_attribute far = oracle_ints("repeats", 2, (const int64_t[]){1, INT64_MAX});
    expect_error("keel.tile", operands, 2, &few, 1, "repeats has 1 entries, must have 2");
    expect_error("keel.tile", operands, 2, &below, 1, "repeats[1] is -1, must be at least 0");
    expect_error("keel.tile", operands, 2, &far, 1, "repeats[1] is 9223372036854775807");
}

/* ---- pad ------------------------------------------------------------------------------------- */

/* Pads a vector of 0, 1, … . */
typedef struct pad_case {
    const char *mode;
    int64_t extent, before, behind;
    int32_t count;
    int32_t want[12];
} pad_case;

static const pad_case pads[] = {
    {"constant", 3, 2, 1, 6, {-7, -7, 0, 1, 2, -7}},
    {"constant", 4, -1, 2, 5, {1, 2, 3, -7, -7}},
    {"constant", 4, 4, -4, 4, {-7, -7, -7, -7}},
    {"constant", 0, 1, 1, 2, {-7, -7}},
    {"constant", 4, -4, 2, 2, {-7, -7}},
    {"reflect", 4, 2, 3, 9, {2, 1, 0, 1, 2, 3, 2, 1, 0}},
    {"reflect", 4, -1, 1, 4, {1, 2, 3, 2}},
    {"edge", 3, 2, 2, 7, {0, 0, 0, 1, 2, 2, 2}},
    {"edge", 4, -3, 2, 3, {3, 3, 3}},
    {"wrap", 3, 4, 5, 12, {2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}},
    {"wrap", 4, -1, 2, 5, {1, 2, 3, 1, 2}},
    {"wrap", 1, 2, 1, 4, {0, 0, 0, 0}},
};

static void pad_adds_and_cuts_off(void **state)
{
    (void)state;
    const int32_t seven = -7;
    for (size_t i = 0; i < KEEL_COUNT(pads); i++) {
        const pad_case *c = &pads[i];
        const int64_t both[] = {c->before, c->behind};
        const oracle_operand operands[] = {{KEEL_I32, 1, {c->extent}, NULL, counting},
                                           {KEEL_I32, 0, {0}, NULL, &seven},
                                           {KEEL_I32, 1, {c->count}, NULL, NULL}};
        const keel_attribute attributes[] = {oracle_ints("pads", 2, both), text("mode", c->mode)};
        expect_i32("keel.pad", operands, 3, attributes, 2, c->want, (size_t)c->count);
    }
}

/* Corners: reflected along both axes; without a constant: 0. */
static void pad_takes_the_axes_it_is_told(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting + 1},
                                       {KEEL_DTYPE_NONE, 0, {0}, NULL, NULL},
                                       {KEEL_I32, 2, {3, 4}, NULL, NULL}};
    const keel_attribute attributes[] = {oracle_ints("pads", 4, (const int64_t[]){1, 0, 0, 1}),
                                         oracle_ints("axes", 2, (const int64_t[]){-1, 0}),
                                         text("mode", "reflect")};
    const int32_t reflected[] = {2, 1, 2, 3, 5, 4, 5, 6, 2, 1, 2, 3};
    const int32_t zeros[] = {0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0};
    expect_i32("keel.pad", operands, 3, attributes, 3, reflected, 12);
    expect_i32("keel.pad", operands, 3, attributes, 2, zeros, 12);
}

/* Refuses pads of a 2 x 3 matrix. */
static void refuse_pads(const char *mode, int32_t count, const int64_t *values, const char *words)
{
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 1, {1}, NULL, counting},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    const keel_attribute attributes[] = {oracle_ints("pads", count, values), text("mode", mode)};
    expect_error("keel.pad", operands, 3, attributes, 2, words);
}

static void pad_names_what_is_wrong(void **state)
{
    (void)state;
    const oracle_operand operands[] = {{KEEL_I32, 2, {2, 3}, NULL, counting},
                                       {KEEL_I32, 1, {2}, NULL, counting},
                                       {KEEL_I32, 2, {2, 3}, NULL, NULL}};
    keel_attribute attributes[] = {oracle_ints("pads", 4, (const int64_t[]){0, 0, 0, 0}),
                                   oracle_ints("axes", 0, NULL)};
    refuse_pads("constant", 2, (const int64_t[]){1, 1}, "pads has 2 entries, must have 4");
    refuse_pads("mirror", 4, (const int64_t[]){0, 0, 0, 0}, "mode is \"mirror\"");
    refuse_pads("edge", 4, (const int64_t[]){-3, 0, 9, 0},
                "pads[0] is -3, but axis 0 has 2 elements left");
    refuse_pads("edge", 4, (const int64_t[]){0, -2, 0, INT64_MIN}, "axis 1 has 1 elements left");
    refuse_pads("edge", 4, (const int64_t[]){-2, 0, 1, 0}, "1 elements are added along axis 0");
    refuse_pads("reflect", 4, (const int64_t[]){0, 0, 2, 0}, "must be less than the 2");
    refuse_pads("reflect", 4, (const int64_t[]){0, -2, 0, 1}, "must be less than the 1");
    refuse_pads("wrap", 4, (const int64_t[]){0, INT64_MAX, 0, 0}, "axis 1 of 3 elements gets");
    expect_error("keel.pad", operands, 3, attributes, 1, "constant_value has 2 elements");
    attributes[1] = oracle_ints("axes", 2, (const int64_t[]){0, 2});
    expect_error("keel.pad", operands, 3, attributes, 2, "axes[1] is 2, must be -2 to 1");
    attributes[1] = oracle_ints("axes", 2, (const int64_t[]){1, -1});
    expect_error("keel.pad", operands, 3, attributes, 2, "axes[1] is axis 1, which is there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_to_space_spreads_channels),
        cmocka_unit_test(space_to_depth_gathers_blocks),
        cmocka_unit_test(blocks_name_what_is_wrong),
        cmocka_unit_test(tile_repeats_each_axis),
        cmocka_unit_test(tile_names_what_is_wrong),
        cmocka_unit_test(pad_adds_and_cuts_off),
        cmocka_unit_test(pad_takes_the_axes_it_is_told),
        cmocka_unit_test(pad_names_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
