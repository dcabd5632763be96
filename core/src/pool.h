/*
 * The caching allocator of a device. Released memory is kept for reuse; memory that work in flight
 * still uses waits until the queues have passed it. Sums say how much is where, ledger.h by whom.
 */
#ifndef KEELI_POOL_H
#define KEELI_POOL_H

#include <pthread.h>

#include "keel/device.h"

#define KEELI_QUEUE_LIMIT 64 /* live queues of a device: who uses memory is a set of bits */

/*
 * One vendor allocation, from its making to its return to the vendor; or foreign memory, which is
 * handed back when the queues have passed it and never reused; or something without memory that
 * waits like it.
 */
typedef struct keeli_block {
    struct keeli_block *next;   /* in a list of the pool */
    struct keeli_block *before; /* in the list of living blocks only */
    void *handle;               /* the backend's; NULL: no memory */
    uint64_t bytes;             /* the size asked for, rounded up to its class; 0: foreign */
    void (*release)(void *);    /* foreign: called with owner after the handle was freed; or NULL */
    void *owner;
    char tag[KEEL_TAG_CAPACITY];        /* while living: what for */
    uint64_t queues;                    /* while pending: queues to wait for */
    uint64_t ticket[KEELI_QUEUE_LIMIT]; /* and what they must have passed */
} keeli_block;

#define KEELI_POOL_CLASSES 256

typedef struct keeli_pool {
    pthread_mutex_t lock;
    keeli_block *free[KEELI_POOL_CLASSES]; /* per size class */
    keeli_block *pending;
    keeli_block *living;                  /* in use, but for foreign ones */
    uint64_t live, pooled, waiting, peak; /* bytes */
} keeli_pool;

void keeli_pool_start(keeli_pool *pool);

/* Returns everything to the vendor; no queue exists any more. */
void keeli_pool_stop(keel_device *device);

/* Memory for at least bytes (>= 1), from the pool or the vendor, that lives under that tag. */
keel_status keeli_pool_take(keel_device *device, uint64_t bytes, const char *tag,
                            keeli_block **out_block, keel_error *err);

/* Gives a block back; queues has the slots of those that may still use it. */
void keeli_pool_give(keel_device *device, keeli_block *block, uint64_t queues);

/* A queue is drained and goes: no block waits for its slot any more. The queue lock is held. */
void keeli_pool_forget_queue(keel_device *device, uint32_t slot);

/* Looks which pending blocks have passed; foreign memory then goes back to its owner. */
void keeli_pool_collect(keel_device *device);

/* Returns free blocks to the vendor. */
void keeli_pool_trim(keel_device *device);

#endif
