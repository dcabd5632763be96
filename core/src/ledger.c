/* Live memory by tag. */
#include "ledger.h"

#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "context.h"
#include "out_struct.h"

static const char others[] = "(others)";

static void set_tag(char out[KEEL_TAG_CAPACITY], const char *tag)
{
    const size_t length = strnlen(tag, KEEL_TAG_CAPACITY - 1);
    memcpy(out, tag, length);
    out[length] = '\0';
}

void keeli_ledger_add(keeli_pool *pool, keeli_block *block, const char *tag)
{
    set_tag(block->tag, tag);
    block->before = NULL;
    block->next = pool->living;
    if (pool->living != NULL) {
        pool->living->before = block;
    }
    pool->living = block;
}

void keeli_ledger_remove(keeli_pool *pool, keeli_block *block)
{
    if (block->next != NULL) {
        block->next->before = block->before;
    }
    if (block->before != NULL) {
        block->before->next = block->next;
    } else {
        pool->living = block->next;
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The entry of that tag, a new one, or the last one, which is for all others. */
static keeli_holder *find_holder(keeli_holder *holders, uint32_t *count, const char *tag)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (strcmp(holders[i].tag, tag) == 0) {
            return &holders[i];
        }
    }
    if (*count < KEELI_HOLDERS) {
        keeli_holder *holder = &holders[(*count)++];
        *holder = (keeli_holder){.bytes = 0};
        set_tag(holder->tag, *count < KEELI_HOLDERS ? tag : others);
        return holder;
    }
    return &holders[KEELI_HOLDERS - 1];
}

static void sort_by_bytes(keeli_holder *holders, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const keeli_holder moved = holders[i];
        uint32_t at = i;
        for (; at > 0 && holders[at - 1].bytes < moved.bytes; at--) {
            holders[at] = holders[at - 1];
        }
        holders[at] = moved;
    }
}

uint32_t keeli_ledger_sum(const keeli_pool *pool, keeli_holder out[KEELI_HOLDERS])
{
    uint32_t count = 0;
    for (const keeli_block *block = pool->living; block != NULL; block = block->next) {
        keeli_holder *holder = find_holder(out, &count, block->tag);
        holder->bytes += block->bytes;
        holder->count++;
    }
    sort_by_bytes(out, count);
    return count;
}

void keeli_ledger_describe(keeli_pool *pool, char *out, size_t capacity)
{
    enum { NAMED = 3 };
    keeli_holder holders[KEELI_HOLDERS];
    size_t used = 0;
    pthread_mutex_lock(&pool->lock);
    const uint32_t count = keeli_ledger_sum(pool, holders);
    pthread_mutex_unlock(&pool->lock);
    (void)snprintf(out, capacity, "nobody");
    for (uint32_t i = 0; i < count && i < NAMED && used < capacity; i++) {
        const int more =
            snprintf(out + used, capacity - used, "%s%s %llu bytes in %u", i > 0 ? ", " : "",
                     holders[i].tag, (unsigned long long)holders[i].bytes, holders[i].count);
        used += more > 0 ? (size_t)more : 0;
    }
}

/* ---- public ---------------------------------------------------------------------------------- */

void keel_buffer_set_tag(keel_buffer *buffer, const char *tag)
{
    if (buffer == NULL || buffer->block == NULL || keeli_context_forked(buffer->device->context)) {
        return;
    }
    pthread_mutex_lock(&buffer->device->pool.lock);
    set_tag(buffer->block->tag, tag != NULL && tag[0] != '\0' ? tag : KEELI_TAG_BUFFER);
    pthread_mutex_unlock(&buffer->device->pool.lock);
}

keel_status keel_device_memory(keel_device *device, keel_memory_info *out, keel_error *err)
{
    keeli_out_clear(out, sizeof *out);
    KEEL_LATCHED(err);
    if (device == NULL || out == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out is NULL");
    }
    KEEL_TRY(keeli_out_check(out, offsetof(keel_memory_info, pooled), "keel_memory_info", err));
    KEEL_TRY(keeli_device_check(device, err));
    keel_memory_info whole = {.struct_size = sizeof whole};
    keel_error scratch = KEEL_ERROR_INIT;
    if (device->api->memory_info(device->handle, &whole.free, &whole.total, &scratch) != KEEL_OK) {
        whole.free = 0; /* the driver is mute */
        whole.total = 0;
    }
    pthread_mutex_lock(&device->pool.lock);
    whole.live = device->pool.live;
    whole.pooled = device->pool.pooled;
    whole.pending = device->pool.waiting;
    whole.peak = device->pool.peak;
    pthread_mutex_unlock(&device->pool.lock);
    keeli_out_fill(out, &whole, sizeof whole);
    return KEEL_OK;
}

keel_status keel_device_memory_holder(keel_device *device, uint32_t index, keel_memory_holder *out,
                                      keel_error *err)
{
    keeli_out_clear(out, sizeof *out);
    KEEL_LATCHED(err);
    if (device == NULL || out == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out is NULL");
    }
    KEEL_TRY(keeli_out_check(out, sizeof *out, "keel_memory_holder", err));
    KEEL_TRY(keeli_device_check(device, err));
    keeli_holder holders[KEELI_HOLDERS];
    pthread_mutex_lock(&device->pool.lock);
    const uint32_t count = keeli_ledger_sum(&device->pool, holders);
    pthread_mutex_unlock(&device->pool.lock);
    if (index < count) {
        keel_memory_holder whole = {.buffers = holders[index].count, .bytes = holders[index].bytes};
        memcpy(whole.tag, holders[index].tag, sizeof whole.tag);
        keeli_out_fill(out, &whole, sizeof whole);
    }
    return KEEL_OK;
}
