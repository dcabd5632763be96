/* Kernels of the application's own, and programs shared by threads, on the default device. */
#include <pthread.h>

#include "core_fixture.h"

static const char source[] =
    "KERNEL3(scale_add, GLOBAL const T0 *, x, GLOBAL T1 *, y, const KMETA2, m)\n"
    "{\n"
    "    RANGE(i, m.extent[0]) {\n"
    "        const A0 v = LD0(x, m.v[0].offset + i * m.v[0].stride[0]);\n"
    "        ST1(y, m.v[1].offset + i * m.v[1].stride[0], v * 2.0f + 1.0f);\n"
    "    }\n"
    "}\n";

/* The fixture; skips where there is no device but the oracle. */
static core_fixture *need_device(void **state)
{
    core_fixture *f = *state;
    if (f->device == NULL) {
        print_message("no device but the oracle\n");
        skip();
    }
    return f;
}

static keel_kernel *make_kernel(core_fixture *f)
{
    const keel_dtype dtypes[] = {KEEL_F32, KEEL_F16};
    const keel_kernel_source text = {.struct_size = sizeof text,
                                     .dtype_count = 2,
                                     .source = source,
                                     .entry = "scale_add",
                                     .defines = "IDX=i32",
                                     .dtypes = dtypes};
    keel_kernel *kernel;
    assert_ok(&f->err, keel_kernel_create(f->device, &text, &kernel, &f->err));
    return kernel;
}

static void a_kernel_runs_on_views_of_any_type(void **state)
{
    core_fixture *f = need_device(state);
    const int64_t shape[] = {5};
    const int64_t step[] = {2};
    const int64_t whole[] = {16};
    keel_kernel *kernel = make_kernel(f);
    keel_tensor x = core_counting(f, 1, whole);
    keel_tensor y;
    keel_tensor odd;
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F16, 1, shape, &y, &f->err));
    assert_ok(&f->err, keel_tensor_view(x.buffer, 4, KEEL_F32, 1, shape, step, &odd, &f->err));
    const keel_tensor *views[] = {&odd, &y};
    const keel_kernel_arg args[] = {
        {.kind = KEEL_KERNEL_TENSOR, .tensor = &odd},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = &y},
        {.kind = KEEL_KERNEL_META, .tensors = views, .count = 2},
    };
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t block[3] = {1, 1, 1};
    uint16_t back[5] = {0};
    assert_ok(&f->err, keel_kernel_launch(f->queue, kernel, grid, block, args, 3, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &y, back, &f->err));
    for (int i = 0; i < 5; i++) { /* elements 2, 4, 6, 8, 10, doubled, plus one */
        assert_true(keel_dtype_load(KEEL_F16, back, i) == 2.0 * (2 * i + 2) + 1);
    }
    keel_kernel_release(kernel);
    keel_tensor_release(&x);
    keel_tensor_release(&y);
}

static void a_kernel_that_does_not_compile_shows_the_compilers_words(void **state)
{
    core_fixture *f = need_device(state);
    const keel_kernel_source text = {.struct_size = sizeof text,
                                     .source =
                                         "KERNEL1(broken, GLOBAL f32 *, x) { x[0] = nowhere; }",
                                     .entry = "broken"};
    keel_kernel *kernel = (keel_kernel *)(uintptr_t)1;
    assert_status(&f->err, keel_kernel_create(f->device, &text, &kernel, &f->err), KEEL_ERR_BUILD);
    assert_mentions(&f->err, "nowhere");
    assert_null(kernel);
    core_forget(f);
}

