/*
 * keel/native.h: foreign handles become objects of libkeel and come back. On the oracle, which has
 * no native handles, everything is UNSUPPORTED; the rest needs OpenCL and is skipped without it.
 */
#include "keel/native.h"
#include "keel/keel.h"
#include "keel_test.h"

typedef struct fixture {
    keel_context *context;
    keel_device *opencl; /* NULL: there is none */
} fixture;

static int set_up(void **state)
{
    static fixture f;
    keel_error err = KEEL_ERROR_INIT;
    f.opencl = NULL;
    if (keel_context_create(NULL, &f.context, &err) != KEEL_OK) {
        print_error("%s\n", err.message);
        return -1;
    }
    (void)keel_device_open(f.context, "opencl:0", &f.opencl, &err);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    keel_device_close(f->opencl);
    keel_context_release(f->context);
    return 0;
}

static fixture *need_opencl(void **state)
{
    fixture *f = *state;
    if (f->opencl == NULL) {
        print_message("no OpenCL device here\n");
        skip();
    }
    return f;
}

static void the_oracle_has_no_native_handles(void **state)
{
    const fixture *f = *state;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = (keel_queue *)(uintptr_t)1;
    keel_buffer *buffer = (keel_buffer *)(uintptr_t)1;
    keel_event *event = (keel_event *)(uintptr_t)1;
    void *handle = &err;
    assert_ok(&err, keel_device_open(f->context, "ref:0", &device, &err));
    assert_status(&err, keel_native_device_export(device, &handle, NULL, &err),
                  KEEL_ERR_UNSUPPORTED);
    assert_mentions(&err, "backend ref has no keel.native");
    assert_null(handle);
    assert_int_equal(keel_native_queue_wrap(device, &err, &queue, NULL), KEEL_ERR_UNSUPPORTED);
    assert_int_equal(keel_native_buffer_wrap(device, &err, &buffer, NULL), KEEL_ERR_UNSUPPORTED);
    assert_int_equal(keel_native_event_wrap(device, &err, &event, NULL), KEEL_ERR_UNSUPPORTED);
    assert_null(queue);
    assert_null(buffer);
    assert_null(event);
    keel_device_close(device);
    assert_int_equal(keel_native_device_wrap(f->context, "ref", &err, NULL, &device, NULL),
                     KEEL_ERR_UNSUPPORTED);
    assert_null(device);
}

