/*
 * Pooling over rows of more elements than 32 bits can count: an axis of stride 0, so that they take
 * no memory. Positions and places need 64 bits.
 */
#include "cases/short.h"
#include "keel/plan.h"
#include "keel/registry.h"

#define CHANNELS 2
#define OUTPUTS 3
#define WIDTH INT64_C(3000000001)
#define STEP_WIDE INT64_C(1000000000)

static const float values[CHANNELS] = {1.5F, -2.5F};

/* The row of channel c holds values[c] everywhere; windows of two begin at 0, 10^9 and 2 10^9. */
static void run_far(const conf_env *env, const char *op, const keel_tensor *const *outputs,
                    uint32_t count, keel_error *err)
{
    static const int64_t kernel[] = {2};
    static const int64_t strides[] = {STEP_WIDE};
    const keel_attribute attributes[] = {conf_make_ints("kernel_shape", kernel, 1),
                                         conf_make_ints("strides", strides, 1)};
    keel_buffer *buffer = NULL;
    keel_tensor x;
    (void)keel_buffer_create(env->device, sizeof values, &buffer, err);
    (void)keel_buffer_write(env->queue, buffer, 0, values, sizeof values, err);
    (void)keel_tensor_view(buffer, 0, KEEL_F32, 3, (const int64_t[]){1, CHANNELS, WIDTH},
                           (const int64_t[]){0, 1, 0}, &x, err);
    const keel_tensor *inputs[] = {&x};
    (void)keel_op_run(env->queue, op, inputs, 1, outputs, count, attributes, KEEL_COUNT(attributes),
                      err);
    (void)keel_queue_synchronize(env->queue, err);
    keel_buffer_release(buffer);
}

static void check_values(conf_result *result, const char *op, const float *got)
{
    for (int i = 0; i < CHANNELS * OUTPUTS; i++) {
        const float want = values[i / OUTPUTS];
        (void)conf_expect(result, got[i] == want, "%s: element %d is %g, not %g", op, i,
                          (double)got[i], (double)want);
    }
}

static void run_values(const conf_env *env, const void *data, conf_result *result)
{
    const char *op = *(const char *const *)data;
    static const int64_t shape[] = {1, CHANNELS, OUTPUTS};
    keel_error err = KEEL_ERROR_INIT;
    keel_tensor y;
    float got[CHANNELS * OUTPUTS] = {0};
    (void)keel_tensor_create(env->device, KEEL_F32, 3, shape, &y, &err);
    const keel_tensor *outputs[] = {&y};
    run_far(env, op, outputs, 1, &err);
    (void)keel_tensor_read(env->queue, &y, got, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        check_values(result, op, got);
    }
    keel_tensor_release(&y);
}

static void run_places(const conf_env *env, const void *data, conf_result *result)
{
    const char *op = *(const char *const *)data;
    static const int64_t shape[] = {1, CHANNELS, OUTPUTS};
    keel_error err = KEEL_ERROR_INIT;
    keel_tensor y;
    keel_tensor indices;
    float got[CHANNELS * OUTPUTS] = {0};
    int64_t place[CHANNELS * OUTPUTS] = {0};
    (void)keel_tensor_create(env->device, KEEL_F32, 3, shape, &y, &err);
    (void)keel_tensor_create(env->device, KEEL_I64, 3, shape, &indices, &err);
    const keel_tensor *outputs[] = {&y, &indices};
    run_far(env, op, outputs, 2, &err);
    (void)keel_tensor_read(env->queue, &y, got, &err);
    (void)keel_tensor_read(env->queue, &indices, place, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        check_values(result, op, got);
        for (int i = 0; i < CHANNELS * OUTPUTS; i++) {
            const int64_t want = i / OUTPUTS * WIDTH + i % OUTPUTS * STEP_WIDE;
            (void)conf_expect(result, place[i] == want, "index %d is %lld, not %lld", i,
                              (long long)place[i], (long long)want);
        }
    }
    keel_tensor_release(&y);
    keel_tensor_release(&indices);
}

void conf_cases_pooling_far(conf_list *list)
{
    static const char *const ops[] = {"keel.max_pool", "keel.average_pool"};
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[k]);
        if (op == NULL) {
            continue;
        }
        const conf_name name = conf_make_name(op, KEEL_F32, QUICK);
        conf_list_add(list, &name, run_values, &ops[k], sizeof ops[k], "beyond_32_bits");
        if (op->outputs > 1) {
            conf_list_add(list, &name, run_places, &ops[k], sizeof ops[k],
                          "beyond_32_bits/indices");
        }
    }
}
