#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "handle.h"
#include "image.h"
#include "schedule.h"
#include "version.h"

static rt_module *modules;
static rt_function *functions;

/* Whether code for target runs on a device: the same architecture, and no other features. */
static bool fits(const char *target, const rt_device *device)
{
    const size_t length = strlen(device->arch.name);
    if (strncmp(target, device->arch.name, length) != 0) {
        return false;
    }
    return target[length] == '\0' || strcmp(target + length, device->arch.features) == 0;
}

static int load(rt_device *device, const void *image, sim_module **out)
{
    const rt_image *head = image;
    if (device->vendor == RT_CUDA && strncmp(image, ".version", 8) == 0) {
        void *code = NULL;
        int result = rt_ptx_compile(image, device, rt_version(RT_LIBRARY_CUDA), &code);
        if (result == RT_SUCCESS) {
            result = rt_code_of_fault(sim_module_load(code, &device->engine, out));
        }
        free(code);
        return result;
    }
    if (memcmp(head->mark, RT_IMAGE_MARK, sizeof head->mark) != 0 ||
        head->vendor != device->vendor) {
        return RT_INVALID_IMAGE;
    }
    if (!fits(head->target, device)) {
        return RT_NO_BINARY_FOR_DEVICE;
    }
    if (sim_image_bytes(head + 1) != head->bytes) {
        return RT_INVALID_IMAGE;
    }
    return rt_code_of_fault(sim_module_load(head + 1, &device->engine, out));
}

int rt_module_load(rt_device *device, const void *image, void **out_handle)
{
    *out_handle = NULL;
    rt_module *module = calloc(1, sizeof *module);
    if (module == NULL) {
        return RT_OUT_OF_MEMORY;
    }
    int code = load(device, image, &module->loaded);
    if (code == RT_SUCCESS) {
        module->device = device;
        module->handle = rt_handle_new(RT_KIND_MODULE, device->vendor, module);
        code = module->handle != NULL ? RT_SUCCESS : RT_OUT_OF_MEMORY;
    }
    if (code != RT_SUCCESS) {
        sim_module_unload(module->loaded);
        free(module);
        return code;
    }
    module->next = modules;
    modules = module;
    *out_handle = module->handle;
    return RT_SUCCESS;
}

static void end_functions(const rt_module *module)
{
    rt_function **link = &functions;
    while (*link != NULL) {
        rt_function *function = *link;
        if (function->module == module) {
            *link = function->next;
            rt_handle_end(function->handle);
            free(function);
        } else {
            link = &function->next;
        }
    }
}

void rt_module_unload(rt_module *module)
{
    rt_stream *stream = NULL;
    const rt_entry *entry = rt_stream_find_module(module, &stream);
    while (entry != NULL) {
        char user[128];
        rt_work_describe(&entry->work, user, sizeof user);
        sim_finding("freed-in-use", "what=module by=\"%s\" text=\"work that uses it is not done\"",
                    user);
        rt_wait_entry(stream, entry);
        entry = rt_stream_find_module(module, &stream);
    }
    end_functions(module);
    rt_module **link = &modules;
    while (*link != module) {
        link = &(*link)->next;
    }
    *link = module->next;
    rt_handle_end(module->handle);
    sim_module_unload(module->loaded);
    free(module);
}

void rt_module_end_all(rt_device *device)
{
    for (rt_module *module = modules; module != NULL;) {
        rt_module *next = module->next;
        if (module->device == device) {
            rt_module_unload(module);
        }
        module = next;
    }
}

int rt_module_function(rt_module *module, const char *name, void **out_handle)
{
    *out_handle = NULL;
    sim_function *found = sim_module_function(module->loaded, name);
    if (found == NULL) {
        return RT_NOT_FOUND;
    }
    for (const rt_function *function = functions; function != NULL; function = function->next) {
        if (function->module == module && function->function == found) {
            *out_handle = function->handle;
            return RT_SUCCESS;
        }
    }
    rt_function *function = calloc(1, sizeof *function);
    void *handle =
        function != NULL ? rt_handle_new(RT_KIND_FUNCTION, module->device->vendor, function) : NULL;
    if (handle == NULL) {
        free(function);
        return RT_OUT_OF_MEMORY;
    }
    *function =
        (rt_function){.next = functions, .module = module, .handle = handle, .function = found};
    functions = function;
    *out_handle = handle;
    return RT_SUCCESS;
}

/* CU_FUNC_ATTRIBUTE_* and HIP_FUNC_ATTRIBUTE_* have the same numbers. */
int rt_function_attribute(const rt_function *function, int attribute, int *out_value)
{
    sim_function_info info;
    const rt_arch *arch = &function->module->device->arch;
    sim_function_info_get(function->function, &info);
    switch (attribute) {
    case 0: /* work-items that a group may have; the engine knows just one number */
        *out_value = (int)info.block;
        return RT_SUCCESS;
    case 1: /* LOCAL memory that it declares */
        *out_value = (int)info.local_bytes;
        return RT_SUCCESS;
    case 2: /* constant memory */
    case 3: /* private memory: spills */
    case 7:
        *out_value = 0;
        return RT_SUCCESS;
    case 4: /* registers */
        *out_value = 32;
        return RT_SUCCESS;
    case 5: /* PTX version, binary version */
    case 6:
        *out_value = 10 * arch->major + arch->minor;
        return RT_SUCCESS;
    case 8:
        *out_value = function->dynamic_local;
        return RT_SUCCESS;
    case 9: /* carve-out: the default */
        *out_value = -1;
        return RT_SUCCESS;
    default:
        return RT_INVALID_VALUE;
    }
}

int rt_function_set_attribute(rt_function *function, int attribute, int value)
{
    if (attribute == 9) {
        return RT_SUCCESS;
    }
    if (attribute != 8 || value < 0 ||
        (uint32_t)value > function->module->device->arch.local_limit) {
        return RT_INVALID_VALUE;
    }
    function->dynamic_local = value;
    return RT_SUCCESS;
}
