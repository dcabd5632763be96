/* Whether accesses are ordered, decided from stamps: the rule that kernels and the engine share. */
#ifndef SIM_KERNEL_ORDER_H
#define SIM_KERNEL_ORDER_H

#include "kernel_abi.h"

/*
 * Whether what a stamp stands for is over, seen by the running item: floor is the launch's first
 * stamp for GLOBAL memory, and the group's for LOCAL memory, which nobody shares with other groups.
 * A launch's own segment is before the group's: what several groups have read is never over.
 */
static inline __attribute__((always_inline)) int sim_over(const sim_run *run, sim_u64 stamp,
                                                          sim_u64 floor)
{
    return stamp < floor || (stamp >= run->group_floor && stamp < run->epoch_floor);
}

/* Reads or writes one cell if that is plainly in order; 0 if it takes a closer look. */
static inline __attribute__((always_inline)) int sim_pass(const sim_run *run, sim_cell *cell,
                                                          sim_u64 floor, int write)
{
    const sim_u64 writer = cell->writer, reader = cell->reader;
    if (writer != run->me && !sim_over(run, writer, floor)) {
        return 0;
    }
    if (reader != run->me) {
        if (!sim_over(run, reader, floor)) {
            return 0;
        }
        if (!write) {
            cell->reader = run->me;
        }
    }
    if (write) {
        cell->writer = run->me;
    }
    return 1;
}

#endif
