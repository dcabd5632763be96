/*
 * In-order work queues and events. An event is a point on a queue that the host or another queue
 * can wait for, and that carries a device timestamp. Depends on device.h.
 */
#ifndef KEEL_QUEUE_H
#define KEEL_QUEUE_H

#include "keel/base.h"
#include "keel/device.h"
#include "keel/status.h"

typedef struct keel_queue keel_queue;
typedef struct keel_event keel_event;

/* Zero means default; NULL options means all defaults. */
typedef struct keel_queue_options {
    uint32_t struct_size;
    uint32_t flags; /* none yet: 0 */
} keel_queue_options;

KEEL_BEGIN_DECLS

/*
 * Creates a queue. Work on it runs in the order it was given; nothing is ordered between queues but
 * by events.
 *
 * @param out_queue  receives the only reference; keel_queue_destroy() it
 * Thread safety: any thread may create; a queue is used by one thread at a time.
 */
KEEL_API keel_status keel_queue_create(keel_device *device, const keel_queue_options *options,
                                       keel_queue **out_queue, keel_error *err);

/* Waits for all work, then destroys the queue; NULL is ignored. One thread per queue. */
KEEL_API void keel_queue_destroy(keel_queue *queue);

/* Device of a queue; borrowed. Any thread. */
KEEL_API keel_device *keel_queue_device(const keel_queue *queue);

/*
 * Waits until all work given so far is done. Reports the first failure of that work; err.op names
 * the last op given, which failed itself or comes after the one that did. The failure is then
 * cleared, except DEVICE_LOST. One thread per queue.
 */
KEEL_API keel_status keel_queue_synchronize(keel_queue *queue, keel_error *err);

/* Creates an event; keel_event_release() it. Any thread. */
KEEL_API keel_status keel_event_create(keel_device *device, keel_event **out_event,
                                       keel_error *err);

/* NULL is ignored. Any thread; not while another thread uses the event. */
KEEL_API void keel_event_release(keel_event *event);

/* Marks the point that the queue has reached so far; may be repeated. One thread per queue. */
KEEL_API keel_status keel_event_record(keel_event *event, keel_queue *queue, keel_error *err);

/* Makes later work on the queue wait for the event. Both belong to one device. */
KEEL_API keel_status keel_queue_wait(keel_queue *queue, keel_event *event, keel_error *err);

/*
 * Makes the host wait for the event.
 * @retval KEEL_ERR_INVALID_ARGUMENT  the event was never recorded
 */
KEEL_API keel_status keel_event_synchronize(keel_event *event, keel_error *err);

/* *out_done is 1 if the event has passed, 0 if not yet. */
KEEL_API keel_status keel_event_query(keel_event *event, int32_t *out_done, keel_error *err);

/* Device time from start to end, in nanoseconds; both must have passed. */
KEEL_API keel_status keel_event_elapsed(keel_event *start, keel_event *end, int64_t *out_ns,
                                        keel_error *err);

KEEL_END_DECLS

#endif
