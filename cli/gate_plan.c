/* Choosing programs, targets and compilers. */
#include "gate_plan.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Whether everything that was asked for is to be compiled. */
static int in_full(const cli_gate_options *options)
{
    return options->all || options->filter != NULL;
}

static int named_targets(const cli_gate_options *options)
{
    return options->tools.target_count > 0;
}

#define EVERYTHING 1 /* parts */

/* A row's share of the programs: one in parts, the same on every machine. */
typedef struct share {
    uint32_t parts, part;
} share;

static int in_share(const compile_item *item, share s)
{
    return (item->hash >> 16) % s.parts == s.part;
}

static int is_possible(const compile_item *item, const compile_target *target)
{
    return !item->twin && compile_item_suits(item, target);
}

static int is_wanted(const cli_gate_options *options, const compile_item *item,
                     const compile_target *target, share s)
{
    if (options->filter != NULL && fnmatch(options->filter, item->id, 0) != 0) {
        return 0;
    }
    if (!in_full(options) && !item->typical) {
        return 0;
    }
    return compile_item_wants(item, target) != 0 || in_share(item, s);
}

/* Fills jobs of a row; with jobs NULL only counts them. */
static void fill_row(const cli_gate_options *options, cli_gate_plan *plan, uint32_t index, share s)
{
    cli_gate_row *row = &plan->rows[index];
    row->first = plan->job_count;
    row->count = 0;
    row->possible = 0;
    for (uint32_t i = 0; i < plan->programs.count; i++) {
        const compile_item *item = &plan->programs.items[i];
        if (!is_possible(item, row->target)) {
            continue;
        }
        row->possible++;
        if (!is_wanted(options, item, row->target, s)) {
            continue;
        }
        if (plan->jobs != NULL) {
            plan->jobs[row->first + row->count] = (compile_job){item, row->target, row->compiler};
        }
        row->count++;
    }
    plan->job_count += row->count;
}

static int is_typical(const compile_target *target, int binary)
{
    return (target->flags & COMPILE_TYPICAL) != 0 &&
           (target->flags & COMPILE_BINARY) == (binary ? COMPILE_BINARY : 0);
}

static uint32_t count_typical(const cli_gate_plan *plan, uint32_t rows)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows; i++) {
        count += is_typical(plan->rows[i].target, 1) ? 1 : 0;
    }
    return count;
}

/* Typical targets with a binary share the programs; the others have one in 32, each another one. */
static share share_of(const cli_gate_plan *plan, uint32_t row, int sampled)
{
    const compile_target *target = plan->rows[row].target;
    if (!sampled || is_typical(target, 0)) {
        return (share){EVERYTHING, 0};
    }
    if (is_typical(target, 1)) {
        return (share){count_typical(plan, plan->row_count), count_typical(plan, row)};
    }
    return (share){CLI_GATE_SAMPLE, row % CLI_GATE_SAMPLE};
}

static void fill_rows(const cli_gate_options *options, cli_gate_plan *plan, int sampled)
{
    plan->job_count = 0;
    for (uint32_t i = 0; i < plan->row_count; i++) {
        fill_row(options, plan, i, share_of(plan, i, sampled));
    }
}

/* A row for each compiler that knows the target; the first alone unless all are wanted. */
static keel_status add_rows(cli_gate_options *options, const compile_target *target,
                            cli_gate_plan *plan, keel_error *err)
{
    const compile_compiler *compilers[COMPILE_MOST_COMPILERS];
    uint32_t count = 0;
    KEEL_TRY(compile_toolchain_find(&options->tools.toolchain, target, compilers, &count, err));
    if (count == 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s: no compiler that is here knows it",
                         target->name);
    }
    for (uint32_t i = 0; i < (options->all ? count : 1); i++) {
        if (plan->row_count == CLI_MOST_GATE_ROWS) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "more than %d targets and compilers",
                             CLI_MOST_GATE_ROWS);
        }
        plan->rows[plan->row_count++] = (cli_gate_row){.target = target, .compiler = compilers[i]};
    }
    return KEEL_OK;
}

/* All gated targets, as if they had been named. */
static void name_gated(cli_kernel_tools *tools)
{
    compile_target target;
    for (uint32_t i = 0; compile_target_at(i, &target); i++) {
        if ((target.flags & COMPILE_GATED) != 0 && tools->target_count < CLI_MOST_TARGETS) {
            tools->targets[tools->target_count++] = target;
        }
    }
}

keel_status cli_gate_plan_make(cli_gate_options *options, keel_context *context,
                               cli_gate_plan *out_plan, keel_error *err)
{
    *out_plan = (cli_gate_plan){0};
    const int sampled = !named_targets(options) && !in_full(options);
    if (!named_targets(options)) {
        name_gated(&options->tools);
    }
    KEEL_TRY(compile_programs_list(context, &out_plan->programs, err));
    for (uint32_t i = 0; i < options->tools.target_count; i++) {
        KEEL_TRY(add_rows(options, &options->tools.targets[i], out_plan, err));
    }
    fill_rows(options, out_plan, sampled);
    out_plan->jobs = calloc((size_t)out_plan->job_count + 1, sizeof out_plan->jobs[0]);
    if (out_plan->jobs == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %u programs",
                         out_plan->job_count);
    }
    fill_rows(options, out_plan, sampled);
    return KEEL_OK;
}

void cli_gate_plan_clear(cli_gate_plan *plan)
{
    compile_programs_clear(&plan->programs);
    free(plan->jobs);
    plan->jobs = NULL;
    plan->job_count = 0;
}
