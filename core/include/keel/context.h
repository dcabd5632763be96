/*
 * The root object. It owns backends, op contracts, plans and programs; there are no globals, and
 * several contexts may live side by side. Depends on status.h.
 */
#ifndef KEEL_CONTEXT_H
#define KEEL_CONTEXT_H

#include "keel/base.h"
#include "keel/status.h"

typedef struct keel_context keel_context;

/* Memory for libkeel's own objects. Both or neither function are set; any thread. */
typedef struct keel_allocator {
    void *user;
    void *(*alloc)(void *user, uint64_t bytes); /* NULL when there is none left */
    void (*free)(void *user, void *memory);
} keel_allocator;

/* How a context is made. Zero means default for every member; NULL options means all defaults. */
typedef struct keel_context_options {
    uint32_t struct_size; /* sizeof(keel_context_options) */
    int32_t log_level;    /* messages up to KEEL_LOG_* reach log; 0: KEEL_LOG or warnings */
    /* Called by any thread, one message at a time; must not call back into Keel. NULL: no log. */
    void (*log)(void *user, int32_t level, const char *message);
    void *log_user;
    keel_allocator allocator; /* alloc NULL: malloc */
    const char *backends;     /* "cuda,-opencl"; NULL: the variable KEEL_BACKENDS, else all */
    /* Binary cache: an absolute directory, "ro" or "off"; NULL: as docs/environment.md says. */
    const char *cache_directory;
    uint64_t plan_limit; /* plans kept per context; 0: 4096 */
} keel_context_options;

/* Counters since creation; a snapshot, each exact, not taken together. */
typedef struct keel_context_statistics {
    uint32_t struct_size;
    uint32_t pad;
    uint64_t allocations; /* host allocations by libkeel */
    uint64_t plans_created;
    uint64_t plan_front_hits;    /* found in the queue's own front */
    uint64_t plan_table_hits;    /* found in the context's table */
    uint64_t programs_built;     /* by the vendor's compiler */
    uint64_t programs_loaded;    /* from the binary cache or a kernel pack */
    uint64_t build_ns;           /* host time in the vendor's compiler */
    uint64_t device_allocations; /* asked of the vendor */
    uint64_t device_reuses;      /* served by the pool */
    uint64_t copies_inserted;    /* tensors copied because a kernel could not take their layout */
} keel_context_statistics;

KEEL_BEGIN_DECLS

/* Release of the library that is loaded, "0.1.0". Static storage. Any thread. */
KEEL_API const char *keel_version(void);

/*
 * Creates a context: registers the built-in ops, then finds, checks and opens backends. A backend
 * that fails is reported (keel/load_report.h), never an error here. No device is opened.
 *
 * @param options      borrowed for the call; may be NULL
 * @param out_context  receives one reference, or NULL on failure; keel_context_release() it
 * @retval KEEL_ERR_INVALID_ARGUMENT  an option or a KEEL_ variable has a value outside its domain
 * @retval KEEL_ERR_OUT_OF_MEMORY
 * Thread safety: any thread. Blocks while vendor libraries start.
 */
KEEL_API keel_status keel_context_create(const keel_context_options *options,
                                         keel_context **out_context, keel_error *err);

/* Adds a reference. Any thread. */
KEEL_API void keel_context_retain(keel_context *context);

/*
 * Drops a reference; NULL is ignored. Devices hold one, so the order of releases does not matter.
 * Any thread.
 */
KEEL_API void keel_context_release(keel_context *context);

/*
 * Loads one more backend from an absolute path, under the rules of docs/backend-abi.md. The list of
 * wanted backends does not apply: this one was asked for. The same file again is KEEL_OK.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  the path is not absolute, its owner or mode is unsafe, or its
 *                                    name is defined by another file already
 * @retval KEEL_ERR_UNAVAILABLE       no loadable file there, or the vendor is absent
 * @retval KEEL_ERR_ABI               not a backend, another ABI, or an incomplete table
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_backend_load(keel_context *context, const char *path, keel_error *err);

/* Fills out (its struct_size set by the caller) with the counters. Any thread. */
KEEL_API void keel_context_get_statistics(keel_context *context, keel_context_statistics *out);

KEEL_END_DECLS

#endif
