/* Inputs, shapes and attributes as words of a command line. */
#include "keel_test.h"
#include "operand.h"

static const keel_attribute_rule rules[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT},
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT},
    {.name = "axes", .kind = KEEL_ATTR_INTS},
    {.name = "mode", .kind = KEEL_ATTR_BYTES},
};

static const keel_op op = {
    .name = "test.op", .attributes = rules, .attribute_count = KEEL_COUNT(rules)};

static void seeds_give_the_same_data_again(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array a;
    cli_array b;
    cli_array c;
    assert_ok(&err, cli_operand_read("7:f32:4x5", &a, &err));
    assert_ok(&err, cli_operand_read("7:f32:20", &b, &err));
    assert_ok(&err, cli_operand_read("8:f32:20", &c, &err));
    assert_int_equal(a.elements, 20);
    assert_memory_equal(a.data, b.data, a.bytes);
    assert_memory_not_equal(a.data, c.data, a.bytes);
    for (int64_t i = 0; i < a.elements; i++) {
        assert_true(keel_dtype_load(KEEL_F32, a.data, i) >= -1);
        assert_true(keel_dtype_load(KEEL_F32, a.data, i) < 1);
    }
    cli_array_release(&a);
    cli_array_release(&b);
    cli_array_release(&c);
}

static void shapes_may_be_empty(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_array scalar;
    assert_ok(&err, cli_operand_read("0:bool:", &scalar, &err));
    assert_int_equal(scalar.rank, 0);
    assert_int_equal(scalar.elements, 1);
    cli_array_release(&scalar);
}

static void refuses_bad_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *mentions;
    } bad[] = {
        {"1:f33:4", "\"f33\" is no dtype"},
        {"1:f32:4xx5", "shape"},
        {"1:f32:4x", "shape"},
        {"1:f32:-4", "shape"},
        {"1:f32:1x1x1x1x1x1x1x1x1", "8 axes"},
        {"99999999999999999999:f32:4", "seed"},
        {"1:f64:65536x65536", "4294967296"},
        {"1:f32:99999999999999999999", "shape"},
        {"x.npy", "cannot be opened"},
        {"x.npy:bf16", "cannot be opened"},
        {"", "cannot be opened"},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_array array;
        assert_int_not_equal(cli_operand_read(bad[i].text, &array, &err), KEEL_OK);
        assert_mentions(&err, bad[i].mentions);
        assert_mentions(&err, "--input");
        assert_null(array.data);
    }
}

static void attributes_follow_the_contract(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    cli_attribute found;
    assert_ok(&err, cli_attribute_parse(&op, "axis=-1", &found, &err));
    assert_int_equal(found.attribute.value.i, -1);
    assert_ok(&err, cli_attribute_parse(&op, "axis=true", &found, &err));
    assert_int_equal(found.attribute.value.i, 1);
    assert_ok(&err, cli_attribute_parse(&op, "alpha=0.5", &found, &err));
    assert_true(found.attribute.value.f == 0.5);
    assert_ok(&err, cli_attribute_parse(&op, "axes=0,-2", &found, &err));
    assert_int_equal(found.attribute.count, 2);
    assert_int_equal(found.attribute.value.ints[1], -2);
    assert_ok(&err, cli_attribute_parse(&op, "axes=", &found, &err));
    assert_int_equal(found.attribute.count, 0);
    assert_ok(&err, cli_attribute_parse(&op, "mode=a=b", &found, &err));
    assert_int_equal(found.attribute.count, 3);
}

static void refuses_bad_attributes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *mentions;
    } bad[] = {
        {"axis", "NAME=VALUE"}, {"axis=", "axis: \"\""},   {"axis=1.5", "\"1.5\""},
        {"alpha=x", "\"x\""},   {"axes=1,,2", "\"1,,2\""}, {"ax=1", "no attribute \"ax\""},
        {"=1", "no attribute"},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_error err = KEEL_ERROR_INIT;
        cli_attribute found;
        assert_status(&err, cli_attribute_parse(&op, bad[i].text, &found, &err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, bad[i].mentions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_give_the_same_data_again),
        cmocka_unit_test(shapes_may_be_empty),
        cmocka_unit_test(refuses_bad_inputs),
        cmocka_unit_test(attributes_follow_the_contract),
        cmocka_unit_test(refuses_bad_attributes),
    };
    return cmocka_run_group_tests_name("operand", tests, NULL, NULL);
}
