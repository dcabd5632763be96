/* Modules: loaded programs, and the images that compilers make of them. */
#ifndef RT_MODULE_H
#define RT_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "device.h"
#include "work.h"

struct rt_module {
    struct rt_module *next;
    rt_device *device;
    void *handle;
    sim_module *loaded;
};

typedef struct rt_function {
    struct rt_function *next;
    rt_module *module;
    void *handle;
    sim_function *function;
    int dynamic_local; /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, as it was set */
} rt_function;

/* Loads an image of rt_program_compile() for a device. */
int rt_module_load(rt_device *device, const void *image, void **out_handle);
void rt_module_unload(rt_module *module);
int rt_module_function(rt_module *module, const char *name, void **out_handle);
void rt_module_end_all(rt_device *device);

/* Attributes by the numbers that both vendors use; RT_INVALID_VALUE for unknown ones. */
int rt_function_attribute(const rt_function *function, int attribute, int *out_value);
int rt_function_set_attribute(rt_function *function, int attribute, int value);

/* What a vendor's launch call hands over. */
typedef struct rt_launch_request {
    uint32_t grid[3], block[3];
    uint32_t dynamic_local;
    void **args;
} rt_launch_request;

/* Checks a launch and submits it. bad_shape: the code for a grid or block that is refused. */
int rt_launch(rt_function *function, rt_stream *stream, const rt_launch_request *request,
              int bad_shape);

#endif
