/* Queues and events: life, order between objects, and what is refused. */
#include "core_fixture.h"

static void objects_may_be_released_in_any_order(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_buffer *buffer;
    keel_event *event;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    assert_ok(&err, keel_device_open(context, "ref:0", &device, &err));
    keel_context_release(context);
    assert_ok(&err, keel_queue_create(device, NULL, &queue, &err));
    assert_ok(&err, keel_buffer_create(device, 16, &buffer, &err));
    assert_ok(&err, keel_event_create(device, &event, &err));
    keel_device_close(device);
    assert_ok(&err, keel_buffer_fill(queue, buffer, 0, 16, 1, &err));
    assert_ok(&err, keel_event_record(event, queue, &err));
    keel_queue_destroy(queue);
    assert_ok(&err, keel_event_synchronize(event, &err));
    keel_event_release(event);
    keel_buffer_release(buffer);
}

/* What a program that checks once, at its end, hands to the release functions. */
static void a_failed_sequence_leaves_no_object_unset(void **state)
{
    core_fixture *f = *state;
    void *const unset = (void *)(uintptr_t)1;
    keel_device *device = unset;
    keel_queue *queue = unset;
    keel_event *event = unset;
    keel_buffer *buffer = unset;
    keel_plan *plan = unset;
    keel_kernel *kernel = unset;
    (void)keel_fail(&f->err, KEEL_ERR_UNAVAILABLE, "no context");
    assert_int_equal(keel_device_open(NULL, NULL, &device, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(keel_queue_create(device, NULL, &queue, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(keel_event_create(device, &event, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(keel_buffer_create(device, 16, &buffer, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(keel_plan_create(device, NULL, &plan, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_int_equal(keel_kernel_create(device, NULL, &kernel, &f->err), KEEL_ERR_UNAVAILABLE);
    keel_kernel_release(kernel);
    keel_plan_release(plan);
    keel_buffer_release(buffer);
    keel_event_release(event);
    keel_queue_destroy(queue);
    keel_device_close(device);
    core_forget(f);
}

static void an_open_device_is_shared(void **state)
{
    core_fixture *f = *state;
    keel_device *again;
    assert_ok(&f->err, keel_device_open(f->context, "ref:0", &again, &f->err));
    assert_ptr_equal(again, f->device);
    keel_device_close(again);
}

/* KB-R008, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/13589 */
/* KB-R010, as reported of another system: https://github.com/microsoft/onnxruntime/issues/23372 */
static void only_the_oracle_is_not_a_default(void **state)
{
    core_fixture *f = *state;
    keel_device *device = (keel_device *)(uintptr_t)1;
    assert_status(&f->err, keel_device_open(f->context, NULL, &device, &f->err),
                  KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "ref:0");
    assert_null(device);
    core_forget(f);
    assert_status(&f->err, keel_device_open(f->context, "opencl:99", &device, &f->err),
                  KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "opencl:99");
    core_forget(f);
}

static void an_unrecorded_event_is_an_error(void **state)
{
    core_fixture *f = *state;
    keel_event *event;
    int32_t done = 1;
    int64_t ns = 1;
    assert_ok(&f->err, keel_event_create(f->device, &event, &f->err));
    assert_status(&f->err, keel_event_synchronize(event, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "never recorded");
    core_forget(f);
    assert_status(&f->err, keel_event_query(event, &done, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(done, 0);
    core_forget(f);
    assert_status(&f->err, keel_queue_wait(f->queue, event, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_event_elapsed(event, event, &ns, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_int_equal(ns, 0);
    core_forget(f);
    assert_ok(&f->err, keel_event_record(event, f->queue, &f->err));
    assert_ok(&f->err, keel_event_query(event, &done, &f->err));
    assert_ok(&f->err, keel_event_elapsed(event, event, &ns, &f->err));
    assert_int_equal(ns, 0);
    keel_event_release(event);
}

static void objects_of_two_contexts_do_not_mix(void **state)
{
    core_fixture *f = *state;
    void *other_state = NULL;
    assert_int_equal(core_set_up(&other_state), 0);
    core_fixture *other = other_state;
    keel_event *event;
    keel_buffer *buffer;
    assert_ok(&f->err, keel_event_create(other->device, &event, &f->err));
    assert_ok(&f->err, keel_buffer_create(other->device, 8, &buffer, &f->err));
    assert_status(&f->err, keel_event_record(event, f->queue, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_buffer_fill(f->queue, buffer, 0, 8, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "belongs to device");
    core_forget(f);
    keel_event_release(event);
    keel_buffer_release(buffer);
    (void)core_tear_down(&other_state);
}

static void queues_beyond_the_limit_are_refused(void **state)
{
    core_fixture *f = *state;
    keel_queue *queues[70] = {NULL};
    uint32_t made = 0;
    while (made < KEEL_COUNT(queues) &&
           keel_queue_create(f->device, NULL, &queues[made], &f->err) == KEEL_OK) {
        made++;
    }
    assert_int_equal(made, 63); /* the fixture has the 64th */
    assert_int_equal(f->err.status, KEEL_ERR_UNSUPPORTED);
    assert_mentions(&f->err, "64");
    core_forget(f);
    keel_queue_destroy(queues[5]);
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &queues[5], &f->err));
    for (uint32_t i = 0; i < made; i++) {
        keel_queue_destroy(queues[i]);
    }
    const keel_queue_options flags = {.struct_size = sizeof flags, .flags = 8};
    keel_queue *queue;
    assert_status(&f->err, keel_queue_create(f->device, &flags, &queue, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "0x8");
    core_forget(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_may_be_released_in_any_order),
        CORE_TEST(a_failed_sequence_leaves_no_object_unset),
        CORE_TEST(an_open_device_is_shared),
        CORE_TEST(only_the_oracle_is_not_a_default),
        CORE_TEST(an_unrecorded_event_is_an_error),
        CORE_TEST(objects_of_two_contexts_do_not_mix),
        CORE_TEST(queues_beyond_the_limit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
