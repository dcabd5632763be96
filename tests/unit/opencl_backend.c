/*
 * The OpenCL plugin's table, driven without libkeel on the first device there is: memory, copies,
 * programs, launches, events. Without a device every test is skipped.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "keel_test.h"
#include "plugin_host.h"

typedef struct fixture {
    plugin_host host;
    const keel_backend *backend;
    const keel_device_api *api;
    void *state;
    void *device;
    void *queue;
} fixture;

static const char *plugin_path;

static const char kernels[] =
    "__kernel void scale(__global int *out, __global const int *in, int factor)\n"
    "{ size_t i = get_global_id(0); out[i] = in[i] * factor; }\n"
    "__kernel void is_null(__global int *out, __global const int *in)\n"
    "{ out[0] = in == 0; }\n"
    "__kernel void shape(__global int *out)\n"
    "{ out[0] = (int)get_num_groups(0); out[1] = (int)get_num_groups(1);\n"
    "  out[2] = (int)get_num_groups(2); out[3] = (int)get_local_size(0); }\n";

static void close_all(fixture *f)
{
    if (f->queue != NULL) {
        f->api->queue_destroy(f->queue);
    }
    if (f->device != NULL) {
        f->api->close(f->device);
    }
    if (f->state != NULL) {
        f->backend->shutdown(f->state);
    }
    f->queue = f->device = f->state = NULL;
}

static keel_status open_all(fixture *f, keel_error *err)
{
    keel_status status = f->backend->open(&f->host.table, &f->state, err);
    if (status == KEEL_OK) {
        status = f->backend->device_open(f->state, 0, &f->device, err);
    }
    if (status == KEEL_OK) {
        status = f->api->queue_create(f->device, 0, &f->queue, err);
    }
    if (status != KEEL_OK) {
        close_all(f);
    }
    return status;
}

static int set_up(void **state)
{
    static fixture f;
    keel_error err = KEEL_ERROR_INIT;
    memset(&f, 0, sizeof f);
    plugin_host_init(&f.host);
    f.backend = plugin_table(plugin_path, KEEL_ABI_VERSION);
    if (f.backend == NULL) {
        return -1;
    }
    f.api = f.backend->device_api;
    if (open_all(&f, &err) != KEEL_OK && err.status != KEEL_ERR_UNAVAILABLE) {
        print_error("open: %s\n", err.message);
        return -1;
    }
    *state = &f;
    return 0;
}

/* Whatever a test did, the plugin gives back all host memory. */
static int tear_down(void **state)
{
    fixture *f = *state;
    close_all(f);
    if (atomic_load(&f->host.live) != 0) {
        print_error("%d host allocations are left\n", atomic_load(&f->host.live));
        return -1;
    }
    return 0;
}

/* The fixture; skips the test, visibly, where there is no OpenCL device. */
static fixture *need_device(void **state)
{
    fixture *f = *state;
    if (f->device == NULL) {
        print_message("no OpenCL device here\n");
        skip();
    }
    return f;
}

static void *new_buffer(fixture *f, uint64_t bytes)
{
    keel_error err = KEEL_ERROR_INIT;
    void *buffer = NULL;
    assert_ok(&err, f->api->buffer_alloc(f->device, bytes, KEEL_MEMORY_DEVICE, &buffer, &err));
    return buffer;
}

static void *new_program(fixture *f)
{
    keel_error err = KEEL_ERROR_INIT;
    void *program = NULL;
    const keel_text text = {kernels, sizeof kernels - 1};
    assert_ok(&err, f->api->program_build(f->device, &text, 1, &program, &err));
    return program;
}

static void *new_kernel(fixture *f, void *program, const char *entry)
{
    keel_error err = KEEL_ERROR_INIT;
    void *kernel = NULL;
    assert_ok(&err, f->api->kernel_get(program, entry, &kernel, &err));
    return kernel;
}

static keel_launch_arg buffer_arg(void *buffer)
{
    return (keel_launch_arg){.kind = KEEL_LAUNCH_BUFFER, .u.buffer = buffer};
}

static keel_launch_arg value_arg(const void *value, uint32_t size)
{
    return (keel_launch_arg){.kind = KEEL_LAUNCH_VALUE, .size = size, .u.value = value};
}

static keel_status launch_1d(fixture *f, void *queue, void *kernel, uint64_t groups, uint32_t block,
                             const keel_launch_arg *args, uint32_t count, keel_error *err)
{
    const uint64_t grid[3] = {groups, 1, 1};
    const uint32_t blocks[3] = {block, 1, 1};
    return f->api->launch(queue, kernel, grid, blocks, args, count, err);
}

