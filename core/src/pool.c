/* The caching allocator: size classes, what waits for queues, and what the vendor gets back. */
#include "pool.h"

#include <string.h>

#include "context.h"
#include "device.h"
#include "ledger.h"
#include "queue.h"

void keeli_pool_start(keeli_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
}

/*
 * Size classes: four per power of two, from 256 bytes, so that at most a fifth of a block is unused
 * and a released block fits the next request of about its size. Gives the class and its size.
 */
static uint32_t size_class(uint64_t bytes, uint64_t *out_size)
{
    const uint64_t smallest = 256;
    if (bytes <= smallest) {
        *out_size = smallest;
        return 0;
    }
    const uint32_t log2 = 63u - (uint32_t)__builtin_clzll(bytes - 1); /* 2^log2 < bytes <= 2 * it */
    const uint64_t base = UINT64_C(1) << log2;
    const uint64_t step = base / 4;
    const uint64_t steps = (bytes - base + step - 1) / step; /* 1 to 4 */
    *out_size = base + steps * step;
    return (log2 - 8) * 4 + (uint32_t)steps;
}

/* ---- lists: all called with the pool's lock held --------------------------------------------- */

static void note_peak(keeli_pool *pool)
{
    const uint64_t held = pool->live + pool->pooled + pool->waiting;
    pool->peak = held > pool->peak ? held : pool->peak;
}

static void push_free(keeli_pool *pool, keeli_block *block)
{
    uint64_t size;
    keeli_block **list = &pool->free[size_class(block->bytes, &size)];
    block->next = *list;
    *list = block;
    pool->pooled += block->bytes;
}

/* Whether every queue that used the block has passed it. The queue lock is held. */
static int has_passed(const keel_device *device, keeli_block *block)
{
    for (uint64_t rest = block->queues; rest != 0; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        const keel_queue *queue = device->queues[slot];
        if (queue != NULL && atomic_load(&queue->completed) < block->ticket[slot]) {
            return 0;
        }
    }
    return 1;
}

/* Moves what has passed to the free lists. Gives the foreign blocks, to be handed back. */
static keeli_block *sweep_pending(keel_device *device)
{
    keeli_pool *pool = &device->pool;
    keeli_block *foreign = NULL;
    for (keeli_block **link = &pool->pending; *link != NULL;) {
        keeli_block *block = *link;
        if (!has_passed(device, block)) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        pool->waiting -= block->bytes;
        if (block->bytes > 0) {
            push_free(pool, block);
        } else {
            block->next = foreign;
            foreign = block;
        }
    }
    return foreign;
}

/* Moves the blocks of one list that are the pool's own, or all of them, to another list. */
static keeli_block *move_blocks(keeli_block **from, int foreign_too, keeli_block *to)
{
    for (keeli_block **link = from; *link != NULL;) {
        keeli_block *block = *link;
        if (block->bytes == 0 && !foreign_too) {
            link = &block->next;
            continue;
        }
        *link = block->next;
        block->next = to;
        to = block;
    }
    return to;
}

static keeli_block *detach_free(keeli_pool *pool)
{
    keeli_block *blocks = NULL;
    for (uint32_t i = 0; i < KEELI_POOL_CLASSES; i++) {
        blocks = move_blocks(&pool->free[i], 0, blocks);
    }
    pool->pooled = 0;
    return blocks;
}

/* ---- the vendor ------------------------------------------------------------------------------ */

static uint64_t free_blocks(keel_device *device, keeli_block *blocks)
{
    uint64_t bytes = 0;
    while (blocks != NULL) {
        keeli_block *block = blocks;
        blocks = block->next;
        bytes += block->bytes;
        if (block->handle != NULL) {
            device->api->buffer_free(device->handle, block->handle);
        }
        if (block->release != NULL) {
            block->release(block->owner);
        }
        keeli_free(device->context, block);
    }
    return bytes;
}

/*
 * Returns all that is free or pending to the vendor: buffer_free copes with work in flight. Foreign
 * memory goes back to its owner only at the end, when there is no work any more.
 * Gives the bytes returned.
 */
static uint64_t empty(keel_device *device, int at_end)
{
    keeli_pool *pool = &device->pool;
    pthread_mutex_lock(&pool->lock);
    keeli_block *blocks = move_blocks(&pool->pending, at_end, detach_free(pool));
    pool->waiting = 0;
    pthread_mutex_unlock(&pool->lock);
    return free_blocks(device, blocks);
}

/* The pool is empty and the vendor has no more: says who holds what. */
static keel_status say_exhausted(keel_device *device, uint64_t bytes, const keel_error *vendor,
                                 keel_error *err)
{
    char holders[200];
    pthread_mutex_lock(&device->pool.lock);
    const uint64_t live = device->pool.live;
    pthread_mutex_unlock(&device->pool.lock);
    keeli_ledger_describe(&device->pool, holders, sizeof holders);
    (void)keel_fail(err, KEEL_ERR_OUT_OF_MEMORY,
                    "%s: no memory for %llu bytes; %llu bytes are held by live buffers (%s), the "
                    "pool is empty (%.120s)",
                    device->id, (unsigned long long)bytes, (unsigned long long)live, holders,
                    vendor->message);
    err->vendor_code = vendor->vendor_code;
    memcpy(err->vendor_name, vendor->vendor_name, sizeof err->vendor_name);
    return keeli_device_result(device, KEEL_ERR_OUT_OF_MEMORY, err);
}

