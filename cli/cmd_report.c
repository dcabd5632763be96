/* keel report: a view of a report. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "report_format.h"
#include "views/views.h"

typedef struct report_options {
    const char *path;
    const cli_view *view;
} report_options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    report_options *options = state->input;
    switch (key) {
    case 'f':
        options->view = cli_view_find(arg);
        return options->view != NULL
                   ? 0
                   : cli_args_fail(state, "--format \"%s\" is not text, md, csv or junit", arg);
    case ARGP_KEY_ARG:
        if (options->path != NULL) {
            return cli_args_fail(state, "argument \"%s\" is one too many: one report is shown",
                                 arg);
        }
        options->path = arg;
        return 0;
    case ARGP_KEY_END:
        return options->path != NULL ? 0 : cli_args_fail(state, "the path of a report is missing");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_cmd_report(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"format", 'f', "FORMAT", 0, "text (default), md, csv or junit", 0}, {0}};
    static const struct argp argp = {
        table, parse, "REPORT.json", "Shows a report of the conformance suite.", NULL, NULL, NULL};
    report_options options = {.view = cli_view_find("text")};
    int code = CLI_EXIT_OK;
    if (!cli_args_parse(&argp, "keel report", argc, argv, &options, &code)) {
        return code;
    }
    json_t *report = NULL;
    keel_error err = KEEL_ERROR_INIT;
    const keel_status status = cli_report_read(options.path, &report, &err);
    if (status != KEEL_OK) {
        return cli_fail(status == KEEL_ERR_OUT_OF_MEMORY ? CLI_EXIT_INFRASTRUCTURE : CLI_EXIT_USAGE,
                        "%s", err.message);
    }
    if (!options.view->write(report, stdout)) {
        code = cli_fail(CLI_EXIT_INFRASTRUCTURE, "no memory to show the report");
    }
    json_decref(report);
    return code;
}
