/*
 * A backend for tests of graphs: ref's memory and ops, whose queues can record what they are given
 * and play it again. Events pass only when their queue is synchronised.
 */
#include "graph_backend.h"

#include <stdlib.h>
#include <string.h>

#include "keel/graph.h"
#include "keel/ranges.h"
#include "ref.h"

#define MOST_STEPS 64

KEEL_API extern graph_counts graph_backend_counts;
graph_counts graph_backend_counts;

typedef struct graph_plan {
    const keel_call *call;
    void *inner; /* ref's */
} graph_plan;

/* An op, or a copy (operands: source, target) or a fill (target). */
typedef struct graph_step {
    const graph_plan *plan;
    keel_operand operand[KEEL_MAX_OPERANDS + 1];
    uint32_t count;
    uint64_t bytes, pattern;
    uint32_t pattern_bytes; /* 0: a copy */
} graph_step;

typedef struct recording {
    uint32_t count;
    graph_step step[MOST_STEPS];
} recording;

typedef struct graph_queue {
    recording *capture;
    uint64_t reached, passed;
} graph_queue;

typedef struct graph_event {
    const graph_queue *queue;
    uint64_t at;
} graph_event;

/* ---- work ------------------------------------------------------------------------------------ */

static keel_status run(void *queue, const graph_step *step, keel_error *err)
{
    const keel_operand *at = step->operand;
    graph_backend_counts.runs++;
    if (step->plan != NULL) {
        memset(ref_address(at[step->count - 1].buffer, 0), 0xee, GRAPH_WORKSPACE);
        return ref_oracle_row.enqueue(queue, step->plan->inner, at, step->count - 1, err);
    }
    if (step->pattern_bytes == 0) {
        return ref_device_api.copy(queue, at[0].buffer, at[0].byte_offset, at[1].buffer,
                                   at[1].byte_offset, step->bytes, err);
    }
    return ref_device_api.fill(queue, at[0].buffer, at[0].byte_offset, step->bytes, step->pattern,
                               step->pattern_bytes, err);
}

static keel_status give(void *queue_object, const graph_step *step, keel_error *err)
{
    graph_queue *queue = queue_object;
    queue->reached++;
    if (queue->capture == NULL) {
        return run(queue, step, err);
    }
    if (queue->capture->count == MOST_STEPS) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "more than %d steps", MOST_STEPS);
    }
    queue->capture->step[queue->capture->count++] = *step;
    return KEEL_OK;
}

static keel_status graph_copy(void *queue, void *source, uint64_t source_offset, void *target,
                              uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    const graph_step step = {
        .operand = {{source, source_offset}, {target, target_offset}}, .count = 2, .bytes = bytes};
    return give(queue, &step, err);
}

static keel_status graph_fill(void *queue, void *buffer, uint64_t byte_offset, uint64_t bytes,
                              uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    const graph_step step = {.operand = {{buffer, byte_offset}},
                             .count = 1,
                             .bytes = bytes,
                             .pattern = pattern,
                             .pattern_bytes = pattern_bytes};
    return give(queue, &step, err);
}

/* ---- ops ------------------------------------------------------------------------------------- */

static keel_status row_query(void *device, const keel_call *call, char reason[128])
{
    (void)device;
    (void)call;
    (void)reason;
    return KEEL_OK;
}

static keel_status row_prepare(void *device, const keel_call *call, void **out_plan,
                               uint64_t *out_workspace_bytes, keel_error *err)
{
    graph_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a plan");
    }
    plan->call = call;
    const keel_status status =
        ref_oracle_row.prepare(device, call, &plan->inner, out_workspace_bytes, err);
    if (status != KEEL_OK) {
        free(plan);
        return status;
    }
    *out_workspace_bytes = GRAPH_WORKSPACE * (strcmp(call->op->name, "keel.neg") == 0 ? 2 : 1);
    graph_backend_counts.plans++;
    *out_plan = plan;
    return KEEL_OK;
}

/* The op keel.sqrt fails when it is given to a queue. */
static keel_status row_enqueue(void *queue, void *plan, const keel_operand *operands,
                               uint32_t count, keel_error *err)
{
    graph_step step = {.plan = plan, .count = count};
    memcpy(step.operand, operands, count * sizeof *operands);
    if (strcmp(step.plan->call->op->name, "keel.sqrt") == 0) {
        return keel_fail(err, KEEL_ERR_DEVICE, "no square roots today");
    }
    return give(queue, &step, err);
}

static void row_release(void *plan)
{
    ref_oracle_row.release(((graph_plan *)plan)->inner);
    graph_backend_counts.plans--;
    free(plan);
}

static const keel_native_op row = {
    .struct_size = sizeof(keel_native_op),
    .name = "recorded",
    .query = row_query,
    .prepare = row_prepare,
    .enqueue = row_enqueue,
    .release = row_release,
};

/* ---- queues and events ----------------------------------------------------------------------- */

static keel_status queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err)
{
    (void)device;
    (void)flags;
    *out_queue = calloc(1, sizeof(graph_queue));
    return *out_queue != NULL ? KEEL_OK : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
}

static void queue_destroy(void *queue_object)
{
    graph_queue *queue = queue_object;
    free(queue->capture);
    free(queue);
}

static keel_status queue_synchronize(void *queue_object, keel_error *err)
{
    graph_queue *queue = queue_object;
    if (queue->capture != NULL) {
        return keel_fail(err, KEEL_ERR_DEVICE, "it is capturing");
    }
    queue->passed = queue->reached;
    return KEEL_OK;
}

