/* Cases from public bug reports that take more than one call: two ops in turn, views. */
#include "cases/reports.h"

#include <math.h>

#include "cases/short.h"
#include "keel/plan.h"
#include "keel/registry.h"

/* One-element tensors of a sequence. */
typedef struct conf_cell {
    keel_tensor tensor;
} conf_cell;

static void make_cell(const conf_env *env, keel_dtype dtype, double value, conf_cell *out,
                      keel_error *err)
{
    unsigned char stored[8] = {0};
    keel_dtype_store(dtype, stored, 0, value, 0.0);
    (void)keel_tensor_create(env->device, dtype, 1, (const int64_t[]){1}, &out->tensor, err);
    (void)keel_tensor_write(env->queue, &out->tensor, stored, err);
}

static void run_cells(const conf_env *env, const char *op, const conf_cell *a, const conf_cell *b,
                      const conf_cell *out, keel_error *err)
{
    const keel_tensor *inputs[2] = {&a->tensor, b != NULL ? &b->tensor : NULL};
    const keel_tensor *outputs[1] = {&out->tensor};
    (void)keel_op_run(env->queue, op, inputs, b != NULL ? 2 : 1, outputs, 1, NULL, 0, err);
}

static double read_cell(const conf_env *env, const conf_cell *cell, keel_error *err)
{
    unsigned char stored[8] = {0};
    (void)keel_tensor_read(env->queue, &cell->tensor, stored, err);
    return keel_dtype_load(cell->tensor.dtype, stored, 0);
}

/* KB-N103: two equal products differ by 0 unless one of them was contracted with the difference. */
static void run_contraction(const conf_env *env, const void *data, conf_result *result)
{
    const keel_dtype dtype = *(const keel_dtype *)data;
    const double factor[2] = {0.1, dtype == KEEL_F64 ? 300.0 : 3.3};
    keel_error err = KEEL_ERROR_INIT;
    conf_cell cell[5] = {0};
    for (int i = 0; i < 5; i++) {
        make_cell(env, dtype, i < 2 ? factor[i] : 99.0, &cell[i], &err);
    }
    run_cells(env, "keel.mul", &cell[0], &cell[1], &cell[2], &err);
    run_cells(env, "keel.mul", &cell[0], &cell[1], &cell[3], &err);
    run_cells(env, "keel.sub", &cell[2], &cell[3], &cell[4], &err);
    const double difference = read_cell(env, &cell[4], &err);
    const conf_demand demand = {.fp64 = dtype == KEEL_F64};
    if (conf_check_status(env, &demand, &err, result)) {
        (void)conf_expect(result, difference == 0.0, "equal products differ by %a", difference);
    }
    for (int i = 0; i < 5; i++) {
        keel_tensor_release(&cell[i].tensor);
    }
}

/* KB-N075: a product that overflows f16 stays infinite when it is widened afterwards. */
static void run_narrow_product(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    conf_cell cell[4] = {0};
    make_cell(env, KEEL_F16, 30000.0, &cell[0], &err);
    make_cell(env, KEEL_F16, 200.0, &cell[1], &err);
    make_cell(env, KEEL_F16, 0.0, &cell[2], &err);
    make_cell(env, KEEL_F32, 0.0, &cell[3], &err);
    run_cells(env, "keel.mul", &cell[0], &cell[1], &cell[2], &err);
    run_cells(env, "keel.cast", &cell[2], NULL, &cell[3], &err);
    const double widened = read_cell(env, &cell[3], &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        (void)conf_expect(result, widened == (double)INFINITY,
                          "30000 * 200 in f16 became %g in f32", widened);
    }
    for (int i = 0; i < 4; i++) {
        keel_tensor_release(&cell[i].tensor);
    }
}

/* KB-N097: views of one allocation, read and written through; nothing between may change. */
static void run_views(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    keel_tensor evens;
    keel_tensor turned;
    float storage[20];
    float picked[10] = {0};
    float columns[6] = {0};
    for (int i = 0; i < 20; i++) {
        storage[i] = (float)i;
    }
    (void)keel_buffer_create(env->device, sizeof storage, &buffer, &err);
    (void)keel_buffer_write(env->queue, buffer, 0, storage, sizeof storage, &err);
    (void)keel_tensor_view(buffer, 0, KEEL_F32, 1, (const int64_t[]){10}, (const int64_t[]){2},
                           &evens, &err);
    (void)keel_tensor_view(buffer, 0, KEEL_F32, 2, (const int64_t[]){2, 3}, (const int64_t[]){1, 2},
                           &turned, &err);
    (void)keel_tensor_read(env->queue, &evens, picked, &err);
    (void)keel_tensor_read(env->queue, &turned, columns, &err);
    (void)keel_buffer_fill(env->queue, buffer, 0, sizeof storage, 0, &err);
    (void)keel_tensor_write(env->queue, &evens, picked, &err);
    (void)keel_buffer_read(env->queue, buffer, 0, storage, sizeof storage, &err);
    static const float want_columns[6] = {0, 2, 4, 1, 3, 5};
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        for (int i = 0; i < 6; i++) {
            (void)conf_expect(result, columns[i] == want_columns[i],
                              "element %d of a transposed view is %g, not %g", i,
                              (double)columns[i], (double)want_columns[i]);
        }
        for (int i = 0; i < 20; i++) {
            const float want = i % 2 == 0 ? (float)i : 0.0F;
            (void)conf_expect(result, storage[i] == want, "element %d is %g, not %g", i,
                              (double)storage[i], (double)want);
        }
    }
    keel_buffer_release(buffer);
}

