/* keel/graph.h over a backend's table of that name. */
#include "graph.h"

#include <string.h>

#include "context.h"
#include "device.h"
#include "queue.h"
#include "ranges.h"

/* ---- what a graph keeps ---------------------------------------------------------------------- */

static int grow(keel_graph *graph)
{
    keel_context *context = graph->device->context;
    const uint32_t capacity = graph->kept_capacity > 0 ? graph->kept_capacity * 2 : 16;
    keeli_kept *kept = keeli_alloc_array(context, capacity, sizeof *kept);
    if (kept == NULL) {
        keeli_graph_note(graph, KEEL_ERR_OUT_OF_MEMORY, "the list of what the graph keeps");
        return 0;
    }
    if (graph->kept_count > 0) {
        memcpy(kept, graph->kept, graph->kept_count * sizeof *kept);
    }
    keeli_free(context, graph->kept);
    graph->kept = kept;
    graph->kept_capacity = capacity;
    return 1;
}

/* Whether the object is new to the graph, and now in its list: the caller adds a reference. */
static int add(keel_graph *graph, void *object, void (*release)(void *object))
{
    for (uint32_t i = graph->kept_count; i > 0; i--) { /* the newest are the likeliest */
        if (graph->kept[i - 1].object == object) {
            return 0;
        }
    }
    if (graph->kept_count == graph->kept_capacity && !grow(graph)) {
        return 0;
    }
    graph->kept[graph->kept_count++] = (keeli_kept){object, release};
    return 1;
}

static void release_buffer(void *object)
{
    keel_buffer_release(object);
}

static void release_plan(void *object)
{
    keel_plan_release(object);
}

static void release_kernel(void *object)
{
    keel_kernel_release(object);
}

void keeli_graph_keep_buffer(keel_graph *graph, keel_buffer *buffer)
{
    if (add(graph, buffer, release_buffer)) {
        keel_buffer_retain(buffer);
    }
}

void keeli_graph_keep_plan(keel_graph *graph, const keel_plan *plan)
{
    keel_plan *counted = (keel_plan *)(uintptr_t)plan; /* for its references alone */
    if (add(graph, counted, release_plan)) {
        keel_plan_retain(counted);
    }
}

void keeli_graph_keep_kernel(keel_graph *graph, const keel_kernel *kernel)
{
    keel_kernel *counted = (keel_kernel *)(uintptr_t)kernel; /* likewise */
    if (add(graph, counted, release_kernel)) {
        keel_kernel_retain(counted);
    }
}

void keeli_graph_note(keel_graph *graph, keel_status status, const char *what)
{
    if (status != KEEL_OK && graph->failed == KEEL_OK) {
        graph->failed = status;
        (void)snprintf(graph->failed_what, sizeof graph->failed_what, "%s", what);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

static keel_graph *new_graph(keel_queue *queue, const keel_graph_api *api)
{
    keel_context *context = queue->device->context;
    keel_graph *graph = keeli_alloc(context, sizeof *graph);
    keeli_block *wait = keeli_alloc(context, sizeof *wait);
    if (graph == NULL || wait == NULL) {
        keeli_free(context, graph);
        keeli_free(context, wait);
        return NULL;
    }
    atomic_init(&graph->references, 1);
    graph->device = queue->device;
    graph->api = api;
    graph->queue = queue->number;
    graph->slot = queue->slot;
    graph->wait = wait;
    keel_device_retain(graph->device);
    return graph;
}

/* Called when no launch is under way any more. The caller keeps the device open. */
static void destroy_graph(void *object)
{
    keel_graph *graph = object;
    keel_context *context = graph->device->context;
    if (graph->handle != NULL) {
        graph->api->release(graph->handle);
    }
    for (uint32_t i = 0; i < graph->kept_count; i++) {
        graph->kept[i].release(graph->kept[i].object);
    }
    keeli_free(context, graph->kept);
    keeli_free(context, graph);
}

/* Lets go of a graph that was never launched. */
static void drop_capture(keel_graph *graph)
{
    keel_device *device = graph->device;
    keeli_free(device->context, graph->wait);
    destroy_graph(graph);
    keel_device_close(device);
}

void keel_graph_retain(keel_graph *graph)
{
    if (graph != NULL) {
        atomic_fetch_add(&graph->references, 1);
    }
}

/* The graph goes the way of foreign memory: back to its owner when the queue has passed it. */
void keel_graph_release(keel_graph *graph)
{
    if (graph == NULL || atomic_fetch_sub(&graph->references, 1) != 1 ||
        keeli_context_forked(graph->device->context)) {
        return;
    }
    keel_device *device = graph->device;
    keeli_block *wait = graph->wait;
    wait->release = destroy_graph;
    wait->owner = graph;
    keeli_pool_give(device, wait, UINT64_C(1) << graph->slot);
    keel_device_close(device);
}

/* ---- capture --------------------------------------------------------------------------------- */

/* The backend's table. One that is shorter than version 1 of it counts as absent. */
static keel_status find_api(const keeli_backend *backend, const keel_graph_api **out_api,
                            keel_error *err)
{
    const keel_graph_api *api =
        backend->table->get_extension(backend->state, KEEL_GRAPH_EXTENSION, KEEL_GRAPH_VERSION);
    *out_api = api;
    if (api == NULL || !KEEL_HAS(keel_graph_api, api, release)) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "backend %s has no %s, version %d, or its vendor's library has no graphs",
                         backend->name, KEEL_GRAPH_EXTENSION, KEEL_GRAPH_VERSION);
    }
    return KEEL_OK;
}

