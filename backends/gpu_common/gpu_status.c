/* What failed calls of the vendor's become. */
#include "gpu_objects.h"

__attribute__((format(printf, 6, 0))) static keel_status record(const gpu_runtime *runtime,
                                                                keel_error *err, keel_status status,
                                                                int code, size_t call,
                                                                const char *format, va_list args)
{
    char subject[256];
    const char *function = gpu_symbol_name(runtime->vendor->symbols, call);
    const char *name = runtime->api.error_name(code);
    (void)vsnprintf(subject, sizeof subject, format, args);
    if (err->status == KEEL_OK) {
        err->vendor_code = code;
        (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", function);
    }
    return keel_fail(err, status, "%s: %s answered %s (%d)", subject,
                     function[0] != 0 ? function : runtime->vendor->title,
                     name != NULL ? name : "an unknown code", code);
}

keel_status gpu_code_status(const gpu_code *rows, size_t count, int code)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].code == code) {
            return rows[i].status;
        }
    }
    return KEEL_ERR_DEVICE;
}

keel_status gpu_fail_open(const gpu_runtime *runtime, keel_error *err, int code, size_t call,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const keel_status status =
        record(runtime, err, runtime->vendor->status_of(code), code, call, format, args);
    va_end(args);
    (void)runtime->api.last_error();
    return status;
}

/* Remembers that a device is lost. */
static void note(gpu_device *device, int code, keel_status status)
{
    if (status == KEEL_ERR_DEVICE_LOST) {
        atomic_store(&device->lost_code, code);
    }
    (void)device->api->last_error();
}

keel_status gpu_fail(gpu_device *device, keel_error *err, int code, size_t call, const char *format,
                     ...)
{
    const gpu_runtime *runtime = device->runtime;
    va_list args;
    va_start(args, format);
    const keel_status status =
        record(runtime, err, runtime->vendor->status_of(code), code, call, format, args);
    va_end(args);
    note(device, code, status);
    return status;
}

keel_status gpu_fail_as(gpu_device *device, keel_error *err, keel_status status, int code,
                        size_t call, const char *format, ...)
{
    const keel_status own = device->runtime->vendor->status_of(code);
    va_list args;
    va_start(args, format);
    (void)record(device->runtime, err, own == KEEL_ERR_DEVICE_LOST ? own : status, code, call,
                 format, args);
    va_end(args);
    note(device, code, own);
    return own == KEEL_ERR_DEVICE_LOST ? own : status;
}

keel_status gpu_check(gpu_device *device, keel_error *err, int code, size_t call,
                      const char *subject)
{
    return code == 0 ? KEEL_OK : gpu_fail(device, err, code, call, "%s", subject);
}
