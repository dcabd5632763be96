/* keel devices: what accelerators there are and, with --why, what became of every candidate. */
#include <stdio.h>

#include "args.h"
#include "cli.h"
#include "devices.h"
#include "json.h"
#include "views/views.h"

typedef struct devices_options {
    int why;
    int json;
} devices_options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    devices_options *options = state->input;
    (void)arg;
    switch (key) {
    case 'w':
        options->why = 1;
        return 0;
    case 'j':
        options->json = 1;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_device(const json_t *device, FILE *out)
{
    const int is_default = json_is_true(json_object_get(device, "default"));
    (void)fprintf(out, "%c %-12s ", is_default ? '*' : ' ', cli_json_text(device, "id"));
    cli_print_clean(out, cli_json_text(device, "name"));
    (void)fprintf(out, "  %s", cli_json_text(device, "kind"));
    const double bytes = cli_json_double(device, "memory_bytes");
    if (bytes > 0) { /* 0: the driver does not say */
        (void)fprintf(out, ", %.1f GiB", bytes / (1024.0 * 1024.0 * 1024.0));
    }
    if (json_is_true(json_object_get(device, "simulated"))) {
        (void)fputs(", simulated", out);
    }
    if (json_is_true(json_object_get(device, "oracle"))) {
        (void)fputs(", the oracle: never a default", out);
    }
    size_t i;
    json_t *alias;
    json_array_foreach(json_object_get(device, "aliases"), i, alias)
    {
        (void)fputs(", the same hardware as ", out);
        cli_print_clean(out, json_string_value(alias));
    }
    (void)fputc('\n', out);
}

static void print_why(const json_t *probe, FILE *out)
{
    size_t i;
    json_t *entry;
    (void)fputs("\nDevices\n", out);
    json_array_foreach(json_object_get(probe, "devices"), i, entry)
    {
        (void)fprintf(out, "  %-12s ", cli_json_text(entry, "id"));
        cli_print_clean(out, cli_json_text(entry, "default_reason"));
        (void)fputc('\n', out);
    }
    (void)fputs("\nCandidates\n", out);
    json_array_foreach(json_object_get(probe, "load_report"), i, entry)
    {
        (void)fprintf(out, "  %-8s %-8s ", cli_json_text(entry, "decision"),
                      cli_json_text(entry, "kind"));
        cli_print_clean(out, cli_json_text(entry, "subject"));
        (void)fputs("  ", out);
        cli_print_clean(out, cli_json_text(entry, "path"));
        (void)fputs("\n           ", out);
        cli_print_clean(out, cli_json_text(entry, "reason"));
        (void)fputc('\n', out);
    }
}

int cli_cmd_devices(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"why", 'w', NULL, 0, "Also every file and library that was tried, and what became of it",
         0},
        {"json", 'j', NULL, 0, "All of it as JSON", 0},
        {0},
    };
    static const struct argp argp = {
        table, parse, NULL, "Lists the accelerators; * marks the default.", NULL, NULL, NULL};
    devices_options options = {0};
    json_t *probe = NULL;
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel devices", argc, argv, &options, &code)) {
        return code;
    }
    code = cli_devices_probe(&probe);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (options.json) {
        (void)json_dumpf(probe, stdout, JSON_INDENT(1));
        (void)putchar('\n');
    } else {
        size_t i;
        json_t *device;
        json_array_foreach(json_object_get(probe, "devices"), i, device)
        {
            print_device(device, stdout);
        }
        if (options.why) {
            print_why(probe, stdout);
        }
    }
    json_decref(probe);
    return CLI_EXIT_OK;
}
