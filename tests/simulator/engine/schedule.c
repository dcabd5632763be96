/*
 * Running the items of a group. A wave goes on until all its items are at a barrier or done; then
 * the next. When all waves are, a barrier is complete, or the group is.
 */
#include <stdio.h>
#include <string.h>

#include "run.h"

/* Stacks that no item has. An item that never waits leaves its stack warm for the next. */
static uint32_t free_stacks[SIM_STACKS], free_count;

/* What items gave to their wave: twice, because some still read when others give again. */
static unsigned char wave_data[2][SIM_BLOCK_MAX * SIM_WAVE_BYTES];
static uint32_t wave_phase[SIM_BLOCK_MAX]; /* of each wave */

static uint32_t item_index(const sim_item *item)
{
    return (uint32_t)(item - sim_now.items);
}

static uint64_t stamp(uint32_t item)
{
    const uint64_t epoch = sim_now.wave_epoch[item / sim_now.wave] & SIM_WAVE_MASK;
    return sim_now.segment << SIM_SEGMENT_SHIFT | epoch << SIM_WAVE_SHIFT |
           (uint64_t)item << SIM_ITEM_SHIFT;
}

/* ---- the items' side --------------------------------------------------------------------------
 */

static void wait_as(sim_item_state state, uint32_t line, uint32_t mark, void *pc)
{
    sim_item *item = sim_now.current;
    item->state = state;
    item->line = line;
    item->mark = mark;
    item->pc = pc;
    item->local_top = sim_now.run.local_top;
    sim_fiber_switch(&item->fiber, &sim_now.main);
}

void sim_item_barrier(sim_u32 line, sim_u32 mark, void *pc)
{
    wait_as(SIM_ITEM_BARRIER, line, mark, pc);
}

static uint32_t items_of_wave(uint32_t wave)
{
    const uint32_t rest = sim_now.block - wave * sim_now.wave;
    return rest < sim_now.wave ? rest : sim_now.wave;
}

const void *sim_item_wave(const void *data, sim_u32 bytes, sim_u32 line, sim_u32 mark, void *pc)
{
    const uint32_t item = item_index(sim_now.current), wave = item / sim_now.wave;
    unsigned char *room =
        wave_data[wave_phase[wave] & 1] + (size_t)wave * sim_now.wave * SIM_WAVE_BYTES;
    if (bytes > SIM_WAVE_BYTES) {
        sim_report("wave", pc, true, "bytes=%u limit=%u", bytes, SIM_WAVE_BYTES);
        sim_abandon(SIM_FAULT_LAUNCH);
    }
    if (bytes > 0) {
        const size_t given = (size_t)items_of_wave(wave) * bytes;
        memcpy(room + (size_t)(item % sim_now.wave) * bytes, data, bytes);
        memset(room + given, 0xff, (size_t)sim_now.wave * bytes - given); /* of lanes not there */
    }
    /* A synchronisation and an exchange do not match. */
    wait_as(SIM_ITEM_WAVE, line, mark * 2 + (bytes > 0), pc);
    return room;
}

bool sim_is_wave_data(const void *address, uint64_t bytes)
{
    return bytes <= sizeof wave_data &&
           (uintptr_t)address - (uintptr_t)wave_data <= sizeof wave_data - bytes;
}

void *sim_item_local(sim_u64 bytes, void *pc)
{
    sim_run *run = &sim_now.run;
    const uint64_t at = run->local_top;
    const uint64_t end = at + bytes;
    run->local_top = (end + 63) / 64 * 64 + SIM_LOCAL_GAP;
    if (bytes > SIM_LOCAL_WINDOW || run->local_top > SIM_LOCAL_WINDOW) {
        sim_report("local-limit", pc, true, "bytes=%llu limit=%u", (unsigned long long)end,
                   SIM_LOCAL_WINDOW);
        sim_abandon(SIM_FAULT_LAUNCH);
    }
    if (run->local_top > sim_now.local_high && run->state != NULL) {
        memset(run->state + at, SIM_ALLOCATED, bytes);
        sim_now.local_high = run->local_top;
    }
    return (void *)(uintptr_t)(run->base + at);
}

_Noreturn static void item_main(void)
{
    sim_now.function->entry->call(sim_now.args);
    sim_now.current->state = SIM_ITEM_DONE;
    sim_fiber_switch(&sim_now.current->fiber, &sim_now.main);
    __builtin_unreachable();
}

_Noreturn void sim_abandon(sim_fault fault)
{
    sim_now.fault = fault;
    sim_fiber_switch(&sim_now.current->fiber, &sim_now.main);
    __builtin_unreachable();
}

/* ---- the scheduler's side ---------------------------------------------------------------------
 */

static void start(sim_item *item)
{
    item->stack = free_stacks[--free_count];
    item->stack_low = (uintptr_t)sim_stack(item->stack);
    item->local_top = 0;
    sim_fiber_start(&item->fiber, (void *)item->stack_low, SIM_STACK_BYTES, item_main);
}

/* Lets an item go on until it waits or is done. */
static void resume(sim_item *item)
{
    const uint32_t index = item_index(item);
    if (item->state == SIM_ITEM_NEW) {
        start(item);
    }
    sim_now.current = item;
    sim_now.run.local_id = index;
    sim_now.run.me = stamp(index);
    sim_now.run.local_top = item->local_top;
    sim_now.stack_low = item->stack_low;
    sim_fiber_switch(&sim_now.main, &item->fiber);
    if (item->state == SIM_ITEM_DONE) {
        free_stacks[free_count++] = item->stack;
    }
}

