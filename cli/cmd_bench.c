/* keel bench: what devices can do at best. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "args.h"
#include "bench_report.h"
#include "cli.h"
#include "json.h"
#include "suite.h"
#include "views/views.h"

#define DEVICES_MAX 64
#define REPEATS 20

typedef struct bench_options {
    const char *devices[DEVICES_MAX];
    uint32_t device_count;
    const char *filter; /* NULL: all */
    const char *out;    /* file for the document, or NULL */
    uint64_t repeats;
    uint64_t seconds; /* for all of it; 0: no limit */
    int json;
    int list;
} bench_options;

/* One run, over all devices. */
typedef struct bench_run {
    const bench_options *options;
    keel_context *context;
    json_t *devices, *rows;
    time_t start;
    int code;
} bench_run;

static error_t add_device(bench_options *options, char *arg, struct argp_state *state)
{
    if (options->device_count == DEVICES_MAX) {
        return cli_args_fail(state, "--device \"%s\" is more than the %d devices that fit", arg,
                             DEVICES_MAX);
    }
    options->devices[options->device_count++] = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    bench_options *options = state->input;
    switch (key) {
    case 'd':
        return add_device(options, arg, state);
    case 'f':
        options->filter = arg;
        return 0;
    case 'r':
        return cli_args_u64(state, "--repeats", arg, 3, CLI_BENCH_REPEATS_MAX, &options->repeats);
    case 's':
        return cli_args_u64(state, "--seconds", arg, 1, 86400, &options->seconds);
    case 'o':
        options->out = arg;
        return 0;
    case 'j':
        options->json = 1;
        return 0;
    case 'l':
        options->list = 1;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int is_wanted(const bench_run *run, const cli_bench_case *entry)
{
    const char *filter = run->options->filter;
    return filter == NULL || conf_filter_match(filter, entry->id);
}

/* ---- one device ------------------------------------------------------------------------------ */

static keel_status measure(const bench_run *run, keel_queue *queue, const cli_bench_case *entry,
                           cli_bench_row *row, keel_error *err)
{
    const bench_options *options = run->options;
    if (options->seconds > 0 && (uint64_t)(time(NULL) - run->start) >= options->seconds) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "not measured: the %llu seconds have passed",
                         (unsigned long long)options->seconds);
    }
    return entry->measure(queue, entry->dtype, (uint32_t)options->repeats, row, err);
}

/* Measures a case and tells it; a lost device ends the run on it. */
static keel_status measure_case(bench_run *run, const char *device, keel_queue *queue,
                                const cli_bench_case *entry)
{
    cli_bench_row row = {0};
    keel_error err = KEEL_ERROR_INIT;
    memcpy(row.id, entry->id, sizeof row.id);
    row.status = measure(run, queue, entry, &row, &err);
    if (row.status != KEEL_OK) {
        (void)snprintf(row.reason, sizeof row.reason, "%.255s", err.message);
    }
    if (row.status != KEEL_OK && row.status != KEEL_ERR_UNSUPPORTED) {
        run->code = CLI_EXIT_INFRASTRUCTURE;
    }
    if (!run->options->json) {
        cli_bench_print(stdout, &row);
        (void)fflush(stdout);
    }
    (void)json_array_append_new(run->rows, cli_bench_row_json(device, &row));
    return row.status;
}

static void measure_all(bench_run *run, const char *device, keel_queue *queue)
{
    cli_bench_case entry;
    for (uint32_t i = 0; cli_bench_case_at(run->context, i, &entry); ++i) {
        if (is_wanted(run, &entry) &&
            measure_case(run, device, queue, &entry) == KEEL_ERR_DEVICE_LOST) {
            return;
        }
    }
}

static void print_device(const keel_device_description *device)
{
    (void)printf("%s  ", device->id);
    cli_print_clean(stdout, device->info.name);
    if ((device->info.flags & KEEL_DEVICE_SIMULATED) != 0) {
        (void)fputs("  SIMULATED: these are times of the simulator, not of hardware", stdout);
    }
    (void)putchar('\n');
}

static void bench_device(bench_run *run, const keel_device_description *description)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    (void)json_array_append_new(run->devices, cli_bench_device_json(description));
    if (!run->options->json) {
        print_device(description);
    }
    if (keel_device_open(run->context, description->id, &device, &err) == KEEL_OK &&
        keel_queue_create(device, NULL, &queue, &err) == KEEL_OK) {
        measure_all(run, description->id, queue);
    } else {
        run->code = cli_fail_error(&err);
    }
    keel_queue_destroy(queue);
    keel_device_close(device);
}