static keel_status event_create(void *device, void **out_event, keel_error *err)
{
    (void)device;
    *out_event = calloc(1, sizeof(graph_event));
    return *out_event != NULL ? KEEL_OK : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
}

static void event_destroy(void *event)
{
    free(event);
}

static keel_status event_record(void *queue_object, void *event, keel_error *err)
{
    graph_queue *queue = queue_object;
    if (queue->capture != NULL) {
        return keel_fail(err, KEEL_ERR_DEVICE, "it is capturing");
    }
    *(graph_event *)event = (graph_event){queue, ++queue->reached};
    return KEEL_OK;
}

static keel_status event_query(void *event_object, int32_t *out_done, keel_error *err)
{
    const graph_event *event = event_object;
    (void)err;
    *out_done = event->queue == NULL || event->queue->passed >= event->at;
    return KEEL_OK;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static keel_status capture_begin(void *queue_object, keel_error *err)
{
    graph_queue *queue = queue_object;
    queue->capture = calloc(1, sizeof *queue->capture);
    return queue->capture != NULL ? KEEL_OK : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
}

static keel_status capture_end(void *queue_object, void **out_graph, keel_error *err)
{
    graph_queue *queue = queue_object;
    recording *graph = queue->capture;
    queue->capture = NULL;
    if (out_graph == NULL || graph_backend_counts.fail_end) {
        free(graph);
        return out_graph == NULL ? KEEL_OK
                                 : keel_fail(err, KEEL_ERR_DEVICE, "the vendor cannot make it");
    }
    graph_backend_counts.graphs++;
    *out_graph = graph;
    return KEEL_OK;
}

static keel_status graph_launch(void *queue_object, void *graph_object, keel_error *err)
{
    graph_queue *queue = queue_object;
    const recording *graph = graph_object;
    queue->reached++;
    for (uint32_t i = 0; i < graph->count; i++) {
        KEEL_TRY(run(queue, &graph->step[i], err));
    }
    return KEEL_OK;
}

static void graph_release(void *graph)
{
    graph_backend_counts.graphs--;
    free(graph);
}

static const keel_graph_api graph_api = {
    .struct_size = sizeof graph_api,
    .capture_begin = capture_begin,
    .capture_end = capture_end,
    .launch = graph_launch,
    .release = graph_release,
};

/* ---- ranges ---------------------------------------------------------------------------------- */

static keel_status ranges_start(void *device, keel_error *err)
{
    (void)device;
    return graph_backend_counts.no_ranges
               ? keel_fail(err, KEEL_ERR_UNAVAILABLE, "the profiler is not installed")
               : KEEL_OK;
}

static void hear(const char *sign, const char *name)
{
    char *ranges = graph_backend_counts.ranges;
    const size_t used = strlen(ranges);
    (void)snprintf(ranges + used, sizeof graph_backend_counts.ranges - used, "%s%s", sign, name);
}

static void range_push(void *device, const char *name)
{
    (void)device;
    hear("+", name);
}

static void range_pop(void *device)
{
    (void)device;
    hear("-", "");
}

static const keel_ranges_api ranges_api = {
    .struct_size = sizeof ranges_api,
    .start = ranges_start,
    .push = range_push,
    .pop = range_pop,
};

static const void *get_extension(void *state, const char *name, uint32_t version)
{
    (void)state;
    if (strcmp(name, KEEL_RANGES_EXTENSION) == 0 && version == 1) {
        return &ranges_api;
    }
    return strcmp(name, KEEL_GRAPH_EXTENSION) == 0 && version == 1 ? &graph_api : NULL;
}

/* ---- the backend ----------------------------------------------------------------------------- */

static keel_status backend_open(const keel_host *host, void **out_state, keel_error *err)
{
    ref_state *state = host->alloc(host->context, sizeof *state);
    *out_state = state;
    if (state == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory");
    }
    state->host = host;
    return KEEL_OK;
}

static void backend_shutdown(void *state)
{
    const keel_host *host = ((ref_state *)state)->host;
    host->free(host->context, state);
}

static keel_status device_count(void *state, uint32_t *out_count, keel_error *err)
{
    (void)state;
    (void)err;
    *out_count = 1;
    return KEEL_OK;
}

static keel_status device_info(void *state, uint32_t index, keel_device_info *out_info,
                               keel_error *err)
{
    (void)state;
    (void)index;
    (void)err;
    out_info->kind = KEEL_KIND_CPU;
    (void)snprintf(out_info->name, sizeof out_info->name, "recorder");
    return KEEL_OK;
}

static keel_status device_open(void *state, uint32_t index, void **out_device, keel_error *err)
{
    (void)index;
    (void)err;
    *out_device = state;
    return KEEL_OK;
}

static keel_device_api device_api; /* ref's with these queues; filled before it is handed out */
static const keel_native_op *const rows[] = {&row};

static const keel_backend backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "recorder",
    .device_api = &device_api,
    .native_ops = rows,
    .native_op_count = KEEL_COUNT(rows),
    .open = backend_open,
    .shutdown = backend_shutdown,
    .device_count = device_count,
    .device_info = device_info,
    .device_open = device_open,
    .get_extension = get_extension,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    (void)host_abi;
    device_api = ref_device_api;
    device_api.queue_create = queue_create;
    device_api.queue_destroy = queue_destroy;
    device_api.queue_synchronize = queue_synchronize;
    device_api.event_create = event_create;
    device_api.event_destroy = event_destroy;
    device_api.event_record = event_record;
    device_api.event_query = event_query;
    device_api.copy = graph_copy;
    device_api.fill = graph_fill;
    return &backend;
}
