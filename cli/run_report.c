/* From a finished run to its report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "cli.h"
#include "host.h"
#include "json.h"
#include "lane.h"
#include "report_format.h"
#include "reproduce.h"
#include "run.h"

/* ---- cases ----------------------------------------------------------------------------------- */

static json_t *case_json(const cli_run *run, const cli_lane *lane, uint32_t position)
{
    const conf_case *entry = conf_suite_at(run->suite, run->selection.index[position]);
    char *reproduce = cli_reproduce(&run->options, lane->device, entry);
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "id", cli_json_string(entry->id),
                  "family", cli_json_string(entry->family), "op", cli_json_string(entry->op),
                  "dtype", cli_json_string(entry->dtype), "tier", conf_tier_name(entry->tier),
                  "source", cli_json_string(entry->source), "device", cli_json_string(lane->device),
                  "reproduce", cli_json_string(reproduce));
    free(reproduce);
    (void)json_object_update(object, lane->results[position]);
    return object;
}

static json_t *cases_json(const cli_run *run, const cli_expectations *expectations,
                          const json_t *devices)
{
    json_t *cases = json_array();
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        for (uint32_t k = 0; k < run->selection.count; ++k) {
            json_t *entry = case_json(run, &run->lanes[i], k);
            cli_expect_apply(expectations, json_array_get(devices, i), entry);
            (void)json_array_append_new(cases, entry);
        }
    }
    return cases;
}

/* ---- devices --------------------------------------------------------------------------------- */

/* What tells one state of a backend from another. */
static json_t *fingerprint_json(const cli_run *run, const char *backend)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(run->probe, "load_report"), i, entry)
    {
        if (strcmp(cli_json_text(entry, "kind"), "backend") == 0 &&
            strcmp(cli_json_text(entry, "decision"), "taken") == 0 &&
            strcmp(cli_json_text(entry, "subject"), backend) == 0) {
            return json_pack("{s:O, s:O}", "backend_abi", json_object_get(entry, "version"),
                             "backend_build_id", json_object_get(entry, "build_id"));
        }
    }
    return json_object();
}

/* A device as the probe found it, without what would name the very machine. */
static json_t *device_json(const cli_run *run, const cli_lane *lane)
{
    size_t i;
    json_t *found;
    json_array_foreach(json_object_get(run->probe, "devices"), i, found)
    {
        if (strcmp(cli_json_text(found, "id"), lane->device) != 0) {
            continue;
        }
        json_t *device = json_copy(found);
        (void)json_object_set_new(
            device, "uuid_hash",
            cli_json_pseudonym(cli_json_text(found, "uuid"), run->options.reveal_ids));
        if (!run->options.reveal_ids) {
            (void)json_object_del(device, "uuid");
            (void)json_object_del(device, "stable_id");
            (void)json_object_del(device, "pci");
        }
        (void)json_object_set_new(device, "compiler", json_string(""));
        (void)json_object_set_new(device, "fingerprint",
                                  fingerprint_json(run, cli_json_text(found, "backend")));
        (void)json_object_set(device, "limits", lane->limits);
        if (lane->limits == NULL) {
            (void)json_object_set_new(device, "limits", json_object());
        }
        return device;
    }
    return NULL;
}

static json_t *devices_json(const cli_run *run)
{
    json_t *devices = json_array();
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        (void)json_array_append_new(devices, device_json(run, &run->lanes[i]));
    }
    return devices;
}

/* ---- summary --------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add_line(json_t *lines, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)json_array_append_new(lines, cli_json_string(text));
}

/* What a reader might take for shown and is not. */
static json_t *not_proved_json(const cli_run *run, const json_t *devices, const json_t *counts)
{
    json_t *lines = json_array();
    const uint32_t listed = conf_suite_count(run->suite);
    const int64_t not_run = cli_json_integer(counts, "NOT_RUN");
    const int64_t declared = cli_json_integer(counts, "UNSUPPORTED_DECLARED");
    if (run->selection.count < listed) {
        add_line(lines, "%u of the suite's %u cases %s selected (tier %s%s%s%s)",
                 run->selection.count, listed, run->selection.count == 1 ? "was" : "were",
                 conf_tier_name(run->options.tier), run->options.filter != NULL ? ", filter " : "",
                 run->options.filter != NULL ? run->options.filter : "",
                 run->options.shards > 1 ? ", one shard" : "");
    }
    if (run->lane_count == 0) {
        add_line(lines, "no device was tested");
    }
    if (not_run > 0) {
        add_line(lines, "%lld %s not run", (long long)not_run,
                 not_run == 1 ? "case was" : "cases were");
    }
    if (declared > 0) {
        add_line(lines, "%lld %s what a device declares not to have", (long long)declared,
                 declared == 1 ? "case needs" : "cases need");
    }
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        const json_t *device = json_array_get(devices, i);
        if (json_is_true(json_object_get(device, "simulated"))) {
            add_line(lines, "%s is simulated", run->lanes[i].device);
        }
        if (json_is_true(json_object_get(device, "oracle"))) {
            add_line(lines, "%s is the oracle: it can only agree with itself",
                     run->lanes[i].device);
        }
        if (run->lanes[i].trouble) {
            add_line(lines, "%s: %s", run->lanes[i].device, run->lanes[i].note);
        }
    }
    return lines;
}

