/* argp with one-line errors: a root parser that adds --help and turns failures into one sentence.
 */
#include "args.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define KEY_HELP 'h'

/* A parse; found from any of its parsers through argp_state.root_argp, its first member. */
typedef struct parse_run {
    struct argp root;
    const char *name;
    void *input;
    int help;          /* --help was printed */
    int stopped_at;    /* index behind the option that argp stopped at */
    char message[512]; /* usage error, if a parser recorded one */
} parse_run;

static parse_run *run_of(const struct argp_state *state)
{
    return (parse_run *)(uintptr_t)state->root_argp;
}

static error_t parse_root(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    parse_run *run = run_of(state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = run->input;
        return 0;
    case KEY_HELP:
        argp_help(&run->root, stdout,
                  ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC,
                  (char *)(uintptr_t)run->name);
        run->help = 1;
        return ECANCELED;
    case ARGP_KEY_ERROR:
        run->stopped_at = state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Behind the command's parser: gets the arguments that it does not take. */
static error_t parse_rest(int key, char *arg, struct argp_state *state)
{
    return key == ARGP_KEY_ARG ? cli_args_fail(state, "unexpected argument \"%s\" (see %s --help)",
                                               arg, run_of(state)->name)
                               : ARGP_ERR_UNKNOWN;
}

error_t cli_args_fail(struct argp_state *state, const char *format, ...)
{
    parse_run *run = run_of(state);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(run->message, sizeof run->message, format, args);
    va_end(args);
    return EINVAL;
}

/* Whether the long option that word starts (up to '=') exists in the table, as argp sees it. */
static int knows_option(const struct argp_option *options, const char *word)
{
    const size_t length = strcspn(word, "=");
    for (; options != NULL && (options->name != NULL || options->key != 0); ++options) {
        if (options->name != NULL && strncmp(options->name, word, length) == 0) {
            return 1;
        }
    }
    return 0;
}

static int report_error(const parse_run *run, const struct argp *argp, int argc, char **argv)
{
    if (run->message[0] != '\0') {
        return cli_fail(CLI_EXIT_USAGE, "%s", run->message);
    }
    const int at = run->stopped_at > 0 ? run->stopped_at - 1 : 0;
    const char *word = at < argc ? argv[at] : "";
    if (strncmp(word, "--", 2) == 0 && knows_option(argp->options, word + 2)) {
        return cli_fail(CLI_EXIT_USAGE, "option \"%s\" is ambiguous, lacks its value or takes none",
                        word);
    }
    return cli_fail(CLI_EXIT_USAGE, "unknown option \"%s\" (see %s --help)", word, run->name);
}

int cli_args_parse(const struct argp *argp, const char *name, int argc, char **argv, void *input,
                   int *out_exit)
{
    const struct argp_option options[] = {
        {"help", KEY_HELP, NULL, 0, "Print this help", -1},
        {0},
    };
    static const struct argp rest = {.parser = parse_rest};
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {&rest, 0, NULL, 0}, {0}};
    parse_run run = {.root = {options, parse_root, NULL, argp->doc, children, NULL, NULL},
                     .name = name,
                     .input = input};
    const error_t error =
        argp_parse(&run.root, argc, argv, ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, NULL);
    *out_exit = CLI_EXIT_OK;
    if (error == 0) {
        return 1;
    }
    if (!run.help) {
        *out_exit = report_error(&run, argp, argc, argv);
    }
    return 0;
}

int cli_text_u64(const char *text, uint64_t *out_value)
{
    *out_value = 0;
    if (text[0] < '0' || text[0] > '9') { /* strtoull would take spaces and a sign */
        return 0;
    }
    const int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, base);
    if (errno != 0 || end == text || *end != '\0') {
        return 0;
    }
    *out_value = value;
    return 1;
}

int cli_text_i64(const char *text, int64_t *out_value)
{
    *out_value = 0;
    const char *digits = text[0] == '-' || text[0] == '+' ? text + 1 : text;
    if (digits[0] < '0' || digits[0] > '9') {
        return 0;
    }
    char *end = NULL;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0') {
        return 0;
    }
    *out_value = value;
    return 1;
}

error_t cli_args_u64(struct argp_state *state, const char *option, const char *text, uint64_t low,
                     uint64_t high, uint64_t *out_value)
{
    if (!cli_text_u64(text, out_value) || *out_value < low || *out_value > high) {
        return cli_args_fail(state, "%s \"%s\" is not an integer from %llu to %llu", option, text,
                             (unsigned long long)low, (unsigned long long)high);
    }
    return 0;
}
