/* Allocating and freeing device and pinned memory. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "block.h"

#define ALIGNMENT 256u
#define RED_ZONE 256u /* at least this much after a block belongs to nobody */

static uint64_t serials;

uint64_t sim_memory_capacity(void)
{
    return (uint64_t)sim_option("mem", INT64_C(4) << 30);
}

uint64_t sim_memory_live(sim_memory_kind kind, uint32_t device)
{
    if (kind == SIM_MEMORY_PINNED) {
        return sim_pinned_live(device);
    }
    const sim_window *window = sim_window_known(device);
    return window != NULL ? window->live : 0;
}

static uint64_t extent(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + RED_ZONE;
}

/*
 * Room for bytes at or after an offset, below the end of the window; 0 if there is none. Freed
 * blocks are found again only after the whole window has been gone through: late use of them is
 * noticed.
 */
static uint64_t room_from(const sim_window *window, uint64_t at, uint64_t bytes)
{
    size_t i = sim_block_index(window, at);
    if (i > 0) {
        const sim_block *before = &window->blocks[i - 1];
        const uint64_t end = before->at + extent(before->bytes);
        at = at < end ? end : at;
    }
    for (; i < window->block_count; i++) {
        const sim_block *behind = &window->blocks[i];
        if (behind->at >= at && behind->at - at >= extent(bytes)) {
            return at;
        }
        at = behind->at + extent(behind->bytes);
    }
    return at <= window->bytes && window->bytes - at >= extent(bytes) ? at : 0;
}

static bool grow(sim_window *window)
{
    if (window->block_count < window->block_room) {
        return true;
    }
    const size_t room = window->block_room == 0 ? 256 : window->block_room * 2;
    sim_block *blocks = realloc(window->blocks, room * sizeof *blocks);
    if (blocks == NULL) {
        return false;
    }
    window->blocks = blocks;
    window->block_room = room;
    return true;
}

static void *device_alloc(uint32_t device, uint64_t bytes)
{
    sim_window *window = sim_window_get(device);
    const uint64_t capacity = sim_memory_capacity();
    if (window == NULL || bytes > capacity || window->live > capacity - bytes || !grow(window)) {
        return NULL;
    }
    uint64_t at = room_from(window, window->next, bytes);
    if (at == 0) {
        at = room_from(window, SIM_FIRST_BLOCK, bytes);
    }
    if (at == 0) {
        return NULL;
    }
    if (at < window->used) {
        sim_block_forget(window, at, at + extent(bytes));
    }
    const size_t i = sim_block_index(window, at);
    memmove(window->blocks + i + 1, window->blocks + i,
            (window->block_count - i) * sizeof *window->blocks);
    window->blocks[i] = (sim_block){at, bytes, ++serials};
    window->block_count++;
    window->live += bytes;
    window->next = at + extent(bytes);
    window->used = window->used < window->next ? window->next : window->used;
    return (void *)(uintptr_t)(window->base + at);
}

void *sim_memory_alloc(sim_memory_kind kind, uint32_t device, size_t bytes)
{
    if (bytes == 0 || device >= SIM_DEVICES) {
        return NULL;
    }
    return kind == SIM_MEMORY_PINNED ? sim_pinned_alloc(device, bytes, ++serials)
                                     : device_alloc(device, bytes);
}

/* Forgets the content of whole pages, and the states of all bytes. */
static void clear(sim_window *window, const sim_block *block)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t first = (block->at + page - 1) / page * page;
    const uint64_t last = (block->at + block->bytes) / page * page;
    if (first >= last) {
        memset(window->state + block->at, 0, block->bytes);
        return;
    }
    memset(window->state + block->at, 0, first - block->at);
    memset(window->state + last, 0, block->at + block->bytes - last);
    const uint64_t bytes = last - first;
    (void)madvise(window->state + first, bytes, MADV_DONTNEED);
    (void)madvise((void *)(uintptr_t)(window->base + first), bytes, MADV_DONTNEED);
    (void)madvise(window->words + first / 4, bytes / 4 * sizeof(sim_cell), MADV_DONTNEED);
    (void)madvise(window->parts + first, bytes * sizeof(sim_cell), MADV_DONTNEED);
}

static sim_fault device_free(sim_window *window, uint64_t at)
{
    const sim_block *block = sim_window_block(window, at);
    sim_block other;
    if (block != NULL && block->at == at) {
        const size_t i = (size_t)(block - window->blocks);
        sim_block_remember(window, block);
        clear(window, block);
        window->live -= block->bytes;
        window->block_count--;
        memmove(window->blocks + i, window->blocks + i + 1,
                (window->block_count - i) * sizeof *window->blocks);
        return SIM_OK;
    }
    if (block != NULL) {
        sim_finding("free",
                    "address=0x%llx offset=%llu size=%llu text=\"not the start of the allocation\"",
                    (unsigned long long)(window->base + at), (unsigned long long)(at - block->at),
                    (unsigned long long)block->bytes);
    } else if (sim_window_freed(window, at, &other)) {
        sim_finding("free", "address=0x%llx allocation=%llu text=\"freed before\"",
                    (unsigned long long)(window->base + at), (unsigned long long)other.serial);
    } else {
        sim_finding("free", "address=0x%llx text=\"never allocated\"",
                    (unsigned long long)(window->base + at));
    }
    return SIM_FAULT_INVALID;
}

sim_fault sim_memory_free(void *base)
{
    sim_window *window = sim_window_of(base);
    if (window != NULL) {
        return device_free(window, (uint64_t)(uintptr_t)base - window->base);
    }
    if (sim_pinned_free(base)) {
        return SIM_OK;
    }
    sim_finding("free", "address=%p text=\"neither device nor pinned memory\"", base);
    return SIM_FAULT_INVALID;
}

bool sim_memory_is_device(const void *address)
{
    return sim_window_of(address) != NULL;
}

bool sim_memory_find(const void *address, sim_allocation *out)
{
    const sim_window *window = sim_window_of(address);
    if (window == NULL) {
        return sim_pinned_find(address, out);
    }
    const sim_block *block = sim_window_block(window, (uint64_t)(uintptr_t)address - window->base);
    if (block == NULL) {
        return false;
    }
    *out = (sim_allocation){(void *)(uintptr_t)(window->base + block->at), block->bytes,
                            SIM_MEMORY_DEVICE, sim_window_device(window), block->serial};
    return true;
}

static void report_leak(const sim_allocation *leak)
{
    sim_finding("leak", "memory=%s device=%u address=%p size=%zu allocation=%llu",
                leak->kind == SIM_MEMORY_DEVICE ? "device" : "pinned", leak->device, leak->base,
                leak->bytes, (unsigned long long)leak->serial);
}

size_t sim_memory_leaks(void)
{
    const uint64_t before = sim_finding_count();
    for (uint32_t device = 0; device < SIM_DEVICES; device++) {
        const sim_window *window = sim_window_known(device);
        for (size_t i = 0; window != NULL && i < window->block_count; i++) {
            const sim_block *block = &window->blocks[i];
            report_leak(&(sim_allocation){(void *)(uintptr_t)(window->base + block->at),
                                          block->bytes, SIM_MEMORY_DEVICE, device, block->serial});
        }
    }
    sim_pinned_each(report_leak);
    return (size_t)(sim_finding_count() - before);
}
