/* The list of views, and what they share. */
#include "views.h"

#include <string.h>

#include "json.h"
#include "suite.h"

static const cli_view views[] = {
    {"text", cli_view_text},
    {"md", cli_view_markdown},
    {"csv", cli_view_csv},
    {"junit", cli_view_junit},
};

const char *const cli_verdict_order[] = {
    "PASS",         "SELF",
    "QUALITY_WARN", "MISTRUSTED",
    "FAIL",         "CRASH",
    "TIMEOUT",      "UNSUPPORTED_UNDECLARED",
    "XPASS",        "FLAKE",
    "DEVICE_LOST",  "OOM",
    "DEGRADED",     "UNSUPPORTED_DECLARED",
    "XFAIL",        "SKIPPED_BY_USER",
    "NOT_RUN",      NULL,
};

const cli_view *cli_view_find(const char *name)
{
    for (size_t i = 0; i < KEEL_COUNT(views); ++i) {
        if (strcmp(views[i].name, name) == 0) {
            return &views[i];
        }
    }
    return NULL;
}

/* Bytes at text that must not be printed: controls, C1 controls, and what is no character in XML.
 */
static size_t unprintable(const unsigned char *text)
{
    if (text[0] < ' ' || text[0] == 0x7f) {
        return 1;
    }
    if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0) {
        return 2;
    }
    return text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe ? 3 : 0;
}

void cli_print_escaped(FILE *out, const char *text, cli_escape escape)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const size_t bad = unprintable(at);
        if (bad > 0) {
            (void)fputc('?', out);
            at += bad;
        } else {
            if (escape == NULL || !escape(out, (char)*at)) {
                (void)fputc(*at, out);
            }
            ++at;
        }
    }
}

void cli_print_clean(FILE *out, const char *text)
{
    cli_print_escaped(out, text, NULL);
}

int cli_view_is_simulated(const json_t *report, const char *device)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "devices"), i, entry)
    {
        if (strcmp(cli_json_text(entry, "id"), device) == 0) {
            return json_is_true(json_object_get(entry, "simulated"));
        }
    }
    return 0;
}

int cli_verdict_class(const char *verdict)
{
    switch (conf_verdict_find(verdict)) {
    case CONF_PASS:
    case CONF_SELF:
        return CLI_CLASS_GOOD;
    case CONF_QUALITY_WARN:
    case CONF_MISTRUSTED:
    case CONF_DEVICE_LOST:
    case CONF_OOM:
    case CONF_FLAKE:
    case CONF_DEGRADED:
    case CONF_XPASS:
        return CLI_CLASS_DOUBT;
    case CONF_UNSUPPORTED_DECLARED:
    case CONF_NOT_RUN:
    case CONF_SKIPPED_BY_USER:
    case CONF_XFAIL:
        return CLI_CLASS_QUIET;
    default:
        return CLI_CLASS_FAILED;
    }
}
