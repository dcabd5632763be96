/*
 * A plugin over a simulated runtime, driven without libkeel, beside an application that uses the
 * vendor's library itself: wrapping, exporting, DLPack, and the current device.
 */
#include "gpu_vendor_calls.h"
#include "keel/dlpack.h"
#include "keel/native.h"

typedef struct native {
    plugin_fixture *f;
    const keel_native_api *api;
    gpu_vendor_calls vendor;
} native;

static native need_native(void **state)
{
    native n = {.f = plugin_need_device(state)};
    n.api = n.f->backend->get_extension(n.f->state, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION);
    assert_non_null(n.api);
    n.vendor = gpu_calls(n.f);
    assert_int_equal(n.vendor.device_set(0), 0);
    return n;
}

static void extensions_are_found_by_name_and_version(void **state)
{
    native n = need_native(state);
    const keel_backend *backend = n.f->backend;
    assert_null(backend->get_extension(n.f->state, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION + 1));
    assert_null(backend->get_extension(n.f->state, "keel.unheard_of", 1));
    const keel_dlpack_api *dlpack =
        backend->get_extension(n.f->state, KEEL_DLPACK_EXTENSION, KEEL_DLPACK_VERSION);
    assert_non_null(dlpack);
    assert_int_equal(dlpack->device_type, strcmp(backend->name, "cuda") == 0 ? 2 : 10);
}