/* ---- enumeration ------------------------------------------------------------------------------
 */

static void a_host_of_another_major_gets_no_table(void **state)
{
    (void)state;
    assert_null(plugin_table(plugin_path, (KEEL_ABI_MAJOR + 1u) << 16));
    assert_null(plugin_table(plugin_path, 0));
    assert_non_null(plugin_table(plugin_path, KEEL_ABI_VERSION + 1));
}

static void a_missing_library_is_unavailable(void **state)
{
    fixture *f = *state;
    keel_error err = KEEL_ERROR_INIT;
    void *opened = f;
    close_all(f);
    f->host.no_library = 1;
    assert_status(&err, f->backend->open(&f->host.table, &opened, &err), KEEL_ERR_UNAVAILABLE);
    assert_null(opened);
    f->host.no_library = 0;
}

static void a_library_that_lacks_a_symbol_is_unavailable(void **state)
{
    fixture *f = need_device(state);
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
    fixture *f = need_device(state);
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
    fixture *f = need_device(state);
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
    fixture *f = need_device(state);
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
    fixture *f = need_device(state);
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

/* ---- memory -----------------------------------------------------------------------------------
 */

static void bytes_come_back_as_written(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    unsigned char out[256];
    unsigned char in[256];
    for (int i = 0; i < 256; i++) {
        out[i] = (unsigned char)i;
    }
    void *buffer = new_buffer(f, 512);
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
    fixture *f = need_device(state);
    const uint64_t pattern = 0x8877665544332211;
    void *buffer = new_buffer(f, 64);
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
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    char in[8] = "";
    void *a = new_buffer(f, 64);
    void *b = new_buffer(f, 64);
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

static void an_allocation_past_the_limit_is_out_of_memory(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    char bound[32];
    void *buffer = f;
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    assert_status(&err,
                  f->api->buffer_alloc(f->device, limits.max_buffer_bytes + 1, KEEL_MEMORY_DEVICE,
                                       &buffer, &err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_null(buffer);
    (void)snprintf(bound, sizeof bound, "%llu", (unsigned long long)limits.max_buffer_bytes);
    assert_mentions(&err, bound);
    (void)snprintf(bound, sizeof bound, "%llu", (unsigned long long)limits.max_buffer_bytes + 1);
    assert_mentions(&err, bound);
}

static void pinned_memory_has_a_host_address(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    char in[6] = "";
    void *pinned = NULL;
    void *plain = new_buffer(f, 64);
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

/* ---- programs and launches --------------------------------------------------------------------
 */

static void a_kernel_computes(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[32];
    const int factor = -3;
    for (int i = 0; i < 32; i++) {
        data[i] = i;
    }
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "scale");
    f->api->program_release(program); /* a kernel holds on to its program */
    void *in = new_buffer(f, sizeof data);
    void *out = new_buffer(f, sizeof data);
    const keel_launch_arg args[] = {buffer_arg(out), buffer_arg(in),
                                    value_arg(&factor, sizeof factor)};
    assert_ok(&err, f->api->write(f->queue, in, 0, data, sizeof data, 0, &err));
    assert_ok(&err, launch_1d(f, f->queue, kernel, 8, 4, args, 3, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, data, sizeof data, 0, &err));
    for (int i = 0; i < 32; i++) {
        assert_int_equal(data[i], -3 * i);
    }
    f->api->kernel_release(kernel);
    f->api->buffer_free(f->device, in);
    f->api->buffer_free(f->device, out);
}

static void grid_and_block_arrive_as_given(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got[4] = {0};
    const uint64_t grid[3] = {5, 3, 2};
    const uint32_t block[3] = {4, 1, 1};
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "shape");
    void *out = new_buffer(f, sizeof got);
    const keel_launch_arg arg = buffer_arg(out);
    assert_ok(&err, f->api->launch(f->queue, kernel, grid, block, &arg, 1, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, got, sizeof got, 0, &err));
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 3);
    assert_int_equal(got[2], 2);
    assert_int_equal(got[3], 4);
    f->api->buffer_free(f->device, out);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void an_absent_operand_is_a_null_pointer(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got = -1;
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "is_null");
    void *out = new_buffer(f, sizeof got);
    const keel_launch_arg args[] = {buffer_arg(out), buffer_arg(NULL)};
    assert_ok(&err, launch_1d(f, f->queue, kernel, 1, 1, args, 2, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, &got, sizeof got, 0, &err));
    assert_int_equal(got, 1);
    f->api->buffer_free(f->device, out);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void a_program_that_does_not_compile_says_why(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    const keel_text texts[] = {{"__kernel void k(__global int *p)\n", 33},
                               {"{ p[0] = undeclared_name; }", 27}};
    assert_status(&err, f->api->program_build(f->device, texts, 2, &program, &err), KEEL_ERR_BUILD);
    assert_null(program);
    assert_mentions(&err, "undeclared_name");
    assert_string_equal(err.vendor_name, "clBuildProgram");
    assert_true(err.vendor_code < 0);
    assert_non_null(strstr(f->host.last_log, "undeclared_name"));
}

static void an_entry_that_is_not_there_is_refused_by_name(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *kernel = f;
    void *program = new_program(f);
    assert_status(&err, f->api->kernel_get(program, "no_such_entry", &kernel, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(kernel);
    assert_mentions(&err, "no_such_entry");
    f->api->program_release(program);
}

static void a_binary_makes_the_same_program_again(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    uint64_t again = 0;
    void *program = new_program(f);
    void *loaded = NULL;
    assert_ok(&err, f->api->program_binary(program, NULL, 0, &bytes, &err));
    assert_true(bytes > 0);
    void *binary = malloc(bytes);
    assert_non_null(binary);
    assert_ok(&err, f->api->program_binary(program, binary, bytes, &again, &err));
    assert_int_equal(bytes, again);
    assert_ok(&err, f->api->program_load(f->device, binary, bytes, &loaded, &err));
    f->api->kernel_release(new_kernel(f, loaded, "scale"));
    assert_status(&err, f->api->program_binary(program, binary, bytes - 1, &again, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    free(binary);
    f->api->program_release(loaded);
    f->api->program_release(program);
}

static void a_binary_that_is_none_is_refused(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    assert_status(&err, f->api->program_load(f->device, "nonsense", 8, &program, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(program);
    assert_mentions(&err, "8 bytes");
}

static void wrong_launches_are_refused(void **state)
{
    fixture *f = need_device(state);
    const int factor = 2;
    keel_limits limits = {.struct_size = sizeof limits};
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "scale");
    void *buffer = new_buffer(f, 64);
    keel_launch_arg args[] = {buffer_arg(buffer), buffer_arg(buffer), value_arg(&factor, 4)};

    assert_status(&err, launch_1d(f, f->queue, kernel, 1, limits.max_group + 1, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "scale");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, launch_1d(f, f->queue, kernel, UINT64_MAX / 2, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "overflow");
    err = (keel_error)KEEL_ERROR_INIT;
    args[2].size = 8;
    assert_status(&err, launch_1d(f, f->queue, kernel, 1, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "argument 2 of 3");
    err = (keel_error)KEEL_ERROR_INIT;
    args[0].byte_offset = 4;
    assert_status(&err, launch_1d(f, f->queue, kernel, 1, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "argument 0 of 3");

    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void a_warm_launch_asks_for_no_memory(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int factor = 1;
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "scale");
    void *buffer = new_buffer(f, 64);
    const keel_launch_arg args[] = {buffer_arg(buffer), buffer_arg(buffer), value_arg(&factor, 4)};
    const int before = atomic_load(&f->host.made);
    for (int i = 0; i < 10; i++) {
        assert_ok(&err, launch_1d(f, f->queue, kernel, 4, 4, args, 3, &err));
    }
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err));
    assert_int_equal(atomic_load(&f->host.made), before);
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void queues_that_come_and_go_reuse_a_kernels_objects(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int factor = 1;
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "scale");
    void *buffer = new_buffer(f, 64);
    const keel_launch_arg args[] = {buffer_arg(buffer), buffer_arg(buffer), value_arg(&factor, 4)};
    int live_after_first = 0;
    for (int i = 0; i < 5; i++) {
        void *queue = NULL;
        assert_ok(&err, f->api->queue_create(f->device, 0, &queue, &err));
        assert_ok(&err, launch_1d(f, queue, kernel, 4, 4, args, 3, &err));
        f->api->queue_destroy(queue);
        live_after_first = i == 0 ? atomic_load(&f->host.live) : live_after_first;
        assert_int_equal(atomic_load(&f->host.live), live_after_first);
    }
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

/* One thread of the next test: its own queue, the shared kernel, its own factor. */
typedef struct worker {
    fixture *f;
    void *kernel;
    int factor;
    int wrong;
} worker;

static void *run_worker(void *argument)
{
    worker *w = argument;
    fixture *f = w->f;
    keel_error err = KEEL_ERROR_INIT;
    int data[64];
    void *queue = NULL;
    void *in = NULL;
    void *out = NULL;
    (void)f->api->queue_create(f->device, 0, &queue, &err);
    (void)f->api->buffer_alloc(f->device, sizeof data, KEEL_MEMORY_DEVICE, &in, &err);
    (void)f->api->buffer_alloc(f->device, sizeof data, KEEL_MEMORY_DEVICE, &out, &err);
    for (int i = 0; i < 64; i++) {
        data[i] = i;
    }
    w->wrong = err.status != KEEL_OK || f->api->write(queue, in, 0, data, sizeof data, 0, &err);
    for (int round = 0; round < 100 && !w->wrong; round++) {
        const int factor = w->factor + round;
        const keel_launch_arg args[] = {buffer_arg(out), buffer_arg(in), value_arg(&factor, 4)};
        (void)launch_1d(f, queue, w->kernel, 16, 4, args, 3, &err);
        (void)f->api->read(queue, out, 0, data, sizeof data, 0, &err);
        w->wrong = err.status != KEEL_OK || data[1] != factor || data[63] != 63 * factor;
    }
    f->api->buffer_free(f->device, in);
    f->api->buffer_free(f->device, out);
    f->api->queue_destroy(queue);
    return NULL;
}

static void threads_share_a_kernel_but_not_its_arguments(void **state)
{
    fixture *f = need_device(state);
    void *program = new_program(f);
    void *kernel = new_kernel(f, program, "scale");
    worker workers[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        workers[i] = (worker){f, kernel, 1000 * (i + 1), 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        (void)pthread_join(threads[i], NULL);
        assert_false(workers[i].wrong);
    }
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void an_event_that_was_never_recorded_is_refused(void **state)
{
    fixture *f = need_device(state);
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
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int32_t done = 0;
    int64_t ns = 0;
    void *start = NULL;
    void *end = NULL;
    void *buffer = new_buffer(f, 16 << 20);
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
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const uint32_t bytes = 16 << 20;
    int in[4] = {0};
    void *other = NULL;
    void *event = NULL;
    void *buffer = new_buffer(f, bytes);
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

/* ---- want of host memory ----------------------------------------------------------------------
 */

/* All that allocates, in one go; undone whatever happens. */
static keel_status do_everything(fixture *f, keel_error *err)
{
    const keel_text text = {kernels, sizeof kernels - 1};
    void *program = NULL;
    void *kernel = NULL;
    void *buffer = NULL;
    void *event = NULL;
    keel_status status = open_all(f, err);
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
        status = f->api->kernel_get(program, "scale", &kernel, err);
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
    close_all(f);
    return status;
}

static void every_failing_host_allocation_is_survived(void **state)
{
    fixture *f = need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    close_all(f);
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
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s PLUGIN\n", argv[0]);
        return 2;
    }
    plugin_path = argv[1];
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_host_of_another_major_gets_no_table),
        TEST(a_missing_library_is_unavailable),
        TEST(a_library_that_lacks_a_symbol_is_unavailable),
        TEST(a_device_describes_itself),
        TEST(an_older_host_gets_no_more_than_it_knows),
        TEST(an_index_past_the_last_device_is_refused),
        TEST(limits_are_within_what_planners_rely_on),
        TEST(bytes_come_back_as_written),
        TEST(a_fill_repeats_patterns_of_every_width),
        TEST(a_copy_moves_bytes_and_refuses_overlap),
        TEST(an_allocation_past_the_limit_is_out_of_memory),
        TEST(pinned_memory_has_a_host_address),
        TEST(a_kernel_computes),
        TEST(grid_and_block_arrive_as_given),
        TEST(an_absent_operand_is_a_null_pointer),
        TEST(a_program_that_does_not_compile_says_why),
        TEST(an_entry_that_is_not_there_is_refused_by_name),
        TEST(a_binary_makes_the_same_program_again),
        TEST(a_binary_that_is_none_is_refused),
        TEST(wrong_launches_are_refused),
        TEST(a_warm_launch_asks_for_no_memory),
        TEST(queues_that_come_and_go_reuse_a_kernels_objects),
        TEST(threads_share_a_kernel_but_not_its_arguments),
        TEST(an_event_that_was_never_recorded_is_refused),
        TEST(events_carry_the_devices_time),
        TEST(a_queue_waits_for_another_queues_event),
        TEST(every_failing_host_allocation_is_survived),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
