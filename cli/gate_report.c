/* The report of a run of the gates. */
#include "gate_report.h"

#include "build_info.h"
#include "json.h"
#include "run.h"

cli_gate_sums cli_gate_row_sums(const cli_gate_row *row, const compile_farm *farm)
{
    cli_gate_sums sums = {0};
    for (uint32_t i = row->first; i < row->first + row->count; ++i) {
        const compile_outcome *outcome = compile_farm_outcome(farm, i);
        sums.kernels += outcome->kernels;
        sums.failed += outcome->state != COMPILE_RIGHT;
        sums.seconds += outcome->seconds;
    }
    return sums;
}

static json_t *row_json(const cli_gate_row *row, const compile_farm *farm)
{
    const cli_gate_sums sums = cli_gate_row_sums(row, farm);
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i}", "target", row->target->name,
                     "backend", row->target->backend, "arch", row->target->arch, "compiler",
                     cli_json_string(row->compiler->name), "programs", (int)row->possible,
                     "compiled", (int)row->count, "kernels", (int)sums.kernels, "failed",
                     (int)sums.failed);
}

static json_t *failures_json(const cli_gate_plan *plan, const compile_farm *farm)
{
    json_t *failures = json_array();
    for (uint32_t i = 0; i < plan->job_count; ++i) {
        const compile_outcome *outcome = compile_farm_outcome(farm, i);
        if (outcome->state != COMPILE_RIGHT) {
            (void)json_array_append_new(
                failures, json_pack("{s:s, s:s, s:o, s:o}", "program", plan->jobs[i].item->id,
                                    "target", plan->jobs[i].target->name, "compiler",
                                    cli_json_string(plan->jobs[i].compiler->name), "reason",
                                    cli_json_string(outcome->reason)));
        }
    }
    return failures;
}

keel_status cli_gate_report_write(const cli_gate_options *options, const cli_gate_plan *plan,
                                  const compile_farm *farm, keel_error *err)
{
    char finished[32];
    cli_format_time(finished);
    json_t *rows = json_array();
    for (uint32_t i = 0; i < plan->row_count; ++i) {
        (void)json_array_append_new(rows, row_json(&plan->rows[i], farm));
    }
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:b, s:s, s:b, s:s, s:o, s:o}", "schema", CLI_GATE_REPORT_SCHEMA,
        "version", keel_version(), "commit", cli_build_commit, "dirty", cli_build_dirty, "finished",
        finished, "all", options->all, "filter", options->filter != NULL ? options->filter : "*",
        "rows", rows, "failures", failures_json(plan, farm));
    if (root == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the report of the gates");
    }
    const keel_status status = cli_json_write(options->out, root, err);
    json_decref(root);
    return status;
}
