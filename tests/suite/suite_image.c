/* Images of operands: where elements, holes and guards lie, and what damage is seen. */
#include <stdlib.h>

#include "image.h"
#include "keel_test.h"

static conf_image make(keel_dtype dtype, int32_t layout, uint32_t repeat, uint32_t slot)
{
    conf_operand operand = {
        .dtype = dtype, .rank = 2, .shape = {3, 5}, .layout = layout, .repeat = repeat};
    conf_image image;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, conf_image_create(&operand, slot, &image, &err));
    return image;
}

/* Offset of byte 0 of an element by the tensor's strides. */
static size_t place(const conf_image *image, int64_t row, int64_t column)
{
    const keel_tensor *t = &image->tensor;
    return t->byte_offset +
           (size_t)(row * t->stride[0] + column * t->stride[1]) * (size_t)keel_dtype_size(t->dtype);
}

static void layouts_have_the_strides_they_say(void **state)
{
    (void)state;
    static const struct {
        int32_t layout;
        uint32_t repeat;
        int64_t stride[2];
        uint64_t offset, payload, suffix;
    } known[] = {
        {CONF_LAYOUT_DENSE, 0, {5, 1}, 4096, 60, 4096},
        {CONF_LAYOUT_OFFSET, 0, {5, 1}, 4108, 60, 4096},
        {CONF_LAYOUT_PADDED, 0, {8, 1}, 4096, 84, 4096},
        {CONF_LAYOUT_STEP, 0, {13, 2}, 4096, 140, 4096},
        {CONF_LAYOUT_TRANSPOSED, 0, {1, 3}, 4108, 60, 4096},
        {CONF_LAYOUT_FLUSH, 0, {5, 1}, 4096, 60, 0},
        {CONF_LAYOUT_DENSE, 1, {0, 1}, 4096, 20, 4096},
        {CONF_LAYOUT_DENSE, 2, {1, 0}, 4096, 12, 4096},
    };
    for (size_t i = 0; i < KEEL_COUNT(known); i++) {
        conf_image image = make(KEEL_F32, known[i].layout, known[i].repeat, 0);
        assert_int_equal(image.tensor.stride[0], known[i].stride[0]);
        assert_int_equal(image.tensor.stride[1], known[i].stride[1]);
        assert_int_equal(image.tensor.byte_offset, known[i].offset);
        assert_int_equal(image.bytes, known[i].offset + known[i].payload + known[i].suffix);
        assert_int_equal(image.elements, 15);
        conf_image_release(&image);
    }
}

static void elements_go_to_their_places_and_come_back(void **state)
{
    (void)state;
    for (int32_t layout = CONF_LAYOUT_DENSE; layout <= CONF_LAYOUT_FLUSH; layout++) {
        conf_image image = make(KEEL_I16, layout, 0, 2);
        int16_t back[15] = {0};
        for (int16_t i = 0; i < 15; i++) {
            ((int16_t *)(void *)image.dense)[i] = (int16_t)(1000 + i);
        }
        conf_image_scatter(&image);
        int16_t value;
        memcpy(&value, image.host + place(&image, 2, 3), sizeof value);
        assert_int_equal(value, 1013);
        conf_image_gather(&image, image.host, (unsigned char *)back);
        assert_memory_equal(back, image.dense, sizeof back);
        conf_image_release(&image);
    }
}

static void guards_differ_by_operand_and_side(void **state)
{
    (void)state;
    unsigned char ids[KEEL_MAX_OPERANDS * 3];
    size_t count = 0;
    for (uint32_t slot = 0; slot < KEEL_MAX_OPERANDS; slot++) {
        conf_image image = make(KEEL_U8, CONF_LAYOUT_PADDED, 0, slot);
        ids[count++] = image.host[0];
        ids[count++] = image.host[place(&image, 0, 5)];
        ids[count++] = image.host[image.bytes - 1];
        conf_image_release(&image);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(ids[i], ids[k]);
        }
    }
}

