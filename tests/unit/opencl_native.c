/*
 * The OpenCL plugin's extension keel.native, and failures of work that only OpenCL's own objects
 * can provoke. Without a device the tests are skipped.
 */
#include "cl_symbols.h"
#include "keel/native.h"
#include "plugin_fixture.h"

/* What a test needs besides the fixture: OpenCL itself, as an application would use it. */
typedef struct native {
    plugin_fixture *f;
    const keel_native_api *api;
    cl_symbols cl;
    cl_device_id id;
    cl_context context; /* of the plugin's device; borrowed */
    /* What the plugin itself does not call. */
    __typeof__(&clCreateImage) create_image;
    __typeof__(&clCreateUserEvent) create_user_event;
    __typeof__(&clSetUserEventStatus) set_user_event;
} native;

static void find(const native *n, const char *name, void *out_function)
{
    const keel_host *host = &n->f->host.table;
    const char *const suffixes[] = {"1"};
    const keel_vendor_spec spec = {sizeof spec, 1, "libOpenCL", suffixes, NULL, 0, 0};
    keel_error err = KEEL_ERROR_INIT;
    void *library = NULL;
    assert_ok(&err, host->vendor_open(host->context, &spec, &library, &err));
    void *symbol = host->vendor_sym(host->context, library, name);
    memcpy(out_function, &symbol, sizeof symbol);
}

static native need_native(void **state)
{
    native n = {.f = plugin_need_device(state)};
    keel_error err = KEEL_ERROR_INIT;
    void *id = NULL;
    void *context = NULL;
    n.api = n.f->backend->get_extension(n.f->state, KEEL_NATIVE_EXTENSION, KEEL_NATIVE_VERSION);
    assert_non_null(n.api);
    assert_ok(&err, cl_symbols_load(&n.f->host.table, &n.cl, &err));
    assert_ok(&err, n.api->device_export(n.f->device, &id, &context, &err));
    n.id = id;
    n.context = context;
    find(&n, "clCreateImage", &n.create_image);
    find(&n, "clCreateUserEvent", &n.create_user_event);
    find(&n, "clSetUserEventStatus", &n.set_user_event);
    return n;
}

