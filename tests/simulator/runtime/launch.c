/* Launches: what the vendors check when one is submitted. */
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "module.h"
#include "schedule.h"

#define MAX_GROUP 1024
#define MAX_GRID_X 0x7fffffffu
#define MAX_GRID_YZ 65535u

static bool shape_allowed(rt_vendor vendor, const rt_launch_request *request)
{
    uint64_t items = 1;
    for (int i = 0; i < 3; i++) {
        if (request->grid[i] == 0 || request->block[i] == 0) {
            return false;
        }
        items *= request->block[i];
        /* HIP counts work-items along an axis in 32 bits. */
        if (vendor == RT_HIP && (uint64_t)request->grid[i] * request->block[i] > UINT32_MAX) {
            return false;
        }
    }
    return items <= MAX_GROUP && request->grid[0] <= MAX_GRID_X &&
           request->grid[1] <= MAX_GRID_YZ && request->grid[2] <= MAX_GRID_YZ;
}

/* Copies the arguments: pointers first, their values behind them, each aligned to 16. */
static bool take_args(rt_work_launch *launch, void **args)
{
    sim_function_info info;
    size_t value_bytes = 0;
    sim_function_info_get(launch->function, &info);
    for (uint32_t i = 0; i < info.arg_count; i++) {
        value_bytes += (info.arg_bytes[i] + 15u) & ~(size_t)15;
    }
    const size_t head = (info.arg_count * sizeof(void *) + 15u) & ~(size_t)15;
    launch->args = calloc(1, head + value_bytes + 16);
    if (launch->args == NULL) {
        return false;
    }
    char *value = (char *)launch->args + head;
    launch->values = value;
    launch->value_bytes = value_bytes;
    for (uint32_t i = 0; i < info.arg_count; i++) {
        memcpy(value, args[i], info.arg_bytes[i]);
        launch->args[i] = value;
        value += (info.arg_bytes[i] + 15u) & ~(size_t)15;
    }
    return true;
}

int rt_launch(rt_function *function, rt_stream *stream, const rt_launch_request *request,
              int bad_shape)
{
    rt_work work = {.kind = RT_WORK_LAUNCH};
    rt_work_launch *launch = &work.u.launch;
    rt_module *module = function->module;
    sim_function_info info;
    sim_function_info_get(function->function, &info);
    if (stream->device != module->device) {
        return RT_INVALID_HANDLE;
    }
    if (!shape_allowed(module->device->vendor, request)) {
        return bad_shape;
    }
    if (request->block[0] * request->block[1] * request->block[2] != info.block) {
        sim_finding("launch", "kernel=%s block=%ux%ux%u text=\"it is made for groups of %u\"",
                    info.name, request->block[0], request->block[1], request->block[2], info.block);
        return RT_INVALID_VALUE;
    }
    if (info.local_bytes + request->dynamic_local > module->device->arch.local_limit) {
        return RT_LAUNCH_OUT_OF_RESOURCES;
    }
    if (info.arg_count > 0 && request->args == NULL) {
        return RT_INVALID_VALUE;
    }
    if (request->dynamic_local > 0) {
        sim_finding("launch", "kernel=%s bytes=%u text=\"dynamic LOCAL memory is not simulated\"",
                    info.name, request->dynamic_local);
        return RT_NOT_SUPPORTED;
    }
    launch->module = module;
    launch->function = function->function;
    memcpy(launch->grid, request->grid, sizeof launch->grid);
    memcpy(launch->block, request->block, sizeof launch->block);
    if (!take_args(launch, request->args)) {
        return RT_OUT_OF_MEMORY;
    }
    return rt_submit(stream, &work);
}