static void wrong_arguments_are_refused(void **state)
{
    const fixture *f = *state;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = (keel_device *)(uintptr_t)1;
    void *handle = &err;
    assert_status(&err,
                  keel_native_device_wrap(f->context, "no_such_one", &err, NULL, &device, &err),
                  KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "no_such_one");
    assert_null(device);
    /* The failure that err holds is kept, and nothing is done. */
    device = (keel_device *)(uintptr_t)1;
    assert_status(&err, keel_native_device_wrap(f->context, "ref", &err, NULL, &device, &err),
                  KEEL_ERR_UNAVAILABLE);
    assert_null(device);
    assert_int_equal(keel_native_device_wrap(NULL, "ref", &err, NULL, &device, NULL),
                     KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(keel_native_device_export(NULL, &handle, NULL, NULL),
                     KEEL_ERR_INVALID_ARGUMENT);
    assert_null(handle);
    assert_int_equal(keel_native_queue_export(NULL, &handle, NULL), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(keel_native_buffer_export(NULL, &handle, NULL), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(keel_native_event_export(NULL, &handle, NULL), KEEL_ERR_INVALID_ARGUMENT);
}

static void a_device_in_a_foreign_context_computes(void **state)
{
    fixture *f = need_opencl(state);
    keel_error err = KEEL_ERROR_INIT;
    void *id = NULL;
    void *context = NULL;
    void *id_again = NULL;
    void *context_again = NULL;
    keel_device *device = NULL;
    keel_buffer *buffer = NULL;
    keel_queue *queue = NULL;
    int value = 0;
    assert_ok(&err, keel_native_device_export(f->opencl, &id, &context, &err));
    assert_non_null(id);
    assert_non_null(context);
    /* Here the foreign context is the one of another device of libkeel's. */
    assert_ok(&err, keel_native_device_wrap(f->context, "opencl", id, context, &device, &err));
    assert_ptr_not_equal(device, f->opencl);
    assert_ok(&err, keel_native_device_export(device, &id_again, &context_again, &err));
    assert_ptr_equal(id_again, id);
    assert_ptr_equal(context_again, context);
    assert_string_equal(keel_device_id(device), "opencl:0");

    assert_ok(&err, keel_queue_create(device, NULL, &queue, &err));
    assert_ok(&err, keel_buffer_create(device, 4, &buffer, &err));
    assert_ok(&err, keel_buffer_fill(queue, buffer, 0, 4, 7, &err));
    assert_ok(&err, keel_buffer_read(queue, buffer, 0, &value, 4, &err));
    assert_int_equal(value, 0x07070707);
    keel_buffer_release(buffer);
    keel_queue_destroy(queue);
    keel_device_close(device);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_native_device_wrap(f->context, "opencl", f, NULL, &device, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(device);
}

static void objects_come_back_as_they_were_wrapped(void **state)
{
    fixture *f = need_opencl(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_queue *own_queue = NULL;
    keel_queue *queue = NULL;
    keel_buffer *own_buffer = NULL;
    keel_buffer *buffer = NULL;
    keel_event *own_event = NULL;
    keel_event *event = NULL;
    void *handle = NULL;
    void *again = NULL;
    int32_t done = 0;
    assert_ok(&err, keel_queue_create(f->opencl, NULL, &own_queue, &err));
    assert_ok(&err, keel_native_queue_export(own_queue, &handle, &err));
    assert_ok(&err, keel_native_queue_wrap(f->opencl, handle, &queue, &err));
    assert_ok(&err, keel_native_queue_export(queue, &again, &err));
    assert_ptr_equal(again, handle);

    assert_ok(&err, keel_buffer_create(f->opencl, 300, &own_buffer, &err));
    assert_ok(&err, keel_native_buffer_export(own_buffer, &handle, &err));
    assert_ok(&err, keel_native_buffer_wrap(f->opencl, handle, &buffer, &err));
    assert_ok(&err, keel_native_buffer_export(buffer, &again, &err));
    assert_ptr_equal(again, handle);
    assert_true(keel_buffer_size(buffer) >= 300); /* the pool rounds up */

    assert_ok(&err, keel_event_create(f->opencl, &own_event, &err));
    assert_ok(&err, keel_event_record(own_event, queue, &err));
    assert_ok(&err, keel_native_event_export(own_event, &handle, &err));
    assert_ok(&err, keel_native_event_wrap(f->opencl, handle, &event, &err));
    assert_ok(&err, keel_queue_wait(own_queue, event, &err));
    assert_ok(&err, keel_event_synchronize(event, &err));
    assert_ok(&err, keel_event_query(event, &done, &err));
    assert_int_equal(done, 1);

    keel_event_release(event);
    keel_event_release(own_event);
    keel_buffer_release(buffer);
    keel_buffer_release(own_buffer);
    keel_queue_destroy(queue);
    keel_queue_destroy(own_queue);
}

static void what_has_no_handle_yet_is_refused(void **state)
{
    fixture *f = need_opencl(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *empty = NULL;
    keel_event *event = NULL;
    void *handle = &err;
    assert_ok(&err, keel_buffer_create(f->opencl, 0, &empty, &err));
    assert_ok(&err, keel_event_create(f->opencl, &event, &err));
    assert_status(&err, keel_native_buffer_export(empty, &handle, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_null(handle);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_native_event_export(event, &handle, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "never recorded");
    keel_event_release(event);
    keel_buffer_release(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_oracle_has_no_native_handles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_arguments_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_in_a_foreign_context_computes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(objects_come_back_as_they_were_wrapped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_has_no_handle_yet_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
