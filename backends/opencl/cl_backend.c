/* The OpenCL backend's tables, its start and its end. */
#include <string.h>

#include "cl_objects.h"

extern const char cl_text_prelude[]; /* prelude.h */

void *cl_alloc(const cl_runtime *runtime, uint64_t bytes)
{
    return runtime->host->alloc(runtime->host->context, bytes);
}

void cl_free(const cl_runtime *runtime, void *memory)
{
    if (memory != NULL) {
        runtime->host->free(runtime->host->context, memory);
    }
}

void cl_log(const cl_runtime *runtime, int32_t level, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length > 0) {
        runtime->host->log(runtime->host->context, level, line, strlen(line));
    }
}

static void cl_shutdown(void *state)
{
    cl_runtime *runtime = state;
    const keel_host *host = runtime->host;
    cl_free(runtime, runtime->devices);
    cl_blast_destroy(runtime, runtime->blast);
    host->free(host->context, runtime);
}

static keel_status cl_open(const keel_host *host, void **out_state, keel_error *err)
{
    *out_state = NULL;
    cl_runtime *runtime = host->alloc(host->context, sizeof *runtime);
    if (runtime == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %zu bytes of host memory for OpenCL",
                         sizeof *runtime);
    }
    runtime->host = host;
    runtime->blast = cl_blast_create(runtime);
    keel_status status = runtime->blast != NULL ? cl_symbols_load(host, &runtime->api, err)
                                                : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY,
                                                            "no host memory for CLBlast's state");
    if (status == KEEL_OK) {
        status = cl_enumerate(runtime, err);
    }
    if (status != KEEL_OK) {
        cl_shutdown(runtime);
        return status;
    }
    *out_state = runtime;
    return KEEL_OK;
}

static keel_status cl_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    const cl_runtime *runtime = state;
    (void)err;
    *out_count = runtime->device_count;
    return KEEL_OK;
}

static keel_status cl_device_facts(void *state, uint32_t index, keel_device_info *out_info,
                                   keel_error *err)
{
    const cl_runtime *runtime = state;
    if (index >= runtime->device_count) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device %u: there are %u", index,
                         runtime->device_count);
    }
    /* The caller may be of another minor version: never write past what it has. */
    const uint32_t room = out_info->struct_size;
    const size_t bytes = room < sizeof *out_info ? room : sizeof *out_info;
    memcpy(out_info, &runtime->devices[index].info, bytes);
    out_info->struct_size = room;
    return KEEL_OK;
}

static keel_status cl_dialect(void *state, keel_text *out_prelude, keel_error *err)
{
    (void)state;
    (void)err;
    out_prelude->data = cl_text_prelude;
    out_prelude->length = strlen(cl_text_prelude);
    return KEEL_OK;
}

static const void *cl_get_extension(void *state, const char *name, uint32_t version)
{
    (void)state;
    if (strcmp(name, KEEL_NATIVE_EXTENSION) == 0 && version == KEEL_NATIVE_VERSION) {
        return &cl_native;
    }
    if (strcmp(name, KEEL_DLPACK_EXTENSION) == 0 && version == KEEL_DLPACK_VERSION) {
        return &cl_dlpack;
    }
    return NULL;
}

static const keel_device_api device_api = {
    .struct_size = sizeof(keel_device_api),
    .close = cl_device_close,
    .limits = cl_device_limits,
    .memory_info = NULL, /* OpenCL does not say how much is free */
    .buffer_alloc = cl_buffer_alloc,
    .buffer_free = cl_buffer_free,
    .buffer_host = cl_buffer_host,
    .queue_create = cl_queue_create,
    .queue_destroy = cl_queue_destroy,
    .queue_synchronize = cl_queue_synchronize,
    .event_create = cl_event_create,
    .event_destroy = cl_event_destroy,
    .event_record = cl_event_record,
    .event_wait = cl_event_wait,
    .event_synchronize = cl_event_synchronize,
    .event_query = cl_event_query,
    .event_elapsed = cl_event_elapsed,
    .write = cl_write,
    .read = cl_read,
    .copy = cl_copy,
    .fill = cl_fill,
    .program_build = cl_program_build,
    .program_load = cl_program_load,
    .program_binary = cl_program_binary,
    .program_release = cl_program_release,
    .kernel_get = cl_kernel_get,
    .kernel_release = cl_kernel_release,
    .launch = cl_launch,
    .status = cl_device_status,
};

static const keel_native_op *const native_ops[] = {&cl_blast_matmul};

static const keel_backend backend = {
    .struct_size = sizeof(keel_backend),
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "opencl",
    .device_api = &device_api,
    .native_ops = native_ops,
    .native_op_count = KEEL_COUNT(native_ops),
    .priority = 50,
    .open = cl_open,
    .shutdown = cl_shutdown,
    .device_count = cl_device_count,
    .device_info = cl_device_facts,
    .device_open = cl_device_open,
    .dialect = cl_dialect,
    .get_extension = cl_get_extension,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &backend : NULL;
}
