/* Compiling what is planned, and telling what became of it. */
#include "gate_run.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "cli.h"
#include "gate_report.h"
#include "progress.h"

#define LIMIT_S 120 /* a program takes a second */

/* ---- options --------------------------------------------------------------------------------- */

#define KEY_NVRTC 1
#define KEY_CLANG 2
#define KEY_LIMIT 3

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cli_gate_options *options = state->input;
    uint64_t number;
    error_t error;
    switch (key) {
    case 'T':
        return cli_kernel_add_targets(state, &options->tools, arg);
    case 'f':
        options->filter = arg;
        return 0;
    case 'j':
        error = cli_args_u64(state, "--jobs", arg, 1, COMPILE_MOST_WORKERS, &number);
        options->workers = error == 0 ? (uint32_t)number : 0;
        return error;
    case 'q':
        options->quiet = 1;
        return 0;
    case KEY_LIMIT:
        return cli_args_u64(state, "--limit", arg, 1, 86400, &options->limit_s);
    case KEY_NVRTC:
        return cli_kernel_add_nvrtc(state, &options->tools, arg);
    case KEY_CLANG:
        options->tools.toolchain.clang = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option table[] = {
    {"target", 'T', "LIST", 0, "Targets such as sm_90,gfx942,opencl-c; may be repeated", 0},
    {"filter", 'f', "GLOB", 0, "Only programs such as 'matmul/*/f16/*', and all of them", 0},
    {"jobs", 'j', "N", 0, "Processes (default: as many as there are cores)", 0},
    {"limit", KEY_LIMIT, "SECONDS", 0, "Time that a program may take (default: 120)", 0},
    {"nvrtc", KEY_NVRTC, "DIRECTORY", 0, "Where NVRTC is", 0},
    {"clang", KEY_CLANG, "PROGRAM", 0, "The clang to use", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {0},
};

const struct argp cli_gate_argp = {table, parse, NULL, NULL, NULL, NULL, NULL};

cli_gate_options cli_gate_defaults(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long most = COMPILE_MOST_WORKERS;
    return (cli_gate_options){.limit_s = LIMIT_S,
                              .workers = cores < 1      ? 1
                                         : cores > most ? COMPILE_MOST_WORKERS
                                                        : (uint32_t)cores};
}

/* ---- the run --------------------------------------------------------------------------------- */

typedef struct watch {
    cli_progress progress;
    uint32_t all;
} watch;

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void show(void *user, uint32_t done, uint32_t failed)
{
    watch *self = user;
    const cli_tally tally = {done, failed, self->all};
    cli_progress_show(&self->progress, &tally, now_ns());
}

static keel_status run_farm(const cli_gate_options *options, compile_farm *farm, keel_error *err)
{
    watch self = {.all = farm->count};
    cli_progress_start(&self.progress, options->quiet, 0, now_ns());
    const keel_status status = compile_farm_run(farm, show, &self, err);
    cli_progress_end(&self.progress);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_failure(const cli_gate_options *options, const compile_job *job,
                          const compile_outcome *outcome)
{
    (void)printf("FAILED %s for %s by %s\n  %s\n", job->item->id, job->target->name,
                 job->compiler->name,
                 outcome->state == COMPILE_PENDING ? "it was never compiled" : outcome->reason);
    if (outcome->log[0] != '\0') {
        (void)printf("%s%s\n", outcome->log,
                     outcome->log[sizeof outcome->log - 2] != '\0' ? " ..." : "");
    }
    (void)printf("  reproduce: keel kernel gates --target %s --filter '%s'", job->target->name,
                 job->item->id);
    for (uint32_t i = 0; i < options->tools.toolchain.nvrtc_count; ++i) {
        (void)printf(" --nvrtc %s", options->tools.toolchain.nvrtc[i]);
    }
    (void)printf("%s\n", options->all ? " --all" : "");
}

/* A line of the table; adds to the sums. */
static void print_row(const cli_gate_row *row, const compile_farm *farm, uint32_t *failed)
{
    const cli_gate_sums sums = cli_gate_row_sums(row, farm);
    (void)printf("%-13s %-14s %8u %8u %8u %7u %8.1f\n", row->target->name, row->compiler->name,
                 row->possible, row->count, sums.kernels, sums.failed, sums.seconds);
    *failed += sums.failed;
}

static uint32_t print_table(const cli_gate_options *options, const cli_gate_plan *plan,
                            const compile_farm *farm, double seconds)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < plan->job_count; ++i) {
        const compile_outcome *outcome = compile_farm_outcome(farm, i);
        if (outcome->state != COMPILE_RIGHT) {
            print_failure(options, &plan->jobs[i], outcome);
        }
    }
    (void)printf("%-13s %-14s %8s %8s %8s %7s %8s\n", "target", "compiler", "programs", "compiled",
                 "kernels", "failed", "seconds");
    for (uint32_t i = 0; i < plan->row_count; ++i) {
        print_row(&plan->rows[i], farm, &failed);
    }
    (void)printf("%u programs compiled, %u failed, in %.1f s by %u processes\n", plan->job_count,
                 failed, seconds, options->workers);
    if (!options->all && options->filter == NULL) {
        (void)puts("not compiled: all but one program per kind of element types (f64, f32, 16-bit "
                   "floats, 8-bit floats, integers, bool), and of targets that others stand for "
                   "most of those; --all compiles everything");
    }
    return failed;
}

static int run_plan(const cli_gate_options *options, const cli_gate_plan *plan,
                    cli_gates_passed_fn passed, void *user)
{
    keel_error err = KEEL_ERROR_INIT;
    compile_farm farm = {.jobs = plan->jobs,
                         .count = plan->job_count,
                         .workers = options->workers,
                         .limit_s = (double)options->limit_s,
                         .keep_binaries = passed != NULL};
    const int64_t start = now_ns();
    int code = CLI_EXIT_OK;
    if (run_farm(options, &farm, &err) != KEEL_OK) {
        code = cli_fail_error(&err);
    } else if (print_table(options, plan, &farm, (double)(now_ns() - start) * 1e-9) > 0) {
        code = CLI_EXIT_FAILED;
    }
    if (err.status == KEEL_OK && options->out != NULL &&
        cli_gate_report_write(options, plan, &farm, &err) != KEEL_OK) {
        code = cli_fail_error(&err);
    }
    if (code == CLI_EXIT_OK && passed != NULL) {
        code = passed(plan, &farm, user);
    }
    compile_farm_close(&farm);
    return code;
}

int cli_gates_run(cli_gate_options *options, cli_gates_passed_fn passed, void *user)
{
    keel_context *context = NULL;
    keel_error err = KEEL_ERROR_INIT;
    cli_gate_plan plan = {0};
    int code = cli_context_create("ref", &context); /* contracts are wanted, devices are not */
    if (code == CLI_EXIT_OK) {
        code = cli_gate_plan_make(options, context, &plan, &err) == KEEL_OK ? CLI_EXIT_OK
                                                                            : cli_fail_error(&err);
    }
    if (code == CLI_EXIT_OK && plan.job_count == 0) {
        code = cli_fail(CLI_EXIT_NOTHING, "no program matches \"%s\"",
                        options->filter != NULL ? options->filter : "*");
    }
    if (code == CLI_EXIT_OK) {
        code = run_plan(options, &plan, passed, user);
    }
    cli_gate_plan_clear(&plan);
    compile_toolchain_close(&options->tools.toolchain);
    keel_context_release(context);
    return code;
}
