/* Stream capture. */
#include <stdlib.h>

#include "codes.h"
#include "entry.h"
#include "graph.h"
#include "handle.h"
#include "stream.h"

static uint64_t capture_ids;

int rt_capture_begin(rt_stream *stream, int mode)
{
    if (mode < RT_CAPTURE_GLOBAL || mode > RT_CAPTURE_RELAXED) {
        return RT_INVALID_VALUE;
    }
    if (stream->handle == NULL) {
        return RT_CAPTURE_UNSUPPORTED; /* the legacy default stream cannot be captured */
    }
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        return RT_CAPTURE_UNMATCHED;
    }
    rt_capture *capture = calloc(1, sizeof *capture);
    rt_nodes *nodes = capture != NULL ? calloc(1, sizeof *nodes) : NULL;
    if (nodes == NULL) {
        free(capture);
        return RT_OUT_OF_MEMORY;
    }
    *nodes = (rt_nodes){.references = 1, .device = stream->device};
    *capture = (rt_capture){.streams = 1,
                            .mode = mode,
                            .origin = stream,
                            .thread = rt_thread_self(),
                            .id = ++capture_ids,
                            .nodes = nodes};
    stream->capture = capture;
    stream->point = (rt_capture_point){.capture = capture->id};
    return RT_SUCCESS;
}

void rt_capture_leave(rt_stream *stream)
{
    rt_capture *capture = stream->capture;
    stream->capture = NULL;
    rt_node_set_release(&stream->point.after);
    stream->point.capture = 0;
    capture->invalid = true;
    if (capture->origin == stream) {
        capture->origin = NULL;
    }
    if (--capture->streams == 0) {
        rt_nodes_release(capture->nodes);
        free(capture);
    }
}

int rt_capture_status(const rt_stream *stream)
{
    return stream->capture == NULL ? 0 : stream->capture->invalid ? 2 : 1;
}

/* Whether all nodes come before those of a set, themselves included. */
static bool all_joined(const rt_nodes *nodes, const rt_node_set *end)
{
    bool *before = calloc((size_t)nodes->count + 1, sizeof *before);
    if (before == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < end->count; i++) {
        before[end->items[i]] = true;
    }
    bool joined = true;
    for (uint32_t i = nodes->count; i-- > 0;) { /* nodes depend on earlier ones only */
        joined = joined && before[i];
        for (uint32_t j = 0; j < nodes->items[i].after.count; j++) {
            before[nodes->items[i].after.items[j]] = true;
        }
    }
    free(before);
    return joined;
}

/* Takes all streams out of a capture but the origin, which is last. */
static void dissolve(rt_capture *capture)
{
    const bool invalid = capture->invalid;
    for (rt_stream *stream = rt_stream_first(); stream != NULL; stream = stream->next) {
        if (stream->capture == capture && stream != capture->origin) {
            rt_capture_leave(stream);
        }
    }
    capture->invalid = invalid;
}

int rt_capture_end(rt_stream *stream, void **out_graph)
{
    rt_capture *capture = stream->capture;
    *out_graph = NULL;
    if (capture == NULL) {
        return RT_INVALID_VALUE;
    }
    if (capture->origin != stream) {
        capture->invalid = true;
        return RT_CAPTURE_UNMATCHED;
    }
    if (capture->mode != RT_CAPTURE_RELAXED && capture->thread != rt_thread_self()) {
        return RT_CAPTURE_WRONG_THREAD;
    }
    dissolve(capture);
    int code = capture->invalid                                   ? RT_CAPTURE_INVALIDATED
               : all_joined(capture->nodes, &stream->point.after) ? RT_SUCCESS
                                                                  : RT_CAPTURE_UNJOINED;
    rt_graph *graph = code == RT_SUCCESS ? calloc(1, sizeof *graph) : NULL;
    if (graph != NULL) {
        graph->device = stream->device;
        graph->nodes = rt_nodes_retain(capture->nodes);
        graph->handle = rt_handle_new(RT_KIND_GRAPH, stream->device->vendor, graph);
        *out_graph = graph->handle;
    }
    if (code == RT_SUCCESS && *out_graph == NULL) {
        code = RT_OUT_OF_MEMORY;
        free(graph);
    }
    rt_capture_leave(stream);
    return code;
}

