/* libcudart: versions, devices, errors. */
#include "codes.h"
#include "cuda_attributes.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "errors.h"
#include "peer.h"
#include "schedule.h"
#include "version.h"

int rt_cudaRuntimeGetVersion(int *out)
{
    const int code = cudart_enter(__func__, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS) {
        *out = rt_version(RT_LIBRARY_CUDART);
    }
    return cudart_leave(code);
}

/* 0 without a driver. */
int rt_cudaDriverGetVersion(int *out)
{
    const int code = cudart_enter(__func__, CUDA_NEED_NOTHING, NULL);
    if (code == RT_SUCCESS) {
        *out = sim_option("no_driver", 0) != 0 ? 0 : rt_version(RT_LIBRARY_CUDA);
    }
    return cudart_leave(code);
}

int rt_cudaGetDeviceCount(int *out)
{
    const int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    *out = code == RT_SUCCESS ? rt_device_count(RT_CUDA) : 0;
    return cudart_leave(code);
}

/* From CUDA 12 on this makes the device's context; before, the first call that needs it does. */
int rt_cudaSetDevice(int ordinal)
{
    int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    rt_device *device = code == RT_SUCCESS ? rt_device_get(RT_CUDA, ordinal) : NULL;
    if (code == RT_SUCCESS && device == NULL) {
        code = RT_INVALID_DEVICE;
    } else if (code == RT_SUCCESS) {
        rt_thread_self()->selected[RT_CUDA] = ordinal;
        if (rt_version(RT_LIBRARY_CUDART) >= 12000) {
            code = rt_device_activate(device);
            cuda_replace(device);
        }
    }
    return cudart_leave(code);
}

int rt_cudaGetDevice(int *out)
{
    const int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        *out = rt_thread_self()->selected[RT_CUDA];
    }
    return cudart_leave(code);
}

int rt_cudaDeviceGetAttribute(int *out, int attribute, int ordinal)
{
    int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        code = cuda_attribute_get(rt_device_get(RT_CUDA, ordinal), attribute, out);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceGetPCIBusId(char *out, int capacity, int ordinal)
{
    int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        code = rt_pci_write(rt_device_get(RT_CUDA, ordinal), out, capacity);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceSynchronize(void)
{
    rt_device *device;
    int code = cudart_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_capture_refuses(NULL);
    }
    if (code == RT_SUCCESS) {
        code = rt_wait_device(device);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceReset(void)
{
    const int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        rt_device *device = rt_device_get(RT_CUDA, rt_thread_self()->selected[RT_CUDA]);
        (void)rt_wait_device(device);
        rt_device_reset(device);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceCanAccessPeer(int *out, int ordinal, int peer)
{
    int code = cudart_enter(__func__, CUDA_NEED_DRIVER, NULL);
    if (code == RT_SUCCESS) {
        code = rt_peer_possible(rt_device_get(RT_CUDA, ordinal), rt_device_get(RT_CUDA, peer), out);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    rt_device *device;
    int code = cudart_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_enable(device, rt_device_get(RT_CUDA, peer), flags);
    }
    return cudart_leave(code);
}

int rt_cudaDeviceDisablePeerAccess(int peer)
{
    rt_device *device;
    int code = cudart_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        code = rt_peer_disable(device, rt_device_get(RT_CUDA, peer));
    }
    return cudart_leave(code);
}

/* A failure that the context keeps stays the last one. */
static int last_error(bool forget)
{
    rt_thread *self = rt_thread_self();
    const rt_device *device = rt_device_get(RT_CUDA, self->selected[RT_CUDA]);
    int code = self->last[RT_CUDA];
    if (device != NULL && rt_device_error(device) != RT_SUCCESS) {
        code = rt_device_error(device);
    }
    if (forget) {
        self->last[RT_CUDA] = RT_SUCCESS;
    }
    return code;
}

int rt_cudaGetLastError(void)
{
    rt_lock();
    const int code = last_error(true);
    rt_unlock();
    return code;
}

int rt_cudaPeekAtLastError(void)
{
    rt_lock();
    const int code = last_error(false);
    rt_unlock();
    return code;
}

const char *rt_cudaGetErrorName(int code)
{
    const char *name = rt_error_name(RT_NAMING_CUDART, code);
    return name != NULL ? name : "unrecognized error code";
}

const char *rt_cudaGetErrorString(int code)
{
    const char *text = rt_error_text(RT_NAMING_CUDART, code);
    return text != NULL ? text : "unrecognized error code";
}
