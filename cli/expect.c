/* Reading and applying expectations. */
#include "expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "line.h"
#include "suite.h"

#define LINE_MAX_BYTES 2048
#define ENTRIES_MAX 10000

struct cli_expectation {
    int32_t status;
    int expired;
    char expires[12];
    char pattern[512];
    char device[96];
    char issue[256];
    char reason[512];
};

static int is_date(const char *text)
{
    for (int i = 0; i < 10; ++i) {
        const int dash = i == 4 || i == 7;
        if (dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) {
            return 0;
        }
    }
    return text[10] == '\0';
}

/* Days that a month has never are refused; 30 February is before 1 March in any order. */
static int is_day(const char *date)
{
    const int month = (date[5] - '0') * 10 + date[6] - '0';
    const int day = (date[8] - '0') * 10 + date[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* Verdicts that can be expected: those that speak against a device. */
static int can_be_expected(int32_t verdict)
{
    return conf_verdict_fails(verdict, 1) ? verdict != CONF_XPASS : verdict == CONF_FLAKE;
}

/* Splits the line into its fields, each in full; out_status has room for 32 bytes. */
static keel_status split_line(const char *line, cli_expectation *out, char *out_status,
                              keel_error *err)
{
    const struct {
        const char *name;
        char *text;
        size_t capacity;
        const char *ends; /* the characters that end it */
    } fields[] = {{"case", out->pattern, sizeof out->pattern, " \t\r\n"},
                  {"device", out->device, sizeof out->device, " \t\r\n"},
                  {"status", out_status, 32, " \t\r\n"},
                  {"expiry date", out->expires, sizeof out->expires, " \t\r\n"},
                  {"issue", out->issue, sizeof out->issue, " \t\r\n"},
                  {"reason", out->reason, sizeof out->reason, "\r\n"}};
    for (size_t i = 0; i < KEEL_COUNT(fields); ++i) {
        line += strspn(line, " \t\r\n");
        const size_t length = strcspn(line, fields[i].ends);
        if (length == 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%zu fields where case, device, status, expiry date, issue and reason "
                             "are wanted",
                             i);
        }
        if (length >= fields[i].capacity) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s of %zu bytes is longer than %zu",
                             fields[i].name, length, fields[i].capacity - 1);
        }
        memcpy(fields[i].text, line, length);
        fields[i].text[length] = '\0';
        line += length;
    }
    return KEEL_OK;
}

static keel_status parse_line(const char *line, cli_expectation *out, keel_error *err)
{
    char status[32] = "";
    KEEL_TRY(split_line(line, out, status, err));
    out->status = conf_verdict_find(status);
    if (!can_be_expected(out->status)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "\"%s\" is no verdict that can be expected", status);
    }
    if (!is_date(out->expires) || !is_day(out->expires)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "\"%s\" is not a date YYYY-MM-DD",
                         out->expires);
    }
    return KEEL_OK;
}

static int is_blank(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == '\0' || *line == '#';
}

static keel_status add_line(const char *line, const char *today, cli_expectations *out,
                            keel_error *err)
{
    cli_expectation entry = {0};
    if (is_blank(line)) {
        return KEEL_OK;
    }
    KEEL_TRY(parse_line(line, &entry, err));
    if (out->count == ENTRIES_MAX) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "more than %d entries", ENTRIES_MAX);
    }
    cli_expectation *grown = realloc(out->entry, (out->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for its entry");
    }
    entry.expired = strncmp(entry.expires, today, 10) < 0;
    out->expired += entry.expired ? 1 : 0;
    out->entry = grown;
    out->entry[out->count++] = entry;
    return KEEL_OK;
}

static keel_status take_line(int found, const char *line, const char *today, cli_expectations *out,
                             keel_error *err)
{
    if (found == CLI_LINE_TOO_LONG) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "longer than %d bytes", LINE_MAX_BYTES);
    }
    if (found == CLI_LINE_NUL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it holds a NUL character");
    }
    return add_line(line, today, out, err);
}

keel_status cli_expect_read(const char *path, const char *today, cli_expectations *out,
                            keel_error *err)
{
    *out = (cli_expectations){0};
    if (path == NULL) {
        return KEEL_OK;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    }
    char line[LINE_MAX_BYTES + 1];
    size_t length = 0;
    keel_error inner = KEEL_ERROR_INIT;
    for (int number = 1; inner.status == KEEL_OK; ++number) {
        const int found = cli_line_read(file, line, sizeof line, &length);
        if (found == CLI_LINE_NONE) {
            break;
        }
        if (take_line(found, line, today, out, &inner) != KEEL_OK) {
            (void)keel_fail(err, inner.status, "%s: line %d: %s", path, number, inner.message);
        }
    }
    if (inner.status == KEEL_OK && ferror(file)) {
        inner.status = keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: cannot be read", path);
    }
    (void)fclose(file);
    if (inner.status != KEEL_OK) {
        cli_expect_release(out);
    }
    return inner.status;
}

static int matches(const cli_expectation *entry, const json_t *device, const char *id)
{
    static const char *const names[] = {"id", "backend", "arch"};
    if (entry->expired || !conf_filter_match(entry->pattern, id)) {
        return 0;
    }
    for (size_t i = 0; i < KEEL_COUNT(names); ++i) {
        if (conf_filter_match(entry->device, cli_json_text(device, names[i]))) {
            return 1;
        }
    }
    return 0;
}

static void apply(const cli_expectation *expected, json_t *entry)
{
    const int32_t verdict = conf_verdict_find(cli_json_text(entry, "verdict"));
    const int32_t changed = verdict == expected->status ? CONF_XFAIL
                            : verdict == CONF_PASS      ? CONF_XPASS
                                                        : verdict;
    if (changed == verdict) {
        return;
    }
    char detail[2048];
    (void)snprintf(detail, sizeof detail, "expected %s until %s (%s): %s; found %s%s%.400s",
                   conf_verdict_name(expected->status), expected->expires, expected->issue,
                   expected->reason, conf_verdict_name(verdict),
                   cli_json_text(entry, "detail")[0] != '\0' ? ": " : "",
                   cli_json_text(entry, "detail"));
    (void)json_object_set_new(entry, "verdict", json_string(conf_verdict_name(changed)));
    (void)json_object_set_new(entry, "detail", cli_json_string(detail));
}

void cli_expect_apply(const cli_expectations *expectations, const json_t *device, json_t *entry)
{
    for (uint32_t i = 0; i < expectations->count; ++i) {
        if (matches(&expectations->entry[i], device, cli_json_text(entry, "id"))) {
            apply(&expectations->entry[i], entry);
            return;
        }
    }
}

void cli_expect_release(cli_expectations *expectations)
{
    free(expectations->entry);
    *expectations = (cli_expectations){0};
}
