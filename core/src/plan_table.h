/* Plans of a context by the call they were made for, least recently used first to go. */
#ifndef KEELI_PLAN_TABLE_H
#define KEELI_PLAN_TABLE_H

#include <pthread.h>

#include "keel/context.h"
#include "keel/device.h"
#include "keel/plan.h"

#define KEELI_KEY_WORDS 512 /* most words of a key: 16 operands of rank 8 and their attributes */

/* Everything that decides how a call runs. Compared as a whole; the hash only sorts. */
typedef struct keeli_plan_key {
    uint64_t hash;
    uint32_t words;
    uint32_t pad;
    uint64_t word[KEELI_KEY_WORDS];
} keeli_plan_key;

#define KEELI_PLAN_BUCKETS 1024

typedef struct keeli_plan_table {
    pthread_mutex_t lock;
    keel_plan *bucket[KEELI_PLAN_BUCKETS];
    keel_plan *newest, *oldest; /* in order of use */
    uint64_t count, limit;
} keeli_plan_table;

/* limit 0: the default */
void keeli_plan_table_start(keel_context *context, uint64_t limit);
void keeli_plan_table_stop(keel_context *context);

/* The plan of an equal call, with one more reference, or NULL. */
keel_plan *keeli_plan_table_find(keel_context *context, const keeli_plan_key *key);

/* Keeps a plan: the table adds a reference, and drops the plan used least if it is full. */
void keeli_plan_table_keep(keel_context *context, keel_plan *plan);

/* Drops the plans of a device. */
void keeli_plan_table_purge(keel_context *context, const keel_device *device);

#endif
