/* A report as a person reads it: a table per device, then what needs attention, then the counts. */
#include <string.h>

#include "json.h"
#include "views.h"

/* Rows of each list that are printed; the report holds all. */
#define ROWS_MAX 100

static int width_of(const char *text, int least)
{
    const int width = (int)strlen(text);
    return width > least ? width : least;
}

/* Whether the device's counts have the verdict: columns without a case are left out. */
static int has(const json_t *group, const char *verdict)
{
    return json_object_get(json_object_get(group, "counts"), verdict) != NULL;
}

static void print_row(const json_t *device, const json_t *group, const char *label, int label_width,
                      FILE *out)
{
    (void)fputs("  ", out);
    cli_print_clean(out, label);
    (void)fprintf(out, "%*s", label_width - (int)strlen(label), "");
    for (const char *const *verdict = cli_verdict_order; *verdict != NULL; ++verdict) {
        if (has(device, *verdict)) {
            const int64_t count = cli_json_integer(json_object_get(group, "counts"), *verdict);
            (void)fprintf(out, "  %*lld", width_of(*verdict, 5), (long long)count);
        }
    }
    (void)fputc('\n', out);
}

static void print_heading(const json_t *report, const char *id, FILE *out)
{
    size_t i;
    json_t *device;
    json_array_foreach(json_object_get(report, "devices"), i, device)
    {
        if (strcmp(cli_json_text(device, "id"), id) == 0) {
            cli_print_clean(out, id);
            (void)fputs("  ", out);
            cli_print_clean(out, cli_json_text(device, "name"));
            (void)fputs(
                json_is_true(json_object_get(device, "simulated")) ? "  (simulated)\n" : "\n", out);
            return;
        }
    }
    cli_print_clean(out, id);
    (void)fputc('\n', out);
}

static void print_device(const json_t *report, const json_t *device, FILE *out)
{
    const json_t *families = json_object_get(device, "families");
    int label_width = 6;
    size_t i;
    json_t *family;
    json_array_foreach(families, i, family)
    {
        label_width = width_of(cli_json_text(family, "family"), label_width);
    }
    print_heading(report, cli_json_text(device, "device"), out);
    (void)fprintf(out, "  %-*s", label_width, "family");
    for (const char *const *verdict = cli_verdict_order; *verdict != NULL; ++verdict) {
        if (has(device, *verdict)) {
            (void)fprintf(out, "  %*s", width_of(*verdict, 5), *verdict);
        }
    }
    (void)fputc('\n', out);
    json_array_foreach(families, i, family)
    {
        print_row(device, family, cli_json_text(family, "family"), label_width, out);
    }
    print_row(device, device, "all", label_width, out);
    (void)fputc('\n', out);
}

static void print_case(const json_t *entry, FILE *out)
{
    (void)fprintf(out, "  %s  ", cli_json_text(entry, "verdict"));
    cli_print_clean(out, cli_json_text(entry, "device"));
    (void)fputs("  ", out);
    cli_print_clean(out, cli_json_text(entry, "id"));
    if (cli_json_text(entry, "detail")[0] != '\0') {
        (void)fputs("\n      ", out);
        cli_print_clean(out, cli_json_text(entry, "detail"));
    }
    (void)fputs("\n      reproduce: ", out);
    cli_print_clean(out, cli_json_text(entry, "reproduce"));
    (void)fputc('\n', out);
}

static void print_cases(const json_t *report, int wanted, const char *title, FILE *out)
{
    size_t printed = 0;
    size_t left_out = 0;
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "cases"), i, entry)
    {
        if (cli_verdict_class(cli_json_text(entry, "verdict")) != wanted) {
            continue;
        }
        if (printed == ROWS_MAX) {
            ++left_out;
            continue;
        }
        if (printed++ == 0) {
            (void)fprintf(out, "%s\n", title);
        }
        print_case(entry, out);
    }
    if (left_out > 0) {
        (void)fprintf(out, "  and %zu more in the report\n", left_out);
    }
    if (printed > 0) {
        (void)fputc('\n', out);
    }
}

static void print_not_proved(const json_t *summary, FILE *out)
{
    const json_t *lines = json_object_get(summary, "not_proved");
    if (json_array_size(lines) == 0) {
        return;
    }
    (void)fputs("Not proved\n", out);
    size_t i;
    json_t *line;
    json_array_foreach(lines, i, line)
    {
        (void)fputs("  ", out);
        cli_print_clean(out, json_string_value(line));
        (void)fputc('\n', out);
    }
    (void)fputc('\n', out);
}

static void print_closing_line(const json_t *report, FILE *out)
{
    const json_t *summary = json_object_get(report, "summary");
    const size_t cases = json_array_size(json_object_get(report, "cases"));
    (void)fprintf(out, "%zu case%s", cases, cases == 1 ? "" : "s");
    const char *separator = ": ";
    for (const char *const *verdict = cli_verdict_order; *verdict != NULL; ++verdict) {
        if (has(summary, *verdict)) {
            (void)fprintf(out, "%s%lld %s", separator,
                          (long long)cli_json_integer(json_object_get(summary, "counts"), *verdict),
                          *verdict);
            separator = ", ";
        }
    }
    (void)fprintf(out, "; exit code %lld\n", (long long)cli_json_integer(report, "exit_code"));
}

int cli_view_text(const json_t *report, FILE *out)
{
    const json_t *summary = json_object_get(report, "summary");
    size_t i;
    json_t *device;
    json_array_foreach(json_object_get(summary, "devices"), i, device)
    {
        print_device(report, device, out);
    }
    print_cases(report, CLI_CLASS_FAILED, "Failed", out);
    print_cases(report, CLI_CLASS_DOUBT, "In doubt", out);
    print_not_proved(summary, out);
    print_closing_line(report, out);
    return 1;
}
