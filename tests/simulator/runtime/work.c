#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codes.h"
#include "entry.h"
#include "fault.h"
#include "graph.h"
#include "memory.h"
#include "version.h"

/* ---- marks ---------------------------------------------------------------------------------- */

rt_mark *rt_mark_new(rt_stream *stream)
{
    rt_mark *mark = calloc(1, sizeof *mark);
    if (mark != NULL) {
        mark->references = 1;
        mark->stream = stream;
    }
    return mark;
}

rt_mark *rt_mark_retain(rt_mark *mark)
{
    mark->references++;
    return mark;
}

void rt_mark_release(rt_mark *mark)
{
    if (mark != NULL && --mark->references == 0) {
        free(mark);
    }
}

static void pass_mark(rt_mark *mark, int64_t now_ns)
{
    mark->done = true;
    mark->time_ns = now_ns;
    mark->stream = NULL;
}

/* ---- faults --------------------------------------------------------------------------------- */

int rt_code_of_fault(sim_fault fault)
{
    switch (fault) {
    case SIM_OK:
        return RT_SUCCESS;
    case SIM_FAULT_INVALID:
        return RT_INVALID_VALUE;
    case SIM_FAULT_MEMORY:
        return RT_OUT_OF_MEMORY;
    case SIM_FAULT_IMAGE:
        return RT_INVALID_IMAGE;
    case SIM_FAULT_NOT_FOUND:
        return RT_NOT_FOUND;
    case SIM_FAULT_ADDRESS:
        return RT_ILLEGAL_ADDRESS;
    case SIM_FAULT_MISALIGNED:
        return RT_MISALIGNED_ADDRESS;
    case SIM_FAULT_TIMEOUT:
        return RT_LAUNCH_TIMEOUT;
    default:
        return RT_LAUNCH_FAILURE;
    }
}

/* SIM_FAULT_CHECK is what no device would notice: rt_device_outcome() tells of the finding. */
static void fail(rt_device *device, sim_fault fault)
{
    /* Before ROCm 7 the runtime ends the process when the GPU takes a page fault. */
    if (fault == SIM_FAULT_ADDRESS && device->vendor == RT_HIP &&
        rt_version(RT_LIBRARY_HIP) < 70000000) {
        rt_fault_abort("a page fault under a HIP runtime before 7");
    }
    if (fault != SIM_OK && fault != SIM_FAULT_CHECK) {
        rt_device_fail(device, rt_code_of_fault(fault), false);
    }
}

/* ---- doing it ------------------------------------------------------------------------------- */

/* Times on the simulated clock; they only have to be plausible, and to differ. */
#define LAUNCH_NS 2000
#define COPY_NS 1000
#define BYTES_PER_NS 16

static int64_t execute_launch(const rt_work_launch *launch, rt_device *device)
{
    device->launches++;
    if (rt_fault_hits(device, "abort_at", device->launches)) {
        rt_fault_abort("a launch");
    }
    if (rt_fault_hits(device, "hang_at", device->launches)) {
        return -1;
    }
    if (rt_fault_hits(device, "lost_at", device->launches)) {
        rt_device_fail(device, (int)sim_option("error", RT_UNKNOWN), true);
        return LAUNCH_NS;
    }
    if (rt_fault_hits(device, "error_at", device->launches)) {
        rt_device_fail(device, (int)sim_option("error", RT_ILLEGAL_ADDRESS), false);
        return LAUNCH_NS;
    }
    if (sim_option("null_kernels", 0) == 0) {
        fail(device, sim_launch(launch->function, launch->grid, launch->block,
                                (const void *const *)launch->args));
    }
    return LAUNCH_NS + (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] * 100;
}

/* What a broken peer link does: the copy ends well, and the first byte is wrong. */
static void spoil(void *to)
{
    unsigned char first = 0;
    if (sim_memory_copy(&first, to, 1) == SIM_OK) {
        first ^= 1;
        (void)sim_memory_copy(to, &first, 1);
    }
}

static int64_t execute_copy(const rt_work_copy *copy, rt_device *device)
{
    sim_fault fault = SIM_OK;
    for (size_t row = 0; row < copy->rows && copy->bytes > 0 && fault == SIM_OK; row++) {
        fault = sim_memory_copy((char *)copy->to + row * copy->to_pitch,
                                (const char *)copy->from + row * copy->from_pitch, copy->bytes);
    }
    if (copy->corrupt && fault == SIM_OK && copy->bytes > 0) {
        spoil(copy->to);
    }
    fail(device, fault);
    return COPY_NS + (int64_t)(copy->bytes * copy->rows / BYTES_PER_NS);
}

static int64_t execute_fill(const rt_work_fill *fill, rt_device *device)
{
    sim_fault fault = SIM_OK;
    for (size_t row = 0; row < fill->rows && fill->count > 0 && fault == SIM_OK; row++) {
        fault = sim_memory_fill((char *)fill->to + row * fill->pitch, fill->value,
                                fill->value_bytes, fill->count);
    }
    fail(device, fault);
    return COPY_NS + (int64_t)(fill->count * fill->value_bytes * fill->rows / BYTES_PER_NS);
}

