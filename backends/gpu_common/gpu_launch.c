/* Kernels and their launches: the warm path, which allocates nothing and takes no lock. */
#include <string.h>

#include "gpu_objects.h"

/* More than the core gives: operands, their meta and a few values. */
#define MAX_ARGUMENTS 64

keel_status gpu_kernel_get(void *program_object, const char *entry, void **out_kernel,
                           keel_error *err)
{
    gpu_module *module = program_object;
    gpu_device *device = module->device;
    const size_t length = strlen(entry);
    gpu_scope scope;
    size_t call = GPU_CALL(module_function);
    int group = 0;
    *out_kernel = NULL;
    gpu_function *function = gpu_alloc(device->runtime, sizeof *function + length + 1);
    if (function == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a kernel");
    }
    memcpy(function->entry, entry, length);
    keel_status status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        int code = device->api->module_function(&function->handle, module->handle, entry);
        if (code == 0) {
            call = GPU_CALL(function_attribute);
            code =
                device->api->function_attribute(&group, GPU_FUNCTION_MAX_GROUP, function->handle);
        }
        gpu_leave(&scope);
        if (code != 0) {
            status = gpu_fail(device, err, code, call, "entry \"%s\"", entry);
        }
    }
    if (status != KEEL_OK) {
        gpu_free(device->runtime, function);
        return status;
    }
    function->module = module;
    function->max_group = group > 0 ? (uint32_t)group : 0;
    atomic_fetch_add(&module->references, 1);
    *out_kernel = function;
    return KEEL_OK;
}

void gpu_kernel_release(void *kernel_object)
{
    gpu_function *function = kernel_object;
    gpu_module *module = function->module;
    gpu_free(module->device->runtime, function);
    gpu_module_release(module);
}

/* What the vendors refuse with a word, in a sentence. */
static keel_status check_geometry(const gpu_device *device, const gpu_function *function,
                                  const uint64_t grid[3], const uint32_t block[3], keel_error *err)
{
    const gpu_listed *listed = device->listed;
    const uint64_t items = (uint64_t)block[0] * block[1] * block[2];
    const uint64_t most_items = device->runtime->vendor->max_items_x;
    uint64_t most_x = listed->max_grid_x;
    if (items == 0 || items > function->max_group) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "entry \"%s\": a group of %llu work-items; it takes 1 to %u",
                         function->entry, (unsigned long long)items, function->max_group);
    }
    if (most_items / block[0] < most_x) {
        most_x = most_items / block[0];
    }
    if (grid[0] > most_x || grid[1] > listed->limits.max_grid_yz ||
        grid[2] > listed->limits.max_grid_yz) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "entry \"%s\": %llu x %llu x %llu groups; the device takes %llu, %u, %u",
                         function->entry, (unsigned long long)grid[0], (unsigned long long)grid[1],
                         (unsigned long long)grid[2], (unsigned long long)most_x,
                         listed->limits.max_grid_yz, listed->limits.max_grid_yz);
    }
    return KEEL_OK;
}

/* Pointers to the arguments' values; addresses, with their offsets, go where they point at. */
static void set_arguments(const keel_launch_arg *args, uint32_t count, void **pointers,
                          char **addresses)
{
    for (uint32_t i = 0; i < count; i++) {
        if (args[i].kind == KEEL_LAUNCH_VALUE) {
            pointers[i] = (void *)(uintptr_t)args[i].u.value; /* it is only read */
            continue;
        }
        const gpu_buffer *buffer = args[i].u.buffer;
        addresses[i] = buffer != NULL ? (char *)buffer->address + args[i].byte_offset : NULL;
        pointers[i] = &addresses[i];
    }
}

keel_status gpu_launch(void *queue_object, void *kernel_object, const uint64_t grid[3],
                       const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                       keel_error *err)
{
    gpu_queue *queue = queue_object;
    const gpu_function *function = kernel_object;
    gpu_device *device = queue->device;
    void *pointers[MAX_ARGUMENTS];
    char *addresses[MAX_ARGUMENTS];
    gpu_scope scope;
    if (count > MAX_ARGUMENTS) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "entry \"%s\": %u arguments, at most %d",
                         function->entry, count, MAX_ARGUMENTS);
    }
    KEEL_TRY(check_geometry(device, function, grid, block, err));
    set_arguments(args, count, pointers, addresses);
    atomic_fetch_or_explicit(&function->module->slots, GPU_SLOT_BIT(queue), memory_order_relaxed);
    KEEL_TRY(gpu_enter(device, &scope, err));
    const int code = device->api->launch(function->handle, (unsigned)grid[0], (unsigned)grid[1],
                                         (unsigned)grid[2], block[0], block[1], block[2], 0,
                                         queue->stream, pointers, NULL);
    gpu_leave(&scope);
    if (code != 0) {
        return gpu_fail(device, err, code, GPU_CALL(launch),
                        "entry \"%s\", %llu x %llu x %llu groups of %u", function->entry,
                        (unsigned long long)grid[0], (unsigned long long)grid[1],
                        (unsigned long long)grid[2], block[0]);
    }
    return KEEL_OK;
}
