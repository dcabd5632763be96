/* Checked copies and fills. */
#include <stdio.h>
#include <string.h>

#include "window.h"

/* What the host reads where nobody has written: NaN for floats, -1 for integers. */
#define GARBAGE 0xff

/* One end of a copy. */
typedef struct place {
    unsigned char *address;
    sim_window *window; /* NULL: host memory */
    uint64_t at;        /* in the window */
} place;

static void outside(const char *what, const void *address, size_t bytes, const char *why)
{
    sim_finding("copy", "access=%s address=%p bytes=%zu text=\"%s\"", what, address, bytes, why);
}

/* Whether the range lies in one allocation, if it is device or pinned memory at all. */
static bool find_place(const char *what, const void *address, size_t bytes, place *out)
{
    *out = (place){(unsigned char *)(uintptr_t)address, sim_window_of(address), 0};
    sim_allocation allocation;
    if (!sim_memory_find(address, &allocation)) {
        sim_block freed;
        if (out->window == NULL) {
            return true; /* other host memory */
        }
        const uint64_t at = (uint64_t)(uintptr_t)address - out->window->base;
        outside(what, address, bytes,
                sim_window_freed(out->window, at, &freed) ? "device memory that was freed"
                                                          : "device memory that is not allocated");
        return false;
    }
    const size_t offset = (size_t)(out->address - (unsigned char *)allocation.base);
    if (bytes > allocation.bytes - offset) {
        char why[128];
        (void)snprintf(why, sizeof why, "begins at byte %zu of an allocation of %zu", offset,
                       allocation.bytes);
        outside(what, address, bytes, why);
        return false;
    }
    if (out->window != NULL) {
        out->at = (uint64_t)(uintptr_t)address - out->window->base;
    }
    return true;
}

static void open_place(const place *p, size_t bytes)
{
    if (p->window != NULL) {
        sim_window_open(p->window, p->at, bytes);
    }
}

static void close_place(const place *p, size_t bytes)
{
    if (p->window != NULL) {
        sim_window_close(p->window, p->at, bytes);
    }
}

/* Puts garbage where the source was never written. */
static void spoil(const place *from, unsigned char *to, size_t bytes)
{
    const uint8_t *state = from->window->state + from->at;
    for (size_t i = 0; i < bytes; i++) {
        if (state[i] != SIM_WRITTEN) {
            to[i] = GARBAGE;
        }
    }
}

static bool all_written(const place *from, size_t bytes)
{
    const uint8_t *state = from->window->state + from->at;
    return state[0] == SIM_WRITTEN && memcmp(state, state + 1, bytes - 1) == 0;
}

static void copy_states(const place *to, const place *from, size_t bytes)
{
    if (to->window != NULL && from->window != NULL) {
        memmove(to->window->state + to->at, from->window->state + from->at, bytes);
    } else if (to->window != NULL) {
        memset(to->window->state + to->at, SIM_WRITTEN, bytes);
    } else if (from->window != NULL && !all_written(from, bytes)) {
        spoil(from, to->address, bytes);
    }
}

sim_fault sim_memory_copy(void *to, const void *from, size_t bytes)
{
    place target, source;
    if (bytes == 0) {
        return SIM_OK;
    }
    if (!find_place("write", to, bytes, &target) || !find_place("read", from, bytes, &source)) {
        return SIM_FAULT_ADDRESS;
    }
    open_place(&target, bytes);
    open_place(&source, bytes);
    memmove(target.address, source.address, bytes);
    if (sim_checking()) {
        copy_states(&target, &source, bytes);
    }
    close_place(&source, bytes);
    close_place(&target, bytes);
    return SIM_OK;
}

static void fill(unsigned char *to, uint32_t value, uint32_t value_bytes, size_t count)
{
    if (value_bytes == 1) {
        memset(to, (int)(value & 0xff), count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * value_bytes, &value, value_bytes); /* little endian: the low bytes */
    }
}

sim_fault sim_memory_fill(void *to, uint32_t value, uint32_t value_bytes, size_t count)
{
    place target;
    if ((value_bytes != 1 && value_bytes != 2 && value_bytes != 4) ||
        (uintptr_t)to % value_bytes != 0 || count > SIZE_MAX / value_bytes) {
        sim_finding("copy", "access=fill address=%p value_bytes=%u count=%zu text=\"malformed\"",
                    to, value_bytes, count);
        return SIM_FAULT_INVALID;
    }
    const size_t bytes = count * value_bytes;
    if (bytes == 0) {
        return SIM_OK;
    }
    if (!find_place("write", to, bytes, &target)) {
        return SIM_FAULT_ADDRESS;
    }
    open_place(&target, bytes);
    fill(target.address, value, value_bytes, count);
    if (target.window != NULL && sim_checking()) {
        memset(target.window->state + target.at, SIM_WRITTEN, bytes);
    }
    close_place(&target, bytes);
    return SIM_OK;
}
