/* Events: name the point that a stream had reached when they were recorded last. */
#ifndef RT_EVENT_H
#define RT_EVENT_H

#include "device.h"
#include "node_set.h"
#include "work.h"

typedef struct rt_event {
    struct rt_event *next;
    rt_device *device;
    void *handle;
    bool timing;
    rt_mark *mark;          /* NULL: never recorded */
    rt_capture_point point; /* where in a capture it was recorded last */
} rt_event;

#define RT_EVENT_BLOCKING_SYNC 1u
#define RT_EVENT_DISABLE_TIMING 2u

int rt_event_create(rt_device *device, unsigned flags, void **out_handle);
void rt_event_destroy(rt_event *event);

int rt_event_record(rt_event *event, rt_stream *stream);
int rt_event_wait(rt_stream *stream, rt_event *event); /* the stream waits */
int rt_event_synchronize(rt_event *event);             /* the host waits */
int rt_event_query(rt_event *event);                   /* RT_NOT_READY before it has passed */
int rt_event_elapsed(rt_event *start, rt_event *end, float *out_ms);

/* Drops all events of a device. */
void rt_event_end_all(rt_device *device);

#endif
