/* Whether accesses are ordered, decided from stamps: the rules that kernels and the engine share.
 */
#ifndef SIM_KERNEL_ORDER_H
#define SIM_KERNEL_ORDER_H

#include "kernel_abi.h"

#define SIM_INLINE static inline __attribute__((always_inline))

SIM_INLINE sim_u32 sim_kind_of(sim_u64 stamp)
{
    return (sim_u32)stamp & 3u;
}

SIM_INLINE sim_u32 sim_item_of(sim_u64 stamp)
{
    return (sim_u32)(stamp >> SIM_ITEM_SHIFT) & SIM_ITEM_MASK;
}

SIM_INLINE int sim_same_wave(const sim_run *run, sim_u64 a, sim_u64 b)
{
    return sim_item_of(a) >> run->wave_shift == sim_item_of(b) >> run->wave_shift;
}

/* Of stamps of one segment: whether no synchronisation of the wave lies between. */
SIM_INLINE int sim_same_wave_epoch(sim_u64 a, sim_u64 b)
{
    return a >> SIM_WAVE_SHIFT == b >> SIM_WAVE_SHIFT;
}

/*
 * Whether what a stamp stands for is over, seen by the running item: floor is the launch's first
 * stamp for GLOBAL memory, and the group's for LOCAL memory, which nobody shares with other groups.
 * A launch's own segment is before the group's: what several groups have read is never over.
 */
SIM_INLINE int sim_over(const sim_run *run, sim_u64 stamp, sim_u64 floor)
{
    return stamp < floor || (stamp >= run->group_floor && stamp < run->epoch_floor);
}

/* Who has read a cell, after the running item has too. */
SIM_INLINE sim_u64 sim_readers(const sim_run *run, sim_u64 reader, sim_u64 floor)
{
    if (sim_over(run, reader, floor)) {
        return run->me;
    }
    if (reader < run->group_floor) {
        return run->launch_floor | SIM_LAUNCH; /* another group too */
    }
    if (sim_kind_of(reader) == SIM_GROUP) {
        return reader;
    }
    if (!sim_same_wave(run, reader, run->me)) {
        return run->me | SIM_GROUP;
    }
    if (!sim_same_wave_epoch(reader, run->me)) {
        return run->me; /* the wave has synchronised since */
    }
    return sim_item_of(reader) == sim_item_of(run->me) ? reader : run->me | SIM_WAVE;
}

/* Reads or writes one cell if that is plainly in order; 0 if it takes a closer look. */
SIM_INLINE int sim_pass(const sim_run *run, sim_cell *cell, sim_u64 floor, int write)
{
    const sim_u64 writer = cell->writer, reader = cell->reader;
    if (writer != run->me && !sim_over(run, writer, floor)) {
        return 0;
    }
    if (write && reader != run->me && !sim_over(run, reader, floor)) {
        return 0;
    }
    if (write) {
        cell->writer = run->me;
    } else if (reader != run->me) {
        cell->reader = sim_readers(run, reader, floor);
    }
    return 1;
}

#endif
