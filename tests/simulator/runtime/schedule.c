#include "schedule.h"

#include <string.h>

#include "codes.h"
#include "entry.h"
#include "graph.h"

static uint64_t random_state;
static bool seeded;
static uint32_t restless, spell; /* of is_restless() */

void rt_schedule_forget(void)
{
    seeded = false;
    spell = 0;
}

/* Splitmix64: the order depends on the seed only. */
uint32_t rt_random(uint32_t limit)
{
    if (!seeded) {
        random_state = (uint64_t)sim_option("seed", 1);
        seeded = true;
    }
    random_state += 0x9e3779b97f4a7c15;
    uint64_t x = random_state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((x ^ x >> 31) % limit);
}

static char order(void)
{
    return sim_option_text("schedule", "random")[0];
}

/*
 * Whether the random order does something that nobody needs yet. How often, 0 to 3 times of so
 * many, changes now and then: for a while all comes late, then nearly all comes early.
 */
static bool is_restless(uint32_t of)
{
    if (spell == 0) {
        restless = rt_random(4);
        spell = 1 + rt_random(16);
    }
    spell--;
    return rt_random(of) < restless;
}

/* ---- what is ready -------------------------------------------------------------------------- */

/*
 * A stream with earlier work that the legacy default stream's order puts before a stream's first
 * entry: the default stream waits for all blocking ones, and they for it.
 */
static rt_stream *before_by_default_order(const rt_stream *stream)
{
    const rt_device *device = stream->device;
    rt_stream *null_stream = device->null_stream;
    const uint64_t sequence = stream->first->sequence;
    if (!stream->blocking || null_stream == NULL) {
        return NULL;
    }
    if (stream != null_stream) {
        const bool earlier = null_stream->first != NULL && null_stream->first->sequence < sequence;
        return earlier ? null_stream : NULL;
    }
    for (rt_stream *other = rt_stream_first(); other != NULL; other = other->next) {
        if (other != stream && other->device == device && other->blocking && other->first != NULL &&
            other->first->sequence < sequence) {
            return other;
        }
    }
    return NULL;
}

/* The stream whose first entry must run before this one's can; NULL if it is ready. */
static rt_stream *blocker(const rt_stream *stream)
{
    const rt_work *work = &stream->first->work;
    if (work->kind == RT_WORK_WAIT && !work->u.mark->done) {
        return work->u.mark->stream;
    }
    return before_by_default_order(stream);
}

static bool can_run(const rt_stream *stream)
{
    return stream->first != NULL && !stream->busy && !stream->hung && blocker(stream) == NULL;
}

/*
 * The stream whose first entry brings a stream's nearer. It ends, since each step goes to an
 * earlier submission. NULL: another thread is at it, or it hangs.
 */
static rt_stream *needed_for(rt_stream *stream)
{
    rt_stream *next = blocker(stream);
    while (next != NULL) {
        stream = next;
        next = blocker(stream);
    }
    return stream->busy || stream->hung ? NULL : stream;
}

/* Any stream that can run; NULL if there is none. */
static rt_stream *any(void)
{
    rt_stream *chosen = NULL;
    uint32_t seen = 0;
    for (rt_stream *stream = rt_stream_first(); stream != NULL; stream = stream->next) {
        if (can_run(stream) && rt_random(++seen) == 0) {
            chosen = stream;
        }
    }
    return chosen;
}

/* ---- running -------------------------------------------------------------------------------- */

static void run_first(rt_stream *stream)
{
    rt_entry *entry = stream->first;
    int64_t start = stream->clock_ns;
    if (entry->submitted_ns > start) {
        start = entry->submitted_ns;
    }
    if (entry->work.kind == RT_WORK_WAIT && entry->work.u.mark->time_ns > start) {
        start = entry->work.u.mark->time_ns;
    }
    stream->busy = true;
    const int64_t took = rt_work_execute(&entry->work, stream->device, start);
    stream->busy = false;
    stream->hung = took < 0;
    if (stream->hung) {
        return;
    }
    stream->clock_ns = start + took;
    rt_stream_pop(stream);
    rt_stream_retire(stream);
    rt_lock_wake();
}

