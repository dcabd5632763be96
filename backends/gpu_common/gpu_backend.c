/* The tables of a backend, its start and its end. */
#include <string.h>

#include "gpu_objects.h"

void *gpu_alloc(const gpu_runtime *runtime, uint64_t bytes)
{
    return runtime->host->alloc(runtime->host->context, bytes);
}

void gpu_free(const gpu_runtime *runtime, void *memory)
{
    if (memory != NULL) {
        runtime->host->free(runtime->host->context, memory);
    }
}

void gpu_log(const gpu_runtime *runtime, int32_t level, const char *format, ...)
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

void gpu_shutdown(void *state)
{
    gpu_runtime *runtime = state;
    const keel_host *host = runtime->host;
    gpu_monitor *monitor = atomic_load(&runtime->monitor);
    if (monitor != NULL) {
        runtime->vendor->monitor_close(runtime, monitor);
    }
    gpu_free(runtime, atomic_load(&runtime->ranges));
    gpu_free(runtime, atomic_load(&runtime->compiler));
    gpu_free(runtime, runtime->devices);
    host->free(host->context, runtime);
}

keel_status gpu_open(const gpu_vendor *vendor, const keel_host *host, void **out_state,
                     keel_error *err)
{
    int count = 0;
    *out_state = NULL;
    gpu_runtime *runtime = host->alloc(host->context, vendor->runtime_bytes);
    if (runtime == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %zu bytes of host memory for %s",
                         vendor->runtime_bytes, vendor->name);
    }
    runtime->vendor = vendor;
    runtime->host = host;
    keel_status status = vendor->open(runtime, &count, err);
    if (status == KEEL_OK) {
        status = gpu_enumerate(runtime, count, err);
    }
    if (status != KEEL_OK) {
        gpu_shutdown(runtime);
        return status;
    }
    *out_state = runtime;
    return KEEL_OK;
}

keel_status gpu_device_count(void *state, uint32_t *out_count, keel_error *err)
{
    const gpu_runtime *runtime = state;
    (void)err;
    *out_count = runtime->device_count;
    return KEEL_OK;
}

keel_status gpu_device_info(void *state, uint32_t index, keel_device_info *out_info,
                            keel_error *err)
{
    const gpu_runtime *runtime = state;
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

keel_status gpu_dialect(void *state, keel_text *out_prelude, keel_error *err)
{
    const gpu_runtime *runtime = state;
    (void)err;
    out_prelude->data = runtime->vendor->prelude;
    out_prelude->length = strlen(runtime->vendor->prelude);
    return KEEL_OK;
}

const void *gpu_get_extension(void *state, const char *name, uint32_t version)
{
    const gpu_runtime *runtime = state;
    if (strcmp(name, KEEL_NATIVE_EXTENSION) == 0 && version == KEEL_NATIVE_VERSION) {
        return &gpu_native;
    }
    if (strcmp(name, KEEL_DLPACK_EXTENSION) == 0 && version == KEEL_DLPACK_VERSION) {
        return runtime->vendor->dlpack;
    }
    if (strcmp(name, KEEL_TELEMETRY_EXTENSION) == 0 && version == KEEL_TELEMETRY_VERSION) {
        return &gpu_telemetry;
    }
    if (strcmp(name, KEEL_RANGES_EXTENSION) == 0 && version == KEEL_RANGES_VERSION) {
        return &gpu_ranges_api;
    }
    if (strcmp(name, KEEL_PEER_EXTENSION) == 0 && version == KEEL_PEER_VERSION) {
        return &gpu_peer;
    }
    if (strcmp(name, KEEL_GRAPH_EXTENSION) == 0 && version == KEEL_GRAPH_VERSION) {
        return gpu_graph_api(runtime);
    }
    return NULL;
}

const keel_device_api gpu_device_api = {
    .struct_size = sizeof(keel_device_api),
    .close = gpu_device_close,
    .limits = gpu_device_limits,
    .memory_info = gpu_memory_info,
    .buffer_alloc = gpu_buffer_alloc,
    .buffer_free = gpu_buffer_free,
    .buffer_host = gpu_buffer_host,
    .queue_create = gpu_queue_create,
    .queue_destroy = gpu_queue_destroy,
    .queue_synchronize = gpu_queue_synchronize,
    .event_create = gpu_event_create,
    .event_destroy = gpu_event_destroy,
    .event_record = gpu_event_record,
    .event_wait = gpu_event_wait,
    .event_synchronize = gpu_event_synchronize,
    .event_query = gpu_event_query,
    .event_elapsed = gpu_event_elapsed,
    .write = gpu_write,
    .read = gpu_read,
    .copy = gpu_copy,
    .fill = gpu_fill,
    .program_build = gpu_program_build,
    .program_load = gpu_program_load,
    .program_binary = gpu_program_binary,
    .program_release = gpu_program_release,
    .kernel_get = gpu_kernel_get,
    .kernel_release = gpu_kernel_release,
    .launch = gpu_launch,
    .status = gpu_device_status,
};
