/* What a run of the gates found, as a file. */
#ifndef CLI_GATE_REPORT_H
#define CLI_GATE_REPORT_H

#include "gate_plan.h"

#define CLI_GATE_REPORT_SCHEMA "keel.gates/1"

/* Sums of one row. */
typedef struct cli_gate_sums {
    uint32_t kernels, failed;
    double seconds;
} cli_gate_sums;

cli_gate_sums cli_gate_row_sums(const cli_gate_row *row, const compile_farm *farm);

/* Writes a row per target and compiler, and every failure, to options->out. */
keel_status cli_gate_report_write(const cli_gate_options *options, const cli_gate_plan *plan,
                                  const compile_farm *farm, keel_error *err);

#endif
