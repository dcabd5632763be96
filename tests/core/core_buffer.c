/* Buffers: transfers and their bounds, in all directions. */
#include "core_fixture.h"

static void bytes_go_there_and_back(void **state)
{
    core_fixture *f = *state;
    const char text[] = "twelve bytes";
    char back[sizeof text] = {0};
    keel_buffer *a;
    keel_buffer *b;
    assert_ok(&f->err, keel_buffer_create(f->device, 100, &a, &f->err));
    assert_ok(&f->err, keel_buffer_create(f->device, 100, &b, &f->err));
    assert_ok(&f->err, keel_buffer_write(f->queue, a, 3, text, sizeof text, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, b, 0, 100, 0x2a, &f->err));
    assert_ok(&f->err, keel_buffer_copy(f->queue, a, 3, b, 50, 6, &f->err));
    assert_ok(&f->err, keel_buffer_read(f->queue, b, 49, back, 8, &f->err));
    assert_memory_equal(back, "*twelve*", 8);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    keel_buffer_release(a);
    keel_buffer_release(b);
}

static void asynchronous_transfers_are_done_at_the_event(void **state)
{
    core_fixture *f = *state;
    const int sent[4] = {1, 2, 3, 4};
    int back[4] = {0};
    keel_buffer *buffer;
    keel_event *event;
    assert_ok(&f->err, keel_buffer_create(f->device, sizeof sent, &buffer, &f->err));
    assert_ok(&f->err, keel_event_create(f->device, &event, &f->err));
    assert_ok(&f->err, keel_buffer_write_async(f->queue, buffer, 0, sent, sizeof sent, &f->err));
    assert_ok(&f->err, keel_buffer_read_async(f->queue, buffer, 0, back, sizeof back, &f->err));
    assert_ok(&f->err, keel_event_record(event, f->queue, &f->err));
    assert_ok(&f->err, keel_event_synchronize(event, &f->err));
    assert_memory_equal(sent, back, sizeof sent);
    keel_event_release(event);
    keel_buffer_release(buffer);
}

static void ranges_past_the_end_are_refused(void **state)
{
    core_fixture *f = *state;
    static const uint64_t bad[][2] = {{61, 4}, {65, 0}, {0, 65}, {UINT64_MAX, 2}, {8, UINT64_MAX}};
    char bytes[80] = {0};
    keel_buffer *buffer;
    keel_buffer *other;
    assert_ok(&f->err, keel_buffer_create(f->device, 64, &buffer, &f->err));
    assert_ok(&f->err, keel_buffer_create(f->device, 200, &other, &f->err));
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        const uint64_t offset = bad[i][0];
        const uint64_t size = bad[i][1];
        assert_status(&f->err, keel_buffer_write(f->queue, buffer, offset, bytes, size, &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&f->err, "reach past the buffer's 64 bytes");
        core_forget(f);
        assert_status(&f->err, keel_buffer_read(f->queue, buffer, offset, bytes, size, &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        core_forget(f);
        assert_status(&f->err, keel_buffer_fill(f->queue, buffer, offset, size, 0, &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        core_forget(f);
        assert_status(&f->err, keel_buffer_copy(f->queue, other, 0, buffer, offset, size, &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        core_forget(f);
    }
    keel_buffer_release(buffer);
    keel_buffer_release(other);
}

static void a_copy_onto_itself_is_refused(void **state)
{
    core_fixture *f = *state;
    keel_buffer *buffer;
    assert_ok(&f->err, keel_buffer_create(f->device, 64, &buffer, &f->err));
    assert_ok(&f->err, keel_buffer_copy(f->queue, buffer, 0, buffer, 32, 32, &f->err));
    assert_status(&f->err, keel_buffer_copy(f->queue, buffer, 0, buffer, 31, 32, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "overlap");
    core_forget(f);
    keel_buffer_release(buffer);
}

static void null_arguments_are_named(void **state)
{
    core_fixture *f = *state;
    keel_buffer *buffer;
    char byte = 0;
    assert_status(&f->err, keel_buffer_create(NULL, 1, &buffer, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_buffer_write(f->queue, NULL, 0, &byte, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "the buffer is NULL");
    core_forget(f);
    assert_ok(&f->err, keel_buffer_create(f->device, 1, &buffer, &f->err));
    assert_status(&f->err, keel_buffer_read(f->queue, buffer, 0, NULL, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "host memory is NULL");
    core_forget(f);
    assert_status(&f->err, keel_buffer_read(NULL, buffer, 0, &byte, 1, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "queue is NULL");
    core_forget(f);
    keel_buffer_release(buffer);
    keel_buffer_release(NULL);
}

static void a_latched_error_stops_everything_after_it(void **state)
{
    core_fixture *f = *state;
    keel_buffer *buffer = (keel_buffer *)(uintptr_t)1;
    (void)keel_fail(&f->err, KEEL_ERR_DEVICE, "earlier");
    assert_int_equal(keel_buffer_create(f->device, 4, &buffer, &f->err), KEEL_ERR_DEVICE);
    assert_null(buffer);
    assert_string_equal(f->err.message, "earlier");
    core_forget(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORE_TEST(bytes_go_there_and_back),
        CORE_TEST(asynchronous_transfers_are_done_at_the_event),
        CORE_TEST(ranges_past_the_end_are_refused),
        CORE_TEST(a_copy_onto_itself_is_refused),
        CORE_TEST(null_arguments_are_named),
        CORE_TEST(a_latched_error_stops_everything_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
