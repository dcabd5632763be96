/* Devices, buffers and tensors as objects: what their headers promise beside moving data. */
#include <string.h>

#include "cases/make.h"
#include "keel/buffer.h"
#include "keel/plan.h"
#include "keel/tensor.h"

static const conf_demand nothing;

static void run_device_facts(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    const keel_device_info *info = keel_device_get_info(env->device);
    const keel_limits *limits = keel_device_get_limits(env->device);
    (void)conf_expect(result, keel_device_id(env->device)[0] != '\0', "the device has no id");
    (void)conf_expect(result, info->name[0] != '\0', "the device has no name");
    (void)conf_expect(result, info->kind == KEEL_KIND_CPU || info->kind == KEEL_KIND_GPU,
                      "kind is %d, neither CPU nor GPU", info->kind);
    (void)conf_expect(result, limits->kind == info->kind, "info says kind %d, limits %d",
                      info->kind, limits->kind);
    (void)conf_expect(result, limits->compute_units > 0, "compute_units is 0");
    (void)conf_expect(result, limits->max_group > 0, "max_group is 0");
    (void)conf_expect(result, limits->wave > 0, "wave is 0");
    (void)conf_expect(result, limits->max_grid_yz >= 65535, "max_grid_yz is %u, at least 65535",
                      limits->max_grid_yz);
    (void)conf_expect(result, limits->max_buffer_bytes > 0, "max_buffer_bytes is 0");
    const uint32_t align = limits->base_align;
    (void)conf_expect(result, align >= 16 && (align & (align - 1)) == 0,
                      "base_align is %u, not a power of two of at least 16", align);
    (void)conf_expect(result, keel_device_context(env->device) == env->context,
                      "the device belongs to another context");
}

static void run_open_again(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *again = NULL;
    (void)keel_device_open(env->context, keel_device_id(env->device), &again, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        (void)conf_expect(result, again == env->device, "a device that is open is not shared");
    }
    keel_device_close(again);
    keel_device_close(NULL);
}

static void run_unknown_device(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = env->device;
    const keel_status status = keel_device_open(env->context, "nowhere:0", &device, &err);
    (void)conf_expect_refusal(result, status, KEEL_ERR_UNAVAILABLE, &err, "opening nowhere:0");
    (void)conf_expect(result, device == NULL, "out_device is not NULL after a failure");
}

static void run_unknown_op(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    const keel_status status =
        keel_op_run(env->queue, "keel.no_such_op", NULL, 0, NULL, 0, NULL, 0, &err);
    (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &err, "an unknown op");
}

/* An error that holds a failure stops later calls, and their outputs are zeroed. */
static void run_latch(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    (void)keel_fail(&err, KEEL_ERR_IO, "the first failure");
    keel_buffer *buffer = (keel_buffer *)(uintptr_t)&err;
    keel_status status = keel_buffer_create(env->device, 64, &buffer, &err);
    (void)conf_expect(result, status == KEEL_ERR_IO, "a latched error gives status %s",
                      keel_status_name(status));
    (void)conf_expect(result, buffer == NULL, "out_buffer is not NULL after a latched failure");
    keel_tensor tensor;
    memset(&tensor, 0x5A, sizeof tensor);
    status = keel_tensor_create(env->device, KEEL_F32, 1, (const int64_t[]){4}, &tensor, &err);
    (void)conf_expect(result, status == KEEL_ERR_IO && tensor.buffer == NULL,
                      "a latched error does not stop keel_tensor_create");
    status = keel_queue_synchronize(env->queue, &err);
    (void)conf_expect(result,
                      status == KEEL_ERR_IO && strcmp(err.message, "the first failure") == 0,
                      "a later call replaced the first failure");
}

static void run_empty_buffer(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    (void)keel_buffer_create(env->device, 0, &buffer, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        (void)conf_expect(result, keel_buffer_size(buffer) == 0, "its size is %llu",
                          (unsigned long long)keel_buffer_size(buffer));
        (void)conf_expect(result, keel_buffer_device(buffer) == env->device,
                          "it belongs to another device");
        (void)keel_buffer_write(env->queue, buffer, 0, &err, 0, &err);
        (void)conf_check_status(env, &nothing, &err, result);
    }
    keel_buffer_release(buffer);
    keel_buffer_release(NULL);
}

