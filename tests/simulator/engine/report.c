/* Findings in kernels: who, where, and each only once. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

#define SEEN_MAX 256

static struct {
    const char *kind;
    void *pc;
} seen[SEEN_MAX];
static uint32_t seen_count;
static uint64_t skipped;

void sim_report_begin(void)
{
    seen_count = 0;
    skipped = 0;
}

void sim_report_end(void)
{
    if (skipped > 0) {
        fprintf(stderr, "simulator: kernel=%s: %llu findings like those above were not printed\n",
                sim_now.function->entry->name, (unsigned long long)skipped);
    }
}

static bool is_new(const char *kind, void *pc)
{
    for (uint32_t i = 0; i < seen_count; i++) {
        if (seen[i].pc == pc && strcmp(seen[i].kind, kind) == 0) {
            return false;
        }
    }
    if (seen_count == SEEN_MAX || (int64_t)seen_count >= sim_option("reports", 8)) {
        return false;
    }
    seen[seen_count].kind = kind;
    seen[seen_count++].pc = pc;
    return true;
}

static void format_place(void *pc, bool after, char *out, size_t room)
{
    sim_place place;
    sim_module_place(sim_now.function->module, (char *)pc - after, &place);
    int length =
        snprintf(out, room, "file=%s line=%u", place.line != 0 ? place.file : "?", place.line);
    if (place.outer != 0) {
        length += snprintf(out + length, room - (size_t)length, " kernel_line=%u", place.outer);
    }
    (void)snprintf(out + length, room - (size_t)length, " text=\"%s\"", place.text);
}

void sim_report(const char *kind, void *pc, bool after, const char *format, ...)
{
    char what[384], where[320];
    const sim_run *run = &sim_now.run;
    if (!is_new(kind, pc)) {
        skipped++;
        return;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    format_place(pc, after, where, sizeof where);
    sim_finding(kind, "kernel=%s group=%u,%u,%u item=%u %s %s", sim_now.function->entry->name,
                run->group_id[0], run->group_id[1], run->group_id[2], run->local_id, what, where);
}
