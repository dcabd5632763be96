/* Programs of real ops, as libkeel writes them, compute the right thing and nothing is found in
 * them. */
#include <math.h>
#include <stdlib.h>

#include "engine_fixture.h"
#include "keel/keel.h"

#define ROWS 5
#define COLUMNS 333
#define COUNT (ROWS * COLUMNS)

/* KMETA2 of the dialect: two tensors of the same dense shape. */
typedef struct meta2 {
    int64_t rank, extent[10];
    struct {
        int64_t offset, stride[10];
    } view[2];
} meta2;

static const meta2 dense = {2, {ROWS, COLUMNS}, {{0, {COLUMNS, 1}}, {0, {COLUMNS, 1}}}};

static keel_context *context;

/* The variant of an op for GPUs, and the tuple of types that are all f32. */
static void find_program(const char *name, const char *style, keel_program_key *out)
{
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    *out = (keel_program_key){.op = keel_op_find(context, name)};
    assert_non_null(out->op);
    for (uint32_t i = 0; i < out->op->variant_count; i++) {
        if (strcmp(out->op->variants[i]->style, style) == 0) {
            out->variant = out->op->variants[i];
        }
    }
    assert_non_null(out->variant);
    while (keel_op_tuple(out->op, out->tuple, dtypes) != 0 && dtypes[0] != KEEL_F32) {
        out->tuple++;
    }
}

static sim_module *load_program(const char *name, const char *style, const sim_device *device)
{
    static const char include[] = "#include \"keel_prelude.h\"\n";
    const keel_text prelude = {include, sizeof include - 1};
    const keel_limits limits = {.struct_size = sizeof limits,
                                .kind = KEEL_KIND_GPU,
                                .flags = KEEL_LIMIT_FP64,
                                .wave = device->wave};
    keel_error err = KEEL_ERROR_INIT;
    keel_program_key key;
    uint64_t length;
    find_program(name, style, &key);
    assert_ok(&err, keel_op_program_text(&key, &limits, &prelude, NULL, 0, &length, &err));
    char *text = malloc(length + 1);
    assert_ok(&err, keel_op_program_text(&key, &limits, &prelude, text, length + 1, &length, &err));
    sim_module *module = engine_load_text(text, device);
    free(text);
    return module;
}

/* Runs a kernel of two dense tensors and a meta. */
static void run(const char *name, const char *style, const char *entry, const sim_device *device,
                const float *from, float *to)
{
    const uint64_t before = sim_finding_count();
    sim_module *module = load_program(name, style, device);
    sim_function *function = sim_module_function(module, entry);
    sim_function_info info;
    float *x = engine_upload(from, COUNT), *y = engine_upload(NULL, COUNT);
    const void *const args[] = {&x, &y, &dense};
    assert_non_null(function);
    sim_function_info_get(function, &info);
    assert_int_equal(info.arg_bytes[2], sizeof dense);
    assert_int_equal(sim_launch(function, (const uint32_t[3]){3, 1, 1},
                                (const uint32_t[3]){info.block, 1, 1}, args),
                     SIM_OK);
    engine_download(to, y, COUNT);
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    sim_module_unload(module);
    assert_int_equal(sim_finding_count(), before);
}

static void softmax(void **state)
{
    const sim_device *device = *state;
    static const char *const entries[] = {"softmax_rows_32", "softmax_columns_32"};
    float from[COUNT], to[COUNT];
    for (int i = 0; i < COUNT; i++) {
        from[i] = (float)(i * 7 % 31) * 0.25f;
    }
    for (int e = 0; e < 2; e++) {
        run("keel.softmax", "simt", entries[e], device, from, to);
        for (int r = 0; r < ROWS; r++) {
            double sum = 0.0;
            for (int i = 0; i < COLUMNS; i++) {
                sum += exp(from[r * COLUMNS + i]);
            }
            for (int i = 0; i < COLUMNS; i++) {
                const double want = exp(from[r * COLUMNS + i]) / sum;
                assert_true(fabs(to[r * COLUMNS + i] - want) <= 1e-6 * want);
            }
        }
    }
}

static void exponential(void **state)
{
    float from[COUNT], to[COUNT];
    for (int i = 0; i < COUNT; i++) {
        from[i] = (float)(i - COUNT / 2) * 0.01f;
    }
    run("keel.exp", "any", "flat_32", *state, from, to);
    for (int i = 0; i < COUNT; i++) {
        assert_true(fabs(to[i] - exp(from[i])) <= 2e-7 * exp(from[i]));
    }
}

/* KMETA5, and what else keel.matmul takes: see ops/dense/matmul.kc. */
#define M 70
#define N 45
#define K 37

typedef struct meta5 {
    int64_t rank, extent[10];
    struct {
        int64_t offset, stride[10];
    } view[5];
} meta5;

static void matmul(void **state)
{
    static float a[M * K], b[K * N], out[M * N];
    static const meta5 meta = {
        3, {M, N, K}, {{0, {K, 0, 1}}, {0, {0, 1, N}}, {0}, {0}, {0, {N, 1, 0}}}};
    const struct {
        float alpha, beta;
    } factors = {2.0f, 0.0f};
    const int32_t tiling[4] = {0};
    const uint64_t before = sim_finding_count();
    sim_module *module = load_program("keel.matmul", "simt", *state);
    sim_function *function = sim_module_function(module, "matmul_simt_32");
    for (int i = 0; i < M * K; i++) {
        a[i] = (float)(i % 7) - 3.0f;
    }
    for (int i = 0; i < K * N; i++) {
        b[i] = (float)(i % 5) - 1.0f;
    }
    float *x = engine_upload(a, M * K), *y = engine_upload(b, K * N),
          *z = engine_upload(NULL, M * N);
    const void *const none = NULL;
    const void *const args[] = {&x, &y, &none, &none, &z, &meta, &factors, &tiling};
    assert_int_equal(
        sim_launch(function, (const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){256, 1, 1}, args),
        SIM_OK);
    engine_download(out, z, M * N);
    for (int i = 0; i < M * N; i++) {
        float sum = 0.0f; /* of small integers: exact */
        for (int k = 0; k < K; k++) {
            sum += a[i / N * K + k] * b[k * N + i % N];
        }
        assert_true(out[i] == 2.0f * sum);
    }
    assert_int_equal(sim_memory_free(x), SIM_OK);
    assert_int_equal(sim_memory_free(y), SIM_OK);
    assert_int_equal(sim_memory_free(z), SIM_OK);
    sim_module_unload(module);
    assert_int_equal(sim_finding_count(), before);
}

static int open_context(void **state)
{
    (void)state;
    return keel_context_create(NULL, &context, NULL) == KEEL_OK ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    keel_context_release(context);
    return 0;
}

int main(void)
{
    void *narrow = (void *)(uintptr_t)&engine_wave_32, *wide = (void *)(uintptr_t)&engine_wave_64;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(softmax, narrow),
        cmocka_unit_test_prestate(softmax, wide),
        cmocka_unit_test_prestate(exponential, narrow),
        cmocka_unit_test_prestate(exponential, wide),
        cmocka_unit_test_prestate(matmul, narrow),
        cmocka_unit_test_prestate(matmul, wide),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
