/* The launch that is running: one at a time, since the runtime's lock is held. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "fiber.h"
#include "module.h"
#include "window.h"

#define SIM_BLOCK_MAX 1024u
#define SIM_STEPS (INT64_C(1) << 32) /* of a group, unless the option "steps" says otherwise */
#define SIM_WAVE_BYTES 64u           /* that an item can give to its wave at once */

typedef enum sim_item_state {
    SIM_ITEM_NEW,     /* has no stack yet */
    SIM_ITEM_READY,   /* can go on */
    SIM_ITEM_BARRIER, /* waits for the group */
    SIM_ITEM_WAVE,    /* waits for its wave */
    SIM_ITEM_DONE,
} sim_item_state;

typedef struct sim_item {
    sim_fiber fiber;
    sim_item_state state;
    uint32_t stack;      /* number of its stack, once it has one */
    uintptr_t stack_low; /* where that begins */
    uint32_t line, mark; /* of the barrier or wave operation that it waits at */
    void *pc;
    uint64_t local_top; /* kept while others run */
} sim_item;

/* What launches share; the items' part of it is sim_now.run, which kernels see too. */
typedef struct sim_running {
    sim_run run;
    sim_window *window;
    sim_function *function; /* NULL: none is running */
    void **args;
    sim_fiber main;
    sim_item items[SIM_BLOCK_MAX];
    sim_item *current;
    uint32_t block, wave;
    uint64_t segment;                   /* counts up for ever */
    uint32_t wave_epoch[SIM_BLOCK_MAX]; /* of each wave */
    uint64_t local_high;                /* LOCAL bytes that the group has declared */
    int64_t order;                      /* option */
    sim_fault fault;                    /* that ends the launch */
    bool found;                         /* what no device would notice */
    uintptr_t stack_low;                /* of the running item */
} sim_running;

extern sim_running sim_now;

/* Leaves the running item, and with it the launch; does not return. */
_Noreturn void sim_abandon(sim_fault fault);

/* ---- schedule.c -------------------------------------------------------------------------------
 */

/* Runs all items of the group that sim_now.run names; false: the launch is over (sim_now.fault). */
bool sim_run_group(void);

/* What items call. */
void sim_item_barrier(sim_u32 line, sim_u32 mark, void *pc);
const void *sim_item_wave(const void *data, sim_u32 bytes, sim_u32 line, sim_u32 mark, void *pc);
void *sim_item_local(sim_u64 bytes, void *pc);

/* Whether bytes at an address are what sim_item_wave() returned. */
bool sim_is_wave_data(const void *address, uint64_t bytes);

/* ---- order.c ----------------------------------------------------------------------------------
 */

/*
 * Number i of count in an order that the option "order" gives: a permutation of 0 to count - 1.
 * salt varies it from one use to another.
 */
uint64_t sim_permute(uint64_t i, uint64_t count, int64_t order, uint64_t salt);

/* ---- check.c ----------------------------------------------------------------------------------
 */

void sim_check_access(const void *address, sim_u32 bytes, sim_u32 write, sim_u32 aligned, void *pc);
void sim_check_endless(void *pc);

/* ---- report.c ---------------------------------------------------------------------------------
 */

void sim_report_begin(void); /* a new launch */
void sim_report_end(void);

/*
 * Reports a finding in the running kernel, once for each kind and pc in a launch.
 * @param pc      where; NULL: unknown
 * @param after   pc is where a call returns to, not the place itself
 * @param format  what is to be said besides kernel, group, item and place
 */
__attribute__((format(printf, 4, 5))) void sim_report(const char *kind, void *pc, bool after,
                                                      const char *format, ...);

#endif
