/* Attributes as applications write them, and the wrappers of keel/ops.h on the device ref:0. */
#include <stddef.h>

#include "keel/keel.h"
#include "keel_test.h"

static void each_kind_is_spelt_out(void **state)
{
    (void)state;
    const keel_int64_list axes = KEEL_INTS(0, 2);
    const keel_attribute ints = keel_attribute_ints("axes", axes);
    assert_int_equal(ints.kind, KEEL_ATTR_INTS);
    assert_int_equal(ints.count, 2);
    assert_int_equal(ints.value.ints[1], 2);
    const keel_attribute bytes = keel_attribute_bytes("mode", "same");
    assert_int_equal(bytes.kind, KEEL_ATTR_BYTES);
    assert_int_equal(bytes.count, 4);
    assert_int_equal(keel_attribute_bytes("mode", NULL).count, 0);
    const keel_attribute real = keel_attribute_float("alpha", 0.25);
    assert_int_equal(real.kind, KEEL_ATTR_FLOAT);
    assert_true(real.value.f == 0.25);
}

/* ---- wrappers -------------------------------------------------------------------------------- */

typedef struct fixture {
    keel_error err;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_tensor a, b, c; /* 2 x 2 */
} fixture;

static const float host_a[4] = {1, 2, 3, 4};
static const float host_b[4] = {5, 6, 7, 8};

static int open_ref(void **state)
{
    static fixture self;
    static const int64_t shape[] = {2, 2};
    self = (fixture){.err = KEEL_ERROR_INIT};
    *state = &self;
    keel_context_create(NULL, &self.context, &self.err);
    keel_device_open(self.context, "ref:0", &self.device, &self.err);
    keel_queue_create(self.device, NULL, &self.queue, &self.err);
    keel_tensor_create(self.device, KEEL_F32, 2, shape, &self.a, &self.err);
    keel_tensor_create(self.device, KEEL_F32, 2, shape, &self.b, &self.err);
    keel_tensor_create(self.device, KEEL_F32, 2, shape, &self.c, &self.err);
    keel_tensor_write(self.queue, &self.a, host_a, &self.err);
    keel_tensor_write(self.queue, &self.b, host_b, &self.err);
    assert_ok(&self.err, self.err.status);
    return 0;
}

static int close_ref(void **state)
{
    fixture *self = *state;
    keel_tensor_release(&self->a);
    keel_tensor_release(&self->b);
    keel_tensor_release(&self->c);
    keel_queue_destroy(self->queue);
    keel_device_close(self->device);
    keel_context_release(self->context);
    return 0;
}

static void result_is(fixture *self, float c00, float c01, float c10, float c11)
{
    float c[4] = {0};
    keel_tensor_read(self->queue, &self->c, c, &self->err);
    assert_ok(&self->err, self->err.status);
    assert_true(c[0] == c00 && c[1] == c01 && c[2] == c10 && c[3] == c11);
}

static void an_op_without_attributes_takes_no_options(void **state)
{
    fixture *self = *state;
    keel_sub(self->queue, &self->b, &self->a, &self->c, &self->err);
    result_is(self, 4, 4, 4, 4);
}

static void no_options_are_all_defaults(void **state)
{
    fixture *self = *state;
    keel_matmul(self->queue, &self->a, &self->b, NULL, NULL, &self->c, NULL, &self->err);
    result_is(self, 19, 22, 43, 50);
}

static void options_reach_the_contract(void **state)
{
    fixture *self = *state;
    keel_matmul_options options = KEEL_MATMUL_OPTIONS(.transpose_b = 1);
    options.alpha = 2.0;
    keel_matmul(self->queue, &self->a, &self->b, NULL, NULL, &self->c, &options, &self->err);
    result_is(self, 34, 46, 78, 106);
}

