/*
 * Queues and events, for libkeel's own files. Work on a queue is numbered by tickets; memory that
 * is released while work uses it waits for the tickets to pass.
 */
#ifndef KEELI_QUEUE_H
#define KEELI_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "device.h"
#include "graph.h"
#include "keel/buffer.h"
#include "keel/plan.h"
#include "keel/queue.h"

#define KEELI_FRONT 256 /* plans that a queue finds without a lock; power of two */

struct keel_event {
    keel_device *device;
    void *handle;
    atomic_int recorded;
};

/* An event on a queue that tells that all tickets up to one have passed. */
typedef struct keeli_fence {
    void *event; /* the backend's; NULL: not made yet */
    uint64_t ticket;
    int recorded;
} keeli_fence;

struct keel_queue {
    keel_device *device;
    void *handle;
    uint32_t slot;                  /* in device->queues, and the queue's bit in a buffer */
    atomic_uint_fast64_t submitted; /* last ticket given out */
    atomic_uint_fast64_t completed; /* every ticket up to here has passed */
    atomic_int fence_wanted;        /* released memory waits for this queue */
    keeli_fence fence;
    keel_plan *front[KEELI_FRONT];
    keel_buffer *arena;  /* workspace of plans */
    keel_graph *capture; /* what is given to the queue goes there; NULL: it runs */
    uint64_t number;     /* told apart from all others of the device's life */
    char last_op[64];    /* for failures that surface later */
};

/* A queue around a handle that the backend gave, which it takes over also on failure. */
keel_status keeli_queue_create(keel_device *device, void *handle, keel_queue **out_queue,
                               keel_error *err);

/* An event around a handle, likewise. recorded: it stands for a point already. */
keel_status keeli_event_create(keel_device *device, void *handle, int recorded,
                               keel_event **out_event, keel_error *err);

/* Checks a queue argument, that its device can be used, and that it is not capturing. */
keel_status keeli_queue_check(keel_queue *queue, keel_error *err);

/* The same for what may be captured. */
keel_status keeli_queue_check_enqueue(keel_queue *queue, keel_error *err);

/*
 * Called after work was given to the queue: gives out a ticket, looks whether the fence has passed
 * and records a wanted one. Work that was captured gets no ticket.
 */
void keeli_queue_submitted(keel_queue *queue);

#endif
