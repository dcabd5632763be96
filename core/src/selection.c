/* Parses and answers which backends are wanted. */
#include "selection.h"

#include <string.h>

int keeli_backend_name_valid(const char *name, size_t length)
{
    if (length == 0 || length >= KEELI_BACKEND_NAME_CAPACITY) {
        return 0;
    }
    for (size_t i = 0; i < length; ++i) {
        const char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
            return 0;
        }
    }
    return 1;
}

static keeli_selected *find(keeli_selection *selection, const char *name)
{
    for (uint32_t i = 0; i < selection->count; ++i) {
        if (strcmp(selection->items[i].name, name) == 0) {
            return &selection->items[i];
        }
    }
    return NULL;
}

/* text: one item, length bytes, '-' in front included. */
static keel_status add_item(keeli_selection *selection, const char *text, size_t length,
                            keel_error *err)
{
    const int excluded = length > 0 && text[0] == '-';
    const char *name = text + excluded;
    const size_t bytes = length - (size_t)excluded;
    if (!keeli_backend_name_valid(name, bytes)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: '%.*s' is no backend name (1 to 31 of a-z, 0-9, '_')",
                         selection->source, (int)(length < 64 ? length : 64), text);
    }
    keeli_selected item = {.excluded = excluded};
    memcpy(item.name, name, bytes);
    const keeli_selected *before = find(selection, item.name);
    if (before != NULL && before->excluded != excluded) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: '%s' is both wanted and excluded",
                         selection->source, item.name);
    }
    if (before != NULL) {
        return KEEL_OK;
    }
    if (selection->count == KEELI_SELECTION_LIMIT) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: more than %d names",
                         selection->source, KEELI_SELECTION_LIMIT);
    }
    selection->items[selection->count++] = item;
    selection->excluded += (uint32_t)excluded;
    return KEEL_OK;
}

keel_status keeli_selection_parse(const char *text, const char *source,
                                  keeli_selection *out_selection, keel_error *err)
{
    *out_selection = (keeli_selection){.source = source};
    while (text != NULL) {
        const char *comma = strchr(text, ',');
        const size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);
        KEEL_TRY(add_item(out_selection, text, length, err));
        text = comma != NULL ? comma + 1 : NULL;
    }
    return KEEL_OK;
}

/* For the message about a name that nobody has; names beyond the room are left out. */
static void note_considered(keeli_selection *selection, const char *name)
{
    const size_t length = strlen(name);
    for (const char *known = selection->considered; (known = strstr(known, name)) != NULL;) {
        const int starts = known == selection->considered || known[-1] == ' ';
        known += length;
        if (starts && (*known == ',' || *known == 0)) {
            return;
        }
    }
    const size_t used = strlen(selection->considered);
    const char *comma = used > 0 ? ", " : "";
    char *end = selection->considered + used;
    if (used + strlen(comma) + length < sizeof selection->considered) {
        memcpy(end, comma, strlen(comma) + 1);
        memcpy(end + strlen(comma), name, length + 1);
    }
}

int keeli_selection_wants(keeli_selection *selection, const char *name)
{
    note_considered(selection, name);
    keeli_selected *item = find(selection, name);
    if (item != NULL) {
        item->found = 1;
        return !item->excluded;
    }
    return selection->count == selection->excluded;
}

keel_status keeli_selection_finish(const keeli_selection *selection, keel_error *err)
{
    for (uint32_t i = 0; i < selection->count; ++i) {
        if (!selection->items[i].found) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: there is no backend '%s' (found: %s)", selection->source,
                             selection->items[i].name, selection->considered);
        }
    }
    return KEEL_OK;
}
