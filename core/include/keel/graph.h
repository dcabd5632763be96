/*
 * Graphs: work that is enqueued once and then repeated as a whole, for less of the host's time than
 * enqueueing it again. Optional for a backend (keel.graph). Depends on queue.h.
 *
 *     keel_graph_capture_begin(queue, &err);
 *     keel_matmul(queue, &x, &w, &y, NULL, &err);     // nothing runs yet
 *     keel_softmax(queue, &y, &y, NULL, &err);
 *     keel_graph_capture_end(queue, &graph, &err);
 *     keel_graph_launch(graph, queue, &err);          // as often as wanted
 *
 * A graph works on the memory that it was captured with; what is in it may change from launch to
 * launch. It keeps buffers, plans, kernels and workspace alive.
 */
#ifndef KEEL_GRAPH_H
#define KEEL_GRAPH_H

#include "keel/base.h"
#include "keel/queue.h"
#include "keel/status.h"

#define KEEL_GRAPH_EXTENSION "keel.graph"
#define KEEL_GRAPH_VERSION 1

typedef struct keel_graph keel_graph;

/* The backend's side (keel_backend.get_extension). All slots of a queue: one thread at a time. */
typedef struct keel_graph_api {
    uint32_t struct_size;
    uint32_t pad;
    /* From here on launch, copy, fill and native ops on the queue are recorded, and do not run. */
    keel_status (*capture_begin)(void *queue, keel_error *err);
    /* Ends it, also on failure. out_graph NULL: what was recorded is dropped. */
    keel_status (*capture_end)(void *queue, void **out_graph, keel_error *err);
    keel_status (*launch)(void *queue, void *graph, keel_error *err);
    void (*release)(void *graph); /* its launches have passed. Any thread. */
} keel_graph_api;

KEEL_BEGIN_DECLS

/*
 * Starts to capture what is given to the queue: ops, plans, kernels, copies and fills. While it
 * does, nothing else may be done with the queue: transfers to and from the host, events and
 * synchronising fail with INVALID_ARGUMENT. Workspace is not made during a capture: an op that
 * needs more than the queue has fails, so run the sequence once before.
 *
 * @retval KEEL_ERR_UNSUPPORTED       the backend, or the vendor's library, has no graphs
 * @retval KEEL_ERR_INVALID_ARGUMENT  the queue is capturing already
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_graph_capture_begin(keel_queue *queue, keel_error *err);

/*
 * Ends a capture. It ends also when this fails, and when err holds a failure already, as in a
 * sequence of calls that is checked once: then there is no graph.
 *
 * @param out_graph  receives one reference; keel_graph_release() it. NULL: the capture is dropped.
 * @retval KEEL_ERR_INVALID_ARGUMENT  the queue is not capturing, or something that was given to it
 *                                    failed: the message names it
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_graph_capture_end(keel_queue *queue, keel_graph **out_graph,
                                            keel_error *err);

/*
 * Runs the graph's work after all that was given to the queue before.
 *
 * @param queue  the one that it was captured on, whose workspace it uses
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_graph_launch(keel_graph *graph, keel_queue *queue, keel_error *err);

/* Adds a reference. Any thread. */
KEEL_API void keel_graph_retain(keel_graph *graph);

/* Drops a reference; launches that are under way finish. NULL is ignored. Any thread. */
KEEL_API void keel_graph_release(keel_graph *graph);

KEEL_END_DECLS

#endif