/* Items of one wave or of the group, first to first + count - 1. */
typedef struct span {
    uint32_t first, count;
} span;

static uint32_t count_in(span items, sim_item_state state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < items.count; i++) {
        count += sim_now.items[items.first + i].state == state;
    }
    return count;
}

static const sim_item *one_in(span items, sim_item_state state)
{
    for (uint32_t i = 0; i < items.count; i++) {
        if (sim_now.items[items.first + i].state == state) {
            return &sim_now.items[items.first + i];
        }
    }
    return NULL;
}

/* Items wait for others that never come: says who waits where. */
static bool diverged(const sim_item *waits, const sim_item *other)
{
    static const char *const words[] = {"", "", "waits at a barrier", "waits for its wave",
                                        "is done"};
    char at[32] = "", other_at[32] = "";
    if (waits->line != 0) { /* functions of the prelude do not know */
        (void)snprintf(at, sizeof at, "at_line=%u ", waits->line);
    }
    if (other->state != SIM_ITEM_DONE && other->line != 0) {
        (void)snprintf(other_at, sizeof other_at, " other_line=%u", other->line);
    }
    sim_now.run.local_id = item_index(waits);
    sim_report("divergence", waits->pc, true, "%sother_item=%u%s why=\"%s, the other %s\"", at,
               item_index(other), other_at, words[waits->state], words[other->state]);
    sim_now.fault = SIM_FAULT_LAUNCH;
    return false;
}

/* Whether all items of a span wait at the same place, in the same way. */
static bool agree(span items, sim_item_state state)
{
    const sim_item *first = &sim_now.items[items.first];
    for (uint32_t i = 1; i < items.count; i++) {
        const sim_item *item = first + i;
        if (item->state != state || item->mark != first->mark) {
            return diverged(item->state == state ? item : first,
                            item->state == state ? first : item);
        }
    }
    return true;
}

/* The items of a wave have all come to a wave operation: they go on. */
static void complete_wave(span items)
{
    const uint32_t wave = items.first / sim_now.wave;
    const bool synchronises = sim_now.items[items.first].mark % 2 == 0;
    wave_phase[wave]++;
    sim_now.wave_epoch[wave] += synchronises;
    for (uint32_t i = 0; i < items.count; i++) {
        sim_now.items[items.first + i].state = SIM_ITEM_READY;
    }
}

static bool run_wave(span items, uint64_t salt)
{
    for (;;) {
        for (uint32_t i = 0; i < items.count; i++) {
            sim_item *item =
                &sim_now.items[items.first + sim_permute(i, items.count, sim_now.order, salt)];
            if (item->state <= SIM_ITEM_READY) {
                resume(item);
                if (sim_now.fault != SIM_OK) {
                    return false;
                }
            }
        }
        const uint32_t waiting = count_in(items, SIM_ITEM_WAVE);
        if (waiting == 0) {
            return true;
        }
        if (waiting < items.count) {
            const sim_item *other = one_in(items, SIM_ITEM_DONE);
            return diverged(one_in(items, SIM_ITEM_WAVE),
                            other != NULL ? other : one_in(items, SIM_ITEM_BARRIER));
        }
        if (!agree(items, SIM_ITEM_WAVE)) {
            return false;
        }
        complete_wave(items);
    }
}

static bool run_waves(uint64_t salt)
{
    const uint32_t waves = (sim_now.block + sim_now.wave - 1) / sim_now.wave;
    for (uint32_t i = 0; i < waves; i++) {
        const uint32_t wave = (uint32_t)sim_permute(i, waves, sim_now.order, salt + 1);
        if (!run_wave((span){wave * sim_now.wave, items_of_wave(wave)}, salt)) {
            return false;
        }
    }
    return true;
}

static void reset_wave_epochs(void)
{
    memset(sim_now.wave_epoch, 0, (sim_now.block / sim_now.wave + 1) * sizeof(uint32_t));
}

/* A barrier is complete: what comes is ordered after what was. */
static void complete_barrier(void)
{
    sim_now.segment++;
    sim_now.run.epoch_floor = sim_now.segment << SIM_SEGMENT_SHIFT;
    reset_wave_epochs();
    for (uint32_t i = 0; i < sim_now.block; i++) {
        sim_now.items[i].state = SIM_ITEM_READY;
    }
}

static void begin_group(void)
{
    for (uint32_t i = 0; i < sim_now.block; i++) {
        sim_now.items[i].state = SIM_ITEM_NEW;
    }
    for (free_count = 0; free_count < sim_now.block; free_count++) {
        free_stacks[free_count] = sim_now.block - 1 - free_count;
    }
    reset_wave_epochs();
    if (sim_now.run.state != NULL) {
        memset(sim_now.run.state, 0, sim_now.local_high);
    }
    sim_now.local_high = 0;
    sim_now.segment++;
    sim_now.run.group_floor = sim_now.run.epoch_floor = sim_now.segment << SIM_SEGMENT_SHIFT;
}

bool sim_run_group(void)
{
    const span all = {0, sim_now.block};
    begin_group();
    for (;;) {
        if (!run_waves(sim_now.segment * 2)) {
            return false;
        }
        const uint32_t done = count_in(all, SIM_ITEM_DONE);
        if (done == sim_now.block) {
            return true;
        }
        if (done > 0) {
            return diverged(one_in(all, SIM_ITEM_BARRIER), one_in(all, SIM_ITEM_DONE));
        }
        if (!agree(all, SIM_ITEM_BARRIER)) {
            return false;
        }
        complete_barrier();
    }
}
