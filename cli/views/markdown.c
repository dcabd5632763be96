/* A report as Markdown tables, for a page or a pull request. */
#include <string.h>

#include "json.h"
#include "views.h"

/* Nothing in a cell can end it, start markup or hold HTML. */
static int escape_markup(FILE *out, char character)
{
    switch (character) {
    case '<':
        return fputs("&lt;", out) >= 0;
    case '&':
        return fputs("&amp;", out) >= 0;
    default: /* # starts a heading, in a list too */
        return strchr("\\`*_|[]#~", character) != NULL && fprintf(out, "\\%c", character) > 0;
    }
}

static void print_cell(FILE *out, const char *text)
{
    cli_print_escaped(out, text, escape_markup);
}

static void print_counts_row(const json_t *summary, const char *device, const char *family,
                             const json_t *counts, FILE *out)
{
    (void)fputs("| ", out);
    print_cell(out, device);
    (void)fputs(" | ", out);
    print_cell(out, family);
    for (const char *const *verdict = cli_verdict_order; *verdict != NULL; ++verdict) {
        if (json_object_get(json_object_get(summary, "counts"), *verdict) != NULL) {
            (void)fprintf(out, " | %lld", (long long)cli_json_integer(counts, *verdict));
        }
    }
    (void)fputs(" |\n", out);
}

static void print_counts(const json_t *summary, FILE *out)
{
    (void)fputs("| device | family", out);
    int columns = 2;
    for (const char *const *verdict = cli_verdict_order; *verdict != NULL; ++verdict) {
        if (json_object_get(json_object_get(summary, "counts"), *verdict) != NULL) {
            (void)fprintf(out, " | %s", *verdict);
            ++columns;
        }
    }
    (void)fputs(" |\n|---|---", out);
    for (int i = 2; i < columns; ++i) {
        (void)fputs("|--:", out);
    }
    (void)fputs("|\n", out);
    size_t i;
    size_t k;
    json_t *device;
    json_t *family;
    json_array_foreach(json_object_get(summary, "devices"), i, device)
    {
        const char *id = cli_json_text(device, "device");
        json_array_foreach(json_object_get(device, "families"), k, family)
        {
            print_counts_row(summary, id, cli_json_text(family, "family"),
                             json_object_get(family, "counts"), out);
        }
        print_counts_row(summary, id, "all", json_object_get(device, "counts"), out);
    }
}

static void print_devices(const json_t *report, FILE *out)
{
    (void)fputs("| device | name | driver | simulated |\n|---|---|---|---|\n", out);
    size_t i;
    json_t *device;
    json_array_foreach(json_object_get(report, "devices"), i, device)
    {
        (void)fputs("| ", out);
        print_cell(out, cli_json_text(device, "id"));
        (void)fputs(" | ", out);
        print_cell(out, cli_json_text(device, "name"));
        (void)fputs(" | ", out);
        print_cell(out, cli_json_text(device, "driver"));
        (void)fprintf(out, " | %s |\n",
                      json_is_true(json_object_get(device, "simulated")) ? "yes" : "no");
    }
}

static void print_cases(const json_t *report, FILE *out)
{
    (void)fputs("| verdict | device | case | detail |\n|---|---|---|---|\n", out);
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "cases"), i, entry)
    {
        const int class = cli_verdict_class(cli_json_text(entry, "verdict"));
        if (class != CLI_CLASS_FAILED && class != CLI_CLASS_DOUBT) {
            continue;
        }
        (void)fputs("| ", out);
        print_cell(out, cli_json_text(entry, "verdict"));
        (void)fputs(" | ", out);
        print_cell(out, cli_json_text(entry, "device"));
        (void)fputs(" | ", out);
        print_cell(out, cli_json_text(entry, "id"));
        (void)fputs(" | ", out);
        print_cell(out, cli_json_text(entry, "detail"));
        (void)fputs(" |\n", out);
    }
}

static void print_not_proved(const json_t *summary, FILE *out)
{
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(summary, "not_proved"), i, line)
    {
        (void)fputs("- ", out);
        print_cell(out, json_string_value(line));
        (void)fputc('\n', out);
    }
}

int cli_view_markdown(const json_t *report, FILE *out)
{
    const json_t *suite = json_object_get(report, "suite");
    const json_t *summary = json_object_get(report, "summary");
    (void)fputs("# Keel conformance report\n\n", out);
    (void)fputs("Tier ", out);
    print_cell(out, cli_json_text(suite, "tier"));
    (void)fprintf(out, ", seed %lld, finished ", (long long)cli_json_integer(suite, "seed"));
    print_cell(out, cli_json_text(report, "finished"));
    (void)fprintf(out, ", exit code %lld.\n\n## Devices\n\n",
                  (long long)cli_json_integer(report, "exit_code"));
    print_devices(report, out);
    (void)fputs("\n## Verdicts\n\n", out);
    print_counts(summary, out);
    (void)fputs("\n## Failed or in doubt\n\n", out);
    print_cases(report, out);
    (void)fputs("\n## Not proved\n\n", out);
    print_not_proved(summary, out);
    return 1;
}
