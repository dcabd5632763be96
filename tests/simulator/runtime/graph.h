/* Stream capture and graphs. */
#ifndef RT_GRAPH_H
#define RT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "node_set.h"
#include "stream.h"
#include "work.h"

#define RT_CAPTURE_GLOBAL 0
#define RT_CAPTURE_THREAD_LOCAL 1
#define RT_CAPTURE_RELAXED 2

typedef struct rt_node {
    rt_work work;
    rt_node_set after; /* nodes that must be done before */
} rt_node;

/* The nodes of a graph. Counted: the graph, what was instantiated from it, and its launches. */
struct rt_nodes {
    unsigned references;
    rt_device *device;
    uint32_t count, capacity;
    rt_node *items;
};

/* A running capture. */
struct rt_capture {
    unsigned streams; /* that take part */
    int mode;
    rt_stream *origin;
    const void *thread; /* that began it */
    bool invalid;
    uint64_t id;
    rt_nodes *nodes;
};

typedef struct rt_graph {
    rt_device *device;
    void *handle;
    rt_nodes *nodes;
    bool executable;
} rt_graph;

int rt_capture_begin(rt_stream *stream, int mode);
int rt_capture_end(rt_stream *stream, void **out_graph); /* *out_graph NULL on failure */
/* 0 none, 1 active, 2 invalidated */
int rt_capture_status(const rt_stream *stream);

/* Takes a stream that ends out of its capture, which becomes invalid. */
void rt_capture_leave(rt_stream *stream);

/* Adds work to the capture of a stream, which owns it from now on. */
int rt_capture_add(rt_stream *stream, rt_work *work);
int rt_capture_record(rt_stream *stream, rt_capture_point *out_point);
int rt_capture_wait(rt_stream *stream, const rt_capture_point *point);

/*
 * For calls that a capture does not stand: 0, or RT_CAPTURE_UNSUPPORTED and the capture is invalid.
 * stream: that the call is about, or NULL for calls that are unsafe beside any capture.
 */
int rt_capture_refuses(rt_stream *stream);

/* For work of the legacy default stream: a capture of a blocking stream does not stand it. */
int rt_capture_refuses_null(const rt_device *device);

int rt_graph_instantiate(rt_graph *graph, void **out_exec);
int rt_graph_launch(rt_graph *exec, rt_stream *stream);
void rt_graph_destroy(rt_graph *graph); /* either kind */
uint32_t rt_graph_nodes(const rt_graph *graph);

/* Runs all nodes, in a seeded order that their dependencies allow. Returns the time taken, ns. */
int64_t rt_nodes_execute(rt_nodes *nodes, rt_device *device, int64_t now_ns);
rt_nodes *rt_nodes_retain(rt_nodes *nodes);
void rt_nodes_release(rt_nodes *nodes);

#endif
