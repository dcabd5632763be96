/*
 * Checking a report against the tables of report_members.h: that every member is there, of its type
 * and within its bounds. Members that are not listed are ignored, so that a later minor may add
 * some.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "report_format.h"
#include "report_members.h"
#include "suite.h"

/* Where in the report a check is: printed only when it fails. */
typedef struct place {
    const struct place *parent;
    const char *name;
    size_t index; /* of the entry, in an array */
} place;

#define NO_INDEX ((size_t)-1)

static size_t format_place(const place *at, char *out, size_t capacity)
{
    if (at == NULL) {
        out[0] = '\0';
        return 0;
    }
    size_t used = format_place(at->parent, out, capacity);
    const char *dot = used > 0 ? "." : "";
    const int more =
        at->index == NO_INDEX
            ? snprintf(out + used, capacity - used, "%s%s", dot, at->name)
            : snprintf(out + used, capacity - used, "%s%s[%zu]", dot, at->name, at->index);
    used += more > 0 ? (size_t)more : 0;
    return used < capacity ? used : capacity - 1;
}

/* Fails with the place, the value as JSON, and what it should be. */
static keel_status refuse(const place *at, const json_t *value, const char *bound, keel_error *err)
{
    char where[160];
    (void)format_place(at, where, sizeof where);
    if (value == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is missing", where);
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const keel_status status = keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is %.60s, not %s",
                                         where, text != NULL ? text : "unprintable", bound);
    free(text);
    return status;
}

static keel_status refuse_above(const place *at, const json_t *value, const char *what, double high,
                                keel_error *err)
{
    char bound[96];
    (void)snprintf(bound, sizeof bound, "%s of at most %.0f", what, high);
    return refuse(at, value, bound, err);
}

static keel_status check_string(const place *at, const json_t *value, double high, keel_error *err)
{
    if (!json_is_string(value) || (double)json_string_length(value) > high ||
        strlen(json_string_value(value)) != json_string_length(value)) {
        return refuse_above(at, value, "a string", high, err);
    }
    return KEEL_OK;
}

static keel_status check_integer(const place *at, const json_t *value, double high, keel_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (double)json_integer_value(value) > high) {
        return refuse_above(at, value, "an integer", high, err);
    }
    return KEEL_OK;
}

static keel_status check_counts(const place *at, const json_t *value, keel_error *err)
{
    if (!json_is_object(value)) {
        return refuse(at, value, "an object", err);
    }
    const char *name;
    json_t *count;
    json_object_foreach((json_t *)(uintptr_t)value, name, count)
    {
        const place below = {at, name, NO_INDEX};
        if (conf_verdict_find(name) == 0) {
            return refuse(&below, count, "the count of a verdict", err);
        }
        KEEL_TRY(check_integer(&below, count, 1e9, err));
    }
    return KEEL_OK;
}

static keel_status check_object(const place *at, const json_t *value, const cli_member *members,
                                keel_error *err);

/* Entry index of an array, by the kind of the array. */
static keel_status check_entry(const place *at, const json_t *entry, const cli_member *member,
                               keel_error *err)
{
    switch (member->kind) {
    case CLI_MEMBER_STRINGS:
        return check_string(at, entry, 8192, err);
    case CLI_MEMBER_INTEGERS:
        return check_integer(at, entry, 9.2e18, err);
    default:
        return check_object(at, entry, member->members, err);
    }
}

static keel_status check_array(const place *at, const json_t *value, const cli_member *member,
                               keel_error *err)
{
    if (!json_is_array(value) || (double)json_array_size(value) > member->high) {
        return refuse_above(at, value, "an array", member->high, err);
    }
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const place entry = {at->parent, at->name, i};
        KEEL_TRY(check_entry(&entry, json_array_get(value, i), member, err));
    }
    return KEEL_OK;
}

static keel_status check_member(const place *at, const json_t *value, const cli_member *member,
                                keel_error *err)
{
    double number = 0;
    switch (member->kind) {
    case CLI_MEMBER_STRING:
        return check_string(at, value, member->high, err);
    case CLI_MEMBER_NUMBER:
        return cli_json_is_number(value, &number)
                   ? KEEL_OK
                   : refuse(at, value, "a number, \"nan\", \"inf\" or \"-inf\"", err);
    case CLI_MEMBER_SECONDS:
        number = json_number_value(value);
        return json_is_number(value) && number >= 0 && number <= member->high
                   ? KEEL_OK
                   : refuse(at, value, "a number of seconds", err);
    case CLI_MEMBER_INTEGER:
        return check_integer(at, value, member->high, err);
    case CLI_MEMBER_BOOL:
        return json_is_boolean(value) ? KEEL_OK : refuse(at, value, "true or false", err);
    case CLI_MEMBER_OBJECT:
        return check_object(at, value, member->members, err);
    case CLI_MEMBER_VERDICT:
        return json_is_string(value) && conf_verdict_find(json_string_value(value)) != 0
                   ? KEEL_OK
                   : refuse(at, value, "a verdict", err);
    case CLI_MEMBER_COUNTS:
        return check_counts(at, value, err);
    default:
        return check_array(at, value, member, err);
    }
}

/* members NULL: any object. */
static keel_status check_object(const place *at, const json_t *value, const cli_member *members,
                                keel_error *err)
{
    if (!json_is_object(value)) {
        return refuse(at, value, "an object", err);
    }
    for (; members != NULL && members->name != NULL; ++members) {
        const json_t *found = json_object_get(value, members->name);
        const place below = {at, members->name, NO_INDEX};
        if (found == NULL) {
            return refuse(&below, NULL, "", err);
        }
        KEEL_TRY(check_member(&below, found, members, err));
    }
    return KEEL_OK;
}

keel_status cli_report_check_result(const json_t *result, keel_error *err)
{
    const place at = {NULL, "result", NO_INDEX};
    return check_object(&at, result, cli_result_members, err);
}

static keel_status check_cases(const json_t *cases, keel_error *err)
{
    for (size_t i = 0; i < json_array_size(cases); ++i) {
        const place at = {NULL, "cases", i};
        KEEL_TRY(check_object(&at, json_array_get(cases, i), cli_case_members, err));
        KEEL_TRY(check_object(&at, json_array_get(cases, i), cli_result_members, err));
    }
    return KEEL_OK;
}

/* A summary that its cases do not bear out is worse than none. */
static keel_status check_summary(const json_t *root, keel_error *err)
{
    const json_t *summary = json_object_get(root, "summary");
    json_t *counted = cli_report_count(json_object_get(root, "cases"));
    if (counted == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory to count the cases");
    }
    const int agree =
        json_equal(json_object_get(summary, "counts"), json_object_get(counted, "counts")) &&
        json_equal(json_object_get(summary, "devices"), json_object_get(counted, "devices"));
    json_decref(counted);
    return agree ? KEEL_OK
                 : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "summary does not agree with the %zu cases",
                             json_array_size(json_object_get(root, "cases")));
}

keel_status cli_report_check(const json_t *root, keel_error *err)
{
    if (!json_is_object(root)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "it is not an object");
    }
    const json_t *schema = json_object_get(root, "schema");
    const place at = {NULL, "schema", NO_INDEX};
    if (!json_is_string(schema) || strcmp(json_string_value(schema), CLI_REPORT_SCHEMA) != 0) {
        return refuse(&at, schema, "\"" CLI_REPORT_SCHEMA "\"", err);
    }
    KEEL_TRY(check_object(NULL, root, cli_report_members, err));
    KEEL_TRY(check_cases(json_object_get(root, "cases"), err));
    return check_summary(root, err);
}
