/* Windows: reserving them and their shadow, opening and closing them to the host. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guard.h"
#include "window.h"

/* Where windows are asked for: high, so that pointers into them are easily told from the host's. */
#define FIRST_ADDRESS 0x200000000000u
#define WINDOW_BYTES (UINT64_C(64) << 30)
#define SMALLEST_BYTES (UINT64_C(1) << 30)

static sim_window windows[SIM_DEVICES];

bool sim_checking(void)
{
    return sim_option("check", 1) != 0;
}

/* Address space without memory behind it until it is touched; NULL if there is none. */
static void *reserve(uint64_t wish, uint64_t bytes, int protection)
{
    void *got = mmap((void *)(uintptr_t)wish, bytes, protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) {
        return NULL;
    }
    /* It is touched sparsely. Without the advice it works as well. */
    (void)madvise(got, bytes, MADV_NOHUGEPAGE);
    (void)madvise(got, bytes, MADV_DONTDUMP);
    return got;
}

static void release(void *start, uint64_t bytes)
{
    if (start != NULL) {
        munmap(start, bytes);
    }
}

static bool reserve_window(sim_window *window, uint64_t wish, uint64_t bytes)
{
    void *base = reserve(wish, bytes, PROT_NONE);
    uint8_t *state = reserve(0, bytes, PROT_READ | PROT_WRITE);
    sim_cell *words = reserve(0, bytes / 4 * sizeof(sim_cell), PROT_READ | PROT_WRITE);
    sim_cell *parts = reserve(0, bytes * sizeof(sim_cell), PROT_READ | PROT_WRITE);
    if (base == NULL || state == NULL || words == NULL || parts == NULL ||
        mprotect(base, SIM_LOCAL_WINDOW, PROT_READ | PROT_WRITE) != 0) {
        release(base, bytes);
        release(state, bytes);
        release(words, bytes / 4 * sizeof(sim_cell));
        release(parts, bytes * sizeof(sim_cell));
        return false;
    }
    window->state = state;
    window->words = words;
    window->parts = parts;
    window->next = window->used = SIM_FIRST_BLOCK;
    window->bytes = bytes;
    window->base = (uint64_t)(uintptr_t)base;
    return true;
}

sim_window *sim_window_get(uint32_t device)
{
    if (device >= SIM_DEVICES) {
        return NULL;
    }
    sim_window *window = &windows[device];
    uint64_t bytes = WINDOW_BYTES;
    while (window->base == 0 && bytes >= SMALLEST_BYTES &&
           !reserve_window(window, FIRST_ADDRESS + device * WINDOW_BYTES, bytes)) {
        bytes /= 2;
    }
    if (window->base == 0) {
        fprintf(stderr, "simulator: no address space for the memory of device %u\n", device);
        return NULL;
    }
    sim_guard_arm();
    return window;
}

sim_window *sim_window_known(uint32_t device)
{
    return device < SIM_DEVICES && windows[device].base != 0 ? &windows[device] : NULL;
}

sim_window *sim_window_of(const void *address)
{
    for (uint32_t i = 0; i < SIM_DEVICES; i++) {
        if (windows[i].base != 0 &&
            (uint64_t)(uintptr_t)address - windows[i].base < windows[i].bytes) {
            return &windows[i];
        }
    }
    return NULL;
}

uint32_t sim_window_device(const sim_window *window)
{
    return (uint32_t)(window - windows);
}

static void protect(const sim_window *window, uint64_t at, uint64_t bytes, int protection)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t first = at / page * page, last = (at + bytes + page - 1) / page * page;
    if (bytes > 0) {
        (void)mprotect((void *)(uintptr_t)(window->base + first), last - first, protection);
    }
}

void sim_window_open(const sim_window *window, uint64_t at, uint64_t bytes)
{
    protect(window, at, bytes, PROT_READ | PROT_WRITE);
}

void sim_window_close(const sim_window *window, uint64_t at, uint64_t bytes)
{
    if (sim_option("protect", 1) != 0) {
        protect(window, at, bytes, PROT_NONE);
        sim_guard_arm();
    }
}
