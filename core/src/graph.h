/* Graphs, for libkeel's own files: what is kept while a queue captures. */
#ifndef KEELI_GRAPH_H
#define KEELI_GRAPH_H

#include <stdatomic.h>

#include "keel/graph.h"
#include "keel/kernel.h"
#include "keel/plan.h"
#include "pool.h"

/* An object that a graph keeps, and how it is let go. */
typedef struct keeli_kept {
    void *object;
    void (*release)(void *object);
} keeli_kept;

struct keel_graph {
    atomic_uint references;
    keel_device *device;
    const keel_graph_api *api;
    void *handle;      /* the backend's; NULL while it is captured */
    uint64_t queue;    /* number of its queue */
    uint32_t slot;     /* and that queue's slot */
    keeli_block *wait; /* waits in the pool for the graph's launches to pass */
    keeli_kept *kept;
    uint32_t kept_count, kept_capacity;
    keel_status failed; /* of what was captured, the first failure */
    char failed_what[64];
};

/* Notes that what is captured uses an object, which the graph then keeps alive. */
void keeli_graph_keep_buffer(keel_graph *graph, keel_buffer *buffer);
void keeli_graph_keep_plan(keel_graph *graph, const keel_plan *plan);
void keeli_graph_keep_kernel(keel_graph *graph, const keel_kernel *kernel);

/* Notes how recording something went; a failure makes the whole capture one. */
void keeli_graph_note(keel_graph *graph, keel_status status, const char *what);

/* Drops what the queue is capturing, if it is: the queue is about to go. */
void keeli_graph_abandon(keel_queue *queue);

#endif
