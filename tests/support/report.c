/* Assertions on the load report. */
#include "report.h"

#include "keel_test.h"

static int ends_with(const char *text, const char *tail)
{
    const size_t length = strlen(text);
    const size_t wanted = strlen(tail);
    return length >= wanted && strcmp(text + length - wanted, tail) == 0;
}

static keel_load_entry line_at(keel_context *context, uint32_t index)
{
    keel_load_entry entry = {.struct_size = sizeof entry};
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_load_report_get(context, index, &entry, &err));
    return entry;
}

static void print_report(keel_context *context)
{
    for (uint32_t i = 0; i < keel_load_report_count(context); i++) {
        const keel_load_entry entry = line_at(context, i);
        print_error("  %d %d %d %s (%s): %s\n", (int)entry.kind, (int)entry.decision,
                    (int)entry.status, entry.subject, entry.path, entry.reason);
    }
}

uint32_t report_count(keel_context *context, const char *tail)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < keel_load_report_count(context); i++) {
        found += (uint32_t)ends_with(line_at(context, i).path, tail);
    }
    return found;
}

keel_load_entry report_line(keel_context *context, const char *tail)
{
    for (uint32_t i = keel_load_report_count(context); i > 0; i--) {
        const keel_load_entry entry = line_at(context, i - 1);
        if (ends_with(entry.path, tail)) {
            return entry;
        }
    }
    print_report(context);
    fail_msg("no line about %s", tail);
    return (keel_load_entry){0};
}

void report_expect(keel_context *context, const char *tail, int32_t decision, const char *words)
{
    const keel_load_entry entry = report_line(context, tail);
    if (entry.decision != decision || strstr(entry.reason, words) == NULL) {
        print_report(context);
    }
    assert_int_equal(entry.decision, decision);
    assert_non_null(strstr(entry.reason, words));
}
