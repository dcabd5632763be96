/* Signals: host code that touches device memory, and kernels that trap. */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

/*
 * Puts the handlers in place, before those that are there, and again where an application has
 * replaced them since. Cheap; called whenever device memory may be about to be closed.
 */
void sim_guard_arm(void);

/*
 * Kernels run on this thread from begin to end: what traps meanwhile is the kernel's doing. trap
 * gets what happened in words, where (pc) and, for memory, the address; it does not return.
 */
void sim_guard_begin(void (*trap)(const char *what, void *pc, void *address));
void sim_guard_end(void);

#endif
