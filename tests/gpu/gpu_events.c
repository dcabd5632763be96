/*
 * A plugin over a simulated runtime, driven without libkeel: events, and what failures of queued
 * work become.
 */
#include <stdlib.h>

#include "gpu_vendor_calls.h"

static void an_event_that_was_never_recorded_is_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 7;
    int64_t ns = 7;
    void *event = plugin_event(f);
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
    void *start = plugin_event(f);
    void *end = plugin_event(f);
    void *buffer = plugin_buffer(f, 1 << 20);
    assert_ok(&err, f->api->event_record(f->queue, start, &err));
    assert_ok(&err, f->api->fill(f->queue, buffer, 0, 1 << 20, 1, 4, &err));
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

/* The simulated scheduler lets streams run in any order that their events allow. */
static void a_queue_waits_for_another_queues_event(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *other = plugin_queue(f);
    void *event = plugin_event(f);
    void *buffer = plugin_buffer(f, 4096);
    for (int round = 1; round <= 50; round++) {
        int in[4] = {0};
        assert_ok(&err, f->api->fill(f->queue, buffer, 0, 4096, (uint64_t)round, 4, &err));
        assert_ok(&err, f->api->event_record(f->queue, event, &err));
        assert_ok(&err, f->api->event_wait(other, event, &err));
        assert_ok(&err, f->api->read(other, buffer, 4096 - sizeof in, in, sizeof in, 0, &err));
        for (int i = 0; i < 4; i++) {
            assert_int_equal(in[i], round);
        }
    }
    f->api->event_destroy(event);
    f->api->queue_destroy(other);
    f->api->buffer_free(f->device, buffer);
}

static void an_event_that_has_not_passed_is_no_failure(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const gpu_vendor_calls calls = gpu_calls(f);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 7;
    void *event = plugin_event(f);
    void *buffer = plugin_buffer(f, 1 << 20);
    (void)calls.last_error();
    for (int i = 0; i < 20; i++) {
        assert_ok(&err, f->api->fill(f->queue, buffer, 0, 1 << 20, 1, 8, &err));
    }
    assert_ok(&err, f->api->event_record(f->queue, event, &err));
    assert_ok(&err, f->api->event_query(event, &done, &err));
    assert_int_equal(calls.last_error(), 0);
    assert_ok(&err, f->api->event_synchronize(event, &err));
    assert_ok(&err, f->api->event_query(event, &done, &err));
    assert_int_equal(done, 1);
    f->api->event_destroy(event);
    f->api->buffer_free(f->device, buffer);
}

/* ---- failures --------------------------------------------------------------------------------
 */

static int code_to_answer;

static int answer(void *stream)
{
    (void)stream;
    return code_to_answer;
}

static int answer_memory(size_t *out_free, size_t *out_total)
{
    (void)out_free;
    (void)out_total;
    return code_to_answer;
}

/* Opens the device again with a synchronise, and if wanted a memory_info, that answer code. */
static plugin_fixture *with_answer(void **state, int code, int for_good)
{
    static plugin_override overrides[3];
    const gpu_vendor_calls calls = gpu_calls(plugin_need_device(state));
    memset(overrides, 0, sizeof overrides);
    overrides[0] = (plugin_override){calls.synchronize_name, (void *)(uintptr_t)answer};
    if (for_good) {
        overrides[1] = (plugin_override){calls.memory_info_name, (void *)(uintptr_t)answer_memory};
    }
    code_to_answer = code;
    return plugin_need_device_with(state, overrides);
}

static void expect(void **state, int code, keel_status status)
{
    plugin_fixture *f = with_answer(state, code, 0);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), status);
    assert_int_equal(err.vendor_code, code);
    assert_non_null(strstr(err.vendor_name, "StreamSynchronize"));
    assert_mentions(&err, "work on the queue failed");
    assert_mentions(&err, "Error"); /* the vendor's name of the code */
    plugin_close_all(f);
    f->host.overrides = NULL;
    memset(&err, 0, sizeof err);
    assert_ok(&err, plugin_open_all(f, &err));
}

static void codes_of_the_vendor_become_statuses(void **state)
{
    expect(state, 2, KEEL_ERR_OUT_OF_MEMORY);
    expect(state, 1, KEEL_ERR_DEVICE);
    expect(state, 801, KEEL_ERR_UNSUPPORTED);
    expect(state, 400, KEEL_ERR_INVALID_ARGUMENT);
}

static void faults_of_a_kernel_and_of_memory_lose_the_device(void **state)
{
    const int codes[] = {214, 700, 702, 709, 719};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        expect(state, codes[i], KEEL_ERR_DEVICE_LOST);
    }
}

static void a_lost_device_stays_lost_and_can_be_closed(void **state)
{
    plugin_fixture *f = with_answer(state, 700, 0);
    keel_error err = KEEL_ERROR_INIT;
    void *event = plugin_event(f);
    void *buffer = plugin_buffer(f, 64);
    assert_ok(&err, f->api->status(f->device, &err));
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), KEEL_ERR_DEVICE_LOST);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, f->api->status(f->device, &err), KEEL_ERR_DEVICE_LOST);
    assert_mentions(&err, "(700)");
    f->api->event_destroy(event);
    f->api->buffer_free(f->device, buffer);
}

static void a_failure_that_passes_leaves_the_device_usable(void **state)
{
    plugin_fixture *f = with_answer(state, 999, 0);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, f->api->queue_synchronize(f->queue, &err), KEEL_ERR_DEVICE);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_ok(&err, f->api->status(f->device, &err));
}

static void a_device_that_fails_every_call_is_lost_whatever_it_says(void **state)
{
    plugin_fixture *f = with_answer(state, 999, 1);
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, f->api->status(f->device, &err), KEEL_ERR_DEVICE_LOST);
    assert_mentions(&err, "(999)");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(an_event_that_was_never_recorded_is_refused),
        PLUGIN_TEST(events_carry_the_devices_time),
        PLUGIN_TEST(a_queue_waits_for_another_queues_event),
        PLUGIN_TEST(an_event_that_has_not_passed_is_no_failure),
        PLUGIN_TEST(codes_of_the_vendor_become_statuses),
        PLUGIN_TEST(faults_of_a_kernel_and_of_memory_lose_the_device),
        PLUGIN_TEST(a_lost_device_stays_lost_and_can_be_closed),
        PLUGIN_TEST(a_failure_that_passes_leaves_the_device_usable),
        PLUGIN_TEST(a_device_that_fails_every_call_is_lost_whatever_it_says),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
