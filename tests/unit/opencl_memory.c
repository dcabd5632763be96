/*
 * The OpenCL plugin driven without libkeel: opening, description, memory, want of host memory.
 * Without a device the tests are skipped.
 */
#include <stdio.h>

#include "cl_symbols.h"
#include "plugin_fixture.h"

static void a_host_of_another_major_gets_no_table(void **state)
{
    (void)state;
    assert_null(plugin_table(plugin_file(), (KEEL_ABI_MAJOR + 1u) << 16));
    assert_null(plugin_table(plugin_file(), 0));
    assert_non_null(plugin_table(plugin_file(), KEEL_ABI_VERSION + 1));
}

static void a_missing_library_is_unavailable(void **state)
{
    plugin_fixture *f = *state;
    keel_error err = KEEL_ERROR_INIT;
    void *opened = f;
    plugin_close_all(f);
    f->host.no_library = 1;
    assert_status(&err, f->backend->open(&f->host.table, &opened, &err), KEEL_ERR_UNAVAILABLE);
    assert_null(opened);
    f->host.no_library = 0;
}

static void a_library_that_lacks_a_symbol_is_unavailable(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    static const plugin_override lacking[] = {{"clEnqueueFillBuffer", NULL}, {NULL, NULL}};
    keel_error err = KEEL_ERROR_INIT;
    void *opened = NULL;
    f->host.overrides = lacking;
    assert_status(&err, f->backend->open(&f->host.table, &opened, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "clEnqueueFillBuffer");
    f->host.overrides = NULL;
}

static void a_device_describes_itself(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_int_equal(info.struct_size, sizeof info);
    assert_true(info.kind == KEEL_KIND_CPU || info.kind == KEEL_KIND_GPU);
    assert_string_not_equal(info.name, "");
    assert_string_not_equal(info.vendor, "");
    assert_string_not_equal(info.driver, "");
    assert_memory_equal(info.runtime, "OpenCL ", 7);
    assert_true(info.memory_bytes > 0);
    assert_true(info.compute_units > 0);
}

static void an_older_host_gets_no_more_than_it_knows(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info;
    keel_limits limits;
    memset(&info, 0x5a, sizeof info);
    memset(&limits, 0x5a, sizeof limits);
    info.struct_size = offsetof(keel_device_info, memory_bytes);
    limits.struct_size = offsetof(keel_limits, max_buffer_bytes);
    assert_ok(&err, f->backend->device_info(f->state, 0, &info, &err));
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_int_equal(info.memory_bytes, 0x5a5a5a5a5a5a5a5a);
    assert_int_equal(limits.max_buffer_bytes, 0x5a5a5a5a5a5a5a5a);
    assert_true(limits.local_bytes != 0x5a5a5a5a5a5a5a5a);
}

static void an_index_past_the_last_device_is_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_error err2 = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    void *device = f;
    uint32_t count = 0;
    assert_ok(&err, f->backend->device_count(f->state, &count, &err));
    assert_true(count >= 1);
    assert_status(&err, f->backend->device_info(f->state, count, &info, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_status(&err2, f->backend->device_open(f->state, count, &device, &err2),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(device);
}

static void limits_are_within_what_planners_rely_on(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_true(limits.max_group >= 1);
    assert_true(limits.wave >= 1);
    assert_true(limits.kind == KEEL_KIND_GPU || limits.wave == 1);
    assert_true(limits.max_grid_yz >= 65535);
    assert_true(limits.base_align >= 16);
    assert_true(limits.local_bytes >= 32768);
    assert_true(limits.max_buffer_bytes > 0);
    assert_false(limits.flags & KEEL_LIMIT_POINTER_OFFSET);
}

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
    memset(in, 0, sizeof in);
    assert_ok(&err, f->api->write(f->queue, buffer, 0, out, 256, KEEL_COPY_ASYNC, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 0, in, 256, KEEL_COPY_ASYNC, &err));
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err));
    assert_memory_equal(in, out, 256);
    f->api->buffer_free(f->device, buffer);
}

static void a_fill_repeats_patterns_of_every_width(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const uint64_t pattern = 0x8877665544332211;
    void *buffer = plugin_buffer(f, 64);
    for (uint32_t width = 1; width <= 8; width *= 2) {
        keel_error err = KEEL_ERROR_INIT;
        unsigned char in[64];
        assert_ok(&err, f->api->fill(f->queue, buffer, 0, 64, 0, 1, &err));
        assert_ok(&err, f->api->fill(f->queue, buffer, 8, 48, pattern, width, &err));
        assert_ok(&err, f->api->read(f->queue, buffer, 0, in, 64, 0, &err));
        for (uint32_t i = 0; i < 64; i++) {
            const int inside = i >= 8 && i < 56;
            assert_int_equal(in[i], inside ? 0x11 * (1 + (i - 8) % width) : 0);
        }
    }
    f->api->buffer_free(f->device, buffer);
}

