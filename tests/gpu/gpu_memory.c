/* A plugin over a simulated runtime, driven without libkeel: memory, copies, fills. */
#include <stdlib.h>

#include "gpu_vendor_calls.h"

static void bytes_come_back_as_written(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    unsigned char out[256];
    unsigned char in[256];
    for (int i = 0; i < 256; i++) {
        out[i] = (unsigned char)i;
    }
    void *buffer = plugin_buffer(f, 512);
    assert_ok(&err, f->api->write(f->queue, buffer, 100, out, 256, 0, &err));
    assert_ok(&err, f->api->write(f->queue, buffer, 0, out, 0, 0, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 101, in, 255, 0, &err));
    assert_memory_equal(in, out + 1, 255);
    assert_null(f->api->buffer_host(f->device, buffer));
    f->api->buffer_free(f->device, buffer);
}

static void host_memory_may_be_reused_after_a_write(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *pinned = NULL;
    int in = 0;
    void *buffer = plugin_buffer(f, 64);
    assert_ok(&err, f->api->buffer_alloc(f->device, 64, KEEL_MEMORY_PINNED, &pinned, &err));
    int *host = f->api->buffer_host(f->device, pinned);
    assert_non_null(host);
    *host = 4711;
    assert_ok(&err, f->api->write(f->queue, buffer, 8, host, sizeof *host, 0, &err));
    *host = 0; /* pinned memory is taken when the queue comes to it, unless the write waited */
    assert_ok(&err, f->api->read(f->queue, buffer, 8, &in, sizeof in, 0, &err));
    assert_int_equal(in, 4711);
    f->api->buffer_free(f->device, pinned);
    f->api->buffer_free(f->device, buffer);
}

static void asynchronous_copies_are_there_when_the_queue_has_passed(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const uint64_t bytes = 100000;
    void *pinned = NULL;
    void *buffer = plugin_buffer(f, bytes);
    assert_ok(&err, f->api->buffer_alloc(f->device, 2 * bytes, KEEL_MEMORY_PINNED, &pinned, &err));
    unsigned char *host = f->api->buffer_host(f->device, pinned);
    for (uint64_t i = 0; i < bytes; i++) {
        host[i] = (unsigned char)(i * 7);
    }
    memset(host + bytes, 0, bytes);
    assert_ok(&err, f->api->write(f->queue, buffer, 0, host, bytes, KEEL_COPY_ASYNC, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 0, host + bytes, bytes, KEEL_COPY_ASYNC, &err));
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err));
    assert_memory_equal(host, host + bytes, bytes);
    f->api->buffer_free(f->device, pinned);
    f->api->buffer_free(f->device, buffer);
}

static void a_pinned_buffer_is_copied_to_and_from_like_any(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int in[2] = {0};
    const int out[2] = {17, 18};
    void *pinned = NULL;
    void *buffer = plugin_buffer(f, 64);
    assert_ok(&err, f->api->buffer_alloc(f->device, 64, KEEL_MEMORY_PINNED, &pinned, &err));
    assert_ok(&err, f->api->write(f->queue, pinned, 4, out, sizeof out, 0, &err));
    assert_ok(&err, f->api->copy(f->queue, pinned, 4, buffer, 20, sizeof out, &err));
    assert_ok(&err, f->api->copy(f->queue, buffer, 20, pinned, 40, sizeof out, &err));
    assert_ok(&err, f->api->read(f->queue, pinned, 40, in, sizeof in, 0, &err));
    assert_memory_equal(in, out, sizeof out);
    f->api->buffer_free(f->device, pinned);
    f->api->buffer_free(f->device, buffer);
}

static void buffers_are_copied_on_the_device(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int out[4] = {1, 2, 3, 4};
    int in[4] = {0};
    void *source = plugin_buffer(f, 64);
    void *target = plugin_buffer(f, 64);
    assert_ok(&err, f->api->write(f->queue, source, 16, out, sizeof out, 0, &err));
    assert_ok(&err, f->api->copy(f->queue, source, 16, target, 4, sizeof out, &err));
    assert_ok(&err, f->api->copy(f->queue, target, 4, target, 32, 16, &err));
    assert_ok(&err, f->api->read(f->queue, target, 32, in, sizeof in, 0, &err));
    assert_memory_equal(in, out, sizeof out);
    f->api->buffer_free(f->device, source);
    f->api->buffer_free(f->device, target);
}

/* Fills [offset, offset + bytes) of a buffer of 1's and compares all of it with the host's work. */
static void check_fill(plugin_fixture *f, uint64_t offset, uint64_t bytes, uint64_t pattern,
                       uint32_t pattern_bytes)
{
    enum { ROOM = 1200 };
    unsigned char want[ROOM];
    unsigned char got[ROOM];
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = plugin_buffer(f, ROOM);
    memset(want, 1, sizeof want);
    assert_ok(&err, f->api->write(f->queue, buffer, 0, want, ROOM, 0, &err));
    for (uint64_t i = 0; i < bytes; i++) {
        want[offset + i] = (unsigned char)(pattern >> 8 * (i % pattern_bytes));
    }
    assert_ok(&err, f->api->fill(f->queue, buffer, offset, bytes, pattern, pattern_bytes, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 0, got, ROOM, 0, &err));
    assert_memory_equal(got, want, ROOM);
    f->api->buffer_free(f->device, buffer);
}

