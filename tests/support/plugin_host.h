/*
 * A host table for tests that drive a backend's plugin directly: it counts memory, can fail the
 * n-th allocation, keeps the log and can put a test's function in place of a vendor's.
 */
#ifndef PLUGIN_HOST_H
#define PLUGIN_HOST_H

#include <stdatomic.h>

#include "keel/backend.h"

/* A vendor entry point that the test supplies instead; address NULL: the library lacks it. */
typedef struct plugin_override {
    const char *name;
    void *address;
} plugin_override;

typedef struct plugin_host {
    keel_host table;
    atomic_int live;    /* allocations not freed yet */
    atomic_int made;    /* allocations in all, refused ones included */
    atomic_int fail_at; /* the allocation with this number fails; 0: none does */
    atomic_int log_lines;
    char last_log[4096];              /* written by one thread at a time in these tests */
    const plugin_override *overrides; /* ends with a NULL name; NULL: none */
    int no_library;                   /* 1: vendor_open finds nothing */
    int fake_library; /* 1: no vendor is there; what is not overridden must not be called */
} plugin_host;

/* Sets up a host without overrides. */
void plugin_host_init(plugin_host *host);

/* The table of the plugin file, or NULL with the loader's reason printed. Never unloaded. */
const keel_backend *plugin_table(const char *path, uint32_t host_abi);

#endif
