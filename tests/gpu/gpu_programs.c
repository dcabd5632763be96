/* A plugin over a simulated runtime, driven without libkeel: programs, binaries and launches. */
#include <stdlib.h>

#include "gpu_vendor_calls.h"

/* The kernels, compiled. */
static void *build(plugin_fixture *f)
{
    char *text = gpu_kernels(f);
    void *program = plugin_program(f, text);
    free(text);
    return program;
}

static void a_kernel_computes_also_after_its_program_was_released(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[32];
    const int factor = -3;
    for (int i = 0; i < 32; i++) {
        data[i] = i;
    }
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "scale");
    f->api->program_release(program);
    void *in = plugin_buffer(f, sizeof data);
    void *out = plugin_buffer(f, sizeof data);
    const keel_launch_arg args[] = {plugin_buffer_arg(out), plugin_buffer_arg(in),
                                    plugin_value_arg(&factor, sizeof factor)};
    assert_ok(&err, f->api->write(f->queue, in, 0, data, sizeof data, 0, &err));
    assert_ok(&err, plugin_launch(f, f->queue, kernel, 8, GPU_KERNELS_BLOCK, args, 3, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, data, sizeof data, 0, &err));
    for (int i = 0; i < 32; i++) {
        assert_int_equal(data[i], -3 * i);
    }
    f->api->kernel_release(kernel);
    f->api->buffer_free(f->device, in);
    f->api->buffer_free(f->device, out);
}

static void a_kernel_may_be_released_while_its_work_is_queued(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[4] = {1, 2, 3, 4};
    const int factor = 5;
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "scale");
    void *other = plugin_queue(f);
    void *buffer = plugin_buffer(f, sizeof data);
    const keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                    plugin_value_arg(&factor, sizeof factor)};
    assert_ok(&err, f->api->write(other, buffer, 0, data, sizeof data, 0, &err));
    assert_ok(&err, plugin_launch(f, other, kernel, 1, GPU_KERNELS_BLOCK, args, 3, &err));
    f->api->program_release(program);
    f->api->kernel_release(kernel);
    assert_ok(&err, f->api->read(other, buffer, 0, data, sizeof data, 0, &err));
    assert_int_equal(data[3], 20);
    f->api->buffer_free(f->device, buffer);
    f->api->queue_destroy(other);
}

static void an_offset_is_folded_into_the_pointer(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[16];
    const int factor = 10;
    for (int i = 0; i < 16; i++) {
        data[i] = i;
    }
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, sizeof data);
    keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                              plugin_value_arg(&factor, sizeof factor)};
    args[0].byte_offset = 12 * sizeof(int);
    args[1].byte_offset = 3 * sizeof(int);
    assert_ok(&err, f->api->write(f->queue, buffer, 0, data, sizeof data, 0, &err));
    assert_ok(&err, plugin_launch(f, f->queue, kernel, 1, GPU_KERNELS_BLOCK, args, 3, &err));
    assert_ok(&err, f->api->read(f->queue, buffer, 0, data, sizeof data, 0, &err));
    for (int i = 0; i < 12; i++) {
        assert_int_equal(data[i], i);
    }
    for (int i = 12; i < 16; i++) {
        assert_int_equal(data[i], 10 * (i - 9));
    }
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void the_grid_arrives_as_given(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got[3] = {0};
    const uint64_t grid[3] = {5, 3, 2};
    const uint32_t block[3] = {GPU_KERNELS_BLOCK, 1, 1};
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "shape");
    void *out = plugin_buffer(f, sizeof got);
    const keel_launch_arg arg = plugin_buffer_arg(out);
    assert_ok(&err, f->api->launch(f->queue, kernel, grid, block, &arg, 1, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, got, sizeof got, 0, &err));
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 3);
    assert_int_equal(got[2], 2);
    f->api->buffer_free(f->device, out);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void an_absent_operand_is_a_null_pointer(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got = -1;
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "is_null");
    void *out = plugin_buffer(f, sizeof got);
    const keel_launch_arg args[] = {plugin_buffer_arg(out), plugin_buffer_arg(NULL)};
    assert_ok(&err, plugin_launch(f, f->queue, kernel, 1, GPU_KERNELS_BLOCK, args, 2, &err));
    assert_ok(&err, f->api->read(f->queue, out, 0, &got, sizeof got, 0, &err));
    assert_int_equal(got, 1);
    f->api->buffer_free(f->device, out);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void a_program_that_does_not_compile_says_why(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    char *text = gpu_kernels(f);
    const keel_text texts[] = {
        {text, strlen(text)}, {"KDEV int f(void)\n", 17}, {"{ return undeclared_name; }ZZZ", 27}};
    assert_status(&err, f->api->program_build(f->device, texts, 3, &program, &err), KEEL_ERR_BUILD);
    assert_null(program);
    assert_true(err.vendor_code > 0);
    assert_non_null(strstr(err.vendor_name, "CompileProgram"));
    assert_non_null(strstr(f->host.last_log, "undeclared_name"));
    assert_null(strstr(f->host.last_log, "ZZZ")); /* a text ends where its length says */
    free(text);
}

