/*
 * The mma kernels of keel.matmul, each instance by itself: every way in which operands can lie, at
 * sizes that leave edges everywhere. Values are small whole numbers, so that sums are exact in any
 * order. Devices without matrix units run the scalar layout of tiles, which the planner would not.
 */
#include "dialect_probe.h"

#include <keel/registry.h>
#include <stdlib.h>

#define SENTINEL 0x7b7b /* what stands where no element of the result is */
#define BATCH 2

/* Mirror MATMUL_* of ops/dense/matmul.kc, whose kernels this test launches itself. */
#define HAS_C 1
#define HAS_BIAS 2
#define A_ACROSS 16
#define B_ACROSS 32
#define A_WHOLE 64
#define B_WHOLE 128

/* An operand of R x K elements as the kernel sees it: K is the inner axis. */
typedef struct layout {
    const char *name;
    int64_t padding,
        factor; /* the outer stride is inner size * factor + padding, rounded if whole */
    int32_t across, whole;
} layout;

static const layout layouts[] = {
    {"along, whole", 8, 1, 0, 1}, {"along", 1, 1, 0, 0}, {"across, whole", 8, 1, 1, 1},
    {"across", 1, 1, 1, 0},       {"apart", 1, 3, 0, 0}, {"apart, across", 1, 3, 1, 0},
};

typedef struct sizes {
    int64_t m, n, k;
} sizes;

typedef struct tiles_case {
    const dialect_probe *probe;
    keel_dtype dtype;
    const keel_instance *instance;
    keel_kernel *kernel;
    uint32_t rows, columns, block; /* of a group */
    int pad;
} tiles_case;

/* An operand in host and device memory. */
typedef struct matrix {
    keel_tensor memory, view;
    uint16_t *host;
    int64_t elements;
} matrix;

static int64_t define_of(const keel_instance *instance, const char *name)
{
    const char *at = strstr(instance->defines, name);
    assert_non_null(at);
    return strtol(at + strlen(name), NULL, 10);
}

static const keel_variant *mma_variant(keel_context *context)
{
    const keel_op *op = keel_op_find(context, "keel.matmul");
    assert_non_null(op);
    for (uint32_t i = 0; i < op->variant_count; i++) {
        if (strcmp(op->variants[i]->style, "mma") == 0) {
            return op->variants[i];
        }
    }
    fail_msg("keel.matmul has no variant of style mma");
    return NULL;
}

static void compile(tiles_case *c, const keel_variant *variant)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_limits *limits = keel_device_get_limits(c->probe->device);
    const uint32_t wave = (limits->flags & KEEL_LIMIT_MATRIX) != 0 ? limits->wave : 16;
    char defines[256];
    char text[32768];
    size_t length = 0;
    for (const char *const *source = variant->sources; *source != NULL; source++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", *source);
        assert_true(length < sizeof text);
    }
    (void)snprintf(defines, sizeof defines, "%s ENTRY=%s", c->instance->defines,
                   c->instance->entry);
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 1,
                                       .source = text,
                                       .entry = c->instance->entry,
                                       .defines = defines,
                                       .dtypes = &c->dtype};
    const int64_t waves = define_of(c->instance, "WAVES_M=") * define_of(c->instance, "WAVES_N=");
    c->rows =
        (uint32_t)(16 * define_of(c->instance, "WAVES_M=") * define_of(c->instance, "TILES_M="));
    c->columns =
        (uint32_t)(16 * define_of(c->instance, "WAVES_N=") * define_of(c->instance, "TILES_N="));
    c->block = (uint32_t)waves * wave;
    assert_ok(&err, keel_kernel_create(c->probe->device, &source, &c->kernel, &err));
}

/* Small whole numbers, both signs; what no view reaches is a NaN. */
static uint16_t element_at(keel_dtype dtype, int64_t i)
{
    uint16_t code = 0;
    keel_dtype_store(dtype, &code, 0, (double)(i * 7919 % 9 - 4), 0);
    return code;
}

/*
 * rows x inner elements in each of BATCH matrices. row_axis, inner_axis: of the space {M, N, K,
 * batch}; an inner_axis below 0 means none.
 */