keel_status keel_graph_capture_begin(keel_queue *queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_graph_api *api = NULL;
    KEEL_LATCHED(err);
    KEEL_TRY(keeli_queue_check(queue, err));
    KEEL_TRY(find_api(queue->device->backend, &api, err));
    keel_graph *graph = new_graph(queue, api);
    if (graph == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a graph");
    }
    const keel_status status = api->capture_begin(queue->handle, err);
    if (status != KEEL_OK) {
        (void)keeli_device_result(queue->device, status, err);
        drop_capture(graph);
        return status;
    }
    queue->capture = graph;
    return KEEL_OK;
}

void keeli_graph_abandon(keel_queue *queue)
{
    keel_error ignored = KEEL_ERROR_INIT;
    keel_graph *graph = queue->capture;
    if (graph != NULL && !keeli_context_forked(queue->device->context)) {
        queue->capture = NULL;
        (void)graph->api->capture_end(queue->handle, NULL, &ignored);
        drop_capture(graph);
    }
}

/* Makes the graph of what was captured; the capture is over in any case. */
static keel_status finish(keel_queue *queue, keel_graph *graph, keel_error *err)
{
    if (graph->failed != KEEL_OK) {
        keel_error ignored = KEEL_ERROR_INIT;
        (void)graph->api->capture_end(queue->handle, NULL, &ignored);
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "there is no graph: %s failed during the capture (%s)", graph->failed_what,
                         keel_status_name(graph->failed));
    }
    const keel_status status = graph->api->capture_end(queue->handle, &graph->handle, err);
    return keeli_device_result(queue->device, status, err);
}

keel_status keel_graph_capture_end(keel_queue *queue, keel_graph **out_graph, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_graph != NULL) {
        *out_graph = NULL;
    }
    if (queue == NULL) {
        return err->status != KEEL_OK ? err->status
                                      : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "queue is NULL");
    }
    keel_graph *graph = queue->capture;
    if (err->status != KEEL_OK || out_graph == NULL) {
        keeli_graph_abandon(queue);
        return err->status;
    }
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    if (graph == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "the queue is not capturing");
    }
    queue->capture = NULL;
    const keel_status status = finish(queue, graph, err);
    if (status != KEEL_OK) {
        drop_capture(graph);
        return status;
    }
    *out_graph = graph;
    return KEEL_OK;
}

/* ---- launch ---------------------------------------------------------------------------------- */

keel_status keel_graph_launch(keel_graph *graph, keel_queue *queue, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    if (graph == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "graph is NULL");
    }
    KEEL_TRY(keeli_queue_check(queue, err));
    if (graph->device != queue->device || graph->queue != queue->number) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the graph was captured on another queue, whose workspace it uses");
    }
    keeli_range_push(queue->device, "graph");
    const keel_status status = graph->api->launch(queue->handle, graph->handle, err);
    keeli_range_pop(queue->device);
    (void)snprintf(queue->last_op, sizeof queue->last_op, "graph");
    keeli_queue_submitted(queue);
    return keeli_device_result(queue->device, status, err);
}
