/*
 * Streams: work in order, done lazily. Nothing runs when it is submitted; work runs, on whichever
 * thread needs it, when something must be complete or when the seeded scheduler feels like it, and
 * then in an adversarial order among what is ready. So a missing wait for an event, or host memory
 * that is reused too early, shows as wrong data.
 */
#ifndef RT_STREAM_H
#define RT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "node_set.h"
#include "work.h"

typedef struct rt_capture rt_capture;

/* Work in a stream. */
typedef struct rt_entry {
    struct rt_entry *next;
    uint64_t sequence; /* counts all submissions of the process */
    int64_t submitted_ns;
    rt_work work;
} rt_entry;

struct rt_stream {
    struct rt_stream *next; /* of all streams */
    rt_device *device;
    void *handle; /* NULL: the legacy default stream */
    uint64_t id;
    bool blocking; /* ordered with the legacy default stream, which is so itself */
    unsigned flags;
    int priority;
    bool destroyed; /* goes when its work is done */
    bool busy;      /* its first entry is running on some thread */
    bool hung;      /* its first entry will never end */
    rt_entry *first, **last;
    int64_t clock_ns;       /* when its latest work ended */
    rt_capture *capture;    /* it is being captured, or NULL */
    rt_capture_point point; /* where it is in that */
};

int rt_stream_create(rt_device *device, unsigned flags, int priority, void **out_handle);

/* Ends a handle; the stream itself goes when its work is done. */
void rt_stream_destroy(rt_stream *stream);

/* The legacy default stream of a device; NULL if there is no memory. */
rt_stream *rt_stream_null(rt_device *device);

/* Drops all streams and events of a device, and their work. */
void rt_stream_end_all(rt_device *device);

/* Number of the latest entry of any stream. */
uint64_t rt_stream_sequence(void);

/* All streams there are; follow next. */
rt_stream *rt_stream_first(void);

/* Appends work, which the stream owns from now on, even if there is no memory for it. */
int rt_stream_append(rt_stream *stream, rt_work *work);

/* Removes the first entry, which was done. */
void rt_stream_pop(rt_stream *stream);

/* Drops a stream that was destroyed, once all is done. */
void rt_stream_retire(rt_stream *stream);

/* The work of any stream that touches memory, or uses a module; NULL if there is none. */
const rt_entry *rt_stream_find_touching(const void *base, size_t bytes, rt_stream **out_stream);
const rt_entry *rt_stream_find_module(const rt_module *module, rt_stream **out_stream);

/* The host's place on the simulated clock, moved to at least this. */
int64_t rt_host_clock(int64_t at_least_ns);

#endif
