/* A report as CSV (RFC 4180), a row per case. */
#include <string.h>

#include "json.h"
#include "views.h"

static int double_quote(FILE *out, char character)
{
    return character == '"' && fputs("\"\"", out) >= 0;
}

/*
 * A quoted field. One that a spreadsheet would take for a formula gets an apostrophe in front:
 * names of devices are input.
 */
static void print_field(FILE *out, const char *text)
{
    (void)fputc('"', out);
    if (text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL) {
        (void)fputc('\'', out);
    }
    cli_print_escaped(out, text, double_quote);
    (void)fputc('"', out);
}

int cli_view_csv(const json_t *report, FILE *out)
{
    static const char *const texts[] = {"device",  "id",      "family",      "op",     "dtype",
                                        "verdict", "variant", "determinism", "detail", "reproduce"};
    static const char *const numbers[] = {"exact", "hard", "tight",  "max_ulp",
                                          "rms",   "bias", "seconds"};
    for (size_t k = 0; k < KEEL_COUNT(texts); ++k) {
        (void)fprintf(out, "%s,", texts[k]);
    }
    for (size_t k = 0; k < KEEL_COUNT(numbers); ++k) {
        (void)fprintf(out, "%s,", numbers[k]);
    }
    (void)fputs("simulated\r\n", out);
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "cases"), i, entry)
    {
        for (size_t k = 0; k < KEEL_COUNT(texts); ++k) {
            print_field(out, cli_json_text(entry, texts[k]));
            (void)fputc(',', out);
        }
        for (size_t k = 0; k < KEEL_COUNT(numbers); ++k) {
            (void)fprintf(out, "%.17g,", cli_json_double(entry, numbers[k]));
        }
        (void)fputs(cli_view_is_simulated(report, cli_json_text(entry, "device")) ? "true\r\n"
                                                                                  : "false\r\n",
                    out);
    }
    return 1;
}
