/* libcuda: modules, functions, launches, graphs. */
#include "codes.h"
#include "cuda_entry.h"
#include "cuda_exports.h"
#include "handle.h"

static int load_module(const char *function, void **out, const void *image)
{
    rt_device *device;
    int code = cu_enter(function, CUDA_NEED_CONTEXT, &device);
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = image == NULL ? RT_INVALID_VALUE : rt_module_load(device, image, out);
    }
    return cu_leave(code);
}

int rt_cuModuleLoadData(void **out, const void *image)
{
    return load_module(__func__, out, image);
}

int rt_cuModuleLoadDataEx(void **out, const void *image, unsigned count, int *options,
                          void **values)
{
    (void)count;
    (void)options;
    (void)values;
    return load_module(__func__, out, image);
}

int rt_cuModuleUnload(void *handle)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    rt_module *module =
        code == RT_SUCCESS ? rt_handle_get(RT_KIND_MODULE, RT_CUDA, handle, __func__) : NULL;
    if (module != NULL) {
        rt_module_unload(module);
    } else if (code == RT_SUCCESS) {
        code = RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}

int rt_cuModuleGetFunction(void **out, void *handle, const char *name)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    rt_module *module =
        code == RT_SUCCESS ? rt_handle_get(RT_KIND_MODULE, RT_CUDA, handle, __func__) : NULL;
    *out = NULL;
    if (code == RT_SUCCESS) {
        code = module != NULL ? rt_module_function(module, name, out) : RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}

/* Enters, and finds a function. */
static int enter_function(const char *function, void *handle, rt_device **out_device,
                          rt_function **out_function)
{
    const int code = cu_enter(function, CUDA_NEED_CONTEXT, out_device);
    if (code != RT_SUCCESS) {
        return code;
    }
    *out_function = rt_handle_get(RT_KIND_FUNCTION, RT_CUDA, handle, function);
    return *out_function != NULL ? RT_SUCCESS : RT_INVALID_HANDLE;
}

int rt_cuFuncGetAttribute(int *out, int attribute, void *handle)
{
    rt_device *device;
    rt_function *function = NULL;
    int code = enter_function(__func__, handle, &device, &function);
    if (code == RT_SUCCESS) {
        code = rt_function_attribute(function, attribute, out);
    }
    return cu_leave(code);
}

int rt_cuFuncSetAttribute(void *handle, int attribute, int value)
{
    rt_device *device;
    rt_function *function = NULL;
    int code = enter_function(__func__, handle, &device, &function);
    if (code == RT_SUCCESS) {
        code = rt_function_set_attribute(function, attribute, value);
    }
    return cu_leave(code);
}

int rt_cuLaunchKernel(void *handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned local_bytes,
                      void *stream_handle, void **args, void **extra)
{
    rt_device *device;
    rt_function *function = NULL;
    int code = enter_function(__func__, handle, &device, &function);
    rt_stream *stream =
        code == RT_SUCCESS ? cuda_find_stream(device, stream_handle, __func__) : NULL;
    if (code == RT_SUCCESS) {
        const rt_launch_request request = {.grid = {grid_x, grid_y, grid_z},
                                           .block = {block_x, block_y, block_z},
                                           .dynamic_local = local_bytes,
                                           .args = args};
        code = stream == NULL  ? RT_INVALID_HANDLE
               : extra != NULL ? RT_NOT_SUPPORTED
                               : rt_launch(function, stream, &request, RT_INVALID_VALUE);
    }
    return cu_leave(code);
}

int rt_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, void *handle, int block_size,
                                                   size_t dynamic_local)
{
    rt_device *device;
    rt_function *function = NULL;
    const int code = enter_function(__func__, handle, &device, &function);
    (void)dynamic_local;
    if (code == RT_SUCCESS) {
        *out = block_size > 0 ? 2048 / block_size : 0;
    }
    return cu_leave(code);
}

/* ---- graphs --------------------------------------------------------------------------------- */

int rt_cuGraphInstantiateWithFlags(void **out_exec, void *handle, unsigned long long flags)
{
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, NULL);
    rt_graph *graph =
        code == RT_SUCCESS ? rt_handle_get(RT_KIND_GRAPH, RT_CUDA, handle, __func__) : NULL;
    *out_exec = NULL;
    if (code == RT_SUCCESS) {
        code = graph == NULL ? RT_INVALID_HANDLE
               : flags != 0  ? RT_INVALID_VALUE
                             : rt_graph_instantiate(graph, out_exec);
    }
    return cu_leave(code);
}

int rt_cuGraphLaunch(void *exec_handle, void *stream_handle)
{
    rt_device *device;
    int code = cu_enter(__func__, CUDA_NEED_CONTEXT, &device);
    if (code == RT_SUCCESS) {
        rt_graph *exec = rt_handle_get(RT_KIND_EXEC, RT_CUDA, exec_handle, __func__);
        rt_stream *stream = cuda_find_stream(device, stream_handle, __func__);
        code = exec == NULL || stream == NULL ? RT_INVALID_HANDLE : rt_graph_launch(exec, stream);
    }
    return cu_leave(code);
}

static int destroy_graph(const char *function, rt_kind kind, void *handle)
{
    int code = cu_enter(function, CUDA_NEED_CONTEXT, NULL);
    rt_graph *graph = code == RT_SUCCESS ? rt_handle_get(kind, RT_CUDA, handle, function) : NULL;
    if (graph != NULL) {
        rt_graph_destroy(graph);
    } else if (code == RT_SUCCESS) {
        code = RT_INVALID_HANDLE;
    }
    return cu_leave(code);
}

int rt_cuGraphExecDestroy(void *handle)
{
    return destroy_graph(__func__, RT_KIND_EXEC, handle);
}

int rt_cuGraphDestroy(void *handle)
{
    return destroy_graph(__func__, RT_KIND_GRAPH, handle);
}
