/*
 * The OpenCL plugin driven without libkeel: programs and launches. Without a device the tests are
 * skipped.
 */
#include <pthread.h>
#include <stdlib.h>

#include "plugin_fixture.h"

static const char kernels[] =
    "__kernel void scale(__global int *out, __global const int *in, int factor)\n"
    "{ size_t i = get_global_id(0); out[i] = in[i] * factor; }\n"
    "__kernel void is_null(__global int *out, __global const int *in)\n"
    "{ out[0] = in == 0; }\n"
    "__kernel void shape(__global int *out)\n"
    "{ out[0] = (int)get_num_groups(0); out[1] = (int)get_num_groups(1);\n"
    "  out[2] = (int)get_num_groups(2); out[3] = (int)get_local_size(0); }\n";

static void a_kernel_computes(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int data[32];
    const int factor = -3;
    for (int i = 0; i < 32; i++) {
        data[i] = i;
    }
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "scale");
    f->api->program_release(program); /* a kernel holds on to its program */
    void *in = plugin_buffer(f, sizeof data);
    void *out = plugin_buffer(f, sizeof data);
    const keel_launch_arg args[] = {plugin_buffer_arg(out), plugin_buffer_arg(in),
                                    plugin_value_arg(&factor, sizeof factor)};
    assert_ok(&err, f->api->write(f->queue, in, 0, data, sizeof data, 0, &err));
    assert_ok(&err, plugin_launch(f, f->queue, kernel, 8, 4, args, 3, &err));
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
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got[4] = {0};
    const uint64_t grid[3] = {5, 3, 2};
    const uint32_t block[3] = {4, 1, 1};
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "shape");
    void *out = plugin_buffer(f, sizeof got);
    const keel_launch_arg arg = plugin_buffer_arg(out);
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
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    int got = -1;
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "is_null");
    void *out = plugin_buffer(f, sizeof got);
    const keel_launch_arg args[] = {plugin_buffer_arg(out), plugin_buffer_arg(NULL)};
    assert_ok(&err, plugin_launch(f, f->queue, kernel, 1, 1, args, 2, &err));
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
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *kernel = f;
    void *program = plugin_program(f, kernels);
    assert_status(&err, f->api->kernel_get(program, "no_such_entry", &kernel, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(kernel);
    assert_mentions(&err, "no_such_entry");
    f->api->program_release(program);
}

static void a_binary_makes_the_same_program_again(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    uint64_t bytes = 0;
    uint64_t again = 0;
    void *program = plugin_program(f, kernels);
    void *loaded = NULL;
    assert_ok(&err, f->api->program_binary(program, NULL, 0, &bytes, &err));
    assert_true(bytes > 0);
    void *binary = malloc(bytes);
    assert_non_null(binary);
    assert_ok(&err, f->api->program_binary(program, binary, bytes, &again, &err));
    assert_int_equal(bytes, again);
    assert_ok(&err, f->api->program_load(f->device, binary, bytes, &loaded, &err));
    f->api->kernel_release(plugin_kernel(f, loaded, "scale"));
    assert_status(&err, f->api->program_binary(program, binary, bytes - 1, &again, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    free(binary);
    f->api->program_release(loaded);
    f->api->program_release(program);
}

static void a_binary_that_is_none_is_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    void *program = f;
    assert_status(&err, f->api->program_load(f->device, "nonsense", 8, &program, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_null(program);
    assert_mentions(&err, "8 bytes");
}

static void wrong_launches_are_refused(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    const int factor = 2;
    keel_limits limits = {.struct_size = sizeof limits};
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, f->api->limits(f->device, &limits, &err));
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, 64);
    keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                              plugin_value_arg(&factor, 4)};

    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, limits.max_group + 1, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "scale");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, plugin_launch(f, f->queue, kernel, UINT64_MAX / 2, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "overflow");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, 4, args, 2, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "entry \"scale\": arguments given: 2, the kernel has 3");
    err = (keel_error)KEEL_ERROR_INIT;
    args[2].size = 8;
    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "argument 2 of 3");
    err = (keel_error)KEEL_ERROR_INIT;
    args[0].byte_offset = 4;
    assert_status(&err, plugin_launch(f, f->queue, kernel, 1, 4, args, 3, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "argument 0 of 3");

    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void a_warm_launch_asks_for_no_memory(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int factor = 1;
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, 64);
    const keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                    plugin_value_arg(&factor, 4)};
    const int before = atomic_load(&f->host.made);
    for (int i = 0; i < 10; i++) {
        assert_ok(&err, plugin_launch(f, f->queue, kernel, 4, 4, args, 3, &err));
    }
    assert_ok(&err, f->api->queue_synchronize(f->queue, &err));
    assert_int_equal(atomic_load(&f->host.made), before);
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

static void queues_that_come_and_go_reuse_a_kernels_objects(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    keel_error err = KEEL_ERROR_INIT;
    const int factor = 1;
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "scale");
    void *buffer = plugin_buffer(f, 64);
    const keel_launch_arg args[] = {plugin_buffer_arg(buffer), plugin_buffer_arg(buffer),
                                    plugin_value_arg(&factor, 4)};
    const int before = atomic_load(&f->host.live);
    for (int i = 0; i < 5; i++) {
        void *queue = plugin_queue(f);
        assert_ok(&err, plugin_launch(f, queue, kernel, 4, 4, args, 3, &err));
        f->api->queue_destroy(queue);
        /* One for the second queue that was ever alive at a time; none for those that follow. */
        assert_int_equal(atomic_load(&f->host.live), before + 1);
    }
    f->api->buffer_free(f->device, buffer);
    f->api->kernel_release(kernel);
    f->api->program_release(program);
}

/* One thread of the next test: its own queue, the shared kernel, its own factor. */
typedef struct worker {
    plugin_fixture *f;
    void *kernel;
    int factor;
    int wrong;
} worker;

static void *run_worker(void *argument)
{
    worker *w = argument;
    plugin_fixture *f = w->f;
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
        const keel_launch_arg args[] = {plugin_buffer_arg(out), plugin_buffer_arg(in),
                                        plugin_value_arg(&factor, 4)};
        (void)plugin_launch(f, queue, w->kernel, 16, 4, args, 3, &err);
        (void)f->api->read(queue, out, 0, data, sizeof data, 0, &err);
        w->wrong = err.status != KEEL_OK || data[1] != factor || data[63] != 63 * factor;
    }
    f->api->buffer_free(f->device, in);
    f->api->buffer_free(f->device, out);
    f->api->queue_destroy(queue);
    return NULL;
}

/* KB-R028, as reported of another system: https://github.com/clMathLibraries/clFFT/issues/146 */
static void threads_share_a_kernel_but_not_its_arguments(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    void *program = plugin_program(f, kernels);
    void *kernel = plugin_kernel(f, program, "scale");
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(a_kernel_computes),
        PLUGIN_TEST(grid_and_block_arrive_as_given),
        PLUGIN_TEST(an_absent_operand_is_a_null_pointer),
        PLUGIN_TEST(a_program_that_does_not_compile_says_why),
        PLUGIN_TEST(an_entry_that_is_not_there_is_refused_by_name),
        PLUGIN_TEST(a_binary_makes_the_same_program_again),
        PLUGIN_TEST(a_binary_that_is_none_is_refused),
        PLUGIN_TEST(wrong_launches_are_refused),
        PLUGIN_TEST(a_warm_launch_asks_for_no_memory),
        PLUGIN_TEST(queues_that_come_and_go_reuse_a_kernels_objects),
        PLUGIN_TEST(threads_share_a_kernel_but_not_its_arguments),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
