/* libamdhip64: modules, functions, launches. */
#include "codes.h"
#include "handle.h"
#include "hip_entry.h"
#include "hip_exports.h"
#include "version.h"

static int load_module(const char *function, void **out, const void *image)
{
    rt_device *device;
    int code = hip_enter(function, HIP_NEED_DEVICE, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = image == NULL ? RT_INVALID_VALUE : rt_module_load(device, image, out);
    }
    return hip_leave(code);
}

int rt_hipModuleLoadData(void **out, const void *image)
{
    return load_module(__func__, out, image);
}

int rt_hipModuleLoadDataEx(void **out, const void *image, unsigned count, int *options,
                           void **values)
{
    (void)count;
    (void)options;
    (void)values;
    return load_module(__func__, out, image);
}

/* Enters, and finds an object. */
static int enter_object(const char *function, rt_kind kind, void *handle, rt_device **out_device,
                        void **out_object)
{
    const int code = hip_enter(function, HIP_NEED_DEVICE, out_device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_object = rt_handle_get(kind, RT_HIP, handle, function);
    return *out_object != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

int rt_hipModuleUnload(void *handle)
{
    rt_device *device;
    void *module = NULL;
    const int code = enter_object(__func__, RT_KIND_MODULE, handle, &device, &module);
    if (code == RT_SUCCESS) {
        rt_module_unload(module);
    }
    return hip_leave(code);
}

int rt_hipModuleGetFunction(void **out, void *handle, const char *name)
{
    rt_device *device;
    void *module = NULL;
    int code = enter_object(__func__, RT_KIND_MODULE, handle, &device, &module);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = rt_module_function(module, name, out);
    }
    return hip_leave(code);
}

int rt_hipFuncGetAttribute(int *out, int attribute, void *handle)
{
    rt_device *device;
    void *function = NULL;
    int code = enter_object(__func__, RT_KIND_FUNCTION, handle, &device, &function);
    if (code == RT_SUCCESS) {
        code = rt_function_attribute(function, attribute, out);
    }
    return hip_leave(code);
}

int rt_hipModuleLaunchKernel(void *handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z,
                             unsigned local_bytes, void *stream_handle, void **args, void **extra)
{
    rt_device *device;
    void *function = NULL;
    int code = enter_object(__func__, RT_KIND_FUNCTION, handle, &device, &function);
    rt_stream *stream =
        code == RT_SUCCESS ? hip_find_stream(device, stream_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        const rt_launch_request request = {.grid = {grid_x, grid_y, grid_z},
                                           .block = {block_x, block_y, block_z},
                                           .dynamic_local = local_bytes,
                                           .args = args};
        const int bad_shape =
            rt_version(RT_LIBRARY_HIP) >= 70000000 ? RT_INVALID_CONFIGURATION : RT_INVALID_VALUE;
        code = stream == NULL  ? RT_INVALID_HANDLE
               : extra != NULL ? RT_NOT_SUPPORTED
                               : rt_launch(function, stream, &request, bad_shape);
    }
    return hip_leave(code);
}

int rt_hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *out, void *handle, int block_size,
                                                          size_t dynamic_local)
{
    rt_device *device;
    void *function = NULL;
    const int code = enter_object(__func__, RT_KIND_FUNCTION, handle, &device, &function);
    (void)dynamic_local;
    if (code == RT_SUCCESS) {
        *out = block_size > 0 ? 2048 / block_size : 0;
    }
    return hip_leave(code);
}