static void make(const tiles_case *c, matrix *x, const layout *l, const int64_t space[4],
                 int row_axis, int inner_axis, int is_output)
{
    keel_error err = KEEL_ERROR_INIT;
    const int64_t fast = space[l->across ? row_axis : inner_axis];
    const int64_t slow = space[l->across ? inner_axis : row_axis];
    const int64_t step = l->factor;
    int64_t pitch = fast * step + l->padding;
    pitch = l->whole ? (pitch + 7) / 8 * 8 : pitch;
    const int64_t each = pitch * (slow > 0 ? slow : 1);
    const int64_t offset = l->whole ? 8 : 3;
    x->elements = offset + BATCH * each;
    x->host = calloc((size_t)x->elements, sizeof *x->host);
    assert_non_null(x->host);
    memset(x->host, 0x7f, (size_t)x->elements * sizeof *x->host); /* a NaN of f16 and bf16 */
    keel_tensor *view = &x->view;
    assert_ok(&err,
              keel_tensor_create(c->probe->device, c->dtype, 1, &x->elements, &x->memory, &err));
    *view = x->memory;
    view->rank = 4;
    view->byte_offset = (uint64_t)offset * 2;
    memset(view->stride, 0, sizeof view->stride);
    memcpy(view->shape, space, 4 * sizeof *space);
    view->stride[row_axis] = l->across ? step : pitch;
    view->stride[inner_axis] = l->across ? pitch : step;
    view->stride[3] = each;
    for (int64_t z = 0; z < BATCH; z++) {
        for (int64_t s = 0; s < slow; s++) {
            for (int64_t f = 0; f < fast; f++) {
                const int64_t at = offset + z * each + s * pitch + f * step;
                x->host[at] = element_at(c->dtype, at + s);
            }
        }
    }
    for (int64_t i = 0; is_output && i < x->elements; i++) {
        x->host[i] = SENTINEL;
    }
    assert_ok(&err, keel_tensor_write(c->probe->queue, &x->memory, x->host, &err));
}

static void drop(matrix *x)
{
    keel_tensor_release(&x->memory);
    free(x->host);
}

static double value_of(const tiles_case *c, const matrix *x, const int64_t index[4])
{
    int64_t at = (int64_t)x->view.byte_offset / 2;
    for (int axis = 0; axis < 4; axis++) {
        at += index[axis] * x->view.stride[axis];
    }
    return keel_dtype_load(c->dtype, x->host, at);
}

static void launch(const tiles_case *c, const sizes *size, matrix operand[5], int32_t flags)
{
    keel_error err = KEEL_ERROR_INIT;
    const float factors[] = {0.5F, 2.0F};
    const int32_t tiling[] = {flags, 0, 0, 0};
    const keel_tensor *views[5];
    keel_kernel_arg args[8] = {0};
    for (int i = 0; i < 5; i++) {
        views[i] = &operand[i].view;
        args[i] = (keel_kernel_arg){.kind = KEEL_KERNEL_TENSOR, .tensor = &operand[i].view};
    }
    args[5] = (keel_kernel_arg){.kind = KEEL_KERNEL_META, .tensors = views, .count = 5};
    args[6] =
        (keel_kernel_arg){.kind = KEEL_KERNEL_VALUE, .size = sizeof factors, .value = factors};
    args[7] = (keel_kernel_arg){.kind = KEEL_KERNEL_VALUE, .size = sizeof tiling, .value = tiling};
    const uint64_t groups = (uint64_t)((size->m + c->rows - 1) / c->rows) *
                            (uint64_t)((size->n + c->columns - 1) / c->columns) * BATCH;
    (void)keel_kernel_launch(c->probe->queue, c->kernel, (uint64_t[]){groups, 1, 1},
                             (uint32_t[]){c->block, 1, 1}, args, 8, &err);
    (void)keel_tensor_read(c->probe->queue, &operand[4].memory, operand[4].host, &err);
    (void)keel_queue_synchronize(c->probe->queue, &err);
    assert_ok(&err, err.status);
}

