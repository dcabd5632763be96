/* Tensors: creation, views, what is refused, and host transfers of every layout. */
#include "core_fixture.h"

static void create_gives_dense_strides(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {2, 3, 4};
    keel_tensor t;
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_I16, 3, shape, &t, &f->err));
    assert_int_equal(t.stride[0], 12);
    assert_int_equal(t.stride[1], 4);
    assert_int_equal(t.stride[2], 1);
    assert_int_equal(keel_buffer_size(t.buffer), 48);
    assert_int_equal(keel_tensor_elements(&t), 24);
    keel_tensor_release(&t);
    assert_null(t.buffer);
}

static void empty_and_scalar_tensors_are_tensors(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {3, 0, 5};
    float value = 7;
    float back = 0;
    keel_tensor empty;
    keel_tensor scalar;
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, 3, shape, &empty, &f->err));
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, 0, NULL, &scalar, &f->err));
    assert_int_equal(keel_tensor_elements(&empty), 0);
    assert_int_equal(keel_tensor_elements(&scalar), 1);
    assert_ok(&f->err, keel_tensor_write(f->queue, &empty, NULL, &f->err));
    assert_ok(&f->err, keel_tensor_write(f->queue, &scalar, &value, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &scalar, &back, &f->err));
    assert_true(back == value);
    keel_tensor_release(&empty);
    keel_tensor_release(&scalar);
}

/* A tensor that cannot be, and the words that say why. */
typedef struct bad_shape {
    keel_dtype dtype;
    int32_t rank;
    int64_t shape[4];
    const char *mentions;
} bad_shape;

static void create_refuses_what_cannot_be(void **state)
{
    core_fixture *f = *state;
    static const bad_shape bad[] = {
        {0, 1, {1}, "dtype is 0"},
        {99, 1, {1}, "dtype is 99"},
        {KEEL_F32, -1, {1}, "rank is -1"},
        {KEEL_F32, 9, {1}, "rank is 9"},
        {KEEL_F32, 2, {4, -3}, "size -3"},
        {KEEL_F32, 2, {INT64_C(1) << 40, INT64_C(1) << 40}, "2^63"},
        {KEEL_F64, 1, {INT64_MAX / 4}, "2^63"},
        {KEEL_U8, 3, {INT64_C(1) << 32, INT64_C(1) << 32, 0}, "2^63"},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_tensor t = {.rank = 77};
        assert_status(
            &f->err,
            keel_tensor_create(f->device, bad[i].dtype, bad[i].rank, bad[i].shape, &t, &f->err),
            KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&f->err, bad[i].mentions);
        assert_null(t.buffer);
        assert_int_equal(t.rank, 0);
        core_forget(f);
    }
}

static void more_than_the_host_has_is_out_of_memory(void **state)
{
    core_fixture *f = *state;
    const int64_t shape[] = {INT64_C(1) << 50};
    keel_tensor t;
    assert_status(&f->err, keel_tensor_create(f->device, KEEL_F32, 1, shape, &t, &f->err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_mentions(&f->err, "4503599627370496 bytes");
    assert_null(t.buffer);
}

static void view_must_lie_within_its_buffer(void **state)
{
    core_fixture *f = *state;
    keel_buffer *buffer;
    keel_tensor t;
    const int64_t shape[] = {4, 4};
    const int64_t wide[] = {5, 1};
    assert_ok(&f->err, keel_buffer_create(f->device, 64, &buffer, &f->err));
    assert_ok(&f->err, keel_tensor_view(buffer, 0, KEEL_F32, 2, shape, NULL, &t, &f->err));
    assert_ptr_equal(t.buffer, buffer);
    assert_status(&f->err, keel_tensor_view(buffer, 0, KEEL_F32, 2, shape, wide, &t, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "76 bytes from offset 0 reach past the buffer's 64 bytes");
    core_forget(f);
    assert_status(&f->err, keel_tensor_view(buffer, 4, KEEL_F32, 2, shape, NULL, &t, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_tensor_view(buffer, 2, KEEL_F32, 1, shape, NULL, &t, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "byte offset 2 is not a multiple");
    core_forget(f);
    keel_buffer_release(buffer);
}

static void huge_strides_do_not_overflow(void **state)
{
    core_fixture *f = *state;
    keel_buffer *buffer;
    keel_tensor t;
    const int64_t shape[] = {3, 2};
    const int64_t far[] = {INT64_MAX / 2, INT64_MAX / 2};
    const int64_t negative[] = {-2, 1};
    assert_ok(&f->err, keel_buffer_create(f->device, 64, &buffer, &f->err));
    assert_status(&f->err, keel_tensor_view(buffer, 0, KEEL_F32, 2, shape, far, &t, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "2^63 bytes");
    core_forget(f);
    assert_status(&f->err, keel_tensor_view(buffer, 0, KEEL_F32, 2, shape, negative, &t, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "stride -2");
    core_forget(f);
    keel_buffer_release(buffer);
}

static void strided_tensors_are_written_and_read_packed(void **state)
{
    core_fixture *f = *state;
    const int64_t whole[] = {3, 4};
    const int64_t shape[] = {4, 3};
    const int64_t stride[] = {1, 4}; /* the transpose */
    const float packed[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    float back[12] = {0};
    float rows[12] = {0};
    keel_tensor t = core_blank(f, 2, whole);
    keel_tensor view;
    assert_ok(&f->err, keel_tensor_view(t.buffer, 0, KEEL_F32, 2, shape, stride, &view, &f->err));
    assert_false(keel_tensor_is_dense(&view));
    assert_ok(&f->err, keel_tensor_write(f->queue, &view, packed, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &view, back, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &t, rows, &f->err));
    assert_memory_equal(back, packed, sizeof packed);
    assert_true(rows[1] == 3 && rows[4] == 1); /* element (1, 0) and (0, 1) of the transpose */
    keel_tensor_release(&t);
}

static void a_repeated_element_can_be_read_not_written(void **state)
{
    core_fixture *f = *state;
    const int64_t one[] = {1};
    const int64_t shape[] = {5};
    const int64_t stride[] = {0};
    float back[5] = {0};
    keel_tensor t = core_counting(f, 1, one);
    keel_tensor view;
    assert_ok(&f->err, keel_tensor_view(t.buffer, 0, KEEL_F32, 1, shape, stride, &view, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &view, back, &f->err));
    assert_true(back[0] == 1 && back[4] == 1);
    assert_status(&f->err, keel_tensor_write(f->queue, &view, back, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "elements overlap");
    core_forget(f);
    keel_tensor_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(create_gives_dense_strides),
        CORE_TEST(empty_and_scalar_tensors_are_tensors),
        CORE_TEST(create_refuses_what_cannot_be),
        CORE_TEST(more_than_the_host_has_is_out_of_memory),
        CORE_TEST(view_must_lie_within_its_buffer),
        CORE_TEST(huge_strides_do_not_overflow),
        CORE_TEST(strided_tensors_are_written_and_read_packed),
        CORE_TEST(a_repeated_element_can_be_read_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
