/* Graphs: nodes that were captured, and running them. */
#include "graph.h"

#include <stdlib.h>

#include "codes.h"
#include "handle.h"
#include "schedule.h"

rt_nodes *rt_nodes_retain(rt_nodes *nodes)
{
    nodes->references++;
    return nodes;
}

void rt_nodes_release(rt_nodes *nodes)
{
    if (--nodes->references > 0) {
        return;
    }
    for (uint32_t i = 0; i < nodes->count; i++) {
        rt_work_release(&nodes->items[i].work);
        rt_node_set_release(&nodes->items[i].after);
    }
    free(nodes->items);
    free(nodes);
}

static bool is_ready(const rt_node *node, const bool *done)
{
    for (uint32_t i = 0; i < node->after.count; i++) {
        if (!done[node->after.items[i]]) {
            return false;
        }
    }
    return true;
}

/* Any node that is ready and not done; nodes->count if there is none. */
static uint32_t choose(const rt_nodes *nodes, const bool *done)
{
    uint32_t chosen = nodes->count;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (!done[i] && is_ready(&nodes->items[i], done) && rt_random(++seen) == 0) {
            chosen = i;
        }
    }
    return chosen;
}

int64_t rt_nodes_execute(rt_nodes *nodes, rt_device *device, int64_t now_ns)
{
    int64_t took = 0;
    bool *done = calloc((size_t)nodes->count + 1, sizeof *done);
    uint32_t next = done != NULL ? choose(nodes, done) : nodes->count;
    if (done == NULL) {
        rt_device_fail(device, RT_OUT_OF_MEMORY, false);
    }
    while (next < nodes->count) {
        const int64_t part = rt_work_execute(&nodes->items[next].work, device, now_ns + took);
        if (part < 0) {
            took = -1;
            break;
        }
        took += part;
        done[next] = true;
        next = choose(nodes, done);
    }
    free(done);
    return took;
}

int rt_graph_instantiate(rt_graph *graph, void **out_exec)
{
    *out_exec = NULL;
    rt_graph *exec = calloc(1, sizeof *exec);
    void *handle = exec != NULL ? rt_handle_new(RT_KIND_EXEC, graph->device->vendor, exec) : NULL;
    if (handle == NULL) {
        free(exec);
        return RT_OUT_OF_MEMORY;
    }
    *exec = (rt_graph){.device = graph->device,
                       .handle = handle,
                       .nodes = rt_nodes_retain(graph->nodes),
                       .executable = true};
    *out_exec = handle;
    return RT_SUCCESS;
}

int rt_graph_launch(rt_graph *exec, rt_stream *stream)
{
    if (stream->device != exec->device) {
        return RT_INVALID_VALUE;
    }
    rt_work work = {.kind = RT_WORK_GRAPH, .u.nodes = rt_nodes_retain(exec->nodes)};
    return rt_submit(stream, &work);
}

void rt_graph_destroy(rt_graph *graph)
{
    rt_handle_end(graph->handle);
    rt_nodes_release(graph->nodes);
    free(graph);
}

uint32_t rt_graph_nodes(const rt_graph *graph)
{
    return graph->nodes->count;
}