static void a_missing_compiler_is_unavailable_and_named(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    char *text = gpu_kernels(f);
    const keel_text whole = {text, strlen(text)};
    const plugin_override overrides[] = {{"hiprtcCompileProgram", NULL}, {NULL, NULL}};
    f->host.no_library = 1;
    f->host.overrides = overrides; /* nor is it in the runtime */
    assert_status(&err, f->api->program_build(f->device, &whole, 1, &program, &err),
                  KEEL_ERR_UNAVAILABLE);
    assert_null(program);
    assert_mentions(&err, "rtc.so.");
    assert_mentions(&err, "KEEL_VENDOR_DIR");
    f->host.no_library = 0;
    f->host.overrides = NULL;
    free(text);
}

/* The second device is of an architecture that no compiler knows: see CMakeLists.txt. */
static void a_device_newer_than_the_compiler_runs_programs_that_are_not_kept(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 7;
    char *text = gpu_kernels(f);
    const keel_text whole = {text, strlen(text)};
    void *device = NULL;
    void *program = NULL;
    if (strcmp(f->backend->name, "cuda") == 0) { /* the other has one form of binaries only */
        assert_ok(&err, f->backend->device_open(f->state, 1, &device, &err));
        assert_ok(&err, f->api->program_build(device, &whole, 1, &program, &err));
        f->api->kernel_release(plugin_kernel(f, program, "scale"));
        assert_status(&err, f->api->program_binary(program, NULL, 0, &bytes, &err),
                      KEEL_ERR_UNSUPPORTED);
        assert_mentions(&err, "portable form");
        assert_int_equal(bytes, 0);
        f->api->program_release(program);
        f->api->close(device);
    }
    free(text);
}

