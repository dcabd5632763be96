/* What every exported function begins and ends with: the one lock, and what a thread remembers. */
#ifndef RT_ENTRY_H
#define RT_ENTRY_H

#include <stdbool.h>

#include "device.h"

#define RT_CONTEXT_DEPTH 16

/* What the vendors' runtimes remember per thread. */
typedef struct rt_thread {
    int selected[RT_VENDORS];             /* device of the runtime API */
    int last[RT_VENDORS];                 /* last failure, for GetLastError */
    rt_device *context[RT_CONTEXT_DEPTH]; /* CUDA driver: the stack of current contexts */
    unsigned depth;
    int capture_mode; /* of cudaThreadExchangeStreamCaptureMode: 0 global, 1 thread, 2 relaxed */
    bool in_callback; /* runs a host function of a stream: may call nothing */
} rt_thread;

rt_thread *rt_thread_self(void);

void rt_lock(void);
void rt_unlock(void);

/* Lets other threads run until one of them has done something, or 10 ms have passed. */
void rt_lock_wait(void);
void rt_lock_wake(void); /* something was done */

/*
 * Begins an exported function: takes the lock and lets the fault plan act.
 *
 * @param function  __func__ of the export: "rt_" and the vendor's name
 * @return 0, or the code that the function must answer without doing anything
 */
int rt_enter(const char *function);

#endif