static void a_zero_is_not_the_default(void **state)
{
    fixture *self = *state;
    keel_matmul_options options = KEEL_MATMUL_OPTIONS();
    options.alpha = 0.0;
    keel_matmul(self->queue, &self->a, &self->b, NULL, NULL, &self->c, &options, &self->err);
    result_is(self, 0, 0, 0, 0);
    const keel_softmax_options last = KEEL_SOFTMAX_OPTIONS();
    assert_int_equal(last.axis, -1);
    keel_argmax_options first = KEEL_ARGMAX_OPTIONS(.select_last_index = 1);
    assert_int_equal(first.keepdims, 1);
    keel_tensor index;
    int64_t got[2] = {7, 7};
    keel_tensor_create(self->device, KEEL_I64, 2, (int64_t[]){1, 2}, &index, &self->err);
    keel_argmax(self->queue, &self->a, &index, &first, &self->err); /* of columns, not rows */
    keel_tensor_read(self->queue, &index, got, &self->err);
    assert_ok(&self->err, self->err.status);
    assert_true(got[0] == 1 && got[1] == 1);
    keel_tensor_release(&index);
}

/* As C lets one write without a warning: it would mean alpha 0. */
static void options_without_their_defaults_are_refused(void **state)
{
    fixture *self = *state;
    const keel_matmul_options zeroed = {.transpose_b = 1};
    assert_status(
        &self->err,
        keel_matmul(self->queue, &self->a, &self->b, NULL, NULL, &self->c, &zeroed, &self->err),
        KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&self->err, "keel.matmul: options.struct_size is 0, must be ");
    assert_mentions(&self->err, "KEEL_MATMUL_OPTIONS()");
    assert_status(&self->err, keel_softmax(self->queue, &self->a, &self->c, NULL, &self->err),
                  KEEL_ERR_INVALID_ARGUMENT); /* latched */
    self->err = (keel_error)KEEL_ERROR_INIT;
    keel_error io = KEEL_ERROR_INIT;
    (void)keel_fail(&io, KEEL_ERR_IO, "something else failed before");
    assert_status(&io,
                  keel_matmul(self->queue, &self->a, &self->b, NULL, NULL, &self->c, &zeroed, &io),
                  KEEL_ERR_IO);
}

static void lists_are_attributes_too(void **state)
{
    fixture *self = *state;
    keel_transpose(self->queue, &self->a, &self->c,
                   &KEEL_TRANSPOSE_OPTIONS(.perm = KEEL_INTS(1, 0)), &self->err);
    result_is(self, 1, 3, 2, 4);
    const keel_tensor column = {
        .buffer = self->c.buffer, .dtype = KEEL_F32, .rank = 2, .shape = {2, 1}, .stride = {2, 1}};
    keel_slice(self->queue, &self->a, &column, KEEL_INTS(1), KEEL_INTS(2),
               &KEEL_SLICE_OPTIONS(.axes = KEEL_INTS(1)), &self->err);
    result_is(self, 2, 3, 4, 4);
}

static void a_variadic_op_takes_an_array(void **state)
{
    fixture *self = *state;
    const keel_tensor top = {
        .buffer = self->a.buffer, .dtype = KEEL_F32, .rank = 2, .shape = {1, 2}, .stride = {2, 1}};
    const keel_tensor *const rows[] = {&top, &top};
    keel_concat(self->queue, rows, 2, &self->c, 0, &self->err); /* the axis must be given */
    result_is(self, 1, 2, 1, 2);
}

static void a_latched_error_makes_a_wrapper_do_nothing(void **state)
{
    fixture *self = *state;
    keel_sub(self->queue, &self->a, &self->a, &self->c, &self->err);
    keel_error err = KEEL_ERROR_INIT;
    (void)keel_fail(&err, KEEL_ERR_IO, "something else failed before");
    assert_status(&err, keel_add(self->queue, &self->a, &self->b, &self->c, &err), KEEL_ERR_IO);
    result_is(self, 0, 0, 0, 0);
}

#define ON_REF(test) cmocka_unit_test_setup_teardown(test, open_ref, close_ref)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_spelt_out),
        ON_REF(an_op_without_attributes_takes_no_options),
        ON_REF(no_options_are_all_defaults),
        ON_REF(options_reach_the_contract),
        ON_REF(a_zero_is_not_the_default),
        ON_REF(options_without_their_defaults_are_refused),
        ON_REF(lists_are_attributes_too),
        ON_REF(a_variadic_op_takes_an_array),
        ON_REF(a_latched_error_makes_a_wrapper_do_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
