/*
 * One run of the conformance suite: what was asked for, which cases that selects, and what came of
 * them. The supervisor (supervisor.c) drives a lane per device (lane.c), each lane a worker process
 * (worker.c) at a time.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <jansson.h>
#include <stdint.h>

#include "expect.h"
#include "keel/keel.h"
#include "suite.h"

#define CLI_DEVICES_MAX 64
#define CLI_LIMIT_SECONDS 20 /* default of limit_seconds */

/* The options of "keel conformance". */
typedef struct cli_run_options {
    const char *program;                  /* argv[0] of the process, for reproduce commands */
    const char *devices[CLI_DEVICES_MAX]; /* as given; none: all but the oracle */
    uint32_t device_count;
    int32_t tier;
    const char *filter;  /* shell pattern of case ids; NULL: all */
    const char *variant; /* that ops run by; NULL: the best */
    uint64_t seed;
    uint64_t shard; /* 1 to shards */
    uint64_t shards;
    uint64_t jobs;          /* devices tested at a time */
    uint64_t limit_seconds; /* of a case without a sign of life */
    const char *expect;     /* file of expectations, or NULL */
    const char *out;        /* directory of report, journal and logs */
    int strict;
    int quiet;
    int list; /* print the selected cases and stop */
    int reveal_ids;
    int resume; /* go on with the journal in out */
} cli_run_options;

/* The cases of the suite that the options select, in the suite's order. */
typedef struct cli_selection {
    uint32_t count;
    uint32_t *index; /* in the suite */
} cli_selection;

/* Selects by tier, filter and shard. Supervisor and worker both call it and must agree. */
keel_status cli_select(const conf_suite *suite, const cli_run_options *options,
                       cli_selection *out_selection, keel_error *err);
void cli_selection_release(cli_selection *selection);

/* Parses "i/n", 1 <= i <= n <= 65536. */
int cli_parse_shard(const char *text, uint64_t *out_shard, uint64_t *out_shards);

struct cli_journal;
struct cli_lane;

typedef struct cli_run {
    cli_run_options options;
    conf_suite *suite;
    cli_selection selection;
    json_t *probe; /* {"devices": [...], "load_report": [...]}, as a child process found them */
    struct cli_journal *journal;
    struct cli_lane *lanes;
    uint32_t lane_count;
    int interrupted; /* the user asked to stop */
    int out_lock;    /* descriptor that keeps other runs out of options.out; -1: not yet */
    char started[32];
    int argc; /* of the command, for the report */
    char **argv;
} cli_run;

/* The report of a run whose lanes have finished, exit code included; json_decref() it. */
keel_status cli_run_report(const cli_run *run, const cli_expectations *expectations,
                           json_t **out_report, keel_error *err);

/* Result of a case that gave none itself: CRASH, TIMEOUT, NOT_RUN and the like. */
json_t *cli_result_bare(int32_t verdict, const char *detail, double seconds);

/* Result of a case as the report has it. */
json_t *cli_result_json(const conf_result *result);

/* The verdict in a result. */
int32_t cli_result_verdict(const json_t *result);

/* The time now as "2026-01-31T12:00:00Z". */
void cli_format_time(char out[32]);

#endif
