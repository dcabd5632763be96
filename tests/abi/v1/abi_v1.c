/* The frozen plugin of ABI 1.0 loads, lists its device, moves memory and runs its op. */
#include "keel/keel.h"
#include "keel_test.h"

typedef struct fixture {
    keel_error err;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
} fixture;

static int open_plugin(void **state)
{
    static fixture self;
    self = (fixture){.err = KEEL_ERROR_INIT};
    *state = &self;
    keel_context_create(NULL, &self.context, &self.err);
    keel_backend_load(self.context, V1_PLUGIN, &self.err);
    keel_device_open(self.context, "v1:0", &self.device, &self.err);
    keel_queue_create(self.device, NULL, &self.queue, &self.err);
    assert_ok(&self.err, self.err.status);
    return 0;
}

static int close_plugin(void **state)
{
    fixture *self = *state;
    keel_queue_destroy(self->queue);
    keel_device_close(self->device);
    keel_context_release(self->context);
    return 0;
}

static void its_device_is_described(void **state)
{
    fixture *self = *state;
    const keel_device_info *info = keel_device_get_info(self->device);
    assert_string_equal(info->name, "plugin of ABI 1.0");
    assert_int_equal(info->memory_bytes, 1 << 20);
    assert_int_equal(keel_device_get_limits(self->device)->base_align, 16);
}

static void bytes_go_there_and_back(void **state)
{
    fixture *self = *state;
    const char sent[] = "sixteen bytes...";
    char got[sizeof sent] = {0};
    keel_buffer *buffer;
    keel_buffer_create(self->device, 64, &buffer, &self->err);
    keel_buffer_fill(self->queue, buffer, 0, 64, 0x5a, &self->err);
    keel_buffer_write(self->queue, buffer, 8, sent, sizeof sent, &self->err);
    keel_buffer_copy(self->queue, buffer, 8, buffer, 40, sizeof sent, &self->err);
    keel_buffer_read(self->queue, buffer, 40, got, sizeof got, &self->err);
    keel_buffer_release(buffer);
    assert_ok(&self->err, self->err.status);
    assert_string_equal(got, sent);
}

static void its_native_op_runs(void **state)
{
    fixture *self = *state;
    const int64_t shape[] = {4};
    const float host[] = {1, 2, 3, 4};
    float sum[4] = {0};
    keel_tensor x, y;
    keel_tensor_create(self->device, KEEL_F32, 1, shape, &x, &self->err);
    keel_tensor_create(self->device, KEEL_F32, 1, shape, &y, &self->err);
    keel_tensor_write(self->queue, &x, host, &self->err);
    keel_add(self->queue, &x, &x, &y, &self->err);
    keel_tensor_read(self->queue, &y, sum, &self->err);
    keel_tensor_release(&x);
    keel_tensor_release(&y);
    assert_ok(&self->err, self->err.status);
    assert_true(sum[0] == 2.0f && sum[3] == 8.0f);
}

static void what_it_lacks_is_unsupported_with_its_reason(void **state)
{
    fixture *self = *state;
    const int64_t shape[] = {2, 2};
    keel_tensor x;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_tensor_create(self->device, KEEL_F32, 2, shape, &x, &err));
    assert_status(&err, keel_add(self->queue, &x, &x, &x, &err), KEEL_ERR_UNSUPPORTED);
    assert_mentions(&err, "only dense f32 vectors");
    keel_tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(its_device_is_described, open_plugin, close_plugin),
        cmocka_unit_test_setup_teardown(bytes_go_there_and_back, open_plugin, close_plugin),
        cmocka_unit_test_setup_teardown(its_native_op_runs, open_plugin, close_plugin),
        cmocka_unit_test_setup_teardown(what_it_lacks_is_unsupported_with_its_reason, open_plugin,
                                        close_plugin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
