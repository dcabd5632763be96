/* A run of the gates: options, processes, table, failures. */
#ifndef CLI_GATE_RUN_H
#define CLI_GATE_RUN_H

#include "gate_plan.h"

/* Options that all runs have; its input is a cli_gate_options. */
extern const struct argp cli_gate_argp;

cli_gate_options cli_gate_defaults(void);

/* What is done when every program has passed, with their binaries; an exit code. */
typedef int (*cli_gates_passed_fn)(const cli_gate_plan *plan, const compile_farm *farm, void *user);

/*
 * Compiles and judges the programs that the options choose; prints failures and a table.
 * @param passed  NULL: nothing, and binaries are not kept
 * @return an exit code
 */
int cli_gates_run(cli_gate_options *options, cli_gates_passed_fn passed, void *user);

#endif
