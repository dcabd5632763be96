/*
 * Elementwise kernels that store past the caches, which the planner's own do for outputs that no
 * cache keeps: every alignment of the output, in place and not. Devices whose language has no such
 * stores are given ordinary ones.
 */
#include "dialect_probe.h"

#include <keel/registry.h>
#include <stdlib.h>

#define ROWS 3
#define COLUMNS 2100 /* long enough to be stored so, and no multiple of a vector */
#define MARGIN 8     /* elements before and after the output that nobody may touch */
#define CAPACITY (ROWS * COLUMNS + 3 * MARGIN)
#define GROUPS 2
#define SENTINEL (-7.5F)

static const char every_output_is_streamed[] = "#undef KEEL_STREAM_BYTES\n"
                                               "#define KEEL_STREAM_BYTES 0\n"
                                               "#ifndef V8_STREAM\n"
                                               "#define V8_STREAM(v, p) V8_STORE(v, p)\n"
                                               "#define V8_STREAM_END()\n"
                                               "#endif\n";

/* Memory on both sides, and the view of it that the kernel gets. */
typedef struct operand {
    keel_tensor memory, view;
    float host[CAPACITY];
} operand;

static const keel_variant *variant_of(const dialect_probe *probe, const char *name)
{
    const keel_op *op = keel_op_find(probe->context, name);
    assert_non_null(op);
    return op->variants[0];
}

static keel_kernel *compile(const dialect_probe *probe, const keel_variant *variant,
                            const keel_instance *instance)
{
    static const keel_dtype dtypes[] = {KEEL_F32, KEEL_F32, KEEL_F32};
    keel_error err = KEEL_ERROR_INIT;
    keel_kernel *kernel = NULL;
    char defines[256];
    char text[16384];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", every_output_is_streamed);
    for (const char *const *source = variant->sources; *source != NULL; source++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", *source);
        assert_true(length < sizeof text);
    }
    (void)snprintf(defines, sizeof defines, "%s ENTRY=%s", instance->defines, instance->entry);
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 3,
                                       .source = text,
                                       .entry = instance->entry,
                                       .defines = defines,
                                       .dtypes = dtypes};
    assert_ok(&err, keel_kernel_create(probe->device, &source, &kernel, &err));
    return kernel;
}

/* A view of rows x columns that begins at element first. */
static void make(const dialect_probe *probe, operand *x, int64_t first, int64_t rows,
                 int64_t row_stride)
{
    static const int64_t capacity[] = {CAPACITY};
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_tensor_create(probe->device, KEEL_F32, 1, capacity, &x->memory, &err));
    x->view = x->memory;
    x->view.byte_offset = (uint64_t)first * sizeof(float);
    x->view.rank = rows > 1 ? 2 : 1;
    x->view.shape[0] = rows > 1 ? rows : COLUMNS;
    x->view.stride[0] = rows > 1 ? row_stride : 1;
    x->view.shape[1] = COLUMNS;
    x->view.stride[1] = 1;
    assert_ok(&err, keel_tensor_write(probe->queue, &x->memory, x->host, &err));
}

static void check(const dialect_probe *probe, keel_kernel *kernel, uint32_t block, int64_t first,
                  int64_t rows, int in_place)
{
    static operand a;
    static operand b;
    static operand out;
    keel_error err = KEEL_ERROR_INIT;
    for (int64_t i = 0; i < CAPACITY; i++) {
        a.host[i] = (float)(i * 7919 % 1000);
        b.host[i] = (float)(i * 104729 % 1000);
        out.host[i] = SENTINEL;
    }
    make(probe, &a, first, rows, COLUMNS);
    make(probe, &b, 1, rows, 0);
    make(probe, &out, first, rows, COLUMNS);
    operand *to = in_place ? &a : &out;
    const keel_tensor *views[] = {&a.view, &b.view, &to->view};
    const keel_kernel_arg args[] = {
        {.kind = KEEL_KERNEL_TENSOR, .tensor = views[0]},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = views[1]},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = views[2]},
        {.kind = KEEL_KERNEL_META, .tensors = views, .count = 3},
    };
    (void)keel_kernel_launch(probe->queue, kernel, (uint64_t[]){GROUPS, 1, 1},
                             (uint32_t[]){block, 1, 1}, args, 4, &err);
    (void)keel_tensor_read(probe->queue, &to->memory, out.host, &err);
    (void)keel_queue_synchronize(probe->queue, &err);
    assert_ok(&err, err.status);
    for (int64_t i = 0; i < CAPACITY; i++) {
        const int64_t at = i - first;
        float want = in_place ? a.host[i] : SENTINEL;
        if (at >= 0 && at < rows * COLUMNS) {
            want = a.host[i] - b.host[1 + at % COLUMNS];
        }
        assert_true(out.host[i] == want);
    }
    keel_tensor_release(&a.memory);
    keel_tensor_release(&b.memory);
    keel_tensor_release(&out.memory);
}

static void check_layout(void **state, const char *layout, int64_t rows)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    const keel_variant *variant = variant_of(probe, "keel.sub");
    const uint32_t block = keel_device_get_limits(probe->device)->kind == KEEL_KIND_CPU ? 1 : 256;
    int checked = 0;
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        if (strstr(variant->instances[i].defines, layout) == NULL) {
            continue;
        }
        keel_kernel *kernel = compile(probe, variant, &variant->instances[i]);
        for (int64_t first = MARGIN; first < 2 * MARGIN; first++) {
            check(probe, kernel, block, first, rows, 0);
            check(probe, kernel, block, first, rows, 1);
        }
        keel_kernel_release(kernel);
        checked++;
    }
    assert_int_equal(checked, 2); /* 32-bit and 64-bit indices */
}

static void a_streamed_run_is_right_wherever_it_begins(void **state)
{
    check_layout(state, "LAYOUT=EW_FLAT", 1);
}

static void streamed_rows_are_right_wherever_they_begin(void **state)
{
    check_layout(state, "LAYOUT=EW_ROWS", ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_streamed_run_is_right_wherever_it_begins),
        cmocka_unit_test(streamed_rows_are_right_wherever_they_begin),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
