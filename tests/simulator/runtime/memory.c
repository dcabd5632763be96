#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "codes.h"
#include "fault.h"
#include "schedule.h"
#include "stream.h"

/* Ordinary host memory that was registered. */
typedef struct registered {
    struct registered *next;
    rt_vendor vendor;
    char *base;
    size_t bytes;
} registered;

static registered *ranges;

/* Blocks that are live, for the end of a context. */
typedef struct block {
    struct block *next;
    rt_device *device;
    void *base;
    sim_memory_kind kind;
    bool freeing; /* in a stream's order: a second free is wrong already */
} block;

static block *blocks;

static block *find_block(const void *base)
{
    block *found = blocks;
    while (found != NULL && found->base != base) {
        found = found->next;
    }
    return found;
}

static void forget_block(block *gone)
{
    block **link = &blocks;
    while (*link != gone) {
        link = &(*link)->next;
    }
    *link = gone->next;
    free(gone);
}

static int alloc(rt_device *device, sim_memory_kind kind, size_t bytes, void **out)
{
    *out = NULL;
    if (bytes == 0) {
        return kind == SIM_MEMORY_DEVICE ? RT_SUCCESS : RT_INVALID_VALUE;
    }
    device->allocations++;
    if (rt_fault_hits(device, "oom_at", device->allocations)) {
        return RT_OUT_OF_MEMORY;
    }
    block *made = calloc(1, sizeof *made);
    void *base = made != NULL ? sim_memory_alloc(kind, device->engine.index, bytes) : NULL;
    if (base == NULL) {
        free(made);
        return RT_OUT_OF_MEMORY;
    }
    *made = (block){.next = blocks, .device = device, .base = base, .kind = kind};
    blocks = made;
    *out = base;
    return RT_SUCCESS;
}

int rt_memory_alloc(rt_device *device, size_t bytes, void **out)
{
    return alloc(device, SIM_MEMORY_DEVICE, bytes, out);
}

int rt_memory_alloc_host(rt_device *device, size_t bytes, void **out)
{
    return alloc(device, SIM_MEMORY_PINNED, bytes, out);
}

/* Reports work that still uses memory which goes now, and lets it finish. */
static void finish_users(const void *base, size_t bytes, const char *what)
{
    rt_stream *stream = NULL;
    const rt_entry *entry = rt_stream_find_touching(base, bytes, &stream);
    while (entry != NULL) {
        char user[128];
        rt_work_describe(&entry->work, user, sizeof user);
        sim_finding("freed-in-use",
                    "what=\"%s\" address=%p bytes=%zu by=\"%s\" text=\"work that "
                    "uses it is not done\"",
                    what, base, bytes, user);
        rt_wait_entry(stream, entry);
        entry = rt_stream_find_touching(base, bytes, &stream);
    }
}

static int free_block(rt_device *device, sim_memory_kind kind, void *base)
{
    sim_allocation found;
    block *live = find_block(base);
    if (live == NULL || live->kind != kind || live->freeing ||
        live->device->vendor != device->vendor || !sim_memory_find(base, &found)) {
        sim_finding("free", "address=%p text=\"not the start of a live %s block\"", base,
                    kind == SIM_MEMORY_DEVICE ? "device" : "pinned");
        return RT_INVALID_VALUE;
    }
    finish_users(base, found.bytes, kind == SIM_MEMORY_DEVICE ? "device memory" : "pinned memory");
    forget_block(live);
    return rt_code_of_fault(sim_memory_free(base));
}

int rt_memory_free(rt_device *device, void *base)
{
    return base == NULL ? RT_SUCCESS : free_block(device, SIM_MEMORY_DEVICE, base);
}

int rt_memory_free_host(rt_device *device, void *base)
{
    return base == NULL ? RT_SUCCESS : free_block(device, SIM_MEMORY_PINNED, base);
}

int rt_memory_free_async(rt_stream *stream, void *base)
{
    block *live = find_block(base);
    if (live == NULL || live->kind != SIM_MEMORY_DEVICE || live->freeing) {
        return RT_INVALID_VALUE;
    }
    live->freeing = true;
    rt_work work = {.kind = RT_WORK_FREE, .u.memory = base};
    return rt_submit(stream, &work);
}

void rt_memory_free_now(rt_device *device, void *base)
{
    block *live = find_block(base);
    if (live != NULL && live->device == device) {
        forget_block(live);
        (void)sim_memory_free(base);
    }
}

void rt_memory_end_all(rt_device *device)
{
    for (block *live = blocks; live != NULL;) {
        block *next = live->next;
        if (live->device == device) {
            (void)sim_memory_free(live->base);
            forget_block(live);
        }
        live = next;
    }
}

/* ---- registered host memory ----------------------------------------------------------------- */

static registered *find_registered(const void *address, size_t bytes)
{
    const char *at = address;
    registered *range = ranges;
    while (range != NULL && !(at < range->base + range->bytes && range->base < at + bytes)) {
        range = range->next;
    }
    return range;
}

int rt_memory_register(rt_vendor vendor, void *base, size_t bytes)
{
    if (base == NULL || bytes == 0) {
        return RT_INVALID_VALUE;
    }
    if (rt_memory_place(base) != RT_PLACE_PAGEABLE || find_registered(base, bytes) != NULL) {
        return RT_HOST_ALREADY_REGISTERED;
    }
    registered *range = calloc(1, sizeof *range);
    if (range == NULL) {
        return RT_OUT_OF_MEMORY;
    }
    *range = (registered){.next = ranges, .vendor = vendor, .base = base, .bytes = bytes};
    ranges = range;
    return RT_SUCCESS;
}

int rt_memory_unregister(rt_vendor vendor, void *base)
{
    registered **link = &ranges;
    while (*link != NULL && ((*link)->base != base || (*link)->vendor != vendor)) {
        link = &(*link)->next;
    }
    registered *range = *link;
    if (range == NULL) {
        return RT_HOST_NOT_REGISTERED;
    }
    finish_users(base, range->bytes, "registered memory");
    *link = range->next;
    free(range);
    return RT_SUCCESS;
}

/* ---- questions ------------------------------------------------------------------------------ */

rt_place rt_memory_place(const void *address)
{
    sim_allocation found;
    if (sim_memory_find(address, &found)) {
        return found.kind == SIM_MEMORY_DEVICE ? RT_PLACE_DEVICE : RT_PLACE_PINNED;
    }
    if (sim_memory_is_device(address)) {
        return RT_PLACE_FREED;
    }
    return find_registered(address, 1) != NULL ? RT_PLACE_PINNED : RT_PLACE_PAGEABLE;
}

rt_device *rt_memory_device(rt_vendor vendor, const void *address)
{
    sim_allocation found;
    if (!sim_memory_find(address, &found)) {
        return NULL;
    }
    for (int i = 0; i < rt_device_count(vendor); i++) {
        rt_device *device = rt_device_get(vendor, i);
        if (device->engine.index == found.device) {
            return device;
        }
    }
    return NULL;
}

bool rt_memory_block(const void *address, void **out_base, size_t *out_bytes)
{
    sim_allocation found;
    if (!sim_memory_find(address, &found)) {
        return false;
    }
    *out_base = found.base;
    *out_bytes = found.bytes;
    return true;
}

void rt_memory_info(const rt_device *device, size_t *out_free, size_t *out_total)
{
    const uint64_t live = sim_memory_live(SIM_MEMORY_DEVICE, device->engine.index);
    *out_total = sim_memory_capacity();
    *out_free = live < *out_total ? *out_total - live : 0;
}
