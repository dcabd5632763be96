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

/*
 * The entry of groups whose key has that text, appended if there is none; borrowed, or NULL. index
 * leads from texts to entries: a report may name as many devices as it has cases.
 */
static json_t *find_group(json_t *groups, json_t *index, const char *key, const char *text)
{
    json_t *group = json_object_get(index, text);
    if (group != NULL) {
        return group;
    }
    group = json_pack("{s:s, s:{}}", key, text, "counts");
    const int good =
        json_object_set(index, text, group) == 0 && json_array_append(groups, group) == 0;
    json_decref(group);
    return good ? group : NULL;
}

/* The object of that name in parent, made if there is none; borrowed, or NULL. */
static json_t *find_object(json_t *parent, const char *name, json_t *(*make)(void))
{
    if (json_object_get(parent, name) == NULL && json_object_set_new(parent, name, make()) != 0) {
        return NULL;
    }
    return json_object_get(parent, name);
}

/* indices: an index of the devices and, for each device, one of its families. */
static int count_case(json_t *summary, json_t *indices, const json_t *entry)
{
    const char *verdict = cli_json_text(entry, "verdict");
    const char *name = cli_json_text(entry, "device");
    json_t *device = find_group(json_object_get(summary, "devices"),
                                find_object(indices, "devices", json_object), "device", name);
    json_t *family =
        find_group(find_object(device, "families", json_array),
                   find_object(find_object(indices, "families", json_object), name, json_object),
                   "family", cli_json_text(entry, "family"));
    return family != NULL && count_one(summary, verdict) && count_one(device, verdict) &&
           count_one(family, verdict);
}

json_t *cli_report_count(const json_t *cases)
{
    json_t *summary = json_pack("{s:{}, s:[]}", "counts", "devices");
    json_t *indices = json_object();
    int good = summary != NULL;
    for (size_t i = 0; good && i < json_array_size(cases); ++i) {
        good = count_case(summary, indices, json_array_get(cases, i));
    }
    json_decref(indices);
    if (!good) {
        json_decref(summary);
        return NULL;
    }
    return summary;
}