/* A result that took in a guard is NaN, and shows. */
static void guards_are_nan_in_types_that_have_room(void **state)
{
    (void)state;
    static const keel_dtype dtypes[] = {KEEL_F64, KEEL_F32, KEEL_F16, KEEL_BF16};
    for (size_t i = 0; i < KEEL_COUNT(dtypes); i++) {
        for (uint32_t slot = 0; slot < KEEL_MAX_OPERANDS; slot++) {
            conf_image image = make(dtypes[i], CONF_LAYOUT_PADDED, 0, slot);
            const unsigned char *first = image.host + image.tensor.byte_offset;
            const double before = keel_dtype_load(dtypes[i], first, -1);
            const double hole = keel_dtype_load(dtypes[i], first, 5);
            const double after = keel_dtype_load(dtypes[i], first, 21);
            assert_true(before != before && hole != hole && after != after);
            conf_image_release(&image);
        }
    }
}

static void damage_is_found_wherever_it_is(void **state)
{
    (void)state;
    conf_image image = make(KEEL_F32, CONF_LAYOUT_PADDED, 0, 1);
    unsigned char *copy = malloc(image.bytes);
    assert_non_null(copy);
    const struct {
        size_t byte;
        int64_t reported;
    } places[] = {
        {0, -4096},
        {4095, -1},
        {place(&image, 0, 5), 20},     /* the first hole */
        {place(&image, 2, 5) + 3, 87}, /* the suffix: the last row has no hole */
        {image.bytes - 1, (int64_t)image.bytes - 1 - 4096},
    };
    for (size_t i = 0; i < KEEL_COUNT(places); i++) {
        memcpy(copy, image.host, image.bytes);
        copy[places[i].byte] ^= 1;
        assert_int_equal(conf_image_damage(&image, copy), places[i].reported);
    }
    memcpy(copy, image.host, image.bytes);
    copy[place(&image, 1, 4)] ^= 1; /* an element: not damage */
    assert_true(conf_image_damage(&image, copy) == CONF_IMAGE_INTACT);
    free(copy);
    conf_image_release(&image);
}

static void poison_fills_elements_only(void **state)
{
    (void)state;
    conf_image image = make(KEEL_F32, CONF_LAYOUT_STEP, 0, 0);
    const unsigned char hole = image.host[place(&image, 1, 1) + 4];
    conf_image_poison(&image, CONF_POISON_SMALL);
    assert_int_equal(image.host[place(&image, 1, 1)], 0x5A);
    assert_int_equal(image.host[place(&image, 1, 1) + 3], 0x5A);
    assert_int_equal(image.host[place(&image, 1, 1) + 4], hole);
    assert_int_not_equal(image.host[4095], 0x5A);
    conf_image_release(&image);
}

static void scalars_and_empty_shapes_have_guards_too(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    conf_image image;
    conf_operand operand = {.dtype = KEEL_F64};
    assert_ok(&err, conf_image_create(&operand, 0, &image, &err));
    assert_int_equal(image.elements, 1);
    assert_int_equal(image.bytes, 4096 + 8 + 4096);
    conf_image_release(&image);
    operand = (conf_operand){.dtype = KEEL_F64, .rank = 2, .shape = {4, 0}};
    assert_ok(&err, conf_image_create(&operand, 0, &image, &err));
    assert_int_equal(image.elements, 0);
    assert_int_equal(image.bytes, 2 * 4096);
    conf_image_release(&image);
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    conf_image image;
    const conf_operand operand = {
        .dtype = KEEL_F32, .rank = 2, .shape = {INT64_C(1) << 40, INT64_C(1) << 40}};
    assert_status(&err, conf_image_create(&operand, 0, &image, &err), KEEL_ERR_INTERNAL);
    assert_null(image.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_have_the_strides_they_say),
        cmocka_unit_test(elements_go_to_their_places_and_come_back),
        cmocka_unit_test(guards_differ_by_operand_and_side),
        cmocka_unit_test(guards_are_nan_in_types_that_have_room),
        cmocka_unit_test(damage_is_found_wherever_it_is),
        cmocka_unit_test(poison_fills_elements_only),
        cmocka_unit_test(scalars_and_empty_shapes_have_guards_too),
        cmocka_unit_test(a_size_that_overflows_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