static void run_references(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    uint32_t value = 0;
    (void)keel_buffer_create(env->device, 64, &buffer, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        keel_buffer_retain(buffer);
        keel_buffer_release(buffer);
        (void)keel_buffer_fill(env->queue, buffer, 0, 64, 7, &err);
        (void)keel_buffer_read(env->queue, buffer, 60, &value, 4, &err);
        (void)conf_check_status(env, &nothing, &err, result);
        (void)conf_expect(result, value == 0x07070707, "a retained buffer lost its contents");
    }
    keel_buffer_release(buffer);
}

/* What the ledger says of the device's memory follows what is done. */
static void run_ledger(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    const uint64_t size = UINT64_C(3) << 20;
    keel_error err = KEEL_ERROR_INIT;
    keel_memory_info before = {.struct_size = sizeof before};
    keel_memory_info during = {.struct_size = sizeof during};
    keel_memory_info after = {.struct_size = sizeof after};
    keel_buffer *buffer = NULL;
    (void)keel_device_memory(env->device, &before, &err);
    (void)keel_buffer_create(env->device, size, &buffer, &err);
    (void)keel_device_memory(env->device, &during, &err);
    keel_buffer_release(buffer);
    (void)keel_queue_synchronize(env->queue, &err);
    (void)keel_device_trim(env->device, &err);
    (void)keel_device_memory(env->device, &after, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        (void)conf_expect(result, during.live >= before.live + size,
                          "live grew from %llu to %llu with a buffer of %llu bytes",
                          (unsigned long long)before.live, (unsigned long long)during.live,
                          (unsigned long long)size);
        (void)conf_expect(result, after.live == before.live,
                          "live is %llu after the release, %llu before the buffer",
                          (unsigned long long)after.live, (unsigned long long)before.live);
        (void)conf_expect(result, after.pooled == 0, "%llu bytes are pooled after a trim",
                          (unsigned long long)after.pooled);
        (void)conf_expect(result, during.peak >= during.live, "peak is below live");
    }
}

/* A request that no device has room for, then ordinary work. */
static void run_out_of_memory(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    keel_status status = keel_buffer_create(env->device, UINT64_C(1) << 46, &buffer, &err);
    (void)conf_expect_refusal(result, status, KEEL_ERR_OUT_OF_MEMORY, &err, "2^46 bytes");
    (void)conf_expect(result, buffer == NULL, "out_buffer is not NULL after a failure");
    err = (keel_error)KEEL_ERROR_INIT;
    uint64_t value = 0;
    (void)keel_buffer_create(env->device, 4096, &buffer, &err);
    (void)keel_buffer_fill(env->queue, buffer, 0, 4096, 0x21, &err);
    (void)keel_buffer_read(env->queue, buffer, 4088, &value, 8, &err);
    (void)conf_expect(result, err.status == KEEL_OK, "work after a failed allocation fails: %s",
                      err.message);
    (void)conf_expect(result, value == UINT64_C(0x2121212121212121),
                      "work after a failed allocation gives wrong bytes");
    keel_buffer_release(buffer);
}

/* Many rounds leave nothing behind. */
static void run_no_growth(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_memory_info early = {.struct_size = sizeof early};
    keel_memory_info late = {.struct_size = sizeof late};
    for (int round = 0; round < 500 && err.status == KEEL_OK; round++) {
        keel_buffer *buffer = NULL;
        keel_event *event = NULL;
        (void)keel_buffer_create(env->device, 10000, &buffer, &err);
        (void)keel_event_create(env->device, &event, &err);
        (void)keel_buffer_fill(env->queue, buffer, 0, 10000, 1, &err);
        (void)keel_event_record(event, env->queue, &err);
        (void)keel_queue_synchronize(env->queue, &err);
        keel_event_release(event);
        keel_buffer_release(buffer);
        if (round == 10) {
            (void)keel_device_memory(env->device, &early, &err);
        }
    }
    (void)keel_device_memory(env->device, &late, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        const uint64_t first = early.live + early.pooled + early.pending;
        const uint64_t last = late.live + late.pooled + late.pending;
        (void)conf_expect(result, last <= first + (UINT64_C(1) << 20),
                          "memory held grew from %llu to %llu bytes in 490 rounds",
                          (unsigned long long)first, (unsigned long long)last);
    }
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void run_bad_tensors(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    static const struct {
        const char *what;
        keel_dtype dtype;
        int32_t rank;
        int64_t shape[KEEL_MAX_RANK];
    } bad[] = {
        {"rank 9", KEEL_F32, 9, {1, 1, 1, 1, 1, 1, 1, 1}},
        {"rank -1", KEEL_F32, -1, {1}},
        {"a negative size", KEEL_F32, 2, {3, -1}},
        {"no type", KEEL_DTYPE_NONE, 1, {3}},
        {"an unknown type", KEEL_DTYPE_END, 1, {3}},
        {"2^63 elements", KEEL_U8, 2, {INT64_C(1) << 32, INT64_C(1) << 31}},
        {"2^64 bytes", KEEL_F64, 2, {INT64_C(1) << 31, INT64_C(1) << 30}},
    };
    for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
        keel_error err = KEEL_ERROR_INIT;
        keel_tensor tensor;
        memset(&tensor, 0x5A, sizeof tensor);
        const keel_status status =
            keel_tensor_create(env->device, bad[i].dtype, bad[i].rank, bad[i].shape, &tensor, &err);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &err, bad[i].what);
        (void)conf_expect(result, tensor.buffer == NULL && tensor.rank == 0,
                          "%s: out_tensor is not zeroed", bad[i].what);
    }
}

