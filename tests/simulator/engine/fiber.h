/* Fibers: stacks that take turns on one thread. */
#ifndef SIM_FIBER_H
#define SIM_FIBER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__aarch64__)
typedef struct sim_fiber {
    void *stack_pointer; /* while another runs */
} sim_fiber;
#else
#include <ucontext.h>
typedef struct sim_fiber {
    ucontext_t context;
} sim_fiber;
#endif

/* Prepares a fiber to call entry(), which never returns, on the stack of bytes from low on. */
void sim_fiber_start(sim_fiber *fiber, void *low, size_t bytes, void (*entry)(void));

/* Stores the running fiber in from and continues to. */
void sim_fiber_switch(sim_fiber *from, sim_fiber *to);

/* ---- stacks: of equal size, each with a page below that traps -------------------------------- */

#define SIM_STACK_BYTES (64u << 10)
#define SIM_STACKS 1024u

/* Stack i of SIM_STACKS, mapped on first use; NULL if there is no memory. */
void *sim_stack(uint32_t i);

/* Whether an address is in a page below a stack. Callable from a signal handler. */
int sim_stack_is_guard(const void *address);

#endif
