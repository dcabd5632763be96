/* libcuda: initialisation, devices, contexts, errors. */
#include "codes.h"
#include "cuda_attributes.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "errors.h"
#include "memory.h"
#include "peer.h"
#include "schedule.h"
#include "version.h"

int rt_cuInit(unsigned flags)
{
    int code = cu_enter(__func__, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS) {
        code = flags != 0 ? RT_INVALID_VALUE : cuda_initialize();
    }
    return cu_leave(code);
}

int rt_cuDriverGetVersion(int *out)
{
    int code = cu_enter(__func__, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS) {
        *out = rt_version(RT_LIBRARY_CUDA);
        code = sim_option("stub", 0) != 0 ? RT_STUB_LIBRARY : RT_SUCCESS;
    }
    return cu_leave(code);
}

int rt_cuDeviceGetCount(int *out)
{
    const int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    *out = code == RT_SUCCESS ? rt_device_count(RT_CUDA) : 0;
    return cu_leave(code);
}

/* Enters, and finds a device. A CUdevice is its number. */
static int enter_device(const char *function, int ordinal, rt_device **out_device)
{
    const int code = cu_enter(function, CUDA_NEED_DRIVER, NULL);
    *out_device = code == RT_SUCCESS ? rt_device_get(RT_CUDA, ordinal) : NULL;
    return code == RT_SUCCESS && *out_device == NULL ? RT_INVALID_DEVICE : code;
}

int rt_cuDeviceGet(int *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        *out = ordinal;
    }
    return cu_leave(code);
}

int rt_cuDeviceGetName(char *out, int capacity, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        rt_device_name(device, out, capacity);
    }
    return cu_leave(code);
}

int rt_cuDeviceGetAttribute(int *out, int attribute, int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = cuda_attribute_get(device, attribute, out);
    }
    return cu_leave(code);
}

int rt_cuDeviceTotalMem_v2(size_t *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        size_t unused;
        rt_memory_info(device, &unused, out);
    }
    return cu_leave(code);
}

static int get_uuid(const char *function, unsigned char *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(function, ordinal, &device);
    if (code == RT_SUCCESS) {
        rt_device_uuid(device, out);
    }
    return cu_leave(code);
}

int rt_cuDeviceGetUuid(void *out, int ordinal)
{
    return get_uuid(__func__, out, ordinal);
}

int rt_cuDeviceGetUuid_v2(void *out, int ordinal)
{
    return get_uuid(__func__, out, ordinal);
}

int rt_cuDeviceGetPCIBusId(char *out, int capacity, int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = rt_pci_write(device, out, capacity);
    }
    return cu_leave(code);
}

int rt_cuDeviceCanAccessPeer(int *out, int ordinal, int peer)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_possible(device, rt_device_get(RT_CUDA, peer), out);
    }
    return cu_leave(code);
}

/* ---- contexts ------------------------------------------------------------------------------- */

int rt_cuDevicePrimaryCtxRetain(void **out, int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_device_activate(device);
    }
    if (code == RT_SUCCESS) {
        device->retained++;
        *out = cuda_context_handle(device);
    }
    return cu_leave(code);
}

/* The context stays as the runtime, which shares it, holds it too. */
int rt_cuDevicePrimaryCtxRelease_v2(int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS && device->retained == 0) {
        code = RT_INVALID_CONTEXT;
    } else if (code == RT_SUCCESS) {
        device->retained--;
    }
    return cu_leave(code);
}

int rt_cuDevicePrimaryCtxGetState(int ordinal, unsigned *out_flags, int *out_active)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        *out_flags = 0;
        *out_active = device->active;
    }
    return cu_leave(code);
}

int rt_cuCtxGetCurrent(void **out)
{
    const int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    const rt_device *device = code == RT_SUCCESS ? cuda_current() : NULL;
    *out = device != NULL ? cuda_context_handle(device) : NULL;
    return cu_leave(code);
}

int rt_cuCtxSetCurrent(void *context)
{
    int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    rt_device *device = cuda_context_device(context);
    if (code == RT_SUCCESS && context != NULL && device == NULL) {
        code = RT_INVALID_CONTEXT;
    } else if (code == RT_SUCCESS) {
        cuda_replace(device);
    }
    return cu_leave(code);
}

int rt_cuCtxPushCurrent_v2(void *context)
{
    int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    rt_device *device = cuda_context_device(context);
    if (code == RT_SUCCESS) {
        code = device != NULL ? cuda_push(device) : RT_INVALID_CONTEXT;
    }
    return cu_leave(code);
}

int rt_cuCtxPopCurrent_v2(void **out)
{
    int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    const rt_device *device = code == RT_SUCCESS ? cuda_pop() : NULL;
    if (code == RT_SUCCESS && device == NULL) {
        code = RT_INVALID_CONTEXT;
    }
    if (out != NULL) {
        *out = device != NULL ? cuda_context_handle(device) : NULL;
    }
    return cu_leave(code);
}

int rt_cuCtxGetDevice(int *out)
{
    int code = cu_enter(__func__, CUDA_NEED_DRIVER, NULL);
    const rt_device *device = code == RT_SUCCESS ? cuda_current() : NULL;
    if (code == RT_SUCCESS && device == NULL) {
        code = RT_INVALID_CONTEXT;
    } else if (code == RT_SUCCESS) {
        *out = device->index;
    }
    return cu_leave(code);
}

int rt_cuCtxSynchronize(void)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_wait_device(device);
    }
    return cu_leave(code);
}

/* ---- errors --------------------------------------------------------------------------------- */

int rt_cuGetErrorName(int code, const char **out)
{
    *out = rt_error_name(RT_NAMING_CUDA, code);
    return *out != NULL ? RT_SUCCESS : RT_INVALID_VALUE;
}

int rt_cuGetErrorString(int code, const char **out)
{
    *out = rt_error_name(RT_NAMING_CUDA, code) != NULL ? rt_error_text(RT_NAMING_CUDA, code) : NULL;
    return *out != NULL ? RT_SUCCESS : RT_INVALID_VALUE;
}
