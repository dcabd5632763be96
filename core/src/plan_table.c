/* The plans that a context keeps: found by key, the least recently used one first to go. */
#include "plan_table.h"

#include <string.h>

#include "context.h"
#include "plan.h"

#define DEFAULT_LIMIT 4096

void keeli_plan_table_start(keel_context *context, uint64_t limit)
{
    pthread_mutex_init(&context->plans.lock, NULL);
    context->plans.limit = limit > 0 ? limit : DEFAULT_LIMIT;
}

void keeli_plan_table_stop(keel_context *context)
{
    keeli_plan_table_purge(context, NULL);
    pthread_mutex_destroy(&context->plans.lock);
}

/* ---- lists: called with the lock held -------------------------------------------------------- */

static void unlink_use(keeli_plan_table *table, keel_plan *plan)
{
    *(plan->newer != NULL ? &plan->newer->older : &table->newest) = plan->older;
    *(plan->older != NULL ? &plan->older->newer : &table->oldest) = plan->newer;
}

static void link_newest(keeli_plan_table *table, keel_plan *plan)
{
    plan->newer = NULL;
    plan->older = table->newest;
    *(table->newest != NULL ? &table->newest->newer : &table->oldest) = plan;
    table->newest = plan;
}

static void remove_plan(keeli_plan_table *table, keel_plan *plan)
{
    keel_plan **link = &table->bucket[plan->hash % KEELI_PLAN_BUCKETS];
    while (*link != plan) {
        link = &(*link)->next;
    }
    *link = plan->next;
    unlink_use(table, plan);
    table->count--;
}

/* ---- the table ------------------------------------------------------------------------------- */

static keel_plan *find(keeli_plan_table *table, uint64_t hash, const uint64_t *key, uint32_t words)
{
    keel_plan *plan = table->bucket[hash % KEELI_PLAN_BUCKETS];
    while (plan != NULL && (plan->hash != hash || plan->key_words != words ||
                            memcmp(plan->key, key, words * sizeof(uint64_t)) != 0)) {
        plan = plan->next;
    }
    return plan;
}

keel_plan *keeli_plan_table_find(keel_context *context, const keeli_plan_key *key)
{
    keeli_plan_table *table = &context->plans;
    pthread_mutex_lock(&table->lock);
    keel_plan *plan = find(table, key->hash, key->word, key->words);
    if (plan != NULL) {
        keel_plan_retain(plan);
        unlink_use(table, plan);
        link_newest(table, plan);
    }
    pthread_mutex_unlock(&table->lock);
    return plan;
}

void keeli_plan_table_keep(keel_context *context, keel_plan *plan)
{
    keeli_plan_table *table = &context->plans;
    keel_plan *dropped = NULL;
    keel_device *owner = NULL;
    pthread_mutex_lock(&table->lock);
    if (find(table, plan->hash, plan->key, plan->key_words) == NULL) { /* no twin came first */
        keel_plan_retain(plan);
        plan->next = table->bucket[plan->hash % KEELI_PLAN_BUCKETS];
        table->bucket[plan->hash % KEELI_PLAN_BUCKETS] = plan;
        link_newest(table, plan);
        table->count++;
        /* A device that is being closed drops its plans itself, and may not go before this one. */
        if (table->count > table->limit && keeli_device_try_retain(table->oldest->device)) {
            dropped = table->oldest;
            owner = dropped->device;
            remove_plan(table, dropped);
        }
    }
    pthread_mutex_unlock(&table->lock);
    keel_plan_release(dropped);
    keel_device_close(owner);
}

void keeli_plan_table_purge(keel_context *context, const keel_device *device)
{
    keeli_plan_table *table = &context->plans;
    keel_plan *dropped = NULL;
    pthread_mutex_lock(&table->lock);
    for (keel_plan *plan = table->newest; plan != NULL;) {
        keel_plan *older = plan->older;
        if (device == NULL || plan->device == device) {
            remove_plan(table, plan);
            plan->next = dropped;
            dropped = plan;
        }
        plan = older;
    }
    pthread_mutex_unlock(&table->lock);
    while (dropped != NULL) {
        keel_plan *plan = dropped;
        dropped = plan->next;
        keel_plan_release(plan);
    }
}
