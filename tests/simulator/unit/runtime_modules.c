/* Run-time compilation, modules and launches. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_fixture.h"

#define KERNEL "KERNEL3(k, GLOBAL f32 *, x, GLOBAL f32 *, y, i32, n)\n{\n"
#define TWICE                                                                   \
    KERNEL "    const i32 i = (i32)(GROUP_ID(0) * KEEL_BLOCK + LOCAL_ID(0));\n" \
           "    if (i < n) { y[i] = 2.0f * x[i]; }\n}\n"
#define COUNT 100

typedef struct things {
    const runtime_api *api;
    void *stream, *module, *function;
    float *x, *y;
    float host[COUNT];
} things;

static things start(void **state, const char *options, const char *kernel)
{
    const runtime_api *api = *state;
    things t = {.api = api};
    runtime_restart(options);
    void *image = runtime_compile(api, kernel);
    assert_success(api->stream_create(&t.stream, RUNTIME_NON_BLOCKING));
    assert_success(api->module_load(&t.module, image));
    free(image);
    assert_success(api->module_function(&t.function, t.module, "k"));
    assert_success(api->alloc((void **)&t.x, sizeof t.host));
    assert_success(api->alloc((void **)&t.y, sizeof t.host));
    for (int i = 0; i < COUNT; i++) {
        t.host[i] = (float)i;
    }
    assert_success(api->copy(t.x, t.host, sizeof t.host, RUNTIME_TO_DEVICE, t.stream));
    return t;
}

static int launch(things *t, unsigned groups, unsigned block)
{
    int n = COUNT;
    void *args[] = {&t->x, &t->y, &n};
    const int code =
        t->api->launch(t->function, groups, 1, 1, block, 1, 1, 0, t->stream, args, NULL);
    n = 0; /* arguments are read when the launch is submitted */
    return code;
}

static void a_kernel_computes(void **state)
{
    things t = start(state, "schedule=late", TWICE);
    assert_success(launch(&t, 2, 64));
    assert_success(t.api->copy(t.host, t.y, sizeof t.host, RUNTIME_TO_HOST, t.stream));
    for (int i = 0; i < COUNT; i++) {
        assert_true(t.host[i] == 2.0f * (float)i);
    }
    assert_success(t.api->module_unload(t.module));
    assert_int_equal(runtime_findings(), 0);
}

static void a_program_that_does_not_compile_has_a_log(void **state)
{
    const runtime_api *api = *state;
    void *program = NULL;
    size_t bytes = 0;
    runtime_restart("");
    assert_success(api->program_create(&program, "int x = unheard_of;\n", "k", 0, NULL, NULL));
    assert_int_equal(api->program_compile(program, 0, NULL), api == &runtime_cuda ? 0 : 6);
    const char *const arch[] = {"--gpu-architecture=sm_90"};
    const int code = api->program_compile(program, api == &runtime_cuda, arch);
    assert_int_equal(code, 6);
    assert_success(api->program_log_size(program, &bytes));
    char *log = malloc(bytes);
    assert_success(api->program_log(program, log));
    assert_non_null(strstr(log, "unheard_of"));
    free(log);
    assert_success(api->program_destroy(&program));
    assert_null(program);
}

static void compilation_fails_on_command(void **state)
{
    const runtime_api *api = *state;
    void *program = NULL;
    runtime_restart("compile_fail=1");
    assert_success(api->program_create(&program, "\n", "k", 0, NULL, NULL));
    assert_int_equal(api->program_compile(program, 0, NULL), 6);
    assert_success(api->program_destroy(&program));
}

static void options_that_the_compiler_does_not_know_are_refused(void **state)
{
    const runtime_api *api = *state;
    static const char *const unknown[] = {"frobnicate"};
    void *program = NULL;
    char log[256];
    runtime_restart("");
    assert_success(api->program_create(&program, "\n", "k", 0, NULL, NULL));
    assert_int_equal(api->program_compile(program, 1, unknown), 5);
    assert_success(api->program_log(program, log));
    assert_non_null(strstr(log, "frobnicate"));
    assert_success(api->program_destroy(&program));
}

static void an_image_is_for_one_vendor_and_architecture(void **state)
{
    const runtime_api *api = *state;
    const runtime_api *other = api == &runtime_cuda ? &runtime_hip : &runtime_cuda;
    void *module = NULL;
    runtime_restart("");
    void *image = runtime_compile(api, TWICE);
    void *foreign = runtime_compile(other, TWICE);
    assert_success(api->alloc(&module, 1)); /* makes the context */
    assert_int_equal(api->module_load(&module, foreign), 200);
    assert_int_equal(api->module_load(&module, "garbage, and more of it than a mark is long, so "
                                               "that a head of 80 bytes can be read from it"),
                     200);
    assert_null(module);
    runtime_restart("cuda_arch=sm_80,hip_arch=gfx90a");
    assert_success(api->alloc(&module, 1));
    assert_int_equal(api->module_load(&module, image), 209);
    free(image);
    free(foreign);
}

