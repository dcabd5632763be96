/*
 * Backends of a context: found, checked, opened. Tables are completed here, so that no caller tests
 * a slot for NULL.
 */
#ifndef KEELI_REGISTRY_H
#define KEELI_REGISTRY_H

#include <pthread.h>

#include "keel/backend.h"
#include "keel/context.h"
#include "keel/load_report.h"

/* A backend that is open. Immutable once it is in the list; lives until the context goes. */
typedef struct keeli_backend {
    struct keeli_backend *_Atomic next;
    const keel_backend *table; /* completed: absent optional slots answer UNSUPPORTED */
    keel_device_api api;       /* completed too */
    void *state;
    void *dso; /* NULL: built in */
    uint32_t device_count;
    uint32_t priority; /* 0 if the table is too short to say */
    char name[32];
    keel_text prelude;      /* program text before every program; empty if it has no programs */
    keel_backend completed; /* what table points at */
    int has_programs;       /* it builds programs and launches kernels */
    int is_open;            /* open() succeeded: shutdown() is due */
    uint64_t file_device, file_inode; /* of the plugin's file; 0 if built in */
    char *path;                       /* of the plugin's file, or "built-in" */
} keeli_backend;

typedef struct keeli_report_entry {
    struct keeli_report_entry *next;
    keel_load_entry entry;
} keeli_report_entry;

/*
 * Embedded in the context, which makes the lock; keeli_registry_stop() destroys it. The lock guards
 * the lists; what they hold is immutable.
 */
typedef struct keeli_registry {
    pthread_mutex_t lock;
    char *vendor_directories;        /* KEEL_VENDOR_DIR when the context was made, or NULL */
    keeli_backend *_Atomic backends; /* in order of definition; only grows */
    keeli_report_entry *report;
    keeli_report_entry *report_last;
    uint32_t report_count;
} keeli_registry;

/*
 * Opens the built-in backends, then the discovered ones. Failures of single backends go to the load
 * report. Fails only when memory is exhausted or a variable has a value outside its domain.
 */
keel_status keeli_registry_start(keel_context *context, const char *selection, keel_error *err);

/*
 * Shuts every backend down, newest first, and frees the report. Copes with a registry that never
 * started.
 */
void keeli_registry_stop(keel_context *context);

/* Head of the list; follow next. */
const keeli_backend *keeli_registry_first(keel_context *context);

/* Backend of that name, or NULL. */
const keeli_backend *keeli_registry_find(keel_context *context, const char *name);

/*
 * Adds a line to the load report. Strings are copied; NULL reads as "".
 * A report that cannot grow for want of memory drops the line: it is never the cause of a failure.
 */
void keeli_report_add(keel_context *context, const keel_load_entry *entry);

#endif
