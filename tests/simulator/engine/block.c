/* Blocks of a window: finding them by address, and what is known about freed ones. */
#include <string.h>

#include "block.h"

/* Freed blocks that are remembered, so that use after free can be told from any other bad address.
 */
#define FREED_MAX 4096

typedef struct freed_block {
    const sim_window *window;
    sim_block block;
} freed_block;

static freed_block freed[FREED_MAX];
static uint64_t freed_count;

size_t sim_block_index(const sim_window *window, uint64_t at)
{
    size_t low = 0, high = window->block_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (window->blocks[middle].at <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const sim_block *sim_window_before(const sim_window *window, uint64_t at)
{
    const size_t i = sim_block_index(window, at);
    return i > 0 ? &window->blocks[i - 1] : NULL;
}

const sim_block *sim_window_after(const sim_window *window, uint64_t at)
{
    const size_t i = sim_block_index(window, at);
    return i < window->block_count ? &window->blocks[i] : NULL;
}

const sim_block *sim_window_block(const sim_window *window, uint64_t at)
{
    const sim_block *block = sim_window_before(window, at);
    return block != NULL && at - block->at < block->bytes ? block : NULL;
}

void sim_block_remember(const sim_window *window, const sim_block *block)
{
    freed[freed_count++ % FREED_MAX] = (freed_block){window, *block};
}

void sim_block_forget(const sim_window *window, uint64_t at, uint64_t end)
{
    for (size_t i = 0; i < FREED_MAX; i++) {
        const sim_block *block = &freed[i].block;
        if (freed[i].window == window && block->at < end && at < block->at + block->bytes) {
            freed[i].window = NULL;
        }
    }
}

bool sim_window_freed(const sim_window *window, uint64_t at, sim_block *out)
{
    const uint64_t kept = freed_count < FREED_MAX ? freed_count : FREED_MAX;
    for (uint64_t i = 1; i <= kept; i++) {
        const freed_block *entry = &freed[(freed_count - i) % FREED_MAX];
        if (entry->window == window && at - entry->block.at < entry->block.bytes) {
            *out = entry->block;
            return true;
        }
    }
    return false;
}

/* States are resolved for this many bytes at a time. */
#define STRETCH 1024u

bool sim_window_resolve(sim_window *window, uint64_t at)
{
    const sim_block *block = at >= SIM_LOCAL_WINDOW ? sim_window_block(window, at) : NULL;
    if (block == NULL) {
        return at < SIM_LOCAL_WINDOW && window->state[at] != 0;
    }
    uint64_t first = at / STRETCH * STRETCH, last = first + STRETCH;
    first = first < block->at ? block->at : first;
    last = last > block->at + block->bytes ? block->at + block->bytes : last;
    for (uint64_t i = first; i < last; i++) {
        window->state[i] = (uint8_t)(window->state[i] | SIM_ALLOCATED);
    }
    return true;
}