static keel_status allocate(keel_device *device, uint64_t bytes, uint64_t rounded,
                            keeli_block *block, keel_error *err)
{
    keel_error first = KEEL_ERROR_INIT;
    keel_status status = device->api->buffer_alloc(device->handle, rounded, KEEL_MEMORY_DEVICE,
                                                   &block->handle, &first);
    block->bytes = rounded;
    if (status == KEEL_ERR_OUT_OF_MEMORY && (empty(device, 0) > 0 || bytes < rounded)) {
        first = (keel_error)KEEL_ERROR_INIT;
        status = device->api->buffer_alloc(device->handle, bytes, KEEL_MEMORY_DEVICE,
                                           &block->handle, &first);
        block->bytes = bytes;
    }
    atomic_fetch_add(&device->context->counters.device_allocations, 1);
    if (status == KEEL_ERR_OUT_OF_MEMORY) {
        return say_exhausted(device, bytes, &first, err);
    }
    if (status != KEEL_OK && err->status == KEEL_OK) {
        *err = first;
    }
    return keeli_device_result(device, status, err);
}

/* ---- taking and giving ----------------------------------------------------------------------- */

/*
 * A free block for so many bytes. Blocks that were allocated when memory was short are smaller than
 * their class.
 */
static keeli_block *take_free(keel_device *device, uint32_t class, uint64_t bytes, const char *tag)
{
    keeli_pool *pool = &device->pool;
    pthread_mutex_lock(&device->queue_lock);
    pthread_mutex_lock(&pool->lock);
    keeli_block *foreign = sweep_pending(device);
    keeli_block **link = &pool->free[class];
    while (*link != NULL && (*link)->bytes < bytes) {
        link = &(*link)->next;
    }
    keeli_block *block = *link;
    if (block != NULL) {
        *link = block->next;
        pool->pooled -= block->bytes;
        pool->live += block->bytes;
        keeli_ledger_add(pool, block, tag);
    }
    pthread_mutex_unlock(&pool->lock);
    pthread_mutex_unlock(&device->queue_lock);
    (void)free_blocks(device, foreign);
    return block;
}

keel_status keeli_pool_take(keel_device *device, uint64_t bytes, const char *tag,
                            keeli_block **out_block, keel_error *err)
{
    *out_block = NULL;
    if (bytes > (UINT64_C(1) << 62)) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "%s: no memory for %llu bytes", device->id,
                         (unsigned long long)bytes);
    }
    uint64_t rounded;
    const uint32_t class = size_class(bytes, &rounded);
    keeli_block *block = take_free(device, class, bytes, tag);
    if (block != NULL) {
        atomic_fetch_add(&device->context->counters.device_reuses, 1);
        *out_block = block;
        return KEEL_OK;
    }
    block = keeli_alloc(device->context, sizeof *block);
    if (block == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer record");
    }
    const keel_status status = allocate(device, bytes, rounded, block, err);
    if (status != KEEL_OK) {
        keeli_free(device->context, block);
        return status;
    }
    pthread_mutex_lock(&device->pool.lock);
    device->pool.live += block->bytes;
    keeli_ledger_add(&device->pool, block, tag);
    note_peak(&device->pool);
    pthread_mutex_unlock(&device->pool.lock);
    *out_block = block;
    return KEEL_OK;
}

/* Notes what the queues that used the block must pass. The queue lock is held. */
static void set_tickets(keel_device *device, keeli_block *block, uint64_t queues)
{
    block->queues = 0;
    for (uint64_t rest = queues; rest != 0; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        keel_queue *queue = device->queues[slot];
        if (queue == NULL) {
            continue; /* it was drained when it was destroyed */
        }
        block->ticket[slot] = atomic_load(&queue->submitted);
        if (atomic_load(&queue->completed) < block->ticket[slot]) {
            block->queues |= UINT64_C(1) << slot;
            atomic_store(&queue->fence_wanted, 1);
        }
    }
}

void keeli_pool_give(keel_device *device, keeli_block *block, uint64_t queues)
{
    keeli_pool *pool = &device->pool;
    pthread_mutex_lock(&device->queue_lock);
    set_tickets(device, block, queues);
    pthread_mutex_lock(&pool->lock);
    if (block->bytes > 0) {
        keeli_ledger_remove(pool, block);
    }
    pool->live -= block->bytes;
    pool->waiting += block->bytes;
    block->next = pool->pending;
    pool->pending = block;
    pthread_mutex_unlock(&pool->lock);
    pthread_mutex_unlock(&device->queue_lock);
    keeli_pool_collect(device);
}

void keeli_pool_forget_queue(keel_device *device, uint32_t slot)
{
    pthread_mutex_lock(&device->pool.lock);
    for (keeli_block *block = device->pool.pending; block != NULL; block = block->next) {
        block->queues &= ~(UINT64_C(1) << slot);
    }
    pthread_mutex_unlock(&device->pool.lock);
}

void keeli_pool_collect(keel_device *device)
{
    pthread_mutex_lock(&device->queue_lock);
    pthread_mutex_lock(&device->pool.lock);
    keeli_block *foreign = sweep_pending(device);
    pthread_mutex_unlock(&device->pool.lock);
    pthread_mutex_unlock(&device->queue_lock);
    (void)free_blocks(device, foreign);
}

void keeli_pool_trim(keel_device *device)
{
    keeli_pool_collect(device);
    pthread_mutex_lock(&device->pool.lock);
    keeli_block *blocks = detach_free(&device->pool);
    pthread_mutex_unlock(&device->pool.lock);
    (void)free_blocks(device, blocks);
}

void keeli_pool_stop(keel_device *device)
{
    (void)empty(device, 1);
    pthread_mutex_destroy(&device->pool.lock);
}

/* ---- public ---------------------------------------------------------------------------------- */

keel_status keel_device_trim(keel_device *device, keel_error *err)
{
    KEEL_LATCHED(err);
    if (device == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    keeli_pool_trim(device);
    return KEEL_OK;
}
