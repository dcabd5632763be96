/*
 * The scheduler: which of the ready work runs next. Option "schedule":
 *
 *   random  (default) seeded by "seed": often what is needed, often something else
 *   late    only what is needed, so that all other work comes as late as it may
 *   early   everything when it is submitted
 */
#ifndef RT_SCHEDULE_H
#define RT_SCHEDULE_H

#include "stream.h"

/* Submits work to a stream, or adds it to the graph that the stream is captured into. */
int rt_submit(rt_stream *stream, rt_work *work);

/* These return the device's error, 0 if there is none. */
int rt_wait_stream(rt_stream *stream); /* for all that was submitted to it */
int rt_wait_device(rt_device *device); /* for all streams of a device */
int rt_wait_mark(rt_device *device, rt_mark *mark);

/* RT_NOT_READY while work is left. Each call brings it nearer to its end. */
int rt_poll_stream(rt_stream *stream);
int rt_poll_mark(rt_device *device, rt_mark *mark);

/* Runs one entry to its end and takes it from its stream. */
void rt_wait_entry(rt_stream *stream, const rt_entry *entry);

/* Seeds again. For tests. */
void rt_schedule_forget(void);

/* A seeded number below limit. */
uint32_t rt_random(uint32_t limit);

#endif