static void launches_are_checked(void **state)
{
    core_fixture *f = need_device(state);
    keel_kernel *kernel = make_kernel(f);
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t none[3] = {0, 1, 1};
    const uint32_t one[3] = {1, 1, 1};
    const uint32_t wraps[3] = {320, 107367629, 536903681}; /* 2^64 + 64 work-items */
    const keel_kernel_arg bad[3] = {{.kind = KEEL_KERNEL_TENSOR},
                                    {.kind = KEEL_KERNEL_TENSOR},
                                    {.kind = KEEL_KERNEL_META, .count = 2}};
    assert_status(&f->err, keel_kernel_launch(f->queue, kernel, NULL, one, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_kernel_launch(f->queue, kernel, grid, NULL, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_kernel_launch(f->queue, kernel, grid, wraps, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    core_forget(f);
    assert_status(&f->err, keel_kernel_launch(f->queue, kernel, grid, none, NULL, 0, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "group of 0");
    core_forget(f);
    assert_status(&f->err, keel_kernel_launch(f->queue, kernel, grid, one, bad, 3, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "tensor argument is NULL");
    core_forget(f);
    keel_kernel_release(kernel);
}

/* What the driver would find out late, in its own words, or not at all. */
static void arguments_are_compared_with_the_declaration(void **state)
{
    core_fixture *f = need_device(state);
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t one[3] = {1, 1, 1};
    const int64_t shape[] = {4};
    const float number = 1.0F;
    keel_kernel *kernel = make_kernel(f);
    keel_tensor x = core_counting(f, 1, shape);
    const keel_tensor *views[] = {&x, &x, &x};
    const keel_kernel_arg tensor = {.kind = KEEL_KERNEL_TENSOR, .tensor = &x};
    const keel_kernel_arg meta = {.kind = KEEL_KERNEL_META, .tensors = views, .count = 2};
    const keel_kernel_arg wide = {.kind = KEEL_KERNEL_META, .tensors = views, .count = 3};
    const keel_kernel_arg value = {.kind = KEEL_KERNEL_VALUE, .value = &number, .size = 4};
    const struct {
        keel_kernel_arg arg[4];
        uint32_t count;
        const char *mentions;
    } launches[] = {
        {{tensor, tensor}, 2, "scale_add: arguments given: 2, declared: 3"},
        {{tensor, tensor, meta, value}, 4, "scale_add: arguments given: 4, declared: 3"},
        {{tensor, value, meta}, 3, "argument 1 is a value (kind 3), y is declared as a tensor"},
        {{meta, tensor, meta}, 3, "argument 0 is a META (kind 2), x is declared as a tensor"},
        {{tensor, tensor, value}, 3, "argument 2 is a value (kind 3), m is declared as a META"},
        {{tensor, tensor, {.kind = 7}}, 3, "argument 2 is something else (kind 7), m is declared"},
        {{tensor, tensor, wide}, 3, "argument 2 is a META of 3 tensors, m is declared as KMETA2"},
    };
    for (size_t i = 0; i < KEEL_COUNT(launches); i++) {
        assert_status(&f->err,
                      keel_kernel_launch(f->queue, kernel, grid, one, launches[i].arg,
                                         launches[i].count, &f->err),
                      KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&f->err, launches[i].mentions);
        core_forget(f);
    }
    keel_tensor_release(&x);
    keel_kernel_release(kernel);
}

static void a_long_define_is_written_whole(void **state)
{
    (void)state;
    static char out[1 << 20];
    char defines[600] = "LONG=";
    memset(defines + 5, '7', 590);
    const keel_kernel_source text = {
        .struct_size = sizeof text, .source = "", .entry = "k", .defines = defines};
    const keel_limits limits = {.struct_size = sizeof limits, .kind = KEEL_KIND_CPU};
    uint64_t length;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_kernel_program_text(&text, &limits, NULL, out, sizeof out, &length, &err));
    const char *line = strstr(out, "#define LONG 7");
    assert_non_null(line);
    assert_int_equal(strspn(line + 13, "7"), 590);
    assert_int_equal(line[13 + 590], '\n');
}

/* Runs one op in a type that nothing else of this process has used. */
static void *first_user(void *argument)
{
    core_fixture f = *(core_fixture *)argument;
    const int64_t shape[] = {3};
    const float values[3] = {1, 2, 3};
    float back[3] = {0};
    keel_tensor t = {0};
    f.err = (keel_error)KEEL_ERROR_INIT;
    (void)keel_queue_create(f.device, NULL, &f.queue, &f.err);
    (void)keel_tensor_create(f.device, KEEL_F32, 1, shape, &t, &f.err);
    (void)keel_tensor_write(f.queue, &t, values, &f.err);
    (void)core_add(&f, &t, &t, &t);
    (void)keel_tensor_read(f.queue, &t, back, &f.err);
    keel_tensor_release(&t);
    keel_queue_destroy(f.queue);
    return f.err.status == KEEL_OK && back[2] == 6 ? argument : NULL;
}

static void threads_that_need_a_program_build_it_once(void **state)
{
    core_fixture *f = need_device(state);
    pthread_t threads[4];
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, first_user, f), 0);
    }
    for (size_t i = 0; i < KEEL_COUNT(threads); i++) {
        void *ok = NULL;
        (void)pthread_join(threads[i], &ok);
        assert_non_null(ok);
    }
    keel_context_statistics s = {.struct_size = sizeof s};
    keel_context_get_statistics(f->context, &s);
    assert_int_equal(s.programs_built + s.programs_loaded, 1);
}

#define KERNEL_TEST(name) cmocka_unit_test_setup_teardown(name, core_set_up_default, core_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        KERNEL_TEST(a_kernel_runs_on_views_of_any_type),
        KERNEL_TEST(a_kernel_that_does_not_compile_shows_the_compilers_words),
        KERNEL_TEST(launches_are_checked),
        KERNEL_TEST(arguments_are_compared_with_the_declaration),
        cmocka_unit_test(a_long_define_is_written_whole),
        KERNEL_TEST(threads_that_need_a_program_build_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
