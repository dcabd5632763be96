/*
 * Accesses that the kernel's own checks did not pass: first touches, parts of words, several items
 * at one place, and what is wrong.
 */
#include <stdio.h>

#include "kernel_order.h"
#include "run.h"

/* The access that is being looked at. */
typedef struct access_now {
    uint64_t at; /* in the window */
    uint32_t bytes;
    bool write;
    bool local;
    void *pc;
    uint64_t floor;
} access_now;

static const char *verb(bool write)
{
    return write ? "write" : "read";
}

static const char *space(const access_now *access)
{
    return access->local ? "LOCAL" : "GLOBAL";
}

static unsigned long long address_of(const access_now *access)
{
    return sim_now.run.base + access->at;
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Where a bad address lies, seen from the blocks around it. */
static void describe(const access_now *access, char *out, size_t room)
{
    const sim_block *before = sim_window_before(sim_now.window, access->at);
    const sim_block *after = sim_window_after(sim_now.window, access->at);
    if (access->local) {
        (void)snprintf(out, room, "local_offset=%llu", (unsigned long long)access->at);
    } else if (before != NULL && (after == NULL || access->at - before->at - before->bytes <
                                                       after->at - access->at)) {
        (void)snprintf(out, room, "allocation=%llu size=%llu beyond=%llu",
                       (unsigned long long)before->serial, (unsigned long long)before->bytes,
                       (unsigned long long)(access->at - before->at - before->bytes));
    } else if (after != NULL) {
        (void)snprintf(out, room, "allocation=%llu size=%llu before=%llu",
                       (unsigned long long)after->serial, (unsigned long long)after->bytes,
                       (unsigned long long)(after->at - access->at));
    } else {
        (void)snprintf(out, room, "allocation=none");
    }
}

_Noreturn static void out_of_bounds(const access_now *access)
{
    sim_block freed;
    char where[128];
    if (!access->local && sim_window_freed(sim_now.window, access->at, &freed)) {
        sim_report("use-after-free", access->pc, true,
                   "access=%s space=GLOBAL bytes=%u address=0x%llx allocation=%llu offset=%llu",
                   verb(access->write), access->bytes, address_of(access),
                   (unsigned long long)freed.serial, (unsigned long long)(access->at - freed.at));
    } else {
        describe(access, where, sizeof where);
        sim_report("out-of-bounds", access->pc, true,
                   "access=%s space=%s bytes=%u address=0x%llx %s", verb(access->write),
                   space(access), access->bytes, address_of(access), where);
    }
    sim_abandon(SIM_FAULT_ADDRESS);
}

/* Memory of the item itself, of the program, or of the engine for it. */
static bool is_private(const void *address, uint64_t bytes)
{
    const uintptr_t at = (uintptr_t)address;
    const sim_module *module = sim_now.function->module;
    return at - sim_now.stack_low <= SIM_STACK_BYTES - bytes ||
           (at >= module->low && at < module->high) || sim_is_wave_data(address, bytes);
}

static void outside_window(const void *address, uint32_t bytes, bool write, void *pc)
{
    sim_allocation allocation;
    if (bytes <= SIM_STACK_BYTES && is_private(address, bytes)) {
        return;
    }
    const char *memory = sim_memory_is_device(address)           ? "another-device"
                         : sim_memory_find(address, &allocation) ? "pinned"
                         : (uintptr_t)address < 65536            ? "null"
                                                                 : "host";
    sim_report("out-of-bounds", pc, true, "access=%s space=GLOBAL bytes=%u address=%p memory=%s",
               verb(write), bytes, address, memory);
    sim_abandon(SIM_FAULT_ADDRESS);
}

/* ---- races ------------------------------------------------------------------------------------
 */

/* Whether what a stamp stands for, not over by barriers, happened before what the item does now. */
static bool before_now(uint64_t stamp)
{
    const uint64_t me = sim_now.run.me;
    if (stamp < sim_now.run.epoch_floor || sim_kind_of(stamp) >= SIM_GROUP) {
        return false;
    }
    if (sim_kind_of(stamp) == SIM_ONE && sim_item_of(stamp) == sim_item_of(me)) {
        return true;
    }
    return sim_same_wave(&sim_now.run, stamp, me) && !sim_same_wave_epoch(stamp, me);
}

static bool conflicts(uint64_t stamp, const access_now *access)
{
    return stamp != sim_now.run.me && !sim_over(&sim_now.run, stamp, access->floor) &&
           !before_now(stamp);
}

static void race(const access_now *access, uint64_t other, bool other_writes)
{
    char who[32] = "";
    const bool in_group = other >= sim_now.run.group_floor;
    if (sim_kind_of(other) == SIM_ONE) {
        (void)snprintf(who, sizeof who, " other_item=%u", sim_item_of(other));
    }
    sim_report("race", access->pc, true,
               "access=%s other=%s between=%s space=%s bytes=%u address=0x%llx%s",
               verb(access->write), verb(other_writes), in_group ? "items" : "groups",
               space(access), access->bytes, address_of(access), who);
    sim_now.found = true;
}

static void touch(sim_cell *cell, const access_now *access)
{
    if (sim_pass(&sim_now.run, cell, access->floor, access->write)) {
        return;
    }
    if (conflicts(cell->writer, access)) {
        race(access, cell->writer, true);
        cell->writer = 0; /* told once */
    }
    if (!access->write) {
        cell->reader = sim_readers(&sim_now.run, cell->reader, access->floor);
        return;
    }
    if (conflicts(cell->reader, access)) {
        race(access, cell->reader, false);
    }
    *cell = (sim_cell){sim_now.run.me, 0};
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void split(sim_cell *word, sim_cell *parts)
{
    for (uint32_t i = 0; i < 4; i++) {
        parts[i] = *word;
    }
    word->writer = SIM_SPLIT;
}

/* The part of an access that lies in one word. */
static void touch_word(uint64_t first, uint64_t last, const access_now *access)
{
    sim_cell *word = sim_now.run.words + first / 4;
    if (last - first == 4 && word->writer != SIM_SPLIT) {
        touch(word, access);
        return;
    }
    if (word->writer != SIM_SPLIT) {
        split(word, sim_now.run.parts + first / 4 * 4);
    }
    for (uint64_t at = first; at < last; at++) {
        touch(sim_now.run.parts + at, access);
    }
    if (last - first == 4 && access->write) {
        *word = (sim_cell){sim_now.run.me, 0};
    }
}

static void check_states(const access_now *access)
{
    uint8_t *state = sim_now.run.state;
    bool told = false;
    for (uint64_t at = access->at; at < access->at + access->bytes; at++) {
        if (state[at] == 0 && !sim_window_resolve(sim_now.window, at)) {
            access_now bad = *access;
            bad.at = at;
            out_of_bounds(&bad);
        }
        if (!access->write && state[at] != SIM_WRITTEN && !told) {
            sim_report("uninitialised", access->pc, true,
                       "access=read space=%s bytes=%u address=0x%llx", space(access), access->bytes,
                       address_of(access));
            sim_now.found = told = true;
        }
        state[at] = SIM_WRITTEN;
    }
}

void sim_check_access(const void *address, sim_u32 bytes, sim_u32 write, sim_u32 aligned, void *pc)
{
    const sim_run *run = &sim_now.run;
    const uint64_t at = (uint64_t)(uintptr_t)address - run->base;
    if (at >= run->bytes) {
        outside_window(address, bytes, write != 0, pc);
        return;
    }
    const bool local = at < SIM_LOCAL_WINDOW;
    const access_now access = {at,    bytes, write != 0,
                               local, pc,    local ? run->group_floor : run->launch_floor};
    if (aligned != 0 && at % bytes != 0) {
        sim_report("misaligned", pc, true, "access=%s space=%s bytes=%u address=%p",
                   verb(access.write), space(&access), bytes, address);
        sim_abandon(SIM_FAULT_MISALIGNED);
    }
    check_states(&access);
    for (uint64_t first = at; first < at + bytes;) {
        const uint64_t next = first / 4 * 4 + 4;
        const uint64_t last = next < at + bytes ? next : at + bytes;
        touch_word(first, last, &access);
        first = last;
    }
}

void sim_check_endless(void *pc)
{
    sim_report("endless", pc, true, "steps=%lld", (long long)sim_option("steps", SIM_STEPS));
    sim_abandon(SIM_FAULT_TIMEOUT);
}
