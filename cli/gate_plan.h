/* What a run of the gates compiles: which programs, for which targets, by which compilers. */
#ifndef CLI_GATE_PLAN_H
#define CLI_GATE_PLAN_H

#include "farm.h"
#include "kernel.h"

/* Of targets that are not typical, one program in so many is compiled where there is no time. */
#define CLI_GATE_SAMPLE 32

typedef struct cli_gate_options {
    cli_kernel_tools tools;
    const char *filter; /* glob over ids; NULL: all */
    const char *out;    /* where the report goes; NULL: nowhere */
    int all;            /* 1: every program, and every NVRTC that is named */
    int quiet;
    uint32_t workers;
    uint64_t limit_s; /* per program */
} cli_gate_options;

/* A target and a compiler: a line of the table. */
typedef struct cli_gate_row {
    const compile_target *target;
    const compile_compiler *compiler;
    uint32_t first, count; /* jobs */
    uint32_t possible;     /* programs that the target could run, repeated texts left out */
} cli_gate_row;

#define CLI_MOST_GATE_ROWS 128

typedef struct cli_gate_plan {
    compile_programs programs;
    cli_gate_row rows[CLI_MOST_GATE_ROWS];
    uint32_t row_count;
    compile_job *jobs; /* in the order of the rows */
    uint32_t job_count;
} cli_gate_plan;

/*
 * Plans a run; cli_gate_plan_clear() it, whatever is returned. Without --target all gated targets.
 * A named target or a filter is taken in full: what is asked for is not sampled.
 * @retval KEEL_ERR_UNAVAILABLE  a target that no compiler here knows
 */
keel_status cli_gate_plan_make(cli_gate_options *options, keel_context *context,
                               cli_gate_plan *out_plan, keel_error *err);
void cli_gate_plan_clear(cli_gate_plan *plan);

#endif
