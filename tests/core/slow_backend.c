/*
 * A backend for tests of the allocator: host memory of which there is only 1 MiB, and events that
 * pass only when their queue is synchronised. Writing 13 bytes loses the device. Device 0 cannot be
 * described; the tests use device 1. Writing 14 bytes fails and leaves the device lost. Plans of
 * keel.neg do nothing, and are slow to be released.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "keel/backend.h"

#define CAPACITY (UINT64_C(1) << 20)

typedef struct slow_state {
    const keel_host *host;
    int lost;
    uint64_t used;
    atomic_int plans; /* alive */
} slow_state;

/* A buffer: its size, then its bytes. */
typedef struct slow_buffer {
    uint64_t size;
    char bytes[];
} slow_buffer;

typedef struct slow_queue {
    slow_state *state;
    uint64_t reached; /* counts records */
    uint64_t passed;  /* value of reached at the last synchronisation */
} slow_queue;

typedef struct slow_event {
    const slow_queue *queue;
    uint64_t at;
} slow_event;

/* ---- devices --------------------------------------------------------------------------------- */

static keel_status slow_open(const keel_host *host, void **out_state, keel_error *err)
{
    (void)err;
    slow_state *state = calloc(1, sizeof *state);
    state->host = host;
    *out_state = state;
    return KEEL_OK;
}

static void slow_shutdown(void *state)
{
    free(state);
}

static keel_status slow_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    *out_count = 2;
    return KEEL_OK;
}

static keel_status slow_device_info(void *state, uint32_t index, keel_device_info *out_info,
                                    keel_error *err)
{
    (void)state;
    if (index == 0) {
        return keel_fail(err, KEEL_ERR_DEVICE, "slow: the firmware is silent");
    }
    out_info->kind = KEEL_KIND_GPU;
    (void)strcpy(out_info->name, "slow device");
    return KEEL_OK;
}

static keel_status slow_device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    (void)index;
    (void)err;
    *out_device = state;
    return KEEL_OK;
}

static void slow_close(void *device)
{
    if (atomic_load(&((slow_state *)device)->plans) != 0) {
        abort(); /* the core promises that a device outlives its plans */
    }
}

static keel_status slow_limits(void *device, keel_limits *out_limits, keel_error *err)
{
    (void)device;
    (void)err;
    out_limits->kind = KEEL_KIND_GPU;
    out_limits->max_group = 1;
    return KEEL_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static keel_status slow_buffer_alloc(void *device, uint64_t bytes, int32_t memory,
                                     void **out_buffer, keel_error *err)
{
    slow_state *state = device;
    (void)memory;
    if (bytes > CAPACITY - state->used) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "slow: %llu bytes asked, %llu free",
                         (unsigned long long)bytes, (unsigned long long)(CAPACITY - state->used));
    }
    slow_buffer *buffer = calloc(1, sizeof *buffer + bytes);
    buffer->size = bytes;
    state->used += bytes;
    *out_buffer = buffer;
    return KEEL_OK;
}

static void slow_buffer_free(void *device, void *buffer)
{
    ((slow_state *)device)->used -= ((slow_buffer *)buffer)->size;
    free(buffer);
}

static keel_status slow_write(void *queue, void *buffer, uint64_t byte_offset, const void *host,
                              uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)flags;
    if (bytes == 13) {
        return keel_fail(err, KEEL_ERR_DEVICE_LOST, "slow: fell off the bus");
    }
    if (bytes == 14) {
        ((slow_queue *)queue)->state->lost = 1;
        return keel_fail(err, KEEL_ERR_DEVICE, "slow: the copy engine stopped");
    }
    memcpy(((slow_buffer *)buffer)->bytes + byte_offset, host, bytes);
    return KEEL_OK;
}

static keel_status slow_read(void *queue, void *buffer, uint64_t byte_offset, void *host,
                             uint64_t bytes, uint32_t flags, keel_error *err)
{
    (void)queue;
    (void)flags;
    (void)err;
    memcpy(host, ((slow_buffer *)buffer)->bytes + byte_offset, bytes);
    return KEEL_OK;
}

static keel_status slow_copy(void *queue, void *source, uint64_t source_offset, void *target,
                             uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    (void)queue;
    (void)err;
    memmove(((slow_buffer *)target)->bytes + target_offset,
            ((slow_buffer *)source)->bytes + source_offset, bytes);
    return KEEL_OK;
}

static keel_status slow_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                             uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    (void)queue;
    (void)pattern_bytes;
    (void)err;
    memset(((slow_buffer *)buffer)->bytes + byte_offset, (int)pattern, bytes);
    return KEEL_OK;
}

/* ---- queues and events ----------------------------------------------------------------------- */

static keel_status slow_queue_create(void *device, uint32_t flags, void **out_queue,
                                     keel_error *err)
{
    (void)flags;
    (void)err;
    slow_queue *queue = calloc(1, sizeof *queue);
    queue->state = device;
    *out_queue = queue;
    return KEEL_OK;
}

static void slow_queue_destroy(void *queue)
{
    free(queue);
}

static keel_status slow_queue_synchronize(void *queue, keel_error *err)
{
    (void)err;
    slow_queue *q = queue;
    q->passed = q->reached;
    return KEEL_OK;
}