static cl_context new_context(const native *n)
{
    cl_int code = CL_SUCCESS;
    cl_context context = n->cl.clCreateContext(NULL, 1, &n->id, NULL, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    return context;
}

static cl_command_queue new_queue(const native *n, cl_context context,
                                  cl_command_queue_properties properties)
{
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = n->cl.clCreateCommandQueue(context, n->id, properties, &code);
    assert_int_equal(code, CL_SUCCESS);
    return queue;
}

static cl_mem new_memory(const native *n, cl_context context, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem memory = n->cl.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    return memory;
}

static cl_uint references_of(const native *n, cl_command_queue queue)
{
    cl_uint count = 0;
    (void)n->cl.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static void the_extension_is_found_by_name_and_version(void **state)
{
    const plugin_fixture *f = plugin_need_device(state);
    assert_non_null(f->backend->get_extension(f->state, "keel.native", 1));
    assert_null(f->backend->get_extension(f->state, "keel.native", 2));
    assert_null(f->backend->get_extension(f->state, "keel.graph", 1));
}

static void a_device_works_inside_the_applications_context(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    cl_context context = new_context(&n);
    uint32_t index = 77;
    void *device = NULL;
    void *id = NULL;
    void *exported = NULL;
    assert_ok(&err, n.api->device_wrap(n.f->state, n.id, context, &index, &device, &err));
    assert_int_equal(n.cl.clReleaseContext(context), CL_SUCCESS); /* the device has its own */
    assert_int_equal(index, 0);
    assert_ok(&err, n.api->device_export(device, &id, &exported, &err));
    assert_ptr_equal(id, n.id);
    assert_ptr_equal(exported, context);
    void *buffer = NULL;
    assert_ok(&err, n.f->api->buffer_alloc(device, 64, KEEL_MEMORY_DEVICE, &buffer, &err));
    n.f->api->buffer_free(device, buffer);
    n.f->api->close(device);

    assert_ok(&err, n.api->device_wrap(n.f->state, n.id, NULL, &index, &device, &err));
    n.f->api->close(device);
}

static void a_device_that_was_not_listed_is_refused(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    uint32_t index = 0;
    void *device = n.f;
    assert_status(&err, n.api->device_wrap(n.f->state, &n, NULL, &index, &device, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(device);
}

static void a_wrapped_queue_holds_one_reference(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    void *queue = NULL;
    cl_command_queue native_queue = new_queue(&n, n.context, 0);
    const cl_uint before = references_of(&n, native_queue);
    assert_ok(&err, n.api->queue_wrap(n.f->device, native_queue, &queue, &err));
    assert_ptr_equal(n.api->queue_export(queue), native_queue);
    assert_int_equal(references_of(&n, native_queue), before + 1);
    n.f->api->queue_destroy(queue);
    assert_int_equal(references_of(&n, native_queue), before);
    assert_int_equal(n.cl.clReleaseCommandQueue(native_queue), CL_SUCCESS);
}

static void work_on_wrapped_objects_meets_the_applications(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    const int value = 42;
    int in = 0;
    uint64_t bytes = 0;
    void *queue = NULL;
    void *buffer = NULL;
    cl_command_queue native_queue = new_queue(&n, n.context, 0);
    cl_mem memory = new_memory(&n, n.context, 100);
    assert_ok(&err, n.api->queue_wrap(n.f->device, native_queue, &queue, &err));
    assert_ok(&err, n.api->buffer_wrap(n.f->device, memory, &buffer, &bytes, &err));
    assert_int_equal(bytes, 100);
    assert_ptr_equal(n.api->buffer_export(buffer), memory);

    (void)n.cl.clEnqueueWriteBuffer(native_queue, memory, CL_FALSE, 4, 4, &value, 0, NULL, NULL);
    assert_ok(&err, n.f->api->copy(queue, buffer, 4, buffer, 8, 4, &err));
    n.f->api->queue_destroy(queue);
    n.f->api->buffer_free(n.f->device, buffer);
    (void)n.cl.clEnqueueReadBuffer(native_queue, memory, CL_TRUE, 8, 4, &in, 0, NULL, NULL);
    assert_int_equal(in, 42);

    assert_int_equal(n.cl.clReleaseCommandQueue(native_queue), CL_SUCCESS);
    assert_int_equal(n.cl.clReleaseMemObject(memory), CL_SUCCESS);
}

static void objects_of_another_context_are_refused(void **state)
{
    native n = need_native(state);
    cl_context context = new_context(&n);
    cl_command_queue native_queue = new_queue(&n, context, 0);
    cl_mem memory = new_memory(&n, context, 100);
    cl_event native_event = NULL;
    uint64_t bytes = 7;
    void *out = &n;
    (void)n.cl.clEnqueueMarkerWithWaitList(native_queue, 0, NULL, &native_event);

    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, n.api->queue_wrap(n.f->device, native_queue, &out, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "another context");
    assert_null(out);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->buffer_wrap(n.f->device, memory, &out, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "another context");
    assert_null(out);
    assert_int_equal(bytes, 0);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->event_wrap(n.f->device, native_event, &out, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "another context");
    assert_null(out);

    (void)n.cl.clFinish(native_queue);
    (void)n.cl.clReleaseEvent(native_event);
    (void)n.cl.clReleaseMemObject(memory);
    (void)n.cl.clReleaseCommandQueue(native_queue);
    (void)n.cl.clReleaseContext(context);
}

static void an_out_of_order_queue_is_refused(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    cl_int code = CL_SUCCESS;
    void *queue = &n;
    cl_command_queue native_queue =
        n.cl.clCreateCommandQueue(n.context, n.id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code != CL_SUCCESS) {
        print_message("the device has no out-of-order queues\n");
        skip();
    }
    assert_status(&err, n.api->queue_wrap(n.f->device, native_queue, &queue, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "out-of-order");
    assert_null(queue);
    (void)n.cl.clReleaseCommandQueue(native_queue);
}

static void an_image_is_no_buffer(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int code = CL_SUCCESS;
    uint64_t bytes = 0;
    void *buffer = &n;
    cl_mem image = n.create_image(n.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    if (code != CL_SUCCESS) {
        print_message("the device has no images\n");
        skip();
    }
    assert_status(&err, n.api->buffer_wrap(n.f->device, image, &buffer, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "want a buffer");
    assert_null(buffer);
    (void)n.cl.clReleaseMemObject(image);
}

static cl_int CL_API_CALL other_devices(cl_context context, cl_context_info key, size_t capacity,
                                        void *out, size_t *out_bytes)
{
    const cl_device_id other = (cl_device_id)(uintptr_t)context;
    (void)key;
    if (out != NULL && capacity >= sizeof(cl_device_id)) {
        memcpy(out, &other, sizeof(cl_device_id));
    }
    if (out_bytes != NULL) {
        *out_bytes = sizeof(cl_device_id);
    }
    return CL_SUCCESS;
}

static void a_context_that_does_not_hold_the_device_is_refused(void **state)
{
    const plugin_override overrides[] = {{"clGetContextInfo", (void *)(uintptr_t)other_devices},
                                         {NULL, NULL}};
    (void)plugin_need_device_with(state, overrides);
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    uint32_t index = 0;
    void *device = &n;
    assert_status(&err, n.api->device_wrap(n.f->state, n.id, n.context, &index, &device, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "does not hold");
    assert_null(device);
}

static void handles_that_are_null_are_refused(void **state)
{
    native n = need_native(state);
    uint64_t bytes = 0;
    void *out = NULL;
    keel_error err = KEEL_ERROR_INIT;
    assert_status(&err, n.api->queue_wrap(n.f->device, NULL, &out, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->buffer_wrap(n.f->device, NULL, &out, &bytes, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, n.api->event_wrap(n.f->device, NULL, &out, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
}

static void events_go_both_ways(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 0;
    void *event = NULL;
    void *own = plugin_event(n.f);
    cl_command_queue native_queue = new_queue(&n, n.context, 0);
    cl_event marker = NULL;
    (void)n.cl.clEnqueueMarkerWithWaitList(native_queue, 0, NULL, &marker);
    assert_ok(&err, n.api->event_wrap(n.f->device, marker, &event, &err));
    (void)n.cl.clReleaseEvent(marker); /* the wrapper has its own reference */
    assert_ok(&err, n.f->api->event_wait(n.f->queue, event, &err));
    assert_ok(&err, n.f->api->event_synchronize(event, &err));
    assert_ok(&err, n.f->api->event_query(event, &done, &err));
    assert_int_equal(done, 1);
    assert_ptr_equal(n.api->event_export(event), marker);

    assert_null(n.api->event_export(own));
    assert_ok(&err, n.f->api->event_record(n.f->queue, own, &err));
    cl_event exported = n.api->event_export(own);
    assert_non_null(exported);
    assert_int_equal(n.cl.clWaitForEvents(1, &exported), CL_SUCCESS);
    n.f->api->event_destroy(own);
    n.f->api->event_destroy(event);
    (void)n.cl.clReleaseCommandQueue(native_queue);
}

static cl_uint references_of_event(const native *n, cl_event event)
{
    cl_uint count = 0;
    (void)n->cl.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static void an_event_is_pending_until_what_it_waits_for_has_passed(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    cl_int code = CL_SUCCESS;
    int32_t done = 7;
    int64_t ns = 7;
    void *gate = NULL;
    void *event = plugin_event(n.f);
    cl_event user = n.create_user_event(n.context, &code);
    assert_int_equal(code, CL_SUCCESS);
    const cl_uint before = references_of_event(&n, user);
    assert_ok(&err, n.api->event_wrap(n.f->device, user, &gate, &err));
    assert_ok(&err, n.f->api->event_wait(n.f->queue, gate, &err));
    assert_ok(&err, n.f->api->event_record(n.f->queue, event, &err));
    assert_ok(&err, n.f->api->event_query(event, &done, &err));
    assert_int_equal(done, 0);
    assert_status(&err, n.f->api->event_elapsed(event, event, &ns, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "not passed");
    err = (keel_error)KEEL_ERROR_INIT;

    assert_int_equal(n.set_user_event(user, CL_COMPLETE), CL_SUCCESS);
    assert_ok(&err, n.f->api->event_synchronize(event, &err));
    assert_ok(&err, n.f->api->event_query(event, &done, &err));
    assert_int_equal(done, 1);
    assert_ok(&err, n.f->api->queue_synchronize(n.f->queue, &err));
    n.f->api->event_destroy(gate);
    n.f->api->event_destroy(event);
    assert_int_equal(references_of_event(&n, user), before);
    (void)n.cl.clReleaseEvent(user);
}

static void time_on_a_queue_without_profiling_is_unsupported(void **state)
{
    native n = need_native(state);
    keel_error err = KEEL_ERROR_INIT;
    int64_t ns = 7;
    void *queue = NULL;
    void *event = plugin_event(n.f);
    cl_command_queue native_queue = new_queue(&n, n.context, 0);
    assert_ok(&err, n.api->queue_wrap(n.f->device, native_queue, &queue, &err));
    assert_ok(&err, n.f->api->event_record(queue, event, &err));
    assert_ok(&err, n.f->api->event_synchronize(event, &err));
    assert_status(&err, n.f->api->event_elapsed(event, event, &ns, &err), KEEL_ERR_UNSUPPORTED);
    assert_int_equal(ns, 0);
    n.f->api->event_destroy(event);
    n.f->api->queue_destroy(queue);
    (void)n.cl.clReleaseCommandQueue(native_queue);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(the_extension_is_found_by_name_and_version),
        PLUGIN_TEST(a_device_works_inside_the_applications_context),
        PLUGIN_TEST(a_device_that_was_not_listed_is_refused),
        PLUGIN_TEST(a_wrapped_queue_holds_one_reference),
        PLUGIN_TEST(work_on_wrapped_objects_meets_the_applications),
        PLUGIN_TEST(objects_of_another_context_are_refused),
        PLUGIN_TEST(an_out_of_order_queue_is_refused),
        PLUGIN_TEST(an_image_is_no_buffer),
        PLUGIN_TEST(a_context_that_does_not_hold_the_device_is_refused),
        PLUGIN_TEST(handles_that_are_null_are_refused),
        PLUGIN_TEST(events_go_both_ways),
        PLUGIN_TEST(an_event_is_pending_until_what_it_waits_for_has_passed),
        PLUGIN_TEST(time_on_a_queue_without_profiling_is_unsupported),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
