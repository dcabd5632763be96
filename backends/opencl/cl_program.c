/* Programs: built from text or from the driver's own binaries. */
#include <string.h>

#include "cl_objects.h"

/* The compiler's log, in memory to cl_free(), or NULL. */
static char *get_build_log(const cl_device *device, cl_program program)
{
    size_t bytes = 0;
    const cl_int code = device->api->clGetProgramBuildInfo(program, device->id,
                                                           CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    if (code != CL_SUCCESS) {
        return NULL;
    }
    char *text = cl_alloc(device->runtime, (uint64_t)bytes + 1);
    if (text != NULL) {
        (void)device->api->clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes,
                                                 text, NULL);
    }
    return text;
}

/* The whole log goes to the host's log, its start into the error. */
static keel_status report_failed_build(const cl_device *device, cl_program program, cl_int code,
                                       keel_error *err)
{
    const keel_host *host = device->runtime->host;
    char *text = get_build_log(device, program);
    const char *start = text != NULL ? text + strspn(text, " \t\r\n") : "";
    if (start[0] != 0) {
        host->log(host->context, KEEL_LOG_ERROR, start, strlen(start));
    }
    const keel_status status = cl_status_of(code);
    if (start[0] != 0 && status == KEEL_ERR_BUILD) {
        err->vendor_code = code;
        (void)snprintf(err->vendor_name, sizeof err->vendor_name, "clBuildProgram");
        (void)keel_fail(err, status, "%s", start);
    } else {
        (void)cl_fail(err, code, "clBuildProgram", "program");
    }
    cl_free(device->runtime, text);
    return status;
}

/* Compiles or links handle, of which it takes over the reference. */
static keel_status build(cl_device *device, cl_program handle, void **out_program, keel_error *err)
{
    const cl_int code =
        device->api->clBuildProgram(handle, 1, &device->id, device->build_options, NULL, NULL);
    cl_module *module = code == CL_SUCCESS ? cl_alloc(device->runtime, sizeof *module) : NULL;
    if (module == NULL) {
        const keel_status status =
            code != CL_SUCCESS
                ? report_failed_build(device, handle, code, err)
                : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a program");
        (void)device->api->clReleaseProgram(handle);
        return status;
    }
    module->device = device;
    module->handle = handle;
    *out_program = module;
    return KEEL_OK;
}

keel_status cl_program_build(void *device_object, const keel_text *texts, uint32_t count,
                             void **out_program, keel_error *err)
{
    cl_device *device = device_object;
    const cl_runtime *runtime = device->runtime;
    *out_program = NULL;
    const char **strings = cl_alloc(runtime, (uint64_t)count * sizeof(char *));
    size_t *lengths = cl_alloc(runtime, (uint64_t)count * sizeof(size_t));
    keel_status status = KEEL_OK;
    if (strings == NULL || lengths == NULL) {
        status = keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for %u texts", count);
    } else {
        for (uint32_t i = 0; i < count; i++) {
            strings[i] = texts[i].data;
            lengths[i] = texts[i].length;
        }
        cl_int code = CL_SUCCESS;
        cl_program handle =
            device->api->clCreateProgramWithSource(device->context, count, strings, lengths, &code);
        status = cl_check(err, code, "clCreateProgramWithSource", "program");
        if (status == KEEL_OK) {
            status = build(device, handle, out_program, err);
        }
    }
    cl_free(runtime, lengths);
    cl_free(runtime, strings);
    return status;
}

keel_status cl_program_load(void *device_object, const void *binary, uint64_t bytes,
                            void **out_program, keel_error *err)
{
    cl_device *device = device_object;
    const unsigned char *data = binary;
    const size_t length = bytes;
    cl_int accepted = CL_SUCCESS;
    cl_int code = CL_SUCCESS;
    *out_program = NULL;
    cl_program handle = device->api->clCreateProgramWithBinary(device->context, 1, &device->id,
                                                               &length, &data, &accepted, &code);
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, "clCreateProgramWithBinary", "binary of %llu bytes",
                       (unsigned long long)bytes);
    }
    return build(device, handle, out_program, err);
}

keel_status cl_program_binary(void *program_object, void *out, uint64_t capacity,
                              uint64_t *out_bytes, keel_error *err)
{
    const cl_module *module = program_object;
    const cl_symbols *api = module->device->api;
    size_t bytes = 0; /* one device per program: the lists have one entry */
    *out_bytes = 0;
    cl_int code =
        api->clGetProgramInfo(module->handle, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    KEEL_TRY(cl_check(err, code, "clGetProgramInfo", "size of a binary"));
    if (bytes == 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "the driver gives no binary");
    }
    if (out != NULL) {
        if (capacity < bytes) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "binary of %zu bytes: room for %llu",
                             bytes, (unsigned long long)capacity);
        }
        unsigned char *data = out;
        code = api->clGetProgramInfo(module->handle, CL_PROGRAM_BINARIES, sizeof data, &data, NULL);
        KEEL_TRY(cl_check(err, code, "clGetProgramInfo", "binary"));
    }
    *out_bytes = bytes;
    return KEEL_OK;
}

void cl_program_release(void *program_object)
{
    cl_module *module = program_object;
    (void)module->device->api->clReleaseProgram(module->handle);
    cl_free(module->device->runtime, module);
}