static void an_entry_that_is_not_there_is_refused_by_name(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *kernel = f;
    void *program = build(f);
    assert_status(&err, f->api->kernel_get(program, "no_such_entry", &kernel, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(kernel);
    assert_mentions(&err, "no_such_entry");
    f->api->program_release(program);
}

/* A program's binary, to free(). */
static char *binary_of(plugin_fixture *f, void *program, uint64_t *out_bytes)
{
    keel_error err = KEEL_ERROR_INIT;
    uint64_t again = 0;
    assert_ok(&err, f->api->program_binary(program, NULL, 0, out_bytes, &err));
    assert_true(*out_bytes > 0);
    char *binary = malloc(*out_bytes);
    assert_non_null(binary);
    assert_ok(&err, f->api->program_binary(program, binary, *out_bytes, &again, &err));
    assert_int_equal(*out_bytes, again);
    return binary;
}

static void a_binary_makes_the_same_program_again(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    uint64_t again = 0;
    void *program = build(f);
    void *loaded = NULL;
    char *binary = binary_of(f, program, &bytes);
    assert_ok(&err, f->api->program_load(f->device, binary, bytes, &loaded, &err));
    f->api->kernel_release(plugin_kernel(f, loaded, "scale"));
    assert_status(&err, f->api->program_binary(program, binary, bytes - 1, &again, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    free(binary);
    f->api->program_release(loaded);
    f->api->program_release(program);
}

static void expect_refusal(plugin_fixture *f, const void *binary, uint64_t bytes, const char *why)
{
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    assert_status(&err, f->api->program_load(f->device, binary, bytes, &program, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, why);
    assert_null(program);
}

static void binaries_that_are_none_are_refused_unread(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    void *program = build(f);
    void *other = NULL;
    void *loaded = f;
    char *binary = binary_of(f, program, &bytes);
    expect_refusal(f, "nonsense", 8, "8 bytes");
    expect_refusal(f, "", 1, "1 bytes");
    expect_refusal(f, binary, bytes - 1, "its head says");
    expect_refusal(f, binary, 100, "mark");
    binary[0] ^= 1;
    expect_refusal(f, binary, bytes, "mark");
    binary[0] ^= 1;
    assert_ok(&err, f->backend->device_open(f->state, 1, &other, &err)); /* another architecture */
    assert_status(&err, f->api->program_load(other, binary, bytes, &loaded, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "the device is");
    f->api->close(other);
    free(binary);
    f->api->program_release(program);
}

static void wrong_launches_are_refused_with_the_bound(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const int factor = 2;
    keel_error err = KEEL_ERROR_INIT;
    keel_limits limits = {.struct_size = sizeof limits};
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, 64);
    const keel_launch_arg args[65] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                      plugin_value_arg(&factor, 4)};
    const uint64_t flat[3] = {1, (uint64_t)limits.max_grid_yz + 1, 1};
    const uint32_t block[3] = {GPU_KERNELS_BLOCK, 1, 1};

    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, limits.max_group + 1, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "scale");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, 0, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, plugin_launch(f, f->queue, kernel, UINT64_C(1) << 32, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "4294967296");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, f->api->launch(f->queue, kernel, flat, block, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, 4, args, 65, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "65 arguments");

    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void a_warm_launch_asks_for_no_memory(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int factor = 1;
    void *program = build(f);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, 64);
    const keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                    plugin_value_arg(&factor, 4)};
    assert_ok(&err, f->api->fill(f->queue, buffer, 0, 64, 1, 4, &err));
    const int before = atomic_load(&f->host.made);
    for (int i = 0; i < 10; i++) {
        assert_ok(&err, plugin_launch(f, f->queue, kernel, 4, GPU_KERNELS_BLOCK, args, 3, &err));
    }
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err));
    assert_int_equal(atomic_load(&f->host.made), before);
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(a_kernel_computes_also_after_its_program_was_released),
        PLUGIN_TEST(a_kernel_may_be_released_while_its_work_is_queued),
        PLUGIN_TEST(an_offset_is_folded_into_the_pointer),
        PLUGIN_TEST(the_grid_arrives_as_given),
        PLUGIN_TEST(an_absent_operand_is_a_null_pointer),
        PLUGIN_TEST(a_program_that_does_not_compile_says_why),
        PLUGIN_TEST(a_missing_compiler_is_unavailable_and_named),
        PLUGIN_TEST(a_device_newer_than_the_compiler_runs_programs_that_are_not_kept),
        PLUGIN_TEST(an_entry_that_is_not_there_is_refused_by_name),
        PLUGIN_TEST(a_binary_makes_the_same_program_again),
        PLUGIN_TEST(binaries_that_are_none_are_refused_unread),
        PLUGIN_TEST(wrong_launches_are_refused_with_the_bound),
        PLUGIN_TEST(a_warm_launch_asks_for_no_memory),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
