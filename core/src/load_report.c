/* The load report: a list that only grows, one line per candidate. */
#include "load_report.h"

#include <string.h>

#include "memory.h"
#include "out_struct.h"

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* Copies a string to *cursor, moves the cursor behind it and returns the copy. */
static const char *pack(char **cursor, const char *text)
{
    const size_t bytes = strlen(or_empty(text)) + 1;
    char *copy = *cursor;
    memcpy(copy, or_empty(text), bytes);
    *cursor += bytes;
    return copy;
}

/* One block holds a line and its strings. */
static keeli_report_entry *make_line(keel_context *context, const keel_load_entry *entry)
{
    const size_t bytes = sizeof(keeli_report_entry) + strlen(or_empty(entry->subject)) +
                         strlen(or_empty(entry->path)) + strlen(or_empty(entry->build_id)) +
                         strlen(or_empty(entry->version)) + strlen(or_empty(entry->reason)) + 5;
    keeli_report_entry *line = keeli_alloc(context, bytes);
    if (line == NULL) {
        return NULL;
    }
    char *cursor = (char *)(line + 1);
    line->entry = (keel_load_entry){
        .struct_size = sizeof(keel_load_entry),
        .kind = entry->kind,
        .decision = entry->decision,
        .status = entry->status,
        .subject = pack(&cursor, entry->subject),
        .path = pack(&cursor, entry->path),
        .build_id = pack(&cursor, entry->build_id),
        .version = pack(&cursor, entry->version),
        .reason = pack(&cursor, entry->reason),
    };
    return line;
}

/* What is refused deserves a look; what is merely not there is normal on most machines. */
static void log_line(keel_context *context, const keel_load_entry *entry)
{
    const int32_t level = entry->decision == KEEL_LOAD_REFUSED ? KEEL_LOG_WARNING : KEEL_LOG_DEBUG;
    keeli_log(context, level, "%s (%s): %s", entry->subject, entry->path, entry->reason);
}

void keeli_report_add(keel_context *context, const keel_load_entry *entry)
{
    keeli_registry *registry = &context->registry;
    keeli_report_entry *line = make_line(context, entry);
    if (line == NULL) {
        return;
    }
    log_line(context, &line->entry);
    (void)pthread_mutex_lock(&registry->lock);
    if (registry->report_last != NULL) {
        registry->report_last->next = line;
    } else {
        registry->report = line;
    }
    registry->report_last = line;
    ++registry->report_count;
    (void)pthread_mutex_unlock(&registry->lock);
}

int keeli_report_has(keel_context *context, int32_t kind, const char *subject)
{
    keeli_registry *registry = &context->registry;
    int found = 0;
    (void)pthread_mutex_lock(&registry->lock);
    for (const keeli_report_entry *line = registry->report; line != NULL && !found;
         line = line->next) {
        found = line->entry.kind == kind && strcmp(line->entry.subject, subject) == 0;
    }
    (void)pthread_mutex_unlock(&registry->lock);
    return found;
}

void keeli_report_free(keel_context *context)
{
    keeli_registry *registry = &context->registry;
    while (registry->report != NULL) {
        keeli_report_entry *line = registry->report;
        registry->report = line->next;
        keeli_free(context, line);
    }
    registry->report_last = NULL;
    registry->report_count = 0;
}

uint32_t keel_load_report_count(keel_context *context)
{
    if (context == NULL) {
        return 0;
    }
    (void)pthread_mutex_lock(&context->registry.lock);
    const uint32_t count = context->registry.report_count;
    (void)pthread_mutex_unlock(&context->registry.lock);
    return count;
}

keel_status keel_load_report_get(keel_context *context, uint32_t index, keel_load_entry *out,
                                 keel_error *err)
{
    keeli_out_clear(out, sizeof *out);
    KEEL_LATCHED(err);
    if (context == NULL || out == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "context or out is NULL");
    }
    KEEL_TRY(keeli_out_check(out, offsetof(keel_load_entry, subject), "keel_load_entry", err));
    keeli_registry *registry = &context->registry;
    (void)pthread_mutex_lock(&registry->lock);
    const uint32_t count = registry->report_count;
    const keeli_report_entry *line = registry->report;
    for (uint32_t i = 0; i < index && line != NULL; ++i) {
        line = line->next;
    }
    (void)pthread_mutex_unlock(&registry->lock);
    if (line == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "index %u is not below the count %u",
                         (unsigned)index, (unsigned)count);
    }
    keeli_out_fill(out, &line->entry, sizeof line->entry);
    return KEEL_OK;
}