static void unknown_kernels_are_not_found(void **state)
{
    things t = start(state, "", TWICE);
    void *function = &function;
    assert_int_equal(t.api->module_function(&function, t.module, "nobody"), 500);
    assert_null(function);
}

static void bad_launches_are_refused_at_once(void **state)
{
    things t = start(state, "", TWICE);
    const int bad_shape = t.api == &runtime_cuda ? 1 : 9;
    assert_int_equal(launch(&t, 0, 64), bad_shape);
    assert_int_equal(launch(&t, 1, 2048), bad_shape);
    assert_int_equal(runtime_findings(), 0);
    assert_int_equal(launch(&t, 1, 32), 1);
    runtime_assert_found("made for groups of 64");
}

/* HIP counts the work-items of an axis in 32 bits, CUDA does not. */
static void the_number_of_work_items_is_limited_in_hip(void **state)
{
    things t = start(state, "steps=1000", KERNEL "}\n");
    int n = 0;
    void *args[] = {&t.x, &t.y, &n};
    if (t.api == &runtime_hip) {
        assert_int_equal(
            t.api->launch(t.function, 1u << 26, 1, 1, 64, 1, 1, 0, t.stream, args, NULL), 9);
    }
    assert_success(t.api->launch(t.function, 1, 1, 1, 64, 1, 1, 0, t.stream, args, NULL));
    assert_success(t.api->stream_synchronize(t.stream));
}

/* What no device would notice fails whatever waits for it, once. */
static void a_finding_fails_the_next_wait_and_is_in_the_name_of_its_code(void **state)
{
    things t = start(state, "", KERNEL "    y[0] = (f32)LOCAL_ID(0);\n}\n");
    assert_success(launch(&t, 1, 64));
    assert_int_equal(t.api->stream_synchronize(t.stream), 999);
    runtime_assert_found("kind=race");
    assert_non_null(strstr(t.api->error_name(999), "kind=race"));
    assert_success(t.api->stream_synchronize(t.stream));
    assert_success(launch(&t, 1, 64));
    assert_int_equal(t.api->stream_synchronize(t.stream), 999);
}

static void findings_fail_nothing_if_they_are_not_fatal(void **state)
{
    things t = start(state, "fatal=0", KERNEL "    y[0] = (f32)LOCAL_ID(0);\n}\n");
    assert_success(launch(&t, 1, 64));
    assert_success(t.api->stream_synchronize(t.stream));
    assert_true(runtime_findings() > 0);
}

/* An access that a device notices ends its context. */
static void an_illegal_address_is_kept_by_the_context(void **state)
{
    things t = start(state, "", KERNEL "    y[1000000] = 1.0f;\n}\n");
    void *memory = NULL;
    assert_success(launch(&t, 1, 64));
    assert_int_equal(t.api->stream_synchronize(t.stream), 700);
    assert_int_equal(t.api->alloc(&memory, 1), 700);
    assert_int_equal(launch(&t, 1, 64), 700);
    assert_success(t.api->reset());
    assert_success(t.api->alloc(&memory, 1));
    assert_success(t.api->free(memory));
}

static void a_page_fault_ends_the_process_under_hip_before_7(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *hip = &runtime_hip;
        things t = start(&hip, "hip=60342134", KERNEL "    y[1000000] = 1.0f;\n}\n");
        (void)launch(&t, 1, 64);
        (void)t.api->stream_synchronize(t.stream);
        _exit(3);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void kernels_do_nothing_on_command(void **state)
{
    things t = start(state, "null_kernels=1", KERNEL "    y[0] = (f32)LOCAL_ID(0);\n}\n");
    assert_success(launch(&t, 1, 64));
    assert_success(t.api->stream_synchronize(t.stream));
    assert_int_equal(runtime_findings(), 0);
}

static void unloading_a_module_in_use_is_found(void **state)
{
    things t = start(state, "schedule=late", TWICE);
    assert_success(launch(&t, 1, 64));
    assert_success(t.api->module_unload(t.module));
    runtime_assert_found("launch of k");
    assert_int_equal(launch(&t, 1, 64), 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(a_kernel_computes),
        RUNTIME_TEST(a_program_that_does_not_compile_has_a_log),
        RUNTIME_TEST(compilation_fails_on_command),
        RUNTIME_TEST(options_that_the_compiler_does_not_know_are_refused),
        RUNTIME_TEST(an_image_is_for_one_vendor_and_architecture),
        RUNTIME_TEST(unknown_kernels_are_not_found),
        RUNTIME_TEST(bad_launches_are_refused_at_once),
        RUNTIME_TEST(the_number_of_work_items_is_limited_in_hip),
        RUNTIME_TEST(a_finding_fails_the_next_wait_and_is_in_the_name_of_its_code),
        RUNTIME_TEST(findings_fail_nothing_if_they_are_not_fatal),
        RUNTIME_TEST(an_illegal_address_is_kept_by_the_context),
        cmocka_unit_test(a_page_fault_ends_the_process_under_hip_before_7),
        RUNTIME_TEST(kernels_do_nothing_on_command),
        RUNTIME_TEST(unloading_a_module_in_use_is_found),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