/* ---- all devices ----------------------------------------------------------------------------- */

static int is_named(const keel_device_description *device, const char *id)
{
    return strcmp(id, device->id) == 0 || strcmp(id, device->stable_id) == 0 ||
           (device->info.pci[0] != '\0' && strcmp(id, device->info.pci) == 0);
}

/* The device of an id, or number index of all but the oracle; 0 if there is none. */
static int find_device(keel_context *context, const char *id, uint32_t index,
                       keel_device_description *out_device)
{
    for (uint32_t i = 0; i < keel_device_count(context); ++i) {
        *out_device = (keel_device_description){.struct_size = sizeof *out_device};
        if (keel_device_describe(context, i, out_device, NULL) != KEEL_OK) {
            continue;
        }
        const int oracle = (out_device->info.flags & KEEL_DEVICE_ORACLE) != 0;
        if (id != NULL ? is_named(out_device, id) : !oracle && index-- == 0) {
            return 1;
        }
    }
    return 0;
}

static void bench_devices(bench_run *run)
{
    const bench_options *options = run->options;
    keel_device_description device;
    for (uint32_t i = 0; i < options->device_count; ++i) {
        if (find_device(run->context, options->devices[i], 0, &device)) {
            bench_device(run, &device);
        } else {
            run->code =
                cli_fail(CLI_EXIT_INFRASTRUCTURE, "there is no device %s (see keel devices --why)",
                         options->devices[i]);
        }
    }
    for (uint32_t i = 0; options->device_count == 0 && find_device(run->context, NULL, i, &device);
         ++i) {
        bench_device(run, &device);
    }
    if (json_array_size(run->devices) == 0 && run->code == CLI_EXIT_OK) {
        run->code = cli_fail(CLI_EXIT_NOTHING,
                             "there is no device but the oracle (see keel devices --why)");
    }
}

static void finish(bench_run *run)
{
    keel_error err = KEEL_ERROR_INIT;
    json_t *document = cli_bench_json(run->devices, run->rows);
    if (run->options->json) {
        (void)json_dumpf(document, stdout, JSON_INDENT(1));
        (void)putchar('\n');
    }
    if (run->options->out != NULL && cli_json_write(run->options->out, document, &err) != KEEL_OK) {
        run->code = cli_fail_error(&err);
    }
    json_decref(document);
}

/* Prints the cases that the filter leaves; 0 if there are none. */
static uint32_t list_cases(const bench_run *run, int print)
{
    cli_bench_case entry;
    uint32_t count = 0;
    for (uint32_t i = 0; cli_bench_case_at(run->context, i, &entry); ++i) {
        if (is_wanted(run, &entry)) {
            ++count;
            (void)(print && puts(entry.id));
        }
    }
    return count;
}

int cli_cmd_bench(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"device", 'd', "ID", 0, "Device to measure; may be repeated. Default: all but the oracle",
         0},
        {"filter", 'f', "GLOB", 0, "Only what matches, such as 'ceiling/matmul*'", 0},
        {"repeats", 'r', "N", 0, "Samples of each, 3 to 1000 (default 20)", 0},
        {"seconds", 's', "N", 0,
         "Begin no measurement when N seconds have passed, 1 to 86400 (default: no limit)", 0},
        {"out", 'o', "FILE", 0, "Write the results as JSON to FILE", 0},
        {"json", 'j', NULL, 0, "Print the results as JSON", 0},
        {"list", 'l', NULL, 0, "Print what would be measured and stop", 0},
        {0},
    };
    static const struct argp argp = {table, parse, NULL, "Measures what devices can do at best.",
                                     NULL,  NULL,  NULL};
    bench_options options = {.repeats = REPEATS};
    bench_run run = {.options = &options, .start = time(NULL)};
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel bench", argc, argv, &options, &code)) {
        return code;
    }
    code = cli_context_create(NULL, &run.context);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (list_cases(&run, options.list) == 0) {
        run.code = cli_fail(CLI_EXIT_NOTHING,
                            "--filter \"%s\": nothing matches (see keel bench "
                            "--list)",
                            options.filter);
    } else if (!options.list) {
        run.devices = json_array();
        run.rows = json_array();
        bench_devices(&run);
        finish(&run);
    }
    keel_context_release(run.context);
    return run.code;
}