/*
 * KB-N053: the mean of normalised rows is 0 in truth and rounding noise in practice. It is judged
 * by the size of what was added up, not by its own.
 */
static void run_noise(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    enum { ROWS = 3, COLUMNS = 31 * 29 };
    static const int64_t shape[] = {ROWS, COLUMNS};
    static const int64_t rows[] = {ROWS};
    static const int64_t last[] = {1};
    static const double allowed = 1e-6; /* eight units of the magnitude of 1, as reported */
    const conf_data uniform = {.kind = CONF_DATA_UNIFORM};
    const keel_attribute means[] = {conf_make_ints("axes", last, 1), conf_make_int("keepdims", 0)};
    keel_error err = KEEL_ERROR_INIT;
    float x[ROWS * COLUMNS];
    float mean[ROWS] = {0};
    keel_tensor tensor[3] = {0};
    const keel_tensor *const operands[] = {&tensor[0], &tensor[1], &tensor[2]};
    conf_data_fill(&uniform, env->seed, KEEL_F32, x, ROWS * COLUMNS);
    (void)keel_tensor_create(env->device, KEEL_F32, 2, shape, &tensor[0], &err);
    (void)keel_tensor_create(env->device, KEEL_F32, 2, shape, &tensor[1], &err);
    (void)keel_tensor_create(env->device, KEEL_F32, 1, rows, &tensor[2], &err);
    (void)keel_tensor_write(env->queue, &tensor[0], x, &err);
    (void)keel_op_run(env->queue, "keel.layer_norm", operands, 1, operands + 1, 1, NULL, 0, &err);
    (void)keel_op_run(env->queue, "keel.reduce_mean", operands + 1, 1, operands + 2, 1, means, 2,
                      &err);
    (void)keel_tensor_read(env->queue, &tensor[2], mean, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        for (int i = 0; i < ROWS; i++) {
            (void)conf_expect(result, fabs((double)mean[i]) <= allowed,
                              "the mean of normalised row %d is %g, at most %g is noise", i,
                              (double)mean[i], allowed);
        }
    }
    for (int i = 0; i < 3; i++) {
        keel_tensor_release(&tensor[i]);
    }
}

void conf_cases_reports_sequences(conf_list *list)
{
    static const char contraction[] = "https://github.com/ROCm/hip/pull/1717";
    static const keel_dtype dtypes[] = {KEEL_F32, KEEL_F64};
    keel_context *context = conf_list_context(list);
    conf_name name = {.family = "reports", .op = "", .dtype = "", .tier = SMOKE};
    if (keel_op_find(context, "keel.mul") != NULL && keel_op_find(context, "keel.sub") != NULL) {
        for (size_t i = 0; i < KEEL_COUNT(dtypes); i++) {
            name.source = contraction;
            name.tier = dtypes[i] == KEEL_F32 ? SMOKE : QUICK;
            conf_list_add(list, &name, run_contraction, &dtypes[i], sizeof dtypes[i], "KB-N103/%s",
                          keel_dtype_name(dtypes[i]));
        }
    }
    if (keel_op_find(context, "keel.cast") != NULL) {
        name.source = "https://github.com/tinygrad/tinygrad/issues/7516";
        name.tier = QUICK;
        conf_list_add(list, &name, run_narrow_product, NULL, 0, "KB-N075/narrow_product");
    }
    if (keel_op_find(context, "keel.layer_norm") != NULL &&
        keel_op_find(context, "keel.reduce_mean") != NULL) {
        name.source = "https://github.com/microsoft/onnxruntime/issues/25198";
        name.tier = SMOKE;
        conf_list_add(list, &name, run_noise, NULL, 0, "KB-N053/mean_of_normalised_rows");
    }
    name.source = "https://github.com/pytorch/pytorch/issues/189961";
    name.tier = SMOKE;
    conf_list_add(list, &name, run_views, NULL, 0, "KB-N097/views");
}
