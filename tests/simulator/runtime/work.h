/* A piece of work for a stream: a launch, a copy, ... A plain value that owns what it points to. */
#ifndef RT_WORK_H
#define RT_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

typedef enum rt_work_kind {
    RT_WORK_LAUNCH,
    RT_WORK_COPY,
    RT_WORK_FILL,
    RT_WORK_RECORD, /* an event's mark is done */
    RT_WORK_WAIT,   /* until a mark is done */
    RT_WORK_CALL,   /* a host function */
    RT_WORK_FREE,   /* stream-ordered release of memory */
    RT_WORK_GRAPH,
} rt_work_kind;

/*
 * A point in a stream that an event stands for. Counted: the event, the work that passes it and the
 * work that waits for it hold it.
 */
typedef struct rt_mark {
    unsigned references;
    bool done;
    int64_t time_ns;   /* on the simulated clock, once it is done */
    rt_stream *stream; /* that will pass it; NULL once it is done */
} rt_mark;

typedef struct rt_module rt_module;
typedef struct rt_nodes rt_nodes;

typedef struct rt_work_launch {
    rt_module *module;
    sim_function *function;
    uint32_t grid[3], block[3];
    void **args;        /* arg_count pointers into values; owned, one block with them */
    size_t value_bytes; /* of all argument values together */
    const void *values;
} rt_work_launch;

/* rows of bytes each, pitch apart; one row is a plain copy. */
typedef struct rt_work_copy {
    void *to;
    const void *from;
    size_t bytes, rows, to_pitch, from_pitch;
    void *staged; /* owned copy of pageable host memory that from points to, or NULL */
    bool corrupt; /* the fault plan spoils it */
} rt_work_copy;

typedef struct rt_work_fill {
    void *to;
    uint32_t value, value_bytes;
    size_t count, rows, pitch;
} rt_work_fill;

typedef struct rt_work {
    rt_work_kind kind;
    union {
        rt_work_launch launch;
        rt_work_copy copy;
        rt_work_fill fill;
        rt_mark *mark; /* RECORD, WAIT: a reference */
        struct {
            void (*function)(void *user);
            void *user;
        } call;
        void *memory;    /* FREE */
        rt_nodes *nodes; /* GRAPH: a reference */
    } u;
} rt_work;

/*
 * Does it, for a device; the lock is held, and released during host functions. What fails becomes
 * the device's error. Returns the simulated time that it took, in ns; negative if it hangs for
 * good, as the fault plan may ask.
 */
int64_t rt_work_execute(rt_work *work, rt_device *device, int64_t now_ns);

/* Releases what it owns. */
void rt_work_release(rt_work *work);

/* Whether it uses memory in [base, base + bytes), or a module: what must not end before it ran. */
bool rt_work_touches(const rt_work *work, const void *base, size_t bytes);
bool rt_work_uses_module(const rt_work *work, const rt_module *module);

/* "launch of softmax_rows", "copy of 4096 bytes to 0x...": for findings. */
void rt_work_describe(const rt_work *work, char *out, size_t capacity);

rt_mark *rt_mark_new(rt_stream *stream); /* NULL: no memory */
rt_mark *rt_mark_retain(rt_mark *mark);
void rt_mark_release(rt_mark *mark); /* accepts NULL */

/* How the vendor's numbers express a fault of the engine. */
int rt_code_of_fault(sim_fault fault);

#endif
