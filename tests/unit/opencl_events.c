/*
 * The OpenCL plugin driven without libkeel: events, and what synchronising reports. Without a
 * device the tests are skipped.
 */
#include "cl_symbols.h"
#include "plugin_fixture.h"

static void an_event_that_was_never_recorded_is_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 7;
    int64_t ns = 7;
    void *event = NULL;
    assert_ok(&err, f->api->event_create(f->device, &event, &err));
    assert_status(&err, f->api->event_query(event, &done, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "never recorded");
    assert_int_equal(done, 0);
    assert_int_equal(f->api->event_synchronize(event, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(f->api->event_wait(f->queue, event, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(f->api->event_elapsed(event, event, &ns, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(ns, 0);
    f->api->event_destroy(event);
}

static void events_carry_the_devices_time(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 0;
    int64_t ns = 0;
    void *start = NULL;
    void *end = NULL;
    void *buffer = plugin_buffer(f, 16 << 20);
    assert_ok(&err, f->api->event_create(f->device, &start, &err));
    assert_ok(&err, f->api->event_create(f->device, &end, &err));
    assert_ok(&err, f->api->event_record(f->queue, start, &err));
    assert_ok(&err, f->api->fill(f->queue, buffer, 0, 16 << 20, 1, 4, &err));
    assert_ok(&err, f->api->event_record(f->queue, end, &err));
    assert_ok(&err, f->api->event_synchronize(end, &err));
    assert_ok(&err, f->api->event_query(start, &done, &err));
    assert_int_equal(done, 1);
    assert_ok(&err, f->api->event_elapsed(start, end, &ns, &err));
    assert_true(ns > 0 && ns < INT64_C(60000000000));
    assert_ok(&err, f->api->event_record(f->queue, start, &err)); /* may be recorded again */
    assert_ok(&err, f->api->event_synchronize(start, &err));
    assert_ok(&err, f->api->event_elapsed(end, start, &ns, &err));
    assert_true(ns >= 0);
    f->api->event_destroy(start);
    f->api->event_destroy(end);
    f->api->buffer_free(f->device, buffer);
}

static void a_queue_waits_for_another_queues_event(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const uint32_t bytes = 16 << 20;
    int in[4] = {0};
    void *other = NULL;
    void *event = NULL;
    void *buffer = plugin_buffer(f, bytes);
    assert_ok(&err, f->api->queue_create(f->device, 0, &other, &err));
    assert_ok(&err, f->api->event_create(f->device, &event, &err));
    assert_ok(&err, f->api->fill(f->queue, buffer, 0, bytes, 5, 4, &err));
    assert_ok(&err, f->api->event_record(f->queue, event, &err));
    assert_ok(&err, f->api->event_wait(other, event, &err));
    assert_ok(&err, f->api->read(other, buffer, bytes - sizeof in, in, sizeof in, 0, &err));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(in[i], 5);
    }
    f->api->event_destroy(event);
    f->api->queue_destroy(other);
    f->api->buffer_free(f->device, buffer);
}

/* ---- failures, which no driver gives on demand ---- */

static cl_int CL_API_CALL failed_event(cl_event event, cl_event_info key, size_t capacity,
                                       void *out, size_t *out_bytes)
{
    const cl_int state = CL_OUT_OF_RESOURCES;
    (void)event;
    (void)key;
    (void)out_bytes;
    memcpy(out, &state, capacity < sizeof state ? capacity : sizeof state);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL crashed_kernel(cl_command_queue queue)
{
    (void)queue;
    return CL_OUT_OF_RESOURCES;
}

static cl_int CL_API_CALL lost_device(cl_command_queue queue)
{
    (void)queue;
    return CL_DEVICE_NOT_AVAILABLE;
}

static void failed_work_is_reported_by_what_waits_for_it(void **state)
{
    const plugin_override overrides[] = {{"clGetEventInfo", (void *)(uintptr_t)failed_event},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 7;
    void *event = plugin_event(f);
    assert_ok(&err, f->api->event_record(f->queue, event, &err));
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), KEEL_ERR_DEVICE);
    assert_mentions(&err, "CL_OUT_OF_RESOURCES");
    assert_int_equal(err.vendor_code, CL_OUT_OF_RESOURCES);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err)); /* reported once */
    assert_status(&err, f->api->event_synchronize(event, &err), KEEL_ERR_DEVICE);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, f->api->event_query(event, &done, &err), KEEL_ERR_DEVICE);
    assert_int_equal(done, 0);
    f->api->event_destroy(event);
}

static void a_kernel_that_crashed_is_no_want_of_memory(void **state)
{
    const plugin_override overrides[] = {{"clFinish", (void *)(uintptr_t)crashed_kernel},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), KEEL_ERR_DEVICE);
    assert_string_equal(err.vendor_name, "clFinish");
}

static void a_device_that_went_away_is_lost(void **state)
{
    const plugin_override overrides[] = {{"clFinish", (void *)(uintptr_t)lost_device},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, f->api->status(f->device, &err));
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), KEEL_ERR_DEVICE_LOST);
    assert_mentions(&err, "CL_DEVICE_NOT_AVAILABLE");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(an_event_that_was_never_recorded_is_refused),
        PLUGIN_TEST(events_carry_the_devices_time),
        PLUGIN_TEST(a_queue_waits_for_another_queues_event),
        PLUGIN_TEST(failed_work_is_reported_by_what_waits_for_it),
        PLUGIN_TEST(a_kernel_that_crashed_is_no_want_of_memory),
        PLUGIN_TEST(a_device_that_went_away_is_lost),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
