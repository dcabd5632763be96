/* keel conformance: runs the suite on devices, writes a report, prints a table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "conformance_options.h"
#include "devices.h"
#include "held_signals.h"
#include "journal.h"
#include "json.h"
#include "lane.h"
#include "out_directory.h"
#include "report_format.h"
#include "run.h"
#include "supervisor.h"
#include "views/views.h"

/* ---- devices --------------------------------------------------------------------------------- */

static int is_called(const json_t *device, const char *name)
{
    return strcmp(cli_json_text(device, "id"), name) == 0 ||
           strcmp(cli_json_text(device, "stable_id"), name) == 0 ||
           (name[0] != '\0' && strcmp(cli_json_text(device, "pci"), name) == 0);
}

/* Why there is nothing to test, and where to look. */
static int fail_without_device(const cli_run *run, const char *name)
{
    (void)cli_fail(CLI_EXIT_NOTHING,
                   name != NULL
                       ? "there is no device \"%s\"; nothing was run"
                       : "no accelerator was found%s; nothing was run (the oracle is tested "
                         "only when asked for: --device ref:0)",
                   name != NULL ? name : "");
    cli_devices_print_reasons(run->probe, "keel:   ", stderr);
    return CLI_EXIT_NOTHING;
}

static int add_lane(cli_run *run, const json_t *device)
{
    keel_error err = KEEL_ERROR_INIT;
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        if (strcmp(run->lanes[i].device, cli_json_text(device, "id")) == 0) {
            return CLI_EXIT_OK; /* named twice */
        }
    }
    if (run->lane_count == CLI_DEVICES_MAX) {
        return cli_fail(CLI_EXIT_USAGE, "more than %d devices", CLI_DEVICES_MAX);
    }
    if (cli_lane_init(&run->lanes[run->lane_count], run, cli_json_text(device, "id"), &err) !=
        KEEL_OK) {
        return cli_fail_error(&err);
    }
    ++run->lane_count;
    return CLI_EXIT_OK;
}

/* A lane per device that was named or, if none was, per accelerator. */
static int choose_devices(cli_run *run)
{
    const json_t *found = json_object_get(run->probe, "devices");
    const cli_run_options *options = &run->options;
    int code = CLI_EXIT_OK;
    size_t i;
    json_t *device;
    for (uint32_t k = 0; code == CLI_EXIT_OK && k < options->device_count; ++k) {
        json_t *wanted = NULL;
        json_array_foreach(found, i, device)
        {
            wanted = wanted == NULL && is_called(device, options->devices[k]) ? device : wanted;
        }
        code =
            wanted != NULL ? add_lane(run, wanted) : fail_without_device(run, options->devices[k]);
    }
    json_array_foreach(found, i, device)
    {
        if (options->device_count == 0 && code == CLI_EXIT_OK &&
            !json_is_true(json_object_get(device, "oracle"))) {
            code = add_lane(run, device);
        }
    }
    return code == CLI_EXIT_OK && run->lane_count == 0 ? fail_without_device(run, NULL) : code;
}

/* ---- running --------------------------------------------------------------------------------- */

static void restore(void *user, const char *device, uint32_t position, json_t *result)
{
    cli_run *run = user;
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        if (strcmp(run->lanes[i].device, device) == 0) {
            cli_lane_restore(&run->lanes[i], position, result);
        }
    }
}

static keel_status run_lanes(cli_run *run, keel_error *err)
{
    KEEL_TRY(cli_out_directory_take(run->options.out, &run->out_lock, err));
    KEEL_TRY(run->options.resume ? cli_journal_resume(run, restore, run, &run->journal, err)
                                 : cli_journal_create(run, &run->journal, err));
    KEEL_TRY(cli_supervise(run, err));
    const int written = cli_journal_close(run->journal);
    run->journal = NULL;
    return written ? KEEL_OK
                   : keel_fail(err, KEEL_ERR_IO, "%s/journal.jsonl: cannot be written",
                               run->options.out);
}

static keel_status write_report(cli_run *run, const json_t *report, char *out_path, size_t capacity,
                                keel_error *err)
{
    KEEL_TRY(cli_out_directory_take(run->options.out, &run->out_lock, err));
    (void)snprintf(out_path, capacity, "%s/report.json", run->options.out);
    return cli_json_write(out_path, report, err);
}

