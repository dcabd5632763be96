/*
 * The object that is linked into each compiled program, seen from both sides: what the engine asks
 * a program for, and the functions that the prelude's macros call.
 */
#ifndef SIM_KERNEL_SUPPORT_H
#define SIM_KERNEL_SUPPORT_H

#include "kernel_abi.h"

/* The tables of a program. */
typedef struct sim_program {
    const sim_kernel_entry *kernels, *kernels_end;
    const sim_local_entry *locals, *locals_end;
} sim_program;

/* The one name that a program exports: it is told whose item runs, and tells its tables. */
#define SIM_BIND_NAME "keel_sim_bind"
typedef void sim_bind(sim_run *run, sim_program *out);

#endif