static void execute_call(rt_work *work)
{
    rt_unlock();
    rt_thread_self()->in_callback = true;
    work->u.call.function(work->u.call.user);
    rt_thread_self()->in_callback = false;
    rt_lock();
}

int64_t rt_work_execute(rt_work *work, rt_device *device, int64_t now_ns)
{
    const bool dead = rt_device_error(device) != RT_SUCCESS;
    const int64_t slow_ms = sim_option("slow_ms", 0);
    if (slow_ms > 0 && work->kind != RT_WORK_RECORD && work->kind != RT_WORK_WAIT) {
        (void)usleep((useconds_t)slow_ms * 1000);
    }
    switch (work->kind) {
    case RT_WORK_LAUNCH:
        return dead ? 0 : execute_launch(&work->u.launch, device);
    case RT_WORK_COPY:
        return dead ? 0 : execute_copy(&work->u.copy, device);
    case RT_WORK_FILL:
        return dead ? 0 : execute_fill(&work->u.fill, device);
    case RT_WORK_RECORD:
        pass_mark(work->u.mark, now_ns);
        return 0;
    case RT_WORK_CALL:
        execute_call(work);
        return LAUNCH_NS;
    case RT_WORK_FREE:
        rt_memory_free_now(device, work->u.memory);
        work->u.memory = NULL;
        return 0;
    case RT_WORK_GRAPH:
        return dead ? 0 : rt_nodes_execute(work->u.nodes, device, now_ns);
    case RT_WORK_WAIT:
        break;
    }
    return 0;
}

void rt_work_release(rt_work *work)
{
    switch (work->kind) {
    case RT_WORK_LAUNCH:
        free(work->u.launch.args);
        break;
    case RT_WORK_COPY:
        free(work->u.copy.staged);
        break;
    case RT_WORK_RECORD:
        if (!work->u.mark->done) {
            pass_mark(work->u.mark, 0); /* dropped: nobody shall wait for it */
        }
        rt_mark_release(work->u.mark);
        break;
    case RT_WORK_WAIT:
        rt_mark_release(work->u.mark);
        break;
    case RT_WORK_GRAPH:
        rt_nodes_release(work->u.nodes);
        break;
    case RT_WORK_FILL:
    case RT_WORK_CALL:
    case RT_WORK_FREE:
        break;
    }
}

/* ---- what it uses --------------------------------------------------------------------------- */

static bool overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t from_a = (uintptr_t)a;
    const uintptr_t from_b = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && from_a < from_b + b_bytes && from_b < from_a + a_bytes;
}

static size_t span(size_t bytes, size_t rows, size_t pitch)
{
    return rows > 0 ? (rows - 1) * pitch + bytes : 0;
}

/* Any aligned word of a launch's arguments that is an address in the range counts as its use. */
static bool launch_touches(const rt_work_launch *launch, const void *base, size_t bytes)
{
    for (size_t at = 0; at + sizeof(uintptr_t) <= launch->value_bytes; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)launch->values + at, sizeof word);
        if (word >= (uintptr_t)base && word < (uintptr_t)base + bytes) {
            return true;
        }
    }
    return false;
}

bool rt_work_touches(const rt_work *work, const void *base, size_t bytes)
{
    const rt_work_copy *copy = &work->u.copy;
    const rt_work_fill *fill = &work->u.fill;
    switch (work->kind) {
    case RT_WORK_LAUNCH:
        return launch_touches(&work->u.launch, base, bytes);
    case RT_WORK_COPY:
        return overlaps(copy->to, span(copy->bytes, copy->rows, copy->to_pitch), base, bytes) ||
               overlaps(copy->from, span(copy->bytes, copy->rows, copy->from_pitch), base, bytes);
    case RT_WORK_FILL:
        return overlaps(fill->to, span(fill->count * fill->value_bytes, fill->rows, fill->pitch),
                        base, bytes);
    case RT_WORK_FREE:
        return work->u.memory == base;
    case RT_WORK_GRAPH:
        for (uint32_t i = 0; i < work->u.nodes->count; i++) {
            if (rt_work_touches(&work->u.nodes->items[i].work, base, bytes)) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

bool rt_work_uses_module(const rt_work *work, const rt_module *module)
{
    if (work->kind == RT_WORK_LAUNCH) {
        return work->u.launch.module == module;
    }
    for (uint32_t i = 0; work->kind == RT_WORK_GRAPH && i < work->u.nodes->count; i++) {
        if (rt_work_uses_module(&work->u.nodes->items[i].work, module)) {
            return true;
        }
    }
    return false;
}

void rt_work_describe(const rt_work *work, char *out, size_t capacity)
{
    static const char *const names[] = {"launch", "copy",          "fill", "record",
                                        "wait",   "host function", "free", "graph"};
    sim_function_info info;
    switch (work->kind) {
    case RT_WORK_LAUNCH:
        sim_function_info_get(work->u.launch.function, &info);
        (void)snprintf(out, capacity, "launch of %s", info.name);
        break;
    case RT_WORK_COPY:
        (void)snprintf(out, capacity, "copy of %zu bytes from %p to %p",
                       work->u.copy.bytes * work->u.copy.rows, work->u.copy.from, work->u.copy.to);
        break;
    default:
        (void)snprintf(out, capacity, "%s", names[work->kind]);
    }
}
