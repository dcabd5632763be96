/*
 * Linked into each compiled program: what the macros of the prelude call. Compiled once with the
 * engine, which carries the object (the C compiler would take longer over it than over a kernel).
 */
#include "kernel_support.h"

#define PC __builtin_return_address(0)
#define DEFAULT __attribute__((visibility("default")))

sim_run *keel_sim;

/* Made by the linker. A program may have no kernels or no LOCAL arrays. */
extern const sim_kernel_entry __start_sim_kernels[] __attribute__((weak, visibility("hidden")));
extern const sim_kernel_entry __stop_sim_kernels[] __attribute__((weak, visibility("hidden")));
extern const sim_local_entry __start_sim_locals[] __attribute__((weak, visibility("hidden")));
extern const sim_local_entry __stop_sim_locals[] __attribute__((weak, visibility("hidden")));

DEFAULT sim_bind keel_sim_bind;
sim_u32 keel_sim_group_id(sim_u32 d);
sim_u32 keel_sim_num_groups(sim_u32 d);
sim_u32 keel_sim_local_id(void);
void *keel_sim_local(sim_u64 bytes);
void keel_sim_barrier(sim_u32 line, sim_u32 mark);
const void *keel_sim_wave(const void *data, sim_u32 bytes, sim_u32 line, sim_u32 mark);
void keel_sim_wave_sync(sim_u32 line, sim_u32 mark);
sim_u32 keel_sim_wave_xor(sim_u32 x, sim_u32 mask, sim_u32 mark);

void keel_sim_bind(sim_run *run, sim_program *out)
{
    keel_sim = run;
    out->kernels = __start_sim_kernels;
    out->kernels_end = __stop_sim_kernels;
    out->locals = __start_sim_locals;
    out->locals_end = __stop_sim_locals;
}

sim_u32 keel_sim_group_id(sim_u32 d)
{
    return keel_sim->group_id[d];
}

sim_u32 keel_sim_num_groups(sim_u32 d)
{
    return keel_sim->num_groups[d];
}

sim_u32 keel_sim_local_id(void)
{
    return keel_sim->local_id;
}

void *keel_sim_local(sim_u64 bytes)
{
    return keel_sim->local(bytes, PC);
}

void keel_sim_barrier(sim_u32 line, sim_u32 mark)
{
    keel_sim->barrier(line, mark, PC);
}

/* All items of the wave give bytes of data; what they gave is returned, lane after lane. It stays
 * until the next but one such call. Memory is not ordered. */
const void *keel_sim_wave(const void *data, sim_u32 bytes, sim_u32 line, sim_u32 mark)
{
    return keel_sim->wave(data, bytes, line, mark, PC);
}

/* The items of the wave see each other's writes. */
void keel_sim_wave_sync(sim_u32 line, sim_u32 mark)
{
    (void)keel_sim->wave(0, 0, line, mark, PC);
}

/* x of the item whose number differs in the bits of mask. */
sim_u32 keel_sim_wave_xor(sim_u32 x, sim_u32 mask, sim_u32 mark)
{
    const sim_u32 *all = keel_sim->wave(&x, sizeof x, 0, mark, PC);
    return all[(keel_sim->local_id ^ mask) & ((1u << keel_sim->wave_shift) - 1u)];
}