/* One step towards a stream's first entry. */
static void step(rt_stream *stream)
{
    rt_stream *other = order() == 'r' && is_restless(4) ? any() : NULL;
    rt_stream *next = other != NULL ? other : needed_for(stream);
    if (next != NULL) {
        run_first(next);
    } else {
        rt_lock_wait();
    }
}

int rt_submit(rt_stream *stream, rt_work *work)
{
    if (stream->capture != NULL) {
        return rt_capture_add(stream, work);
    }
    if (stream == stream->device->null_stream) {
        const int code = rt_capture_refuses_null(stream->device);
        if (code != RT_SUCCESS) {
            rt_work_release(work);
            return code;
        }
    }
    const int code = rt_stream_append(stream, work);
    if (code != RT_SUCCESS) {
        return code;
    }
    if (order() == 'e') {
        while (can_run(stream)) {
            run_first(stream);
        }
    } else if (order() == 'r' && is_restless(16)) {
        for (uint32_t steps = 1 + rt_random(4); steps > 0; steps--) {
            rt_stream *next = any();
            if (next != NULL) {
                run_first(next);
            }
        }
    }
    return RT_SUCCESS;
}

/* A stream of that id, which may be gone: all its work was done then. */
static rt_stream *still_there(uint64_t id)
{
    rt_stream *stream = rt_stream_first();
    while (stream != NULL && stream->id != id) {
        stream = stream->next;
    }
    return stream;
}

static void wait_until(uint64_t id, uint64_t last_sequence)
{
    rt_stream *stream = still_there(id);
    while (stream != NULL && stream->first != NULL && stream->first->sequence <= last_sequence) {
        step(stream);
        stream = still_there(id);
    }
    if (stream != NULL) {
        (void)rt_host_clock(stream->clock_ns);
    }
}

/* For the streams of a device, or those among them that the default stream is ordered with. */
static void wait_for_streams(const rt_device *device, bool blocking_only)
{
    const uint64_t last_sequence = rt_stream_sequence();
    rt_stream *stream = rt_stream_first();
    while (stream != NULL) {
        if (stream->device == device && (stream->blocking || !blocking_only) &&
            stream->first != NULL && stream->first->sequence <= last_sequence) {
            wait_until(stream->id, last_sequence);
            stream = rt_stream_first(); /* the list may have changed meanwhile */
        } else {
            stream = stream->next;
        }
    }
}

int rt_wait_stream(rt_stream *stream)
{
    rt_device *device = stream->device;
    if (stream == device->null_stream) {
        wait_for_streams(device, true);
    } else {
        wait_until(stream->id, rt_stream_sequence());
    }
    return rt_device_outcome(device);
}

int rt_wait_device(rt_device *device)
{
    wait_for_streams(device, false);
    return rt_device_outcome(device);
}

int rt_wait_mark(rt_device *device, rt_mark *mark)
{
    (void)rt_mark_retain(mark);
    while (!mark->done) {
        step(mark->stream);
    }
    (void)rt_host_clock(mark->time_ns);
    rt_mark_release(mark);
    return rt_device_outcome(device);
}

/* ---- polling -------------------------------------------------------------------------------- */

/* Something may happen between two looks, and something that is needed at least now and then. */
static void nudge(rt_stream *stream)
{
    if (order() == 'r' && rt_random(2) == 0) {
        return;
    }
    rt_stream *next = needed_for(stream);
    if (next != NULL) {
        run_first(next);
    }
}

int rt_poll_stream(rt_stream *stream)
{
    rt_device *device = stream->device;
    const uint64_t id = stream->id;
    if (stream->first != NULL) {
        nudge(stream);
        stream = still_there(id);
    }
    const int error = rt_device_outcome(device);
    return error != RT_SUCCESS                       ? error
           : stream != NULL && stream->first != NULL ? RT_NOT_READY
                                                     : RT_SUCCESS;
}

int rt_poll_mark(rt_device *device, rt_mark *mark)
{
    (void)rt_mark_retain(mark);
    if (!mark->done) {
        nudge(mark->stream);
    }
    const int error = rt_device_outcome(device);
    const int code = error != RT_SUCCESS ? error : mark->done ? RT_SUCCESS : RT_NOT_READY;
    rt_mark_release(mark);
    return code;
}

void rt_wait_entry(rt_stream *stream, const rt_entry *entry)
{
    wait_until(stream->id, entry->sequence);
}
