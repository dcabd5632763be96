/*
 * A backend as it was written for ABI 1.0, against the headers frozen beside it: host memory, a
 * queue that runs at once, and one native op. Every later libkeel of ABI 1 must load and run it.
 * Never edit this file or include/: that is its purpose.
 */
#include <string.h>

#include "keel/backend.h"
#include "keel/backend_note.h"

typedef struct v1_device {
    const keel_host *host;
} v1_device;

/* ---- devices --------------------------------------------------------------------------------- */

static keel_status v1_open(const keel_host *host, void **out_state, keel_error *err)
{
    (void)err;
    *out_state = (void *)(uintptr_t)host;
    return KEEL_OK;
}

static void v1_shutdown(void *state)
{
    (void)state;
}

static keel_status v1_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    *out_count = 1;
    return KEEL_OK;
}

static keel_status v1_device_info(void *state, uint32_t index, keel_device_info *out_info,
                                  keel_error *err)
{
    (void)state;
    if (index != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u of 1", index);
    }
    out_info->kind = KEEL_KIND_CPU;
    out_info->compute_units = 1;
    out_info->memory_bytes = 1 << 20;
    memcpy(out_info->name, "plugin of ABI 1.0", sizeof "plugin of ABI 1.0");
    return KEEL_OK;
}

static keel_status v1_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    const keel_host *host = state;
    (void)index;
    v1_device *device = host->alloc(host->context, sizeof *device);
    if (device == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a device");
    }
    device->host = host;
    *out_device = device;
    return KEEL_OK;
}

static void v1_close(void *device)
{
    const keel_host *host = ((v1_device *)device)->host;
    host->free(host->context, device);
}

static keel_status v1_limits(void *device, keel_limits *out_limits, keel_error *err)
{
    (void)device;
    (void)err;
    out_limits->kind = KEEL_KIND_CPU;
    out_limits->flags = KEEL_LIMIT_FP64;
    out_limits->compute_units = 1;
    out_limits->max_group = 1;
    out_limits->wave = 1;
    out_limits->max_grid_yz = 65535;
    out_limits->base_align = 16;
    out_limits->max_buffer_bytes = 1 << 20;
    return KEEL_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static keel_status v1_buffer_alloc(void *device, uint64_t bytes, int32_t memory, void **out_buffer,
                                   keel_error *err)
{
    const keel_host *host = ((v1_device *)device)->host;
    if (memory != KEEL_MEMORY_DEVICE) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "memory kind %d is not offered", memory);
    }
    *out_buffer = host->alloc(host->context, bytes);
    if (*out_buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %llu bytes",
                         (unsigned long long)bytes);
    }
    return KEEL_OK;
}

static void v1_buffer_free(void *device, void *buffer)
{
    const keel_host *host = ((v1_device *)device)->host;
    host->free(host->context, buffer);
}

static keel_status v1_write(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                            uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy((char *)buffer + byte_offset, host, bytes);
    return KEEL_OK;
}

static keel_status v1_read(void *queue, void *buffer, uint64_t byte_offset, void *host,
                           uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy(host, (char *)buffer + byte_offset, bytes);
    return KEEL_OK;
}

static keel_status v1_copy(void *queue, void *source, uint64_t source_offset, void *target,
                           uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    memmove((char *)target + target_offset, (char *)source + source_offset, bytes);
    return KEEL_OK;
}

static keel_status v1_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                           uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    for (uint64_t at = 0; at < bytes; at += pattern_bytes) {
        memcpy((char *)buffer + byte_offset + at, &pattern, pattern_bytes); /* little endian */
    }
    return KEEL_OK;
}

/* ---- queues and events: everything has passed already ---------------------------------------- */

static keel_status v1_queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err)
{
    (void)flags;
    (void)err;
    *out_queue = device;
    return KEEL_OK;
}

static void v1_nothing(void *object)
{
    (void)object;
}

