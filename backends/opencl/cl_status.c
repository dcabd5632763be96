/* The one place that knows what OpenCL's result codes mean. */
#include "cl_status.h"

#include <string.h>

typedef struct cl_status_row {
    cl_int code;
    keel_status status;
    const char *name;
} cl_status_row;

/*
 * Codes that are absent here, and those with KEEL_ERR_DEVICE, mean that this backend or the driver
 * erred. CL_OUT_OF_RESOURCES is a want of memory when work is submitted; while work is waited for
 * it is how drivers report a kernel that crashed: those callers use cl_fail_as.
 */
static const cl_status_row rows[] = {
    {CL_DEVICE_NOT_FOUND, KEEL_ERR_UNAVAILABLE, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, KEEL_ERR_DEVICE_LOST, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, KEEL_ERR_UNSUPPORTED, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, KEEL_ERR_OUT_OF_MEMORY, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, KEEL_ERR_OUT_OF_MEMORY, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, KEEL_ERR_OUT_OF_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_PROFILING_INFO_NOT_AVAILABLE, KEEL_ERR_UNSUPPORTED, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {CL_MEM_COPY_OVERLAP, KEEL_ERR_INVALID_ARGUMENT, "CL_MEM_COPY_OVERLAP"},
    {CL_BUILD_PROGRAM_FAILURE, KEEL_ERR_BUILD, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_MAP_FAILURE, KEEL_ERR_OUT_OF_MEMORY, "CL_MAP_FAILURE"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, KEEL_ERR_DEVICE, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, KEEL_ERR_DEVICE,
     "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_COMPILE_PROGRAM_FAILURE, KEEL_ERR_BUILD, "CL_COMPILE_PROGRAM_FAILURE"},
    {CL_LINKER_NOT_AVAILABLE, KEEL_ERR_UNSUPPORTED, "CL_LINKER_NOT_AVAILABLE"},
    {CL_LINK_PROGRAM_FAILURE, KEEL_ERR_BUILD, "CL_LINK_PROGRAM_FAILURE"},
    {CL_INVALID_VALUE, KEEL_ERR_DEVICE, "CL_INVALID_VALUE"},
    {CL_INVALID_PLATFORM, KEEL_ERR_UNAVAILABLE, "CL_INVALID_PLATFORM"},
    {CL_INVALID_DEVICE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_DEVICE"},
    {CL_INVALID_CONTEXT, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_QUEUE_PROPERTIES, KEEL_ERR_UNSUPPORTED, "CL_INVALID_QUEUE_PROPERTIES"},
    {CL_INVALID_COMMAND_QUEUE, KEEL_ERR_DEVICE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BINARY, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_BINARY"},
    {CL_INVALID_BUILD_OPTIONS, KEEL_ERR_DEVICE, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_PROGRAM, KEEL_ERR_DEVICE, "CL_INVALID_PROGRAM"},
    {CL_INVALID_PROGRAM_EXECUTABLE, KEEL_ERR_DEVICE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_KERNEL_NAME, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_DEFINITION, KEEL_ERR_DEVICE, "CL_INVALID_KERNEL_DEFINITION"},
    {CL_INVALID_KERNEL, KEEL_ERR_DEVICE, "CL_INVALID_KERNEL"},
    {CL_INVALID_ARG_INDEX, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_ARG_INDEX"},
    {CL_INVALID_ARG_VALUE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_ARG_VALUE"},
    {CL_INVALID_ARG_SIZE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_KERNEL_ARGS, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_DIMENSION, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_WORK_DIMENSION"},
    {CL_INVALID_WORK_GROUP_SIZE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_WORK_ITEM_SIZE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_WORK_ITEM_SIZE"},
    {CL_INVALID_GLOBAL_OFFSET, KEEL_ERR_DEVICE, "CL_INVALID_GLOBAL_OFFSET"},
    {CL_INVALID_EVENT_WAIT_LIST, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_EVENT_WAIT_LIST"},
    {CL_INVALID_EVENT, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_EVENT"},
    {CL_INVALID_OPERATION, KEEL_ERR_DEVICE, "CL_INVALID_OPERATION"},
    {CL_INVALID_BUFFER_SIZE, KEEL_ERR_OUT_OF_MEMORY, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_GLOBAL_WORK_SIZE, KEEL_ERR_INVALID_ARGUMENT, "CL_INVALID_GLOBAL_WORK_SIZE"},
    {CL_INVALID_PROPERTY, KEEL_ERR_DEVICE, "CL_INVALID_PROPERTY"},
    {CL_PLATFORM_NOT_FOUND_KHR, KEEL_ERR_UNAVAILABLE, "CL_PLATFORM_NOT_FOUND_KHR"},
};

static const cl_status_row unknown_row = {0, KEEL_ERR_DEVICE, "unknown code"};

static const cl_status_row *find_row(cl_int code)
{
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return &unknown_row;
}

keel_status cl_status_of(cl_int code)
{
    return find_row(code)->status;
}

const char *cl_status_name(cl_int code)
{
    return find_row(code)->name;
}

static keel_status record(keel_error *err, keel_status status, cl_int code, const char *call,
                          const char *subject)
{
    if (err->status == KEEL_OK) {
        err->vendor_code = code;
        (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", call);
    }
    return keel_fail(err, status, "%s: %s answered %s (%d)", subject, call, cl_status_name(code),
                     (int)code);
}

keel_status cl_fail(keel_error *err, cl_int code, const char *call, const char *format, ...)
{
    char subject[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(subject, sizeof subject, format, args);
    va_end(args);
    return record(err, cl_status_of(code), code, call, subject);
}

keel_status cl_fail_as(keel_error *err, keel_status status, cl_int code, const char *call,
                       const char *format, ...)
{
    char subject[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(subject, sizeof subject, format, args);
    va_end(args);
    return record(err, status, code, call, subject);
}

keel_status cl_check(keel_error *err, cl_int code, const char *call, const char *subject)
{
    return code == CL_SUCCESS ? KEEL_OK : record(err, cl_status_of(code), code, call, subject);
}
