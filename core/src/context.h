/* The context's parts, for libkeel's own files. */
#ifndef KEELI_CONTEXT_H
#define KEELI_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "cache.h"
#include "keel/backend.h"
#include "keel/context.h"
#include "keel/device.h"
#include "memory.h"
#include "op.h"
#include "os/fork.h"
#include "pack.h"
#include "plan_table.h"
#include "registry.h"

/* Counters behind keel_context_statistics. */
typedef struct keeli_counters {
    atomic_uint_fast64_t allocations, plans_created, plan_front_hits, plan_table_hits;
    atomic_uint_fast64_t programs_built, programs_loaded, build_ns;
    atomic_uint_fast64_t device_allocations, device_reuses, copies_inserted;
} keeli_counters;

struct keel_context {
    atomic_uint references;
    keel_allocator allocator;
    int32_t log_level;
    void (*log)(void *user, int32_t level, const char *message);
    void *log_user;
    pthread_mutex_t log_lock;
    keel_host host; /* what backends are given */
    keeli_counters counters;
    keeli_fork_guard fork_guard;
    keeli_registry registry;
    keeli_op_table ops;
    keeli_plan_table plans;
    keeli_cache cache;
    keeli_packs packs;
    char device_choice[96];      /* KEEL_DEVICE at creation, or "" */
    int wants_ranges;            /* KEEL_RANGES at creation */
    pthread_mutex_t device_lock; /* guards devices */
    keel_device *devices;        /* open ones */
};

/* Sends a message to the context's log, if its level is wanted. */
__attribute__((format(printf, 3, 4))) void keeli_log(keel_context *context, int32_t level,
                                                     const char *format, ...);

/*
 * 1 in a child that was forked after the context was made. Its objects then are the parent's:
 * release functions leave them alone, since a vendor library may hang in a forked child.
 */
int keeli_context_forked(const keel_context *context);

/* INVALID_ARGUMENT if the process was forked after the context was made; nothing else is touched.
 */
keel_status keeli_context_check(keel_context *context, keel_error *err);

/* Monotonic time in nanoseconds. */
int64_t keeli_clock_ns(void);

#endif