static void fills_repeat_their_pattern_and_touch_nothing_else(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const uint64_t pattern = 0x0123456789abcdef;
    for (uint32_t width = 1; width <= 8; width *= 2) {
        check_fill(f, 0, 1200, pattern, width);
        check_fill(f, 3 * width, width, pattern, width);
        check_fill(f, width, 2 * width, pattern, width);
        check_fill(f, 5 * width, 129 * width, pattern, width);
        check_fill(f, 8, 0, pattern, width);
    }
    check_fill(f, 16, 1000, 0x5555aaaa5555aaaa, 8); /* both halves alike */
}

static void moving_nothing_asks_nothing_of_the_driver(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = plugin_buffer(f, 64);
    assert_ok(&err, f->api->write(f->queue, buffer, 64, NULL, 0, 0, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 64, NULL, 0, 0, &err));
    assert_ok(&err, f->api->copy(f->queue, buffer, 0, buffer, 32, 0, &err));
    assert_ok(&err, f->api->fill(f->queue, buffer, 64, 0, 0, 4, &err));
    f->api->buffer_free(f->device, buffer);
}

static void more_memory_than_there_is_is_refused_with_its_size(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const gpu_vendor_calls calls = gpu_calls(f);
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = f;
    assert_status(
        &err, f->api->buffer_alloc(f->device, UINT64_C(1) << 50, KEEL_MEMORY_DEVICE, &buffer, &err),
        KEEL_ERR_OUT_OF_MEMORY);
    assert_null(buffer);
    assert_mentions(&err, "1125899906842624 bytes");
    assert_string_equal(err.vendor_name, calls.alloc_name);
    assert_int_equal(err.vendor_code, 2);
    assert_int_equal(calls.last_error(), 0); /* nothing is left for the application to find */
}

static int refuse_copy(void *to, const void *from, size_t bytes, int kind, void *stream)
{
    (void)to;
    (void)from;
    (void)bytes;
    (void)kind;
    (void)stream;
    return 1;
}

static void a_refused_copy_is_reported_by_whoever_made_it(void **state)
{
    const gpu_vendor_calls calls = gpu_calls(plugin_need_device(state));
    const plugin_override overrides[] = {{calls.copy_name, (void *)(uintptr_t)refuse_copy},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    char host[16] = {0};
    void *buffer = plugin_buffer(f, 64);
    for (int i = 0; i < 4; i++) {
        keel_error err = KEEL_ERROR_INIT;
        const keel_status status =
            i == 0   ? f->api->write(f->queue, buffer, 0, host, 16, KEEL_COPY_ASYNC, &err)
            : i == 1 ? f->api->read(f->queue, buffer, 0, host, 16, 0, &err)
            : i == 2 ? f->api->copy(f->queue, buffer, 0, buffer, 32, 16, &err)
                     : f->api->fill(f->queue, buffer, 0, 16, 1, 8, &err);
        assert_status(&err, status, KEEL_ERR_DEVICE);
        assert_mentions(&err, "of 16 bytes");
        assert_string_equal(err.vendor_name, calls.copy_name);
    }
    f->api->buffer_free(f->device, buffer);
}

static void an_unknown_kind_of_memory_is_unsupported(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = f;
    assert_status(&err, f->api->buffer_alloc(f->device, 64, 77, &buffer, &err),
                  KEEL_ERR_UNSUPPORTED);
    assert_null(buffer);
}

static void the_driver_tells_how_much_memory_is_free(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t before = 0;
    uint64_t after = 0;
    uint64_t total = 0;
    assert_ok(&err, f->api->memory_info(f->device, &before, &total, &err));
    void *buffer = plugin_buffer(f, 1 << 20);
    assert_ok(&err, f->api->memory_info(f->device, &after, &total, &err));
    assert_true(before <= total);
    assert_true(after + (1 << 20) <= before);
    f->api->buffer_free(f->device, buffer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(bytes_come_back_as_written),
        PLUGIN_TEST(host_memory_may_be_reused_after_a_write),
        PLUGIN_TEST(asynchronous_copies_are_there_when_the_queue_has_passed),
        PLUGIN_TEST(a_pinned_buffer_is_copied_to_and_from_like_any),
        PLUGIN_TEST(buffers_are_copied_on_the_device),
        PLUGIN_TEST(fills_repeat_their_pattern_and_touch_nothing_else),
        PLUGIN_TEST(moving_nothing_asks_nothing_of_the_driver),
        PLUGIN_TEST(more_memory_than_there_is_is_refused_with_its_size),
        PLUGIN_TEST(a_refused_copy_is_reported_by_whoever_made_it),
        PLUGIN_TEST(an_unknown_kind_of_memory_is_unsupported),
        PLUGIN_TEST(the_driver_tells_how_much_memory_is_free),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