static json_t *summary_json(const cli_run *run, const json_t *devices, const json_t *cases)
{
    json_t *summary = cli_report_count(cases);
    (void)json_object_set_new(summary, "coverage",
                              json_pack("{s:i, s:i}", "listed", (int)conf_suite_count(run->suite),
                                        "selected", (int)run->selection.count));
    (void)json_object_set_new(summary, "not_proved",
                              not_proved_json(run, devices, json_object_get(summary, "counts")));
    return summary;
}

/* Counted verdicts that satisfy a question. */
static int64_t count_if(const json_t *counts, int32_t (*question)(int32_t verdict, int32_t strict),
                        int32_t strict)
{
    int64_t sum = 0;
    const char *verdict;
    json_t *count;
    json_object_foreach((json_t *)(uintptr_t)counts, verdict, count)
    {
        sum += question(conf_verdict_find(verdict), strict) ? json_integer_value(count) : 0;
    }
    return sum;
}

/* Whether a case with that verdict has been run, whatever came of it. */
static int32_t was_run(int32_t verdict, int32_t strict)
{
    (void)strict;
    return verdict != CONF_NOT_RUN && verdict != CONF_SKIPPED_BY_USER &&
           verdict != CONF_UNSUPPORTED_DECLARED;
}

static int exit_code(const cli_run *run, const cli_expectations *expectations, const json_t *counts)
{
    int trouble =
        cli_json_integer(counts, "DEVICE_LOST") > 0 || cli_json_integer(counts, "OOM") > 0;
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        trouble = trouble || run->lanes[i].trouble;
    }
    if (run->interrupted) {
        return CLI_EXIT_INTERRUPTED;
    }
    if (trouble) {
        return CLI_EXIT_INFRASTRUCTURE;
    }
    if (count_if(counts, conf_verdict_fails, run->options.strict) > 0 ||
        (run->options.strict && expectations->expired > 0)) {
        return CLI_EXIT_FAILED;
    }
    if (count_if(counts, was_run, 0) == 0) {
        return CLI_EXIT_NOTHING;
    }
    return run->options.strict && cli_json_integer(counts, "FLAKE") > 0 ? CLI_EXIT_FLAKES
                                                                        : CLI_EXIT_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static json_t *suite_json(const cli_run *run)
{
    const cli_run_options *options = &run->options;
    char shard[48];
    json_t *argv = json_array();
    for (int i = 0; i < run->argc; ++i) {
        (void)json_array_append_new(argv, cli_json_string(run->argv[i]));
    }
    (void)snprintf(shard, sizeof shard, "%llu/%llu", (unsigned long long)options->shard,
                   (unsigned long long)options->shards);
    return json_pack(
        "{s:s, s:s, s:b, s:o, s:s, s:o, s:s, s:I, s:b, s:o}", "version", keel_version(), "commit",
        cli_build_commit, "dirty", cli_build_dirty, "case_list_hash",
        cli_json_hash(conf_suite_list_hash(run->suite)), "tier", conf_tier_name(options->tier),
        "filter", cli_json_string(options->filter != NULL ? options->filter : "*"), "shard", shard,
        "seed", (json_int_t)options->seed, "strict", options->strict, "argv", argv);
}

keel_status cli_run_report(const cli_run *run, const cli_expectations *expectations,
                           json_t **out_report, keel_error *err)
{
    char finished[32];
    cli_format_time(finished);
    json_t *devices = devices_json(run);
    json_t *cases = cases_json(run, expectations, devices);
    json_t *summary = summary_json(run, devices, cases);
    const int code = exit_code(run, expectations, json_object_get(summary, "counts"));
    *out_report =
        json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:O, s:o, s:[], s:o, s:i}", "schema",
                  CLI_REPORT_SCHEMA, "suite", suite_json(run), "started", run->started, "finished",
                  finished, "host", cli_host_json(run->options.reveal_ids), "devices", devices,
                  "load_report", json_object_get(run->probe, "load_report"), "cases", cases,
                  "performance", "summary", summary, "exit_code", code);
    /* Whatever could not be made for want of memory is missing now. */
    const keel_status status = cli_report_check(*out_report, err);
    if (status != KEEL_OK) {
        json_decref(*out_report);
        *out_report = NULL;
    }
    return status;
}
