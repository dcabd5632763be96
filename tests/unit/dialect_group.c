/*
 * Work-items of a group that combine and exchange values: the same bits on every device, in groups
 * smaller and larger than a wave. The combining function here is a difference, which neither
 * commutes nor associates, so that any other order gives other bits.
 */
#include "dialect_probe.h"

#include <stdlib.h>

#define GROUPS 3
#define LARGEST_BLOCK 1024

static const uint32_t blocks[] = {256, 8, 64, 32, 128, 1024, 2, 1};

static const keel_dtype dtypes[] = {KEEL_F32, KEEL_F64, KEEL_I32, KEEL_U32, KEEL_I64, KEEL_U64};

static const char reduce[] = "KERNEL3(k, GLOBAL const T0 *, x, GLOBAL T0 *, y, u32, mask)\n"
                             "{\n"
                             "    LOCAL_ARRAY(A0, buffer, KEEL_BLOCK);\n"
                             "    const i64 i = (i64)GROUP_ID(0) * KEEL_BLOCK + LOCAL_ID(0);\n"
                             "    A0 v = LD0(x, i), largest = v;\n"
                             "    GROUP_REDUCE(buffer, v, F0(k_sub));\n"
                             "    GROUP_REDUCE(buffer, largest, F0(k_max));\n"
                             "    ST0(y, i, F0(k_sub)(v, largest));\n"
                             "}\n";

/* Without waves the items go through LOCAL memory. */
static const char exchange[] = "KERNEL3(k, GLOBAL const T0 *, x, GLOBAL T0 *, y, u32, mask)\n"
                               "{\n"
                               "    LOCAL_ARRAY(A0, buffer, KEEL_BLOCK);\n"
                               "    const u32 item = LOCAL_ID(0);\n"
                               "    const i64 i = (i64)GROUP_ID(0) * KEEL_BLOCK + item;\n"
                               "    buffer[item] = LD0(x, i);\n"
                               "#ifdef KEEL_HAVE_WAVE\n"
                               "    WAVE_SYNC();\n"
                               "    A0 v = buffer[item ^ mask];\n"
                               "    v = WAVE_SHUFFLE_XOR(v, mask);\n"
                               "    v = WAVE_SHUFFLE_XOR(v, mask);\n"
                               "#else\n"
                               "    BARRIER();\n"
                               "    A0 v = buffer[item ^ mask];\n"
                               "#endif\n"
                               "    ST0(y, i, v);\n"
                               "}\n";

/* A kernel of that text over elements of a type, in groups of block items. */
typedef struct group_kernel {
    const dialect_probe *probe;
    keel_kernel *kernel;
    keel_dtype dtype;
    uint32_t block;
} group_kernel;

static group_kernel compile(const dialect_probe *probe, const char *text, keel_dtype dtype,
                            uint32_t block)
{
    keel_error err = KEEL_ERROR_INIT;
    group_kernel k = {.probe = probe, .dtype = dtype, .block = block};
    char defines[64];
    (void)snprintf(defines, sizeof defines, "KEEL_BLOCK=%u", block);
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 1,
                                       .source = text,
                                       .entry = "k",
                                       .defines = defines,
                                       .dtypes = &dtype};
    assert_ok(&err, keel_kernel_create(probe->device, &source, &k.kernel, &err));
    return k;
}

/* Runs it over x, giving y. */
static void run(const group_kernel *k, const void *x, void *y, uint32_t mask)
{
    keel_error err = KEEL_ERROR_INIT;
    const dialect_probe *probe = k->probe;
    const int64_t n = (int64_t)GROUPS * k->block;
    keel_tensor from;
    keel_tensor to;
    (void)keel_tensor_create(probe->device, k->dtype, 1, &n, &from, &err);
    (void)keel_tensor_create(probe->device, k->dtype, 1, &n, &to, &err);
    (void)keel_tensor_write(probe->queue, &from, x, &err);
    const keel_kernel_arg args[] = {{.kind = KEEL_KERNEL_TENSOR, .tensor = &from},
                                    {.kind = KEEL_KERNEL_TENSOR, .tensor = &to},
                                    {.kind = KEEL_KERNEL_VALUE, .size = 4, .value = &mask}};
    (void)keel_kernel_launch(probe->queue, k->kernel, (uint64_t[]){GROUPS, 1, 1},
                             (uint32_t[]){k->block, 1, 1}, args, KEEL_COUNT(args), &err);
    (void)keel_tensor_read(probe->queue, &to, y, &err);
    (void)keel_queue_synchronize(probe->queue, &err);
    keel_tensor_release(&from);
    keel_tensor_release(&to);
    assert_ok(&err, err.status);
}

