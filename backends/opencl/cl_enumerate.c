/* Which devices there are: every platform, every device, no fixed number of either. */
#include <stdlib.h>
#include <string.h>

#include "cl_query.h"

/* Devices while they are collected. */
typedef struct cl_list {
    cl_listed *items;
    uint32_t count;
    uint32_t capacity;
} cl_list;

static keel_status list_add(const cl_runtime *runtime, cl_list *list, const cl_listed *item,
                            keel_error *err)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity == 0 ? 4 : list->capacity * 2;
        cl_listed *items = cl_alloc(runtime, (uint64_t)capacity * sizeof *items);
        if (items == NULL) {
            return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory to list %u devices",
                             capacity);
        }
        if (list->count != 0) {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        cl_free(runtime, list->items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *item;
    return KEEL_OK;
}

/* Whether a version text, "OpenCL 3.0 and more", is at least 1.2. */
static int is_recent(const char *version)
{
    static const char prefix[] = "OpenCL ";
    if (strncmp(version, prefix, sizeof prefix - 1) != 0) {
        return 0;
    }
    char *end = NULL;
    const long major = strtol(version + sizeof prefix - 1, &end, 10);
    const long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major > 1 || (major == 1 && minor >= 2);
}

/* Why the device cannot be used, or NULL. */
static const char *why_unusable(const cl_runtime *runtime, cl_device_id id, const char *version)
{
    if (!is_recent(version)) {
        return "it is older than OpenCL 1.2";
    }
    if (cl_device_uint(runtime, id, CL_DEVICE_AVAILABLE) == CL_FALSE) {
        return "its driver says that it is not available";
    }
    if (cl_device_uint(runtime, id, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) {
        return "its driver has no compiler";
    }
    if (cl_device_uint(runtime, id, CL_DEVICE_ENDIAN_LITTLE) == CL_FALSE) {
        return "it is big-endian";
    }
    return NULL;
}

static keel_status add_device(const cl_runtime *runtime, cl_platform_id platform, cl_device_id id,
                              cl_list *list, keel_error *err)
{
    cl_listed item = {.platform = platform, .id = id};
    char version[64];
    KEEL_TRY(cl_device_words(runtime, id, CL_DEVICE_VERSION, version, sizeof version, err));
    KEEL_TRY(cl_describe(runtime, &item, err));
    const char *reason = why_unusable(runtime, id, version);
    if (reason != NULL) {
        cl_log(runtime, KEEL_LOG_WARNING, "opencl: device \"%s\" is left out: %s", item.info.name,
               reason);
        return KEEL_OK;
    }
    return list_add(runtime, list, &item, err);
}

/* A platform that offers nothing is usual; one that fails is worth a warning. */
static keel_status skip_platform(const cl_runtime *runtime, cl_platform_id platform, cl_int code,
                                 keel_error *err)
{
    char name[128];
    const int32_t level = code == CL_DEVICE_NOT_FOUND ? KEEL_LOG_INFO : KEEL_LOG_WARNING;
    KEEL_TRY(cl_platform_words(runtime, platform, CL_PLATFORM_NAME, name, sizeof name, err));
    cl_log(runtime, level, "opencl: platform \"%s\" is left out: clGetDeviceIDs answered %s (%d)",
           name, cl_status_name(code), (int)code);
    return KEEL_OK;
}

/* A platform that fails is skipped: it must not hide the others. Fails for want of memory only. */
static keel_status add_platform(const cl_runtime *runtime, cl_platform_id platform, cl_list *list,
                                keel_error *err)
{
    cl_uint count = 0;
    cl_int code = runtime->api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code != CL_SUCCESS || count == 0) {
        return skip_platform(runtime, platform, code != CL_SUCCESS ? code : CL_DEVICE_NOT_FOUND,
                             err);
    }
    cl_device_id *ids = cl_alloc(runtime, (uint64_t)count * sizeof(cl_device_id));
    if (ids == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory to list %u devices", count);
    }
    keel_status status = KEEL_OK;
    code = runtime->api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL);
    if (code != CL_SUCCESS) {
        status = skip_platform(runtime, platform, code, err);
        count = 0;
    }
    for (cl_uint i = 0; i < count && status == KEEL_OK; i++) {
        status = add_device(runtime, platform, ids[i], list, err);
    }
    cl_free(runtime, ids);
    return status;
}

static keel_status list_platforms(const cl_runtime *runtime, cl_platform_id **out_ids,
                                  cl_uint *out_count, keel_error *err)
{
    *out_ids = NULL;
    *out_count = 0;
    cl_uint count = 0;
    cl_int code = runtime->api.clGetPlatformIDs(0, NULL, &count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0)) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "libOpenCL is here, but no driver is registered with it "
                         "(/etc/OpenCL/vendors, or OCL_ICD_VENDORS)");
    }
    KEEL_TRY(cl_check(err, code, "clGetPlatformIDs", "platforms"));
    cl_platform_id *ids = cl_alloc(runtime, (uint64_t)count * sizeof(cl_platform_id));
    if (ids == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory to list %u platforms", count);
    }
    code = runtime->api.clGetPlatformIDs(count, ids, NULL);
    if (code != CL_SUCCESS) {
        cl_free(runtime, ids);
        return cl_check(err, code, "clGetPlatformIDs", "platforms");
    }
    *out_ids = ids;
    *out_count = count;
    return KEEL_OK;
}

keel_status cl_enumerate(cl_runtime *runtime, keel_error *err)
{
    cl_platform_id *platforms = NULL;
    cl_uint count = 0;
    cl_list list = {0};
    KEEL_TRY(list_platforms(runtime, &platforms, &count, err));
    keel_status status = KEEL_OK;
    for (cl_uint i = 0; i < count && status == KEEL_OK; i++) {
        status = add_platform(runtime, platforms[i], &list, err);
    }
    cl_free(runtime, platforms);
    runtime->devices = list.items; /* freed by shutdown, also on failure */
    runtime->device_count = list.count;
    if (status == KEEL_OK && list.count == 0) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                         "%u OpenCL platforms, but none offers a usable device", count);
    }
    return status;
}
