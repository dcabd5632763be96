#include "stream.h"

#include <stdio.h>
#include <stdlib.h>

#include "codes.h"
#include "entry.h"
#include "event.h"
#include "graph.h"
#include "handle.h"

#define NON_BLOCKING 1u

static rt_stream *streams;
static uint64_t stream_ids;
static uint64_t sequence;

rt_stream *rt_stream_first(void)
{
    return streams;
}

uint64_t rt_stream_sequence(void)
{
    return sequence;
}

static rt_stream *make(rt_device *device)
{
    rt_stream *stream = calloc(1, sizeof *stream);
    if (stream != NULL) {
        stream->device = device;
        stream->id = ++stream_ids;
        stream->blocking = true;
        stream->last = &stream->first;
        stream->next = streams;
        streams = stream;
    }
    return stream;
}

static void drop(rt_stream *stream)
{
    rt_stream **link = &streams;
    while (*link != stream) {
        link = &(*link)->next;
    }
    *link = stream->next;
    while (stream->first != NULL) {
        rt_stream_pop(stream);
    }
    rt_node_set_release(&stream->point.after);
    free(stream);
}

rt_stream *rt_stream_null(rt_device *device)
{
    if (device->null_stream == NULL) {
        device->null_stream = make(device);
    }
    return device->null_stream;
}

int rt_stream_create(rt_device *device, unsigned flags, int priority, void **out_handle)
{
    if ((flags & ~NON_BLOCKING) != 0) {
        return RT_INVALID_VALUE;
    }
    rt_stream *stream = make(device);
    if (stream == NULL) {
        return RT_OUT_OF_MEMORY;
    }
    stream->flags = flags;
    stream->blocking = flags == 0;
    stream->priority = priority;
    stream->handle = rt_handle_new(RT_KIND_STREAM, device->vendor, stream);
    if (stream->handle == NULL) {
        drop(stream);
        return RT_OUT_OF_MEMORY;
    }
    *out_handle = stream->handle;
    return RT_SUCCESS;
}

void rt_stream_destroy(rt_stream *stream)
{
    if (stream->capture != NULL) {
        rt_capture_leave(stream);
    }
    rt_handle_end(stream->handle);
    stream->destroyed = true;
    if (stream->first == NULL) {
        drop(stream);
    }
}

void rt_stream_end_all(rt_device *device)
{
    rt_event_end_all(device);
    for (rt_stream *stream = streams; stream != NULL;) {
        rt_stream *next = stream->next;
        if (stream->device == device && !stream->busy && !stream->hung) {
            if (stream->capture != NULL) {
                rt_capture_leave(stream);
            }
            rt_handle_end(stream->handle);
            drop(stream);
        }
        stream = next;
    }
}

int rt_stream_append(rt_stream *stream, rt_work *work)
{
    rt_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        rt_work_release(work);
        return RT_OUT_OF_MEMORY;
    }
    entry->sequence = ++sequence;
    entry->submitted_ns = rt_host_clock(0);
    entry->work = *work;
    *stream->last = entry;
    stream->last = &entry->next;
    return RT_SUCCESS;
}

void rt_stream_pop(rt_stream *stream)
{
    rt_entry *entry = stream->first;
    stream->first = entry->next;
    if (stream->first == NULL) {
        stream->last = &stream->first;
    }
    rt_work_release(&entry->work);
    free(entry);
}

void rt_stream_retire(rt_stream *stream)
{
    if (stream->destroyed && stream->first == NULL) {
        drop(stream);
    }
}

const rt_entry *rt_stream_find_touching(const void *base, size_t bytes, rt_stream **out_stream)
{
    for (rt_stream *stream = streams; stream != NULL; stream = stream->next) {
        for (const rt_entry *entry = stream->first; entry != NULL; entry = entry->next) {
            if (rt_work_touches(&entry->work, base, bytes)) {
                *out_stream = stream;
                return entry;
            }
        }
    }
    return NULL;
}

const rt_entry *rt_stream_find_module(const rt_module *module, rt_stream **out_stream)
{
    for (rt_stream *stream = streams; stream != NULL; stream = stream->next) {
        for (const rt_entry *entry = stream->first; entry != NULL; entry = entry->next) {
            if (rt_work_uses_module(&entry->work, module)) {
                *out_stream = stream;
                return entry;
            }
        }
    }
    return NULL;
}

/* The host's place on the simulated clock: it moves when the host waits, and a little per call. */
int64_t rt_host_clock(int64_t at_least_ns)
{
    static int64_t now_ns;
    now_ns += 50;
    now_ns = now_ns < at_least_ns ? at_least_ns : now_ns;
    return now_ns;
}