/* Elements of one type as numbers; integers of the tests are small enough for a double. */
static double subtract(keel_dtype dtype, double a, double b)
{
    return dtype == KEEL_F32 ? (double)((float)a - (float)b) : a - b;
}

/* What the group's first items hold after each step of the tree. */
static double reduced(keel_dtype dtype, const void *x, int64_t first, uint32_t block)
{
    double tree[LARGEST_BLOCK];
    double largest = keel_dtype_load(dtype, x, first);
    for (uint32_t i = 0; i < block; i++) {
        tree[i] = keel_dtype_load(dtype, x, first + i);
        largest = tree[i] > largest ? tree[i] : largest;
    }
    for (uint32_t half = block / 2; half > 0; half /= 2) {
        for (uint32_t i = 0; i < half; i++) {
            tree[i] = subtract(dtype, tree[i], tree[i + half]);
        }
    }
    return subtract(dtype, tree[0], largest);
}

/* Values whose differences need rounding; of integers such that no result is negative and wraps. */
static void fill(keel_dtype dtype, void *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const double value = (double)((i * 2654435761) % 1000003);
        const int is_float = dtype == KEEL_F32 || dtype == KEEL_F64;
        keel_dtype_store(dtype, x, i, is_float ? 1.0 / (1.0 + value) : value, 0);
    }
}

/* Whether two elements are the same: integers of 32 bits wrap where the numbers do not. */
static int same(keel_dtype dtype, double got, double want)
{
    const int wraps = dtype == KEEL_U32 || dtype == KEEL_U64;
    const double size = dtype == KEEL_U32 ? 0x1p32 : 0x1p64;
    return got == want || (wraps && want < 0 && got == want + size);
}

static void check_reduce(const dialect_probe *probe, keel_dtype dtype, uint32_t block)
{
    const int64_t n = (int64_t)GROUPS * block;
    void *x = calloc((size_t)n, 8);
    void *y = calloc((size_t)n, 8);
    assert_non_null(x);
    assert_non_null(y);
    group_kernel k = compile(probe, reduce, dtype, block);
    fill(dtype, x, n);
    run(&k, x, y, 0);
    keel_kernel_release(k.kernel);
    for (int64_t i = 0; i < n; i++) {
        const double want = reduced(dtype, x, i / block * block, block);
        const double got = keel_dtype_load(dtype, y, i);
        if (!same(dtype, got, want)) {
            print_error("%s, block %u, item %d: got %a, want %a\n", keel_dtype_name(dtype), block,
                        (int)i, got, want);
        }
        assert_true(same(dtype, got, want));
    }
    free(y);
    free(x);
}

static void a_reduction_has_one_order_on_every_device(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    const keel_limits *limits = keel_device_get_limits(probe->device);
    for (size_t t = 0; t < KEEL_COUNT(dtypes); t++) {
        if (dtypes[t] == KEEL_F64 && (limits->flags & KEEL_LIMIT_FP64) == 0) {
            continue;
        }
        /* All sizes for f32, the first ones for the others. */
        const size_t count = t == 0 ? KEEL_COUNT(blocks) : 2;
        for (size_t b = 0; b < count; b++) {
            if (blocks[b] <= limits->max_group) {
                check_reduce(probe, dtypes[t], blocks[b]);
            }
        }
    }
}

static void items_of_a_wave_exchange_values(void **state)
{
    const dialect_probe *probe = dialect_probe_get(state, KEEL_F32);
    const keel_limits *limits = keel_device_get_limits(probe->device);
    const uint32_t wave = limits->wave > 1 ? limits->wave : 64;
    double x[GROUPS * 128];
    double y[GROUPS * 128];
    for (size_t t = 0; t < KEEL_COUNT(dtypes); t++) {
        if (dtypes[t] == KEEL_F64 && (limits->flags & KEEL_LIMIT_FP64) == 0) {
            continue;
        }
        group_kernel k = compile(probe, exchange, dtypes[t], 128);
        for (uint32_t mask = 1; mask < wave; mask = 2 * mask + 1) {
            fill(dtypes[t], x, KEEL_COUNT(x));
            run(&k, x, y, mask);
            for (int64_t i = 0; i < GROUPS * 128; i++) {
                assert_true(keel_dtype_load(dtypes[t], y, i) ==
                            keel_dtype_load(dtypes[t], x, i ^ mask));
            }
        }
        keel_kernel_release(k.kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reduction_has_one_order_on_every_device),
        cmocka_unit_test(items_of_a_wave_exchange_values),
    };
    return cmocka_run_group_tests(tests, dialect_probe_open, dialect_probe_close);
}
