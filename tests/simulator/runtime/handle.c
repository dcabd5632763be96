#include "handle.h"

#include <stdint.h>
#include <stdlib.h>

/* Handles count up from here in steps: no address of this process, and aligned as one would be. */
#define FIRST 0x5e5000000000
#define STEP 64

typedef struct slot {
    rt_kind kind;
    rt_vendor vendor;
    void *object; /* NULL once it was destroyed */
} slot;

static slot *slots;
static size_t count, capacity;

static const char *const names[RT_KINDS] = {
    "stream",  "event",       "module",         "function",    "graph",          "executable graph",
    "program", "GEMM handle", "GEMM operation", "GEMM layout", "GEMM preference"};

const char *rt_kind_name(rt_kind kind)
{
    return names[kind];
}

void *rt_handle_new(rt_kind kind, rt_vendor vendor, void *object)
{
    if (count == capacity) {
        const size_t more = capacity == 0 ? 256 : 2 * capacity;
        slot *grown = realloc(slots, more * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        slots = grown;
        capacity = more;
    }
    slots[count] = (slot){kind, vendor, object};
    return (void *)(uintptr_t)(FIRST + STEP * (uint64_t)count++);
}

static slot *find(const void *handle)
{
    const uint64_t number = (uint64_t)(uintptr_t)handle - FIRST;
    return number % STEP == 0 && number / STEP < count ? &slots[number / STEP] : NULL;
}

void *rt_handle_get(rt_kind kind, rt_vendor vendor, const void *handle, const char *function)
{
    const slot *found = find(handle);
    if (found == NULL || found->kind != kind || found->vendor != vendor) {
        return NULL;
    }
    if (found->object == NULL) {
        sim_finding("destroyed",
                    "function=%s what=\"%s\" handle=%p text=\"used after it was "
                    "destroyed\"",
                    function + sizeof "rt_" - 1, names[kind], handle);
    }
    return found->object;
}

void rt_handle_end(const void *handle)
{
    slot *found = find(handle);
    if (found != NULL) {
        found->object = NULL;
    }
}

void rt_handle_leaks(void)
{
    for (size_t i = 0; i < count; i++) {
        if (slots[i].object != NULL && slots[i].kind != RT_KIND_FUNCTION) {
            sim_finding("leak", "vendor=%s what=\"%s\" handle=%p",
                        slots[i].vendor == RT_CUDA ? "cuda" : "hip", names[slots[i].kind],
                        (void *)(uintptr_t)(FIRST + STEP * (uint64_t)i));
        }
    }
}

void rt_handle_forget(void)
{
    for (size_t i = 0; i < count; i++) {
        slots[i].object = NULL;
    }
}
