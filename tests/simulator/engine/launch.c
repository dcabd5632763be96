/* Launches: what is refused, and running all groups. */
#include <stdio.h>
#include <string.h>

#include "guard.h"
#include "run.h"

#define GRID_MAX_X 0x7fffffffu
#define GRID_MAX_YZ 65535u

sim_running sim_now;

const char *sim_fault_name(sim_fault fault)
{
    static const char *const names[] = {"ok",      "invalid",   "memory",  "image",
                                        "compile", "not found", "address", "misaligned",
                                        "launch",  "timeout",   "check"};
    return (size_t)fault < sizeof names / sizeof names[0] ? names[fault] : "unknown";
}

static sim_fault refuse(const sim_function *function, const char *format, uint32_t got,
                        uint32_t want)
{
    char why[128];
    (void)snprintf(why, sizeof why, format, got, want);
    sim_finding("launch", "kernel=%s text=\"%s\"", function->entry->name, why);
    return SIM_FAULT_INVALID;
}

static sim_fault check_launch(const sim_function *function, const uint32_t grid[3],
                              const uint32_t block[3], const void *const *args)
{
    const sim_kernel_entry *entry = function->entry;
    if (entry->block > SIM_BLOCK_MAX) {
        return refuse(function, "compiled for %u work-items, at most %u are possible", entry->block,
                      SIM_BLOCK_MAX);
    }
    if (block[0] != entry->block) {
        return refuse(function, "block of %u work-items, compiled for %u", block[0], entry->block);
    }
    for (uint32_t d = 1; d < 3; d++) {
        if (block[d] != 1) {
            return refuse(function, "block of %u in dimension %u, where 1 is all there is",
                          block[d], d);
        }
    }
    for (uint32_t d = 0; d < 3; d++) {
        const uint32_t most = d == 0 ? GRID_MAX_X : GRID_MAX_YZ;
        if (grid[d] == 0 || grid[d] > most) {
            return refuse(function, "grid of %u groups in a dimension of at most %u", grid[d],
                          most);
        }
    }
    for (uint32_t i = 0; i < entry->arg_count; i++) {
        if (args == NULL || args[i] == NULL) {
            return refuse(function, "argument %u of %u is missing", i, entry->arg_count);
        }
    }
    return SIM_OK;
}

static void on_trap(const char *what, void *pc, void *address)
{
    sim_report("trap", pc, false, "what=\"%s\" address=%p", what, address);
    sim_abandon(SIM_FAULT_LAUNCH);
}

/* One window for kernels: LOCAL memory, then the device's. Without checks its shadow stays away. */
static void prepare_run(sim_function *function, sim_window *window, const uint32_t grid[3])
{
    sim_run *run = &sim_now.run;
    const bool checking = sim_checking();
    memset(run, 0, sizeof *run);
    run->base = window->base;
    run->bytes = window->bytes;
    run->state = checking ? window->state : NULL;
    run->words = window->words;
    run->parts = window->parts;
    run->wave_shift = (uint32_t)__builtin_ctz(function->entry->wave);
    memcpy(run->num_groups, grid, sizeof run->num_groups);
    run->access = sim_check_access;
    run->endless = sim_check_endless;
    run->local = sim_item_local;
    run->barrier = sim_item_barrier;
    run->wave = sim_item_wave;
    sim_now.segment++;
    run->launch_floor = sim_now.segment << SIM_SEGMENT_SHIFT;
    sim_now.window = window;
    sim_now.function = function;
    sim_now.block = function->entry->block;
    sim_now.wave = function->entry->wave;
    sim_now.order = sim_option("order", 0);
    sim_now.fault = SIM_OK;
    sim_now.found = false;
}

static void run_groups(const uint32_t grid[3])
{
    const uint64_t groups = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint64_t steps = (uint64_t)sim_option("steps", SIM_STEPS);
    for (uint64_t i = 0; i < groups; i++) {
        const uint64_t group = sim_permute(i, groups, sim_now.order, 0);
        sim_now.run.group_id[0] = (uint32_t)(group % grid[0]);
        sim_now.run.group_id[1] = (uint32_t)(group / grid[0] % grid[1]);
        sim_now.run.group_id[2] = (uint32_t)(group / grid[0] / grid[1]);
        sim_now.run.steps = steps;
        if (!sim_run_group()) {
            return;
        }
    }
}

sim_fault sim_launch(sim_function *function, const uint32_t grid[3], const uint32_t block[3],
                     const void *const *args)
{
    sim_window *window = sim_window_get(function->module->device.index);
    const sim_fault refused = check_launch(function, grid, block, args);
    if (refused != SIM_OK) {
        return refused;
    }
    if (window == NULL || sim_stack(function->entry->block - 1) == NULL) {
        return SIM_FAULT_MEMORY;
    }
    prepare_run(function, window, grid);
    sim_now.args = (void **)(uintptr_t)args; /* read only, but calls have an older type */
    sim_report_begin();
    sim_window_open(window, SIM_LOCAL_WINDOW, window->used - SIM_LOCAL_WINDOW);
    sim_guard_begin(on_trap);
    run_groups(grid);
    sim_guard_end();
    sim_window_close(window, SIM_LOCAL_WINDOW, window->used - SIM_LOCAL_WINDOW);
    sim_report_end();
    if (sim_now.fault == SIM_OK && sim_now.found && sim_option("fatal", 1) != 0) {
        return SIM_FAULT_CHECK;
    }
    return sim_now.fault;
}
