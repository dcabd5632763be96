/*
 * The fault plan: what goes wrong on command. Options (docs/simulator.md lists them):
 *
 *   fail_call=PATTERN  fail_code=CODE           calls that match answer CODE,
 *   fail_at=N  fail_count=N                     from the N-th on, N of them, or all
 *   hang_call=PATTERN  hang_call_at=N           the N-th such call never returns
 *   abort_call=PATTERN abort_call_at=N          the N-th such call aborts the process
 *   oom_at=N  error_at=N  error=CODE  lost_at=N  hang_at=N  abort_at=N  slow_ms=N
 *                                               the N-th allocation, launch of a device
 *   fault_vendor=cuda|hip  fault_device=N       concerns these devices only
 */
#ifndef RT_FAULT_H
#define RT_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"

/* Whether the option has just this number, and the device is one that faults concern. */
bool rt_fault_hits(const rt_device *device, const char *option, uint64_t number);

/* Whether an option that is a switch is on for a device (NULL: for the vendor). */
bool rt_fault_on(rt_vendor vendor, const rt_device *device, const char *option);

/*
 * Lets the plan act on a call of an exported function; the lock is held.
 * Returns 0, or the code that the call shall answer. May hang or abort.
 */
int rt_fault_call(const char *function);

/* Sleeps for good, with the lock released. */
_Noreturn void rt_fault_hang(const char *where);

/* Aborts, as a defective vendor library does, after one line on stderr. */
_Noreturn void rt_fault_abort(const char *where);

/* Forgets how often functions were called. For tests. */
void rt_fault_forget(void);

#endif