static void a_device_is_wrapped_by_its_number(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    uint32_t index = 7;
    void *device = NULL;
    void *number = &n;
    assert_ok(&err, n.api->device_wrap(n.f->state, (void *)1, NULL, &index, &device, &err));
    assert_int_equal(index, 1);
    assert_ok(&err, n.api->device_export(device, &number, NULL, &err));
    assert_ptr_equal(number, (void *)1);
    n.f->api->close(device);
    assert_status(&err, n.api->device_wrap(n.f->state, (void *)2, NULL, &index, &device, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "device 2");
    assert_null(device);
}

/* A context is what device_export() gives, or none where the vendor has none. */
static void a_device_is_opened_in_the_applications_context(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    uint32_t index = 7;
    int data[2] = {5, 6};
    void *context = NULL;
    void *device = NULL;
    void *buffer = NULL;
    void *queue = NULL;
    void *native_buffer = NULL;
    assert_ok(&err, n.api->device_export(n.f->device, NULL, &context, &err));
    assert_ok(&err, n.api->device_wrap(n.f->state, NULL, context, &index, &device, &err));
    assert_ok(&err, n.f->api->queue_create(device, 0, &queue, &err));
    assert_ok(&err, n.f->api->buffer_alloc(device, 64, KEEL_MEMORY_DEVICE, &buffer, &err));
    assert_ok(&err, n.f->api->write(queue, buffer, 0, data, sizeof data, 0, &err));
    native_buffer = n.api->buffer_export(buffer);
    data[0] = 0;
    assert_int_equal(n.vendor.copy(data, native_buffer, sizeof data, GPU_CALLS_TO_HOST), 0);
    assert_int_equal(data[0], 5);
    n.f->api->buffer_free(device, buffer);
    n.f->api->queue_destroy(queue);
    n.f->api->close(device);
    if (context != NULL) { /* it is of device 0 */
        assert_status(&err,
                      n.api->device_wrap(n.f->state, (void *)1, context, &index, &device, &err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&err, "native context");
    } else {
        assert_status(&err, n.api->device_wrap(n.f->state, NULL, &n, &index, &device, &err),
                      KEEL_ERR_INVALID_ARGUMENT);
    }
    assert_null(device);
}

static void work_on_wrapped_objects_meets_the_applications(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t bytes = 0;
    void *stream = NULL;
    void *memory = NULL;
    void *queue = NULL;
    void *buffer = NULL;
    assert_int_equal(n.vendor.stream_create(&stream), 0);
    assert_int_equal(n.vendor.alloc(&memory, sizeof data), 0);
    assert_int_equal(n.vendor.copy(memory, data, sizeof data, GPU_CALLS_TO_DEVICE), 0);
    assert_ok(&err, n.api->queue_wrap(n.f->device, stream, &queue, &err));
    assert_ok(&err, n.api->buffer_wrap(n.f->device, (char *)memory + 8, &buffer, &bytes, &err));
    assert_int_equal(bytes, sizeof data - 8); /* to the end of the allocation */
    assert_ptr_equal(n.api->queue_export(queue), stream);
    assert_ptr_equal(n.api->buffer_export(buffer), (char *)memory + 8);
    assert_ok(&err, n.f->api->fill(queue, buffer, 4, 8, 99, 4, &err));
    n.f->api->queue_destroy(queue); /* waits, and leaves the stream alone */
    n.f->api->buffer_free(n.f->device, buffer);
    assert_int_equal(n.vendor.copy(data, memory, sizeof data, GPU_CALLS_TO_HOST), 0);
    const int want[8] = {1, 2, 3, 99, 99, 6, 7, 8};
    assert_memory_equal(data, want, sizeof data);
    assert_int_equal(n.vendor.stream_destroy(stream), 0);
    assert_int_equal(n.vendor.release(memory), 0);
}

static void objects_of_another_device_are_refused(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 7;
    int host = 0;
    void *stream = NULL;
    void *memory = NULL;
    void *out = &n;
    assert_int_equal(n.vendor.device_set(1), 0);
    assert_int_equal(n.vendor.stream_create(&stream), 0);
    assert_int_equal(n.vendor.alloc(&memory, 64), 0);
    assert_int_equal(n.vendor.device_set(0), 0);
    assert_status(&err, n.api->queue_wrap(n.f->device, stream, &out, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "belongs to");
    assert_null(out);
    out = &n;
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->buffer_wrap(n.f->device, memory, &out, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "device 1");
    assert_null(out);
    assert_int_equal(bytes, 0);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->buffer_wrap(n.f->device, &host, &out, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "not memory of a device");
    assert_int_equal(n.vendor.last_error(), 0);
    assert_int_equal(n.vendor.stream_destroy(stream), 0);
    assert_int_equal(n.vendor.release(memory), 0);
}

static void events_go_both_ways(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 0;
    void *event = NULL;
    void *stream = NULL;
    void *native_event = NULL;
    void *own = plugin_event(n.f);
    assert_int_equal(n.vendor.stream_create(&stream), 0);
    assert_int_equal(n.vendor.event_create(&native_event), 0);
    assert_int_equal(n.vendor.event_record(native_event, stream), 0);
    assert_ok(&err, n.api->event_wrap(n.f->device, native_event, &event, &err));
    assert_ok(&err, n.f->api->event_wait(n.f->queue, event, &err));
    assert_ok(&err, n.f->api->event_synchronize(event, &err));
    assert_ok(&err, n.f->api->event_query(event, &done, &err));
    assert_int_equal(done, 1);
    assert_ptr_equal(n.api->event_export(event), native_event);
    n.f->api->event_destroy(event);

    assert_null(n.api->event_export(own));
    assert_ok(&err, n.f->api->event_record(n.f->queue, own, &err));
    assert_non_null(n.api->event_export(own));
    n.f->api->event_destroy(own);
    assert_int_equal(n.vendor.event_destroy(native_event), 0); /* it is the application's still */
    assert_int_equal(n.vendor.stream_destroy(stream), 0);
}

static void tensors_of_others_must_lie_in_one_allocation(void **state)
{
    native n = need_native(state);
    const keel_dlpack_api *dlpack =
        n.f->backend->get_extension(n.f->state, KEEL_DLPACK_EXTENSION, KEEL_DLPACK_VERSION);
    keel_error err = KEEL_ERROR_INIT;
    void *memory = NULL;
    void *buffer = NULL;
    assert_int_equal(n.vendor.alloc(&memory, 4096), 0);
    assert_ok(&err, dlpack->buffer_import(n.f->device, memory, 4096, &buffer, &err));
    assert_ptr_equal(dlpack->buffer_data(buffer), memory);
    n.f->api->buffer_free(n.f->device, buffer);
    assert_status(&err,
                  dlpack->buffer_import(n.f->device, memory, UINT64_C(1) << 40, &buffer, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "1099511627776");
    assert_null(buffer);
    assert_int_equal(n.vendor.release(memory), 0);
}

/* The application's device stays what it was, whichever device a call is about. */
static void calls_leave_the_current_device_alone(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    int current = 7;
    int data = 5;
    void *device = NULL;
    void *queue = NULL;
    void *buffer = NULL;
    assert_ok(&err, n.f->backend->device_open(n.f->state, 1, &device, &err));
    assert_ok(&err, n.f->api->queue_create(device, 0, &queue, &err));
    assert_ok(&err, n.f->api->buffer_alloc(device, 64, KEEL_MEMORY_DEVICE, &buffer, &err));
    for (int ordinal = 0; ordinal < 2; ordinal++) {
        assert_int_equal(n.vendor.device_set(ordinal), 0);
        assert_ok(&err, n.f->api->write(queue, buffer, 0, &data, sizeof data, 0, &err));
        assert_ok(&err, n.f->api->read(queue, buffer, 0, &data, sizeof data, 0, &err));
        assert_ok(&err, n.f->api->queue_synchronize(n.f->queue, &err));
        assert_int_equal(n.vendor.device_get(&current), 0);
        assert_int_equal(current, ordinal);
    }
    n.f->api->buffer_free(device, buffer);
    n.f->api->queue_destroy(queue);
    n.f->api->close(device);
    assert_int_equal(n.vendor.device_get(&current), 0);
    assert_int_equal(current, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(extensions_are_found_by_name_and_version),
        PLUGIN_TEST(a_device_is_wrapped_by_its_number),
        PLUGIN_TEST(a_device_is_opened_in_the_applications_context),
        PLUGIN_TEST(work_on_wrapped_objects_meets_the_applications),
        PLUGIN_TEST(objects_of_another_device_are_refused),
        PLUGIN_TEST(events_go_both_ways),
        PLUGIN_TEST(tensors_of_others_must_lie_in_one_allocation),
        PLUGIN_TEST(calls_leave_the_current_device_alone),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