static keel_status slow_event_create(void *device, void **out_event, keel_error *err)
{
    (void)device;
    (void)err;
    *out_event = calloc(1, sizeof(slow_event));
    return KEEL_OK;
}

static void slow_event_destroy(void *event)
{
    free(event);
}

static keel_status slow_event_record(void *queue, void *event, keel_error *err)
{
    (void)err;
    slow_queue *q = queue;
    *(slow_event *)event = (slow_event){q, ++q->reached};
    return KEEL_OK;
}

static keel_status slow_event_wait(void *queue, void *event, keel_error *err)
{
    (void)queue;
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status slow_event_synchronize(void *event, keel_error *err)
{
    (void)event;
    (void)err;
    return KEEL_OK;
}

static keel_status slow_event_query(void *event, int32_t *out_done, keel_error *err)
{
    (void)err;
    const slow_event *e = event;
    *out_done = e->queue->passed >= e->at;
    return KEEL_OK;
}

static keel_status slow_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err)
{
    (void)start;
    (void)end;
    (void)err;
    *out_ns = 0;
    return KEEL_OK;
}

static keel_status slow_status(void *device, keel_error *err)
{
    return ((slow_state *)device)->lost ? keel_fail(err, KEEL_ERR_DEVICE_LOST, "slow: it is gone")
                                        : KEEL_OK;
}

static const keel_device_api slow_device_api = {
    .struct_size = sizeof(keel_device_api),
    .close = slow_close,
    .limits = slow_limits,
    .buffer_alloc = slow_buffer_alloc,
    .buffer_free = slow_buffer_free,
    .queue_create = slow_queue_create,
    .queue_destroy = slow_queue_destroy,
    .queue_synchronize = slow_queue_synchronize,
    .event_create = slow_event_create,
    .event_destroy = slow_event_destroy,
    .event_record = slow_event_record,
    .event_wait = slow_event_wait,
    .event_synchronize = slow_event_synchronize,
    .event_query = slow_event_query,
    .event_elapsed = slow_event_elapsed,
    .write = slow_write,
    .read = slow_read,
    .copy = slow_copy,
    .fill = slow_fill,
    .status = slow_status,
};

/* ---- plans ----------------------------------------------------------------------------------- */

static keel_status slow_query(void *device, const keel_call *call, char reason[128])
{
    (void)device;
    (void)call;
    (void)reason;
    return KEEL_OK;
}

static keel_status slow_prepare(void *device, const keel_call *call, void **out_plan,
                                uint64_t *out_workspace_bytes, keel_error *err)
{
    (void)call;
    (void)err;
    atomic_fetch_add(&((slow_state *)device)->plans, 1);
    *out_plan = device;
    *out_workspace_bytes = 0;
    return KEEL_OK;
}

static keel_status slow_enqueue(void *queue, void *plan, const keel_operand *operands,
                                uint32_t count, keel_error *err)
{
    (void)queue;
    (void)plan;
    (void)operands;
    (void)count;
    (void)err;
    return KEEL_OK;
}

static void slow_release(void *plan)
{
    const struct timespec time = {.tv_nsec = 50000000};
    (void)thrd_sleep(&time, NULL);
    atomic_fetch_sub(&((slow_state *)plan)->plans, 1);
}

static const keel_native_op slow_neg = {
    .struct_size = sizeof(keel_native_op),
    .op = "keel.neg",
    .name = "slow",
    .query = slow_query,
    .prepare = slow_prepare,
    .enqueue = slow_enqueue,
    .release = slow_release,
};

/* Three rows for one op: of another kind of device, one that claims too much, one that works. */
static keel_status boastful_prepare(void *device, const keel_call *call, void **out_plan,
                                    uint64_t *out_workspace_bytes, keel_error *err)
{
    (void)device;
    (void)call;
    *out_plan = NULL;
    *out_workspace_bytes = 0;
    return keel_fail(err, KEEL_ERR_UNSUPPORTED, "boastful: no kernel after all");
}

static const keel_native_op cpu_abs = {
    .struct_size = sizeof(keel_native_op),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .op = "keel.abs",
    .name = "cpu",
    .query = slow_query,
    .prepare = slow_prepare,
    .enqueue = slow_enqueue,
    .release = slow_release,
};

static const keel_native_op boastful_abs = {
    .struct_size = sizeof(keel_native_op),
    .op = "keel.abs",
    .name = "boastful",
    .query = slow_query,
    .prepare = boastful_prepare,
    .enqueue = slow_enqueue,
    .release = slow_release,
};

static const keel_native_op plain_abs = {
    .struct_size = sizeof(keel_native_op),
    .op = "keel.abs",
    .name = "plain",
    .query = slow_query,
    .prepare = slow_prepare,
    .enqueue = slow_enqueue,
    .release = slow_release,
    .determinism = KEEL_DETERMINISM_REPEAT,
};

static const keel_native_op *const slow_rows[] = {&slow_neg, &cpu_abs, &boastful_abs, &plain_abs};

static const keel_backend slow_backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "slow",
    .native_ops = slow_rows,
    .native_op_count = KEEL_COUNT(slow_rows),
    .device_api = &slow_device_api,
    .open = slow_open,
    .shutdown = slow_shutdown,
    .device_count = slow_device_count,
    .device_info = slow_device_info,
    .device_open = slow_device_open,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &slow_backend : NULL;
}
