/* Kernels and their launches: the warm path, which allocates nothing. */
#include <string.h>

#include "cl_objects.h"

/* Makes the kernel for a queue slot and publishes it. Other slots may do so at the same time. */
static keel_status add_instance(cl_function *function, uint32_t slot, cl_instance **out_instance,
                                keel_error *err)
{
    const cl_symbols *api = function->device->api;
    cl_int code = CL_SUCCESS;
    cl_kernel handle = api->clCreateKernel(function->program, function->entry, &code);
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, "clCreateKernel", "entry \"%s\"", function->entry);
    }
    cl_instance *instance = cl_alloc(function->device->runtime, sizeof *instance);
    if (instance == NULL) {
        (void)api->clReleaseKernel(handle);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a kernel");
    }
    instance->handle = handle;
    instance->slot = slot;
    instance->next = atomic_load_explicit(&function->instances, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&function->instances, &instance->next, instance,
                                                  memory_order_release, memory_order_relaxed)) {
    }
    *out_instance = instance;
    return KEEL_OK;
}

/* The queue's own kernel object, made at the first launch on a queue slot. */
static keel_status find_instance(cl_function *function, uint32_t slot, cl_instance **out_instance,
                                 keel_error *err)
{
    cl_instance *instance = atomic_load_explicit(&function->instances, memory_order_acquire);
    while (instance != NULL && instance->slot != slot) {
        instance = instance->next;
    }
    *out_instance = instance;
    return instance != NULL ? KEEL_OK : add_instance(function, slot, out_instance, err);
}

keel_status cl_kernel_get(void *program_object, const char *entry, void **out_kernel,
                          keel_error *err)
{
    const cl_module *module = program_object;
    const cl_symbols *api = module->device->api;
    const size_t length = strlen(entry);
    cl_instance *instance = NULL;
    *out_kernel = NULL;
    cl_function *function = cl_alloc(module->device->runtime, sizeof *function + length + 1);
    if (function == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a kernel");
    }
    function->device = module->device;
    function->program = module->handle;
    (void)api->clRetainProgram(module->handle);
    memcpy(function->entry, entry, length);
    /* The first queue has slot 0; making its kernel now also proves that the entry exists. */
    keel_status status = add_instance(function, 0, &instance, err);
    if (status == KEEL_OK) {
        const cl_int code =
            api->clGetKernelInfo(instance->handle, CL_KERNEL_NUM_ARGS, sizeof function->arg_count,
                                 &function->arg_count, NULL);
        status = cl_check(err, code, "clGetKernelInfo", entry);
    }
    if (status != KEEL_OK) {
        cl_kernel_release(function);
        return status;
    }
    *out_kernel = function;
    return KEEL_OK;
}

void cl_kernel_release(void *kernel_object)
{
    cl_function *function = kernel_object;
    const cl_device *device = function->device;
    cl_instance *instance = atomic_load_explicit(&function->instances, memory_order_acquire);
    while (instance != NULL) {
        cl_instance *next = instance->next;
        (void)device->api->clReleaseKernel(instance->handle);
        cl_free(device->runtime, instance);
        instance = next;
    }
    (void)device->api->clReleaseProgram(function->program);
    cl_free(device->runtime, function);
}

static cl_int set_arg(const cl_symbols *api, cl_kernel kernel, cl_uint index,
                      const keel_launch_arg *arg)
{
    if (arg->kind == KEEL_LAUNCH_VALUE) {
        return api->clSetKernelArg(kernel, index, arg->size, arg->u.value);
    }
    if (arg->byte_offset != 0) {
        return CL_INVALID_ARG_VALUE; /* the device did not claim KEEL_LIMIT_POINTER_OFFSET */
    }
    const cl_buffer *buffer = arg->u.buffer;
    const cl_mem handle = buffer != NULL ? buffer->handle : NULL;
    return api->clSetKernelArg(kernel, index, sizeof(cl_mem), &handle);
}

keel_status cl_launch(void *queue_object, void *kernel_object, const uint64_t grid[3],
                      const uint32_t block[3], const keel_launch_arg *args, uint32_t count,
                      keel_error *err)
{
    cl_queue *queue = queue_object;
    cl_function *function = kernel_object;
    const cl_symbols *api = queue->device->api;
    cl_instance *instance = NULL;
    size_t global[3];
    size_t local[3];
    if (count != function->arg_count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "entry \"%s\": arguments given: %u, the kernel has %u", function->entry,
                         count, function->arg_count);
    }
    KEEL_TRY(find_instance(function, queue->slot, &instance, err));
    for (uint32_t i = 0; i < count; i++) {
        const cl_int code = set_arg(api, instance->handle, i, &args[i]);
        if (code != CL_SUCCESS) {
            return cl_fail(err, code, "clSetKernelArg", "entry \"%s\", argument %u of %u",
                           function->entry, i, count);
        }
    }
    for (int i = 0; i < 3; i++) {
        local[i] = block[i];
        if (__builtin_mul_overflow(grid[i], block[i], &global[i])) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "entry \"%s\": %llu groups of %u work-items overflow", function->entry,
                             (unsigned long long)grid[i], block[i]);
        }
    }
    const cl_int code = api->clEnqueueNDRangeKernel(queue->handle, instance->handle, 3, NULL,
                                                    global, local, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, "clEnqueueNDRangeKernel",
                       "entry \"%s\", grid %llux%llux%llu of %ux%ux%u", function->entry,
                       (unsigned long long)grid[0], (unsigned long long)grid[1],
                       (unsigned long long)grid[2], block[0], block[1], block[2]);
    }
    queue->submitted = 1;
    return KEEL_OK;
}