/* Report and table of what the lanes found; held signals are released once the report is there. */
static int conclude(cli_run *run, const cli_expectations *expectations,
                    const cli_held_signals *held)
{
    char path[4096];
    json_t *report = NULL;
    keel_error err = KEEL_ERROR_INIT;
    if (cli_run_report(run, expectations, &report, &err) == KEEL_OK) {
        (void)write_report(run, report, path, sizeof path, &err);
    }
    cli_signals_release(held);
    int code = (int)cli_json_integer(report, "exit_code");
    if (err.status != KEEL_OK) {
        code = cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s", err.message);
    }
    if (report == NULL) {
        return code;
    }
    (void)cli_view_text(report, stdout);
    if (err.status == KEEL_OK) {
        (void)printf("report: %s\n", path);
    }
    json_decref(report);
    return code;
}

static int list_cases(const cli_run *run)
{
    for (uint32_t i = 0; i < run->selection.count; ++i) {
        const conf_case *entry = conf_suite_at(run->suite, run->selection.index[i]);
        (void)printf("%-5s  %s\n", conf_tier_name(entry->tier), entry->id);
    }
    return CLI_EXIT_OK;
}

static int run_devices(cli_run *run, const cli_expectations *expectations)
{
    keel_error err = KEEL_ERROR_INIT;
    cli_held_signals held;
    int code = cli_devices_probe(&run->probe);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    run->lanes = calloc(CLI_DEVICES_MAX, sizeof run->lanes[0]);
    if (run->lanes == NULL) {
        return cli_fail(CLI_EXIT_INFRASTRUCTURE, "no memory for the run");
    }
    code = choose_devices(run);
    if (code == CLI_EXIT_NOTHING && run->lane_count == 0 && run->options.device_count == 0) {
        cli_signals_hold(&held);
        (void)conclude(run, expectations, &held); /* a report that says so */
        return code;
    }
    if (code != CLI_EXIT_OK) {
        return code;
    }
    cli_signals_hold(&held);
    if (run_lanes(run, &err) != KEEL_OK) {
        cli_signals_release(&held);
        (void)cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s", err.message);
        return err.status == KEEL_ERR_INVALID_ARGUMENT ? CLI_EXIT_USAGE : CLI_EXIT_INFRASTRUCTURE;
    }
    return conclude(run, expectations, &held);
}

/* The list of cases comes from the contracts alone: no driver is loaded into this process. */
static int run_suite(cli_run *run, keel_context *context)
{
    keel_error err = KEEL_ERROR_INIT;
    cli_expectations expectations = {0};
    int code = CLI_EXIT_OK;
    if (conf_suite_create(context, &run->suite, &err) != KEEL_OK ||
        cli_select(run->suite, &run->options, &run->selection, &err) != KEEL_OK ||
        cli_expect_read(run->options.expect, run->started, &expectations, &err) != KEEL_OK) {
        code = cli_fail_error(&err);
    } else if (run->selection.count == 0) {
        code = cli_fail(CLI_EXIT_NOTHING, "no case of tier %s matches \"%s\" in shard %llu/%llu",
                        conf_tier_name(run->options.tier),
                        run->options.filter != NULL ? run->options.filter : "*",
                        (unsigned long long)run->options.shard,
                        (unsigned long long)run->options.shards);
    } else if (run->options.list) {
        code = list_cases(run);
    } else {
        code = run_devices(run, &expectations);
    }
    cli_expect_release(&expectations);
    return code;
}

static void release_run(cli_run *run)
{
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        cli_lane_release(&run->lanes[i]);
    }
    free(run->lanes);
    (void)cli_journal_close(run->journal);
    cli_out_directory_give(run->out_lock);
    cli_selection_release(&run->selection);
    conf_suite_release(run->suite);
    json_decref(run->probe);
}

int cli_cmd_conformance(int argc, char **argv)
{
    cli_run run = {.argc = argc, .argv = argv, .out_lock = -1};
    char out[64];
    int code = CLI_EXIT_OK;
    if (!cli_conformance_options(argc, argv, &run.options, &code)) {
        return code;
    }
    cli_format_time(run.started);
    if (run.options.out == NULL) {
        cli_out_directory_name(run.started, out, sizeof out);
        run.options.out = out;
    }
    keel_context *context = NULL;
    code = cli_context_create("ref", &context);
    if (code == CLI_EXIT_OK) {
        code = run_suite(&run, context);
    }
    release_run(&run);
    keel_context_release(context);
    return code;
}
