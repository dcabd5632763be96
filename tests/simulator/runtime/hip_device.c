/* libamdhip64: versions, devices, errors. */
#include <stdio.h>
#include <string.h>

#include "codes.h"
#include "errors.h"
#include "hip_attributes.h"
#include "hip_entry.h"
#include "hip_exports.h"
#include "memory.h"
#include "peer.h"
#include "schedule.h"
#include "version.h"

int rt_hipInit(unsigned flags)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICES, NULL);
    if (code == RT_SUCCESS && flags != 0) {
        code = RT_INVALID_VALUE;
    }
    return hip_leave(code);
}

static int get_version(const char *function, int *out)
{
    const int code = hip_enter(function, HIP_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS) {
        *out = rt_version(RT_LIBRARY_HIP);
    }
    return hip_leave(code);
}

int rt_hipRuntimeGetVersion(int *out)
{
    return get_version(__func__, out);
}

int rt_hipDriverGetVersion(int *out)
{
    return get_version(__func__, out);
}

int rt_hipGetDeviceCount(int *out)
{
    int code = hip_enter(__func__, HIP_NEED_NOTHING, NULL);
    *out = code == RT_SUCCESS ? rt_device_count(RT_HIP) : 0;
    if (code == RT_SUCCESS && *out == 0) {
        code = RT_NO_DEVICE;
    }
    return hip_leave(code);
}

int rt_hipSetDevice(int ordinal)
{
    int code = hip_enter(__func__, HIP_NEED_DEVICES, NULL);
    if (code == RT_SUCCESS && rt_device_get(RT_HIP, ordinal) == NULL) {
        code = RT_INVALID_DEVICE;
    } else if (code == RT_SUCCESS) {
        rt_thread_self()->selected[RT_HIP] = ordinal;
    }
    return hip_leave(code);
}

int rt_hipGetDevice(int *out)
{
    const int code = hip_enter(__func__, HIP_NEED_DEVICES, NULL);
    if (code == RT_SUCCESS) {
        *out = rt_thread_self()->selected[RT_HIP];
    }
    return hip_leave(code);
}

/* Enters, and finds a device by its number, which is also a hipDevice_t. */
static int enter_device(const char *function, int ordinal, rt_device **out_device)
{
    const int code = hip_enter(function, HIP_NEED_DEVICES, NULL);
    *out_device = code == RT_SUCCESS ? rt_device_get(RT_HIP, ordinal) : NULL;
    return code == RT_SUCCESS && *out_device == NULL ? RT_INVALID_DEVICE : code;
}

int rt_hipDeviceGet(int *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        *out = ordinal;
    }
    return hip_leave(code);
}

int rt_hipDeviceGetName(char *out, int capacity, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        rt_device_name(device, out, capacity);
    }
    return hip_leave(code);
}

int rt_hipDeviceGetUuid(void *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        rt_device_uuid(device, out);
    }
    return hip_leave(code);
}

int rt_hipDeviceTotalMem(size_t *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        size_t unused;
        rt_memory_info(device, &unused, out);
    }
    return hip_leave(code);
}

int rt_hipDeviceGetAttribute(int *out, int attribute, int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = hip_attribute_get(device, attribute, out);
    }
    return hip_leave(code);
}

int rt_hipDeviceGetPCIBusId(char *out, int capacity, int ordinal)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = rt_pci_write(device, out, capacity);
    }
    return hip_leave(code);
}

/* Where hipDeviceProp_t of ROCm 5, and of ROCm 6 and later, has what callers read. In bytes. */
typedef struct layout {
    size_t size, total_memory, wave, arch;
} layout;

static const layout layout_5 = {792, 256, 276, 396};
static const layout layout_6 = {1472, 288, 308, 1160};

static int get_properties(const char *function, const layout *where, char *out, int ordinal)
{
    rt_device *device;
    const int code = enter_device(function, ordinal, &device);
    if (code == RT_SUCCESS) {
        size_t unused;
        size_t total;
        const int wave = (int)device->arch.wave;
        memset(out, 0, where->size);
        rt_device_name(device, out, 256);
        rt_memory_info(device, &unused, &total);
        memcpy(out + where->total_memory, &total, sizeof total);
        memcpy(out + where->wave, &wave, sizeof wave);
        (void)snprintf(out + where->arch, 256, "%s%s", device->arch.name, device->arch.features);
    }
    return hip_leave(code);
}

/* By its plain name the function has ROCm 5's layout for ever. */
int rt_hipGetDeviceProperties(void *out, int ordinal)
{
    return get_properties(__func__, &layout_5, out, ordinal);
}

int rt_hipGetDevicePropertiesR0600(void *out, int ordinal)
{
    return get_properties(__func__, &layout_6, out, ordinal);
}

int rt_hipDeviceSynchronize(void)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(NULL);
    }
    if (code == RT_SUCCESS) {
        code = rt_wait_device(device);
    }
    return hip_leave(code);
}

int rt_hipDeviceReset(void)
{
    const int code = hip_enter(__func__, HIP_NEED_DEVICES, NULL);
    if (code == RT_SUCCESS) {
        rt_device *device = rt_device_get(RT_HIP, rt_thread_self()->selected[RT_HIP]);
        (void)rt_wait_device(device);
        rt_device_reset(device);
    }
    return hip_leave(code);
}

int rt_hipDeviceCanAccessPeer(int *out, int ordinal, int peer)
{
    rt_device *device;
    int code = enter_device(__func__, ordinal, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_possible(device, rt_device_get(RT_HIP, peer), out);
    }
    return hip_leave(code);
}

int rt_hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_enable(device, rt_device_get(RT_HIP, peer), flags);
    }
    return hip_leave(code);
}

int rt_hipDeviceDisablePeerAccess(int peer)
{
    rt_device *device;
    int code = hip_enter(__func__, HIP_NEED_DEVICE, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_disable(device, rt_device_get(RT_HIP, peer));
    }
    return hip_leave(code);
}

static int last_error(bool forget)
{
    rt_thread *self = rt_thread_self();
    const int code = self->last[RT_HIP];
    if (forget) {
        self->last[RT_HIP] = RT_SUCCESS;
    }
    return code;
}

int rt_hipGetLastError(void)
{
    rt_lock();
    const int code = last_error(true);
    rt_unlock();
    return code;
}

int rt_hipPeekAtLastError(void)
{
    rt_lock();
    const int code = last_error(false);
    rt_unlock();
    return code;
}

const char *rt_hipGetErrorName(int code)
{
    const char *name = rt_error_name(RT_NAMING_HIP, code);
    return name != NULL ? name : "hipErrorUnknown";
}

const char *rt_hipGetErrorString(int code)
{
    const char *text = rt_error_text(RT_NAMING_HIP, code);
    return text != NULL ? text : "unknown error";
}
