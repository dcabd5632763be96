/* Pinned host memory, on the device that is the default and on ref. */
#include <string.h>

#include "core_fixture.h"
#include "keel/host_memory.h"
#include "keel_test.h"

/* Copies to the buffer and back, asynchronously both ways; data is cleared in between. */
static void there_and_back(core_fixture *f, keel_buffer *buffer, void *data, uint64_t bytes)
{
    keel_event *event;
    assert_ok(&f->err, keel_event_create(f->device, &event, &f->err));
    assert_ok(&f->err, keel_buffer_write_async(f->queue, buffer, 0, data, bytes, &f->err));
    assert_ok(&f->err, keel_event_record(event, f->queue, &f->err));
    assert_ok(&f->err, keel_event_synchronize(event, &f->err));
    memset(data, 0, bytes);
    assert_ok(&f->err, keel_buffer_read_async(f->queue, buffer, 0, data, bytes, &f->err));
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    keel_event_release(event);
}

static void copies_go_through_it_both_ways(void **state)
{
    core_fixture *f = *state;
    if (f->device == NULL) {
        skip();
    }
    const uint64_t bytes = 1000;
    keel_host_memory *memory;
    keel_buffer *buffer;
    assert_ok(&f->err, keel_host_memory_create(f->device, bytes, &memory, &f->err));
    assert_int_equal(keel_host_memory_size(memory), bytes);
    assert_int_equal((uintptr_t)keel_host_memory_data(memory) % 64, 0);
    assert_ok(&f->err, keel_buffer_create(f->device, bytes, &buffer, &f->err));
    unsigned char *data = keel_host_memory_data(memory);
    for (uint64_t i = 0; i < bytes; i++) {
        data[i] = (unsigned char)(i * 7);
    }
    there_and_back(f, buffer, data, bytes);
    for (uint64_t i = 0; i < bytes; i++) {
        assert_int_equal(data[i], (unsigned char)(i * 7));
    }
    keel_buffer_release(buffer);
    keel_host_memory_release(memory);
}

static void it_keeps_its_device_open(void **state)
{
    core_fixture *f = *state;
    if (f->device == NULL) {
        skip();
    }
    keel_device *device;
    keel_host_memory *memory;
    assert_ok(&f->err, keel_device_open(f->context, keel_device_id(f->device), &device, &f->err));
    assert_ok(&f->err, keel_host_memory_create(device, 64, &memory, &f->err));
    keel_device_close(device);
    memset(keel_host_memory_data(memory), 1, 64);
    keel_host_memory_release(memory);
}

static void bad_arguments_are_named(void **state)
{
    core_fixture *f = *state;
    if (f->device == NULL) {
        skip();
    }
    keel_host_memory *memory = (keel_host_memory *)f;
    assert_status(&f->err, keel_host_memory_create(f->device, 0, &memory, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "size_bytes is 0");
    assert_null(memory);
    core_forget(f);
    assert_status(&f->err, keel_host_memory_create(NULL, 8, &memory, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_host_memory_create(f->device, UINT64_MAX, &memory, &f->err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_mentions(&f->err, "18446744073709551615");
    assert_null(memory);
    core_forget(f);
    assert_null(keel_host_memory_data(NULL));
    keel_host_memory_release(NULL);
}

#define HOST_MEMORY_TESTS(set_up)                                                            \
    cmocka_unit_test_setup_teardown(copies_go_through_it_both_ways, set_up, core_tear_down), \
        cmocka_unit_test_setup_teardown(it_keeps_its_device_open, set_up, core_tear_down),   \
        cmocka_unit_test_setup_teardown(bad_arguments_are_named, set_up, core_tear_down)

int main(void)
{
    const struct CMUnitTest on_ref[] = {HOST_MEMORY_TESTS(core_set_up)};
    const struct CMUnitTest on_default[] = {HOST_MEMORY_TESTS(core_set_up_default)};
    return cmocka_run_group_tests(on_ref, NULL, NULL) +
           cmocka_run_group_tests(on_default, NULL, NULL);
}