static void run_bad_views(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    static const struct {
        const char *what;
        uint64_t offset;
        int64_t shape[2], stride[2];
    } bad[] = {
        {"a view past the end", 0, {4, 5}, {5, 1}},
        {"an offset past the end", 68, {1, 1}, {1, 1}},
        {"an odd offset", 2, {2, 2}, {2, 1}},
        {"a negative stride", 16, {2, 2}, {-2, 1}},
        {"a reach that overflows", 0, {INT64_C(1) << 40, 2}, {INT64_C(1) << 40, 1}},
    };
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    (void)keel_buffer_create(env->device, 64, &buffer, &err);
    for (size_t i = 0; conf_check_status(env, &nothing, &err, result) && i < KEEL_COUNT(bad); i++) {
        keel_error refused = KEEL_ERROR_INIT;
        keel_tensor tensor;
        const keel_status status = keel_tensor_view(buffer, bad[i].offset, KEEL_F32, 2,
                                                    bad[i].shape, bad[i].stride, &tensor, &refused);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused, bad[i].what);
    }
    keel_buffer_release(buffer);
}

static void run_tensor_facts(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_tensor tensor = {0};
    keel_tensor view = {0};
    (void)keel_tensor_create(env->device, KEEL_F16, 3, (const int64_t[]){2, 3, 4}, &tensor, &err);
    (void)keel_tensor_view(tensor.buffer, 2, KEEL_F16, 2, (const int64_t[]){3, 2},
                           (const int64_t[]){1, 3}, &view, &err);
    if (conf_check_status(env, &nothing, &err, result)) {
        (void)conf_expect(result, keel_tensor_elements(&tensor) == 24, "2x3x4 has %lld elements",
                          (long long)keel_tensor_elements(&tensor));
        (void)conf_expect(result, keel_tensor_is_dense(&tensor), "a new tensor is not dense");
        (void)conf_expect(result, !keel_tensor_is_dense(&view), "a transposed view is dense");
        (void)conf_expect(result, keel_tensor_elements(&view) == 6, "3x2 has %lld elements",
                          (long long)keel_tensor_elements(&view));
        (void)conf_expect(result, keel_buffer_size(tensor.buffer) >= 48, "its buffer is too small");
    }
    keel_tensor_release(&tensor);
    (void)conf_expect(result, tensor.buffer == NULL, "a released tensor is not zeroed");
    keel_tensor_release(NULL);
}

void conf_cases_lifecycle(conf_list *list)
{
    static const char oom_source[] = "https://github.com/ggml-org/llama.cpp/pull/7376";
    static const char growth_source[] = "https://github.com/microsoft/onnxruntime/issues/26831";
    static const struct {
        const char *name;
        conf_run_fn run;
        const char *source;
    } cases[] = {
        {"device_facts", run_device_facts, NULL},
        {"open_again", run_open_again, NULL},
        {"unknown_device", run_unknown_device, NULL},
        {"unknown_op", run_unknown_op, NULL},
        {"latched_error", run_latch, NULL},
        {"empty_buffer", run_empty_buffer, NULL},
        {"references", run_references, NULL},
        {"memory_ledger", run_ledger, NULL},
        {"out_of_memory", run_out_of_memory, oom_source},
        {"no_growth", run_no_growth, growth_source},
        {"bad_tensors", run_bad_tensors, NULL},
        {"bad_views", run_bad_views, NULL},
        {"tensor_facts", run_tensor_facts, NULL},
    };
    for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
        const conf_name name = {.family = "lifecycle",
                                .op = "",
                                .dtype = "",
                                .source = cases[i].source,
                                .tier = CONF_TIER_SMOKE};
        conf_list_add(list, &name, cases[i].run, NULL, 0, "%s", cases[i].name);
    }
}
