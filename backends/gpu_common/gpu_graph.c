/*
 * keel.graph by capture of a stream. The mode of the capture lets this thread and others go on with
 * calls that have nothing to do with it: kernels may be compiled and memory be made meanwhile.
 */
#include "gpu_objects.h"

typedef struct gpu_graph {
    gpu_device *device;
    void *exec; /* the vendor's, ready to be launched */
} gpu_graph;

static keel_status capture_begin(void *queue_object, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_device *device = queue->device;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(device, &scope, err));
    atomic_store(&queue->capturing, 1);
    const int code = device->api->capture_begin(queue->stream, GPU_CAPTURE_RELAXED);
    atomic_store(&queue->capturing, code == 0);
    gpu_leave(&scope);
    return gpu_check(device, err, code, GPU_CALL(capture_begin), "capture");
}

/* Makes of a captured graph one that can be launched. Inside a scope. */
static keel_status instantiate(gpu_device *device, void *captured, void **out_graph,
                               keel_error *err)
{
    gpu_graph *graph = gpu_alloc(device->runtime, sizeof *graph);
    if (graph == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a graph");
    }
    graph->device = device;
    const int code = device->api->graph_instantiate(&graph->exec, captured, 0);
    if (code != 0) {
        gpu_free(device->runtime, graph);
        return gpu_check(device, err, code, GPU_CALL(graph_instantiate), "graph");
    }
    *out_graph = graph;
    return KEEL_OK;
}

static keel_status capture_end(void *queue_object, void **out_graph, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_device *device = queue->device;
    void *captured = NULL;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->capture_end(queue->stream, &captured);
    atomic_store(&queue->capturing, 0);
    keel_status status = KEEL_OK;
    if (code == 0 && captured != NULL) {
        status = out_graph != NULL ? instantiate(device, captured, out_graph, err) : KEEL_OK;
        (void)device->api->graph_destroy(captured);
    } else if (out_graph != NULL) {
        status = code != 0 ? gpu_check(device, err, code, GPU_CALL(capture_end), "capture")
                           : keel_fail(err, KEEL_ERR_DEVICE, "the capture gave no graph");
    }
    gpu_leave(&scope);
    return status;
}

static keel_status graph_launch(void *queue_object, void *graph_object, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_device *device = queue->device;
    const gpu_graph *graph = graph_object;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->graph_launch(graph->exec, queue->stream);
    gpu_leave(&scope);
    return gpu_check(device, err, code, GPU_CALL(graph_launch), "graph");
}

static void graph_release(void *graph_object)
{
    gpu_graph *graph = graph_object;
    gpu_device *device = graph->device;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        (void)device->api->graph_exec_destroy(graph->exec);
        gpu_leave(&scope);
    }
    gpu_free(device->runtime, graph);
}

static const keel_graph_api graph_api = {
    .struct_size = sizeof(keel_graph_api),
    .capture_begin = capture_begin,
    .capture_end = capture_end,
    .launch = graph_launch,
    .release = graph_release,
};

const keel_graph_api *gpu_graph_api(const gpu_runtime *runtime)
{
    const gpu_api *api = &runtime->api;
    const int complete = api->capture_begin != NULL && api->capture_end != NULL &&
                         api->graph_instantiate != NULL && api->graph_launch != NULL &&
                         api->graph_exec_destroy != NULL && api->graph_destroy != NULL;
    return complete ? &graph_api : NULL;
}
