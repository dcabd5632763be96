/* Reading a report from a file, and counting its verdicts. */
#include <string.h>

#include "json.h"
#include "report_format.h"

keel_status cli_report_read(const char *path, json_t **out_root, keel_error *err)
{
    KEEL_TRY(cli_json_read(path, CLI_REPORT_MAX_BYTES, out_root, err));
    keel_error inner = KEEL_ERROR_INIT;
    const keel_status status = cli_report_check(*out_root, &inner);
    if (status != KEEL_OK) {
        json_decref(*out_root);
        *out_root = NULL;
        return keel_fail(err, status, "%s: %s", path, inner.message);
    }
    return KEEL_OK;
}

/* Adds 1 to counts[verdict]; 0 if memory is exhausted. */
static int count_one(json_t *group, const char *verdict)
{
    json_t *counts = json_object_get(group, "counts");
    const json_int_t before = json_integer_value(json_object_get(counts, verdict));
    return json_object_set_new(counts, verdict, json_integer(before + 1)) == 0;
}

/* The entry of groups whose key has that text, appended if there is none; borrowed, or NULL. */
static json_t *find_group(json_t *groups, const char *key, const char *text)
{
    /* Cases come in blocks: the wanted entry is nearly always the last one. */
    for (size_t i = json_array_size(groups); i > 0; --i) {
        json_t *group = json_array_get(groups, i - 1);
        if (strcmp(cli_json_text(group, key), text) == 0) {
            return group;
        }
    }
    json_t *group = json_pack("{s:s, s:{}}", key, text, "counts");
    return json_array_append_new(groups, group) == 0 ? group : NULL;
}

static int count_case(json_t *summary, const json_t *entry)
{
    const char *verdict = cli_json_text(entry, "verdict");
    json_t *device =
        find_group(json_object_get(summary, "devices"), "device", cli_json_text(entry, "device"));
    if (device == NULL) {
        return 0;
    }
    if (json_object_get(device, "families") == NULL &&
        json_object_set_new(device, "families", json_array()) != 0) {
        return 0;
    }
    json_t *family =
        find_group(json_object_get(device, "families"), "family", cli_json_text(entry, "family"));
    return family != NULL && count_one(summary, verdict) && count_one(device, verdict) &&
           count_one(family, verdict);
}

json_t *cli_report_count(const json_t *cases)
{
    json_t *summary = json_pack("{s:{}, s:[]}", "counts", "devices");
    int good = summary != NULL;
    for (size_t i = 0; good && i < json_array_size(cases); ++i) {
        good = count_case(summary, json_array_get(cases, i));
    }
    if (!good) {
        json_decref(summary);
        return NULL;
    }
    return summary;
}