static void a_copy_moves_bytes_and_refuses_overlap(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    char in[8] = "";
    void *a = plugin_buffer(f, 64);
    void *b = plugin_buffer(f, 64);
    assert_ok(&err, f->api->write(f->queue, a, 8, "abcdefg", 8, 0, &err));
    assert_ok(&err, f->api->copy(f->queue, a, 8, b, 24, 8, &err));
    assert_ok(&err, f->api->read(f->queue, b, 24, in, 8, 0, &err));
    assert_string_equal(in, "abcdefg");
    assert_status(&err, f->api->copy(f->queue, a, 0, a, 4, 8, &err), KEEL_ERR_INVALID_ARGUMENT);
    assert_string_equal(err.vendor_name, "clEnqueueCopyBuffer");
    assert_int_equal(err.vendor_code, -8); /* CL_MEM_COPY_OVERLAP */
    f->api->buffer_free(f->device, a);
    f->api->buffer_free(f->device, b);
}

static void an_allocation_that_no_device_has_is_out_of_memory(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    const uint64_t bytes = UINT64_C(1) << 62;
    char bound[32];
    void *buffer = f;
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_status(&err, f->api->buffer_alloc(f->device, bytes, KEEL_MEMORY_DEVICE, &buffer, &err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_null(buffer);
    assert_mentions(&err, "4611686018427387904 bytes");
    (void)snprintf(bound, sizeof bound, "%llu", (unsigned long long)limits.max_buffer_bytes);
    assert_mentions(&err, bound);
}

static void pinned_memory_has_a_host_address(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    char in[6] = "";
    void *pinned = NULL;
    void *plain = plugin_buffer(f, 64);
    assert_ok(&err, f->api->buffer_alloc(f->device, 64, KEEL_MEMORY_PINNED, &pinned, &err));
    char *host = f->api->buffer_host(f->device, pinned);
    assert_non_null(host);
    assert_null(f->api->buffer_host(f->device, plain));
    memcpy(host, "hello", 6);
    assert_ok(&err, f->api->write(f->queue, plain, 0, host, 6, KEEL_COPY_ASYNC, &err));
    assert_ok(&err, f->api->read(f->queue, plain, 0, in, 6, 0, &err));
    assert_string_equal(in, "hello");
    f->api->buffer_free(f->device, pinned);
    f->api->buffer_free(f->device, plain);
    assert_status(&err, f->api->buffer_alloc(f->device, 64, 77, &pinned, &err),
                  KEEL_ERR_UNSUPPORTED);
    assert_null(pinned);
}

/* ---- a driver that refuses ---- */

static cl_mem CL_API_CALL refuse_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                        void *host, cl_int *out_code)
{
    (void)context;
    (void)flags;
    (void)bytes;
    (void)host;
    *out_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static void *CL_API_CALL refuse_map(cl_command_queue queue, cl_mem memory, cl_bool wait,
                                    cl_map_flags flags, size_t offset, size_t bytes, cl_uint count,
                                    const cl_event *list, cl_event *event, cl_int *out_code)
{
    (void)queue;
    (void)memory;
    (void)wait;
    (void)flags;
    (void)offset;
    (void)bytes;
    (void)count;
    (void)list;
    (void)event;
    *out_code = CL_MAP_FAILURE;
    return NULL;
}

static cl_int CL_API_CALL refuse_transfer(cl_command_queue queue)
{
    (void)queue;
    return CL_INVALID_VALUE;
}

static void a_driver_without_memory_is_out_of_memory(void **state)
{
    const plugin_override overrides[] = {{"clCreateBuffer", (void *)(uintptr_t)refuse_buffer},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = f;
    assert_status(&err, f->api->buffer_alloc(f->device, 4711, KEEL_MEMORY_DEVICE, &buffer, &err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_null(buffer);
    assert_mentions(&err, "4711 bytes");
    assert_int_equal(err.vendor_code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_string_equal(err.vendor_name, "clCreateBuffer");
}

static void pinned_memory_that_cannot_be_mapped_is_given_back(void **state)
{
    const plugin_override overrides[] = {{"clEnqueueMapBuffer", (void *)(uintptr_t)refuse_map},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = f;
    assert_status(&err, f->api->buffer_alloc(f->device, 4711, KEEL_MEMORY_PINNED, &buffer, &err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_null(buffer);
    assert_mentions(&err, "CL_MAP_FAILURE");
}

/* OpenCL refuses commands that move nothing; drivers differ in whether they notice. */
static void moving_nothing_asks_nothing_of_the_driver(void **state)
{
    void *refusal = (void *)(uintptr_t)refuse_transfer;
    const plugin_override overrides[] = {{"clEnqueueWriteBuffer", refusal},
                                         {"clEnqueueReadBuffer", refusal},
                                         {"clEnqueueCopyBuffer", refusal},
                                         {"clEnqueueFillBuffer", refusal},
                                         {NULL, NULL}};
    plugin_fixture *f = plugin_need_device_with(state, overrides);
    keel_error err = KEEL_ERROR_INIT;
    char host = 0;
    void *buffer = plugin_buffer(f, 64);
    assert_ok(&err, f->api->write(f->queue, buffer, 0, &host, 0, 0, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 0, &host, 0, 0, &err));
    assert_ok(&err, f->api->copy(f->queue, buffer, 0, buffer, 32, 0, &err));
    assert_ok(&err, f->api->fill(f->queue, buffer, 0, 0, 0, 4, &err));
    assert_status(&err, f->api->write(f->queue, buffer, 0, &host, 1, 0, &err), KEEL_ERR_DEVICE);
    f->api->buffer_free(f->device, buffer);
}

static const char kernel_text[] = "__kernel void nothing(void) {}";

/* All that allocates, in one go; undone whatever happens. */
static keel_status do_everything(plugin_fixture *f, keel_error *err)
{
    const keel_text text = {kernel_text, sizeof kernel_text - 1};
    void *program = NULL;
    void *kernel = NULL;
    void *buffer = NULL;
    void *event = NULL;
    keel_status status = plugin_open_all(f, err);
    if (status != KEEL_OK) {
        return status;
    }
    status = f->api->buffer_alloc(f->device, 64, KEEL_MEMORY_PINNED, &buffer, err);
    if (status == KEEL_OK) {
        status = f->api->event_create(f->device, &event, err);
    }
    if (status == KEEL_OK) {
        status = f->api->program_build(f->device, &text, 1, &program, err);
    }
    if (status == KEEL_OK) {
        status = f->api->kernel_get(program, "nothing", &kernel, err);
    }
    if (kernel != NULL) {
        f->api->kernel_release(kernel);
    }
    if (program != NULL) {
        f->api->program_release(program);
    }
    if (event != NULL) {
        f->api->event_destroy(event);
    }
    if (buffer != NULL) {
        f->api->buffer_free(f->device, buffer);
    }
    plugin_close_all(f);
    return status;
}

static void every_failing_host_allocation_is_survived(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    plugin_close_all(f);
    atomic_store(&f->host.made, 0);
    assert_ok(&err, do_everything(f, &err));
    const int total = atomic_load(&f->host.made);
    int refused = 0;
    for (int n = 1; n <= total; n++) {
        err = (keel_error)KEEL_ERROR_INIT;
        atomic_store(&f->host.made, 0);
        atomic_store(&f->host.fail_at, n);
        const keel_status status = do_everything(f, &err);
        /* A text of a device's description may be missing; all else is out of memory. */
        assert_true(status == KEEL_OK || status == KEEL_ERR_OUT_OF_MEMORY);
        assert_int_equal(status, err.status);
        assert_int_equal(atomic_load(&f->host.live), 0);
        refused += status == KEEL_ERR_OUT_OF_MEMORY;
    }
    atomic_store(&f->host.fail_at, 0);
    assert_true(refused >= 10);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(a_host_of_another_major_gets_no_table),
        PLUGIN_TEST(a_missing_library_is_unavailable),
        PLUGIN_TEST(a_library_that_lacks_a_symbol_is_unavailable),
        PLUGIN_TEST(a_device_describes_itself),
        PLUGIN_TEST(an_older_host_gets_no_more_than_it_knows),
        PLUGIN_TEST(an_index_past_the_last_device_is_refused),
        PLUGIN_TEST(limits_are_within_what_planners_rely_on),
        PLUGIN_TEST(bytes_come_back_as_written),
        PLUGIN_TEST(a_fill_repeats_patterns_of_every_width),
        PLUGIN_TEST(a_copy_moves_bytes_and_refuses_overlap),
        PLUGIN_TEST(an_allocation_that_no_device_has_is_out_of_memory),
        PLUGIN_TEST(pinned_memory_has_a_host_address),
        PLUGIN_TEST(a_driver_without_memory_is_out_of_memory),
        PLUGIN_TEST(pinned_memory_that_cannot_be_mapped_is_given_back),
        PLUGIN_TEST(moving_nothing_asks_nothing_of_the_driver),
        PLUGIN_TEST(every_failing_host_allocation_is_survived),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