int rt_capture_add(rt_stream *stream, rt_work *work)
{
    rt_capture *capture = stream->capture;
    rt_nodes *nodes = capture->nodes;
    rt_node_set *point = &stream->point.after;
    if (capture->invalid) {
        rt_work_release(work);
        return RT_CAPTURE_INVALIDATED;
    }
    if (nodes->count == nodes->capacity) {
        const uint32_t more = nodes->capacity == 0 ? 16 : 2 * nodes->capacity;
        rt_node *grown = realloc(nodes->items, more * sizeof *grown);
        if (grown == NULL) {
            rt_work_release(work);
            return RT_OUT_OF_MEMORY;
        }
        nodes->items = grown;
        nodes->capacity = more;
    }
    nodes->items[nodes->count] = (rt_node){.work = *work, .after = *point};
    *point = (rt_node_set){0};
    return rt_node_set_add(point, nodes->count++) ? RT_SUCCESS : RT_OUT_OF_MEMORY;
}

int rt_capture_record(rt_stream *stream, rt_capture_point *out_point)
{
    if (stream->capture->invalid) {
        return RT_CAPTURE_INVALIDATED;
    }
    rt_node_set_release(&out_point->after);
    out_point->capture = stream->point.capture;
    return rt_node_set_add_all(&out_point->after, &stream->point.after) ? RT_SUCCESS
                                                                        : RT_OUT_OF_MEMORY;
}

static rt_capture *find_capture(uint64_t id)
{
    for (rt_stream *stream = rt_stream_first(); stream != NULL; stream = stream->next) {
        if (stream->capture != NULL && stream->capture->id == id) {
            return stream->capture;
        }
    }
    return NULL;
}

int rt_capture_wait(rt_stream *stream, const rt_capture_point *point)
{
    rt_capture *capture = find_capture(point->capture);
    if (capture == NULL) {
        return RT_CAPTURED_EVENT; /* of a capture that has ended */
    }
    if (capture->invalid) {
        return RT_CAPTURE_INVALIDATED;
    }
    if (stream->capture != NULL && stream->capture != capture) {
        stream->capture->invalid = true;
        capture->invalid = true;
        return RT_CAPTURE_MERGE;
    }
    if (stream->handle == NULL) {
        capture->invalid = true;
        return RT_CAPTURE_IMPLICIT;
    }
    if (stream->capture == NULL) {
        stream->capture = capture;
        stream->point = (rt_capture_point){.capture = capture->id};
        capture->streams++;
    }
    return rt_node_set_add_all(&stream->point.after, &point->after) ? RT_SUCCESS : RT_OUT_OF_MEMORY;
}

/* A capture that a call of this thread must not disturb. */
static bool minds(const rt_capture *capture)
{
    return rt_thread_self()->capture_mode != RT_CAPTURE_RELAXED &&
           (capture->mode == RT_CAPTURE_GLOBAL ||
            (capture->mode == RT_CAPTURE_THREAD_LOCAL && capture->thread == rt_thread_self()));
}

int rt_capture_refuses(rt_stream *stream)
{
    if (stream != NULL && stream->capture != NULL) {
        stream->capture->invalid = true;
        return RT_CAPTURE_UNSUPPORTED;
    }
    int code = RT_SUCCESS;
    for (rt_stream *other = rt_stream_first(); other != NULL; other = other->next) {
        if (stream == NULL && other->capture != NULL && minds(other->capture)) {
            other->capture->invalid = true;
            code = RT_CAPTURE_UNSUPPORTED;
        }
    }
    return code;
}

int rt_capture_refuses_null(const rt_device *device)
{
    int code = RT_SUCCESS;
    for (rt_stream *other = rt_stream_first(); other != NULL; other = other->next) {
        if (other->device == device && other->blocking && other->capture != NULL) {
            other->capture->invalid = true;
            code = RT_CAPTURE_IMPLICIT;
        }
    }
    return code;
}
