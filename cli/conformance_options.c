/* Parsing the options of keel conformance. */
#include "conformance_options.h"

#include <errno.h>

#include "args.h"

enum {
    KEY_SEED = 256,
    KEY_STRICT,
    KEY_EXPECT,
    KEY_SHARD,
    KEY_LIMIT,
    KEY_LIST,
    KEY_REVEAL,
    KEY_RESUME,
    KEY_VARIANT
};

static const struct argp_option table[] = {
    {"device", 'd', "ID", 0,
     "Device to test (keel devices lists them); may be repeated. "
     "Default: all but the oracle",
     0},
    {"tier", 't', "TIER", 0, "smoke (default), quick or full", 0},
    {"filter", 'f', "GLOB", 0, "Only cases whose id matches, such as 'matmul*'", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the data, 1 to 2^63 - 1 (default 1)", 0},
    {"variant", KEY_VARIANT, "NAME", 0,
     "Run ops by this variant or native implementation (keel ops), such as matmul.simt; calls "
     "that it does not take are UNSUPPORTED",
     0},
    {"strict", KEY_STRICT, NULL, 0,
     "Warnings, unexpected passes, expired expectations and flakes "
     "fail too",
     0},
    {"expect", KEY_EXPECT, "FILE", 0,
     "Known failures: case-glob device-glob STATUS YYYY-MM-DD "
     "issue reason",
     0},
    {"shard", KEY_SHARD, "I/N", 0, "Only the I-th of N parts, chosen by the hash of the id", 0},
    {"jobs", 'j', "N", 0, "Devices tested at a time, 1 to 64 (default 1)", 0},
    {"limit", KEY_LIMIT, "SECONDS", 0,
     "Longest time a case may give no sign of life, 1 to 86400 "
     "(default 20; slow families get more)",
     0},
    {"out", 'o', "DIR", 0, "Where report, journal and logs go (default keel-reports/TIME)", 0},
    {"resume", KEY_RESUME, "DIR", 0,
     "Go on with the run whose journal is in DIR; give the same "
     "options",
     0},
    {"list", KEY_LIST, NULL, 0, "Print tier and id of the selected cases and stop", 0},
    {"quiet", 'q', NULL, 0, "No progress", 0},
    {"reveal-ids", KEY_REVEAL, NULL, 0, "Keep host name, uuids and PCI addresses in the report", 0},
    {0},
};

static error_t add_device(cli_run_options *options, char *arg, struct argp_state *state)
{
    if (options->device_count == CLI_DEVICES_MAX) {
        return cli_args_fail(state, "--device \"%s\" is more than the %d devices that fit", arg,
                             CLI_DEVICES_MAX);
    }
    options->devices[options->device_count++] = arg;
    return 0;
}

/* Options with a value that can be wrong. */
static error_t parse_value(int key, char *arg, cli_run_options *options, struct argp_state *state)
{
    switch (key) {
    case 'd':
        return add_device(options, arg, state);
    case 't':
        options->tier = conf_tier_find(arg);
        return options->tier != 0
                   ? 0
                   : cli_args_fail(state, "--tier \"%s\" is not smoke, quick or full", arg);
    case KEY_SEED:
        return cli_args_u64(state, "--seed", arg, 1, INT64_MAX, &options->seed);
    case KEY_SHARD:
        return cli_parse_shard(arg, &options->shard, &options->shards)
                   ? 0
                   : cli_args_fail(state, "--shard \"%s\" is not I/N with 1 <= I <= N <= 65536",
                                   arg);
    case 'j':
        return cli_args_u64(state, "--jobs", arg, 1, CLI_DEVICES_MAX, &options->jobs);
    case KEY_LIMIT:
        return cli_args_u64(state, "--limit", arg, 1, 86400, &options->limit_seconds);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cli_run_options *options = state->input;
    switch (key) {
    case 'f':
        options->filter = arg;
        return 0;
    case KEY_VARIANT:
        options->variant = arg;
        return 0;
    case KEY_STRICT:
        options->strict = 1;
        return 0;
    case KEY_EXPECT:
        options->expect = arg;
        return 0;
    case KEY_RESUME:
        options->resume = 1;
        options->out = arg;
        return 0;
    case 'o':
        options->out = arg;
        return 0;
    case KEY_LIST:
        options->list = 1;
        return 0;
    case 'q':
        options->quiet = 1;
        return 0;
    case KEY_REVEAL:
        options->reveal_ids = 1;
        return 0;
    default:
        return parse_value(key, arg, options, state);
    }
}

int cli_conformance_options(int argc, char **argv, cli_run_options *options, int *out_exit)
{
    static const struct argp argp = {
        table,
        parse,
        NULL,
        "Runs the conformance suite on devices, each in a process of its own, prints a table and "
        "writes report.json.",
        NULL,
        NULL,
        NULL};
    *options = (cli_run_options){.program = program_invocation_name,
                                 .tier = CONF_TIER_SMOKE,
                                 .seed = 1,
                                 .shard = 1,
                                 .shards = 1,
                                 .jobs = 1,
                                 .limit_seconds = CLI_LIMIT_SECONDS};
    return cli_args_parse(&argp, "keel conformance", argc, argv, options, out_exit);
}