static keel_status v1_done(void *object, keel_error *err)
{
    (void)object;
    (void)err;
    return KEEL_OK;
}

static keel_status v1_event_create(void *device, void **out_event, keel_error *err)
{
    (void)err;
    *out_event = device;
    return KEEL_OK;
}

static keel_status v1_event_on_queue(void *queue, void *event, keel_error *err)
{
    (void)queue;
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status v1_event_query(void *event, int32_t *out_done, keel_error *err)
{
    (void)event;
    (void)err;
    *out_done = 1;
    return KEEL_OK;
}

static keel_status v1_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err)
{
    (void)start;
    (void)end;
    (void)err;
    *out_ns = 0;
    return KEEL_OK;
}

/* ---- a native op: f32 vectors are added ------------------------------------------------------ */

static keel_status v1_add_query(void *device, const keel_call *call, char reason[128])
{
    static const char words[] = "only dense f32 vectors";
    (void)device;
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        const keel_desc *operand = &call->operand[k];
        if (operand->dtype != KEEL_F32 || operand->rank != 1 || operand->stride[0] != 1) {
            memcpy(reason, words, sizeof words);
            return KEEL_ERR_UNSUPPORTED;
        }
    }
    return KEEL_OK;
}

static keel_status v1_add_prepare(void *device, const keel_call *call, void **out_plan,
                                  uint64_t *out_workspace_bytes, keel_error *err)
{
    (void)device;
    (void)err;
    *out_plan = (void *)(uintptr_t)call; /* outlives the plan */
    *out_workspace_bytes = 0;
    return KEEL_OK;
}

static keel_status v1_add_enqueue(void *queue, void *plan, const keel_operand *operands,
                                  uint32_t count, keel_error *err)
{
    const keel_call *call = plan;
    const float *side[2];
    (void)queue;
    if (count != 3) {
        return keel_fail(err, KEEL_ERR_INTERNAL, "%u operands, expected 3", count);
    }
    for (int k = 0; k < 2; k++) {
        side[k] = (const float *)((const char *)operands[k].buffer + operands[k].byte_offset);
    }
    float *sum = (float *)((char *)operands[2].buffer + operands[2].byte_offset);
    for (int64_t i = 0; i < call->operand[2].shape[0]; i++) {
        sum[i] = side[0][i] + side[1][i];
    }
    return KEEL_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const keel_native_op v1_add = {
    .struct_size = sizeof v1_add,
    .op = "keel.add",
    .name = "v1.add",
    .query = v1_add_query,
    .prepare = v1_add_prepare,
    .enqueue = v1_add_enqueue,
    .release = v1_nothing,
};

static const keel_native_op *const v1_ops[] = {&v1_add};

static const keel_device_api v1_api = {
    .struct_size = sizeof v1_api,
    .close = v1_close,
    .limits = v1_limits,
    .buffer_alloc = v1_buffer_alloc,
    .buffer_free = v1_buffer_free,
    .queue_create = v1_queue_create,
    .queue_destroy = v1_nothing,
    .queue_synchronize = v1_done,
    .event_create = v1_event_create,
    .event_destroy = v1_nothing,
    .event_record = v1_event_on_queue,
    .event_wait = v1_event_on_queue,
    .event_synchronize = v1_done,
    .event_query = v1_event_query,
    .event_elapsed = v1_event_elapsed,
    .write = v1_write,
    .read = v1_read,
    .copy = v1_copy,
    .fill = v1_fill,
};

static const keel_backend v1_backend = {
    .struct_size = sizeof v1_backend,
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "v1",
    .device_api = &v1_api,
    .native_ops = v1_ops,
    .native_op_count = 1,
    .priority = 1,
    .open = v1_open,
    .shutdown = v1_shutdown,
    .device_count = v1_device_count,
    .device_info = v1_device_info,
    .device_open = v1_device_open,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &v1_backend : NULL;
}
