/*
 * KB-R018: the device's memory is used up. The failure is told once and names what is held; then
 * everything works, and the memory is free again.
 */
#include "cases/short.h"
#include "keel/buffer.h"

#define TOUCHED 4096 /* bytes of each buffer that are written: drivers may give memory late */
#define MOST_BUFFERS 256
#define FRACTION 64 /* of all memory: a buffer's size */

typedef struct conf_hoard {
    keel_buffer *buffer[MOST_BUFFERS];
    int count;
    uint64_t bytes; /* of each */
} conf_hoard;

/* Takes memory until there is none; gives what the last request answered. */
static keel_status take_all(const conf_env *env, conf_hoard *hoard, keel_error *err)
{
    while (hoard->count < MOST_BUFFERS && err->status == KEEL_OK) {
        keel_buffer **slot = &hoard->buffer[hoard->count];
        (void)keel_buffer_create(env->device, hoard->bytes, slot, err);
        hoard->count += *slot != NULL;
        (void)keel_buffer_fill(env->queue, *slot, 0, TOUCHED, 1, err);
        (void)keel_queue_synchronize(env->queue, err);
        conf_env_heartbeat(env);
    }
    return err->status;
}

static void give_back(const conf_env *env, conf_hoard *hoard, keel_memory_info *out,
                      keel_error *err)
{
    for (int i = 0; i < hoard->count; i++) {
        keel_buffer_release(hoard->buffer[i]);
    }
    (void)keel_queue_synchronize(env->queue, err);
    (void)keel_device_trim(env->device, err);
    (void)keel_device_memory(env->device, out, err);
}

static void check_after(const conf_env *env, const conf_hoard *hoard,
                        const keel_memory_info *before, const keel_memory_info *after,
                        conf_result *result)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    uint32_t value = 0;
    (void)keel_buffer_create(env->device, 16, &buffer, &err);
    (void)keel_buffer_fill(env->queue, buffer, 0, 16, 0x21, &err);
    (void)keel_buffer_read(env->queue, buffer, 12, &value, sizeof value, &err);
    (void)conf_expect(result, err.status == KEEL_OK && value == UINT32_C(0x21212121),
                      "work after memory was used up fails or gives %#x: %s", value, err.message);
    keel_buffer_release(buffer);
    (void)conf_expect(result, after->live == before->live,
                      "%llu bytes are live after all was released, %llu before",
                      (unsigned long long)after->live, (unsigned long long)before->live);
    (void)conf_expect(result, after->free + hoard->bytes >= before->free,
                      "%llu bytes are free after all was released, %llu before",
                      (unsigned long long)after->free, (unsigned long long)before->free);
}

/*
 * Whether all may be taken: not what a GPU shares with the host, which others need. CPU devices are
 * given addresses, and only what is touched becomes memory.
 */
static int may_take_all(const conf_env *env)
{
    const keel_device_info *info = keel_device_get_info(env->device);
    const int shared = info->kind == KEEL_KIND_GPU && (info->flags & KEEL_DEVICE_INTEGRATED) != 0;
    return info->memory_bytes != 0 && !shared && !conf_env_is_oracle(env);
}

static void run_exhaustion(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    const keel_device_info *info = keel_device_get_info(env->device);
    const keel_limits *limits = keel_device_get_limits(env->device);
    conf_hoard hoard = {.count = 0};
    keel_error err = KEEL_ERROR_INIT;
    keel_memory_info before = {.struct_size = sizeof before};
    keel_memory_info after = {.struct_size = sizeof after};
    (void)keel_device_trim(env->device, &err);
    (void)keel_device_memory(env->device, &before, &err);
    if (!conf_check_status(env, &(conf_demand){0}, &err, result)) {
        return;
    }
    if (!may_take_all(env)) {
        (void)conf_say(
            result, CONF_NOT_RUN,
            "the device shares its memory with the host, or does not say how much it is");
        return;
    }
    hoard.bytes = info->memory_bytes / FRACTION;
    if (hoard.bytes > limits->max_buffer_bytes) {
        hoard.bytes = limits->max_buffer_bytes;
    }
    const keel_status status = take_all(env, &hoard, &err);
    if (status == KEEL_OK) {
        (void)conf_say(result, CONF_NOT_RUN, "the driver gave %d buffers of %llu bytes, of %llu",
                       hoard.count, (unsigned long long)hoard.bytes,
                       (unsigned long long)info->memory_bytes);
    } else {
        (void)conf_expect_refusal(result, status, KEEL_ERR_OUT_OF_MEMORY, &err, "used up memory");
    }
    err = (keel_error)KEEL_ERROR_INIT;
    give_back(env, &hoard, &after, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        check_after(env, &hoard, &before, &after, result);
    }
}

void conf_cases_exhaustion(conf_list *list)
{
    const conf_name name = {.family = "lifecycle",
                            .op = "",
                            .dtype = "",
                            .source = "https://github.com/ggml-org/llama.cpp/pull/7376",
                            .tier = FULL};
    conf_list_add(list, &name, run_exhaustion, NULL, 0, "memory_used_up");
}
