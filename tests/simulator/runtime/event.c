#include "event.h"

#include <stdlib.h>

#include "codes.h"
#include "fault.h"
#include "graph.h"
#include "handle.h"
#include "schedule.h"
#include "stream.h"

static rt_event *events;

int rt_event_create(rt_device *device, unsigned flags, void **out_handle)
{
    rt_event *event = calloc(1, sizeof *event);
    void *handle = event != NULL ? rt_handle_new(RT_KIND_EVENT, device->vendor, event) : NULL;
    if (handle == NULL) {
        free(event);
        return RT_OUT_OF_MEMORY;
    }
    event->device = device;
    event->handle = handle;
    event->timing = (flags & RT_EVENT_DISABLE_TIMING) == 0;
    event->next = events;
    events = event;
    *out_handle = handle;
    return RT_SUCCESS;
}

void rt_event_destroy(rt_event *event)
{
    rt_event **link = &events;
    while (*link != event) {
        link = &(*link)->next;
    }
    *link = event->next;
    rt_handle_end(event->handle);
    rt_mark_release(event->mark);
    rt_node_set_release(&event->point.after);
    free(event);
}

void rt_event_end_all(rt_device *device)
{
    for (rt_event *event = events; event != NULL;) {
        rt_event *next = event->next;
        if (event->device == device) {
            rt_event_destroy(event);
        }
        event = next;
    }
}

int rt_event_record(rt_event *event, rt_stream *stream)
{
    if (event->device != stream->device) {
        return RT_INVALID_HANDLE;
    }
    if (stream->capture != NULL) {
        return rt_capture_record(stream, &event->point);
    }
    rt_mark *mark = rt_mark_new(stream);
    if (mark == NULL) {
        return RT_OUT_OF_MEMORY;
    }
    rt_mark_release(event->mark);
    event->mark = mark;
    event->point.capture = 0;
    rt_work work = {.kind = RT_WORK_RECORD, .u.mark = rt_mark_retain(mark)};
    return rt_submit(stream, &work);
}

int rt_event_wait(rt_stream *stream, rt_event *event)
{
    if (event->point.capture != 0) {
        return rt_capture_wait(stream, &event->point);
    }
    if (stream->capture != NULL) {
        return RT_CAPTURE_ISOLATION;
    }
    if (event->mark == NULL ||
        rt_fault_on(stream->device->vendor, stream->device, "ignore_waits")) {
        return RT_SUCCESS;
    }
    rt_work work = {.kind = RT_WORK_WAIT, .u.mark = rt_mark_retain(event->mark)};
    return rt_submit(stream, &work);
}

int rt_event_synchronize(rt_event *event)
{
    if (event->point.capture != 0) {
        return RT_CAPTURED_EVENT;
    }
    return event->mark != NULL ? rt_wait_mark(event->device, event->mark)
                               : rt_device_outcome(event->device);
}

int rt_event_query(rt_event *event)
{
    if (event->point.capture != 0) {
        return RT_CAPTURED_EVENT;
    }
    return event->mark != NULL ? rt_poll_mark(event->device, event->mark)
                               : rt_device_outcome(event->device);
}

int rt_event_elapsed(rt_event *start, rt_event *end, float *out_ms)
{
    if (start->device != end->device || !start->timing || !end->timing || start->mark == NULL ||
        end->mark == NULL) {
        return RT_INVALID_HANDLE;
    }
    if (!start->mark->done || !end->mark->done) {
        return RT_NOT_READY;
    }
    *out_ms = (float)((double)(end->mark->time_ns - start->mark->time_ns) / 1e6);
    return rt_device_outcome(start->device);
}
