/*
 * A host whose locale writes a comma where C writes a point: programs, attributes and results are
 * the same. Every device is asked.
 */
#include <locale.h>
#include <stdlib.h>

#include "core_fixture.h"

#define ROWS 3
#define COLUMNS 5
#define CALLS 3

/* What one round of calls gave: bytes of the outputs, and the text that a kernel is compiled from.
 */
typedef struct answers {
    float out[CALLS][ROWS * COLUMNS];
    char *text;
} answers;

/* KERNEL with a decimal fraction in its text and in its defines. */
static const float kernel_factor = 1.5F;
static const char kernel_text[] = "KERNEL1(scale, GLOBAL f32 *, x)\n"
                                  "{\n"
                                  "    x[0] = x[0] * FACTOR + 0.25f;\n"
                                  "}\n";
static const keel_kernel_source kernel_source = {.struct_size = sizeof kernel_source,
                                                 .source = kernel_text,
                                                 .entry = "scale",
                                                 .defines = "FACTOR=1.5f"};

static void run_ops(core_fixture *f, answers *out)
{
    static const struct {
        const char *op;
        uint32_t inputs;
        uint32_t attributes;
        keel_attribute attribute[2];
    } calls[CALLS] = {
        {"keel.layer_norm", 1, 1, {{"epsilon", KEEL_ATTR_FLOAT, 1, {.f = 0.01}}}},
        {"keel.fill", 0, 1, {{"value", KEEL_ATTR_FLOAT, 1, {.f = 0.1}}}},
        {"keel.matmul",
         2,
         2,
         {{"alpha", KEEL_ATTR_FLOAT, 1, {.f = 0.3}}, {"transpose_b", KEEL_ATTR_INT, 1, {.i = 1}}}},
    };
    const int64_t shape[] = {ROWS, COLUMNS};
    const int64_t product[] = {ROWS, ROWS};
    keel_tensor x = core_counting(f, 2, shape);
    const keel_tensor *inputs[] = {&x, &x};
    for (int i = 0; i < CALLS; i++) {
        keel_tensor y = core_blank(f, 2, calls[i].inputs == 2 ? product : shape);
        const keel_tensor *outputs[] = {&y};
        assert_ok(&f->err, keel_op_run(f->queue, calls[i].op, inputs, calls[i].inputs, outputs, 1,
                                       calls[i].attribute, calls[i].attributes, &f->err));
        assert_ok(&f->err, keel_tensor_read(f->queue, &y, out->out[i], &f->err));
        keel_tensor_release(&y);
    }
    keel_tensor_release(&x);
}

/* An application's kernel, where the device compiles any. */
static void run_kernel(core_fixture *f)
{
    const int64_t shape[] = {1};
    const uint64_t grid[3] = {1, 1, 1};
    const uint32_t block[3] = {1, 1, 1};
    float value = 0.0F;
    keel_kernel *kernel;
    if (keel_kernel_create(f->device, &kernel_source, &kernel, &f->err) == KEEL_ERR_UNSUPPORTED) {
        core_forget(f);
        return;
    }
    keel_tensor x = core_counting(f, 1, shape);
    const keel_kernel_arg arg = {.kind = KEEL_KERNEL_TENSOR, .tensor = &x};
    assert_ok(&f->err, keel_kernel_launch(f->queue, kernel, grid, block, &arg, 1, &f->err));
    assert_ok(&f->err, keel_tensor_read(f->queue, &x, &value, &f->err));
    assert_true(value == kernel_factor + 0.25F);
    keel_tensor_release(&x);
    keel_kernel_release(kernel);
}

static void write_text(core_fixture *f, answers *out)
{
    uint64_t length = 0;
    const keel_limits *limits = keel_device_get_limits(f->device);
    assert_ok(&f->err,
              keel_kernel_program_text(&kernel_source, limits, NULL, NULL, 0, &length, &f->err));
    out->text = malloc(length + 1);
    assert_non_null(out->text);
    assert_ok(&f->err, keel_kernel_program_text(&kernel_source, limits, NULL, out->text, length + 1,
                                                &length, &f->err));
}

/* All of it on one device, in a context of its own that takes no program from a cache. */
static void ask(const char *id, answers *out)
{
    const keel_context_options options = {.struct_size = sizeof options, .cache_directory = "off"};
    core_fixture f = {.err = KEEL_ERROR_INIT};
    assert_ok(&f.err, keel_context_create(&options, &f.context, &f.err));
    assert_ok(&f.err, keel_device_open(f.context, id, &f.device, &f.err));
    assert_ok(&f.err, keel_queue_create(f.device, NULL, &f.queue, &f.err));
    run_ops(&f, out);
    run_kernel(&f);
    write_text(&f, out);
    keel_queue_destroy(f.queue);
    keel_device_close(f.device);
    keel_context_release(f.context);
}

static void check_device(const char *id)
{
    answers point = {.text = NULL};
    answers comma = {.text = NULL};
    assert_non_null(setlocale(LC_ALL, "C"));
    ask(id, &point);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
    ask(id, &comma);
    assert_memory_equal(point.out, comma.out, sizeof point.out);
    assert_string_equal(point.text, comma.text);
    free(point.text);
    free(comma.text);
}

/* KB-R026, as reported of another system: https://github.com/arrayfire/arrayfire/issues/3293 */
static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    const uint32_t devices = keel_device_count(context);
    assert_true(devices > 0);
    for (uint32_t i = 0; i < devices; i++) {
        keel_device_description description = {.struct_size = sizeof description};
        assert_ok(&err, keel_device_describe(context, i, &description, &err));
        print_message("%s\n", description.id);
        check_device(description.id);
    }
    keel_context_release(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_comma_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