/* Every element of the result, which is then marked, and that nothing else was written. */
static void compare(const tiles_case *c, const sizes *size, matrix operand[5], int32_t flags)
{
    for (int64_t i = 0; i < BATCH * size->m * size->n; i++) {
        int64_t index[4] = {i / size->n % size->m, i % size->n, 0, i / size->n / size->m};
        double sum = 0;
        for (int64_t k = 0; k < size->k; k++) {
            index[2] = k;
            sum += value_of(c, &operand[0], index) * value_of(c, &operand[1], index);
        }
        index[2] = 0;
        double want = 0.5 * sum;
        want += (flags & HAS_C) != 0 ? 2.0 * value_of(c, &operand[3], index) : 0.0;
        want += (flags & HAS_BIAS) != 0 ? value_of(c, &operand[2], index) : 0.0;
        uint16_t rounded = 0;
        keel_dtype_store(c->dtype, &rounded, 0, want, 0);
        const double got = value_of(c, &operand[4], index);
        if (got != keel_dtype_load(c->dtype, &rounded, 0)) {
            print_error("%s %s: element %d, %d of matrix %d is %g, want %g\n", c->instance->entry,
                        keel_dtype_name(c->dtype), (int)index[0], (int)index[1], (int)index[3], got,
                        want);
        }
        assert_true(got == keel_dtype_load(c->dtype, &rounded, 0));
        operand[4]
            .host[(int64_t)operand[4].view.byte_offset / 2 + index[0] * operand[4].view.stride[0] +
                  index[1] * operand[4].view.stride[1] + index[3] * operand[4].view.stride[3]] =
            SENTINEL;
    }
    for (int64_t i = 0; i < operand[4].elements; i++) {
        assert_int_equal(operand[4].host[i], SENTINEL);
    }
}

static void check(const tiles_case *c, const sizes *size, const layout *a, const layout *b,
                  int32_t addends)
{
    const int64_t space[4] = {size->m, size->n, size->k, BATCH};
    matrix operand[5];
    make(c, &operand[0], a, space, 0, 2, 0);
    make(c, &operand[1], b, space, 1, 2, 0);
    make(c, &operand[2], &layouts[1], space, 0, 1, 0);
    make(c, &operand[3], &layouts[3], space, 0, 1, 0);
    make(c, &operand[4], a, space, 0, 1, 1);
    const int32_t flags = addends | (a->across ? A_ACROSS : 0) | (a->whole ? A_WHOLE : 0) |
                          (b->across ? B_ACROSS : 0) | (b->whole ? B_WHOLE : 0);
    launch(c, size, operand, flags);
    compare(c, size, operand, flags);
    for (int i = 0; i < 5; i++) {
        drop(&operand[i]);
    }
}

static void check_instance(const tiles_case *c)
{
    const sizes edge = {c->rows + 5, c->columns + 3, 41};
    const size_t count = KEEL_COUNT(layouts);
    for (size_t i = 0; i < count; i++) {
        check(c, &edge, &layouts[i], &layouts[i], 0);
        check(c, &edge, &layouts[i], &layouts[(i + 1) % count], 0);
    }
    static const int64_t depths[] = {0, 1, 2, 8, 31, 32, 64, 129};
    for (size_t d = 0; d < KEEL_COUNT(depths); d++) {
        const sizes deep = {c->rows, c->columns - 1, depths[d]};
        check(c, &deep, &layouts[d % 4], &layouts[(d / 2 + 1) % 4], HAS_C | HAS_BIAS);
    }
    const sizes tiny = {1, 1, 3};
    check(c, &tiny, &layouts[0], &layouts[2], HAS_BIAS);
}

static void check_dtype(void **state, keel_dtype dtype)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    const keel_variant *variant = mma_variant(probe->context);
    for (uint32_t i = 0; i < variant->instance_count; i++) {
        tiles_case c = {.probe = probe, .dtype = dtype, .instance = &variant->instances[i]};
        compile(&c, variant);
        check_instance(&c);
        keel_kernel_release(c.kernel);
    }
}

static void f16_tiles_are_right_wherever_operands_lie(void **state)
{
    check_dtype(state, KEEL_F16);
}

static void bf16_tiles_are_right_wherever_operands_lie(void **state)
{
    check_dtype(state, KEEL_BF16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f16_tiles_are_right_wherever_operands_lie),
        cmocka_unit_test(bf16_tiles_are_right_wherever_operands_lie),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
