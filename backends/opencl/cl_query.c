/* Asking the driver for properties of platforms and devices. */
#include "cl_query.h"

#include <string.h>

cl_uint cl_device_uint(const cl_runtime *runtime, cl_device_id id, cl_uint key)
{
    cl_uint value = 0;
    const cl_int code = runtime->api.clGetDeviceInfo(id, key, sizeof value, &value, NULL);
    return code == CL_SUCCESS ? value : 0;
}

cl_ulong cl_device_ulong(const cl_runtime *runtime, cl_device_id id, cl_uint key)
{
    cl_ulong value = 0;
    const cl_int code = runtime->api.clGetDeviceInfo(id, key, sizeof value, &value, NULL);
    return code == CL_SUCCESS ? value : 0;
}

size_t cl_device_size(const cl_runtime *runtime, cl_device_id id, cl_uint key)
{
    size_t value = 0;
    const cl_int code = runtime->api.clGetDeviceInfo(id, key, sizeof value, &value, NULL);
    return code == CL_SUCCESS ? value : 0;
}

/* The platform's property if device is NULL, else the device's. */
static cl_int ask(const cl_runtime *runtime, cl_platform_id platform, cl_device_id device,
                  cl_uint key, size_t capacity, char *out, size_t *out_bytes)
{
    return device == NULL ? runtime->api.clGetPlatformInfo(platform, key, capacity, out, out_bytes)
                          : runtime->api.clGetDeviceInfo(device, key, capacity, out, out_bytes);
}

/* In memory to cl_free(); NULL for want of it. */
static char *get_text(const cl_runtime *runtime, cl_platform_id platform, cl_device_id device,
                      cl_uint key, keel_error *err)
{
    size_t bytes = 0;
    if (ask(runtime, platform, device, key, 0, NULL, &bytes) != CL_SUCCESS) {
        bytes = 0;
    }
    char *text = cl_alloc(runtime, (uint64_t)bytes + 1);
    if (text == NULL) {
        (void)keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %zu bytes of host memory for a text",
                        bytes + 1);
        return NULL;
    }
    if (bytes != 0 && ask(runtime, platform, device, key, bytes, text, NULL) != CL_SUCCESS) {
        text[0] = 0;
    }
    return text;
}

keel_status cl_device_text(const cl_runtime *runtime, cl_device_id id, cl_uint key, char **out_text,
                           keel_error *err)
{
    *out_text = get_text(runtime, NULL, id, key, err);
    return *out_text != NULL ? KEEL_OK : KEEL_ERR_OUT_OF_MEMORY;
}

/* Moves a text, cut to fit and without the blanks around it; text may be NULL. */
static keel_status move_words(const cl_runtime *runtime, char *text, char *out, size_t capacity)
{
    if (text == NULL) {
        return KEEL_ERR_OUT_OF_MEMORY;
    }
    const char *start = text + strspn(text, " \t\n");
    size_t length = strlen(start);
    while (length > 0 && strchr(" \t\n", start[length - 1]) != NULL) {
        length--;
    }
    (void)snprintf(out, capacity, "%.*s", (int)length, start);
    cl_free(runtime, text);
    return KEEL_OK;
}

keel_status cl_device_words(const cl_runtime *runtime, cl_device_id id, cl_uint key, char *out,
                            size_t capacity, keel_error *err)
{
    return move_words(runtime, get_text(runtime, NULL, id, key, err), out, capacity);
}

keel_status cl_platform_words(const cl_runtime *runtime, cl_platform_id platform, cl_uint key,
                              char *out, size_t capacity, keel_error *err)
{
    return move_words(runtime, get_text(runtime, platform, NULL, key, err), out, capacity);
}

int cl_list_has(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + length, name)) {
        const int starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == 0)) {
            return 1;
        }
    }
    return 0;
}
