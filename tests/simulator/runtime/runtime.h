/* The runtime as a whole, for its tests. */
#ifndef RT_RUNTIME_H
#define RT_RUNTIME_H

#include <stdint.h>

/*
 * Starts afresh in this process, with options in place of KEEL_SIMULATOR: devices, contexts, all
 * that was made, what the calling thread remembers. Nothing else may use the runtimes meanwhile.
 */
void rt_restart(const char *options);

/* Findings since the library was loaded, and the last one; sim_finding_count(), _last(). */
uint64_t rt_finding_count(void);
const char *rt_finding_last(void);

#endif
