/* Loading images: the dynamic linker wants a file, which is gone as soon as it is mapped. */
#include "module.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "run.h"

const char *sim_image_object(const sim_image *image)
{
    return (const char *)(image + 1);
}

const char *sim_image_source(const sim_image *image)
{
    return sim_image_object(image) + image->object_bytes;
}

static sim_fault refuse(const char *why, const char *detail)
{
    fprintf(stderr, "simulator: image refused: %s%s\n", why, detail);
    return SIM_FAULT_IMAGE;
}

static sim_fault copy_image(const void *data, const sim_device *device, sim_image **out)
{
    const size_t bytes = sim_image_bytes(data);
    if (bytes == 0) {
        return refuse("it was not made by the simulator's compiler", "");
    }
    sim_image *image = malloc(bytes);
    if (image == NULL) {
        return refuse("out of memory", "");
    }
    memcpy(image, data, bytes);
    *out = image;
    if (image->build != sim_engine_build()) {
        return refuse(
            "it was made by another build of the simulator, or with another check= or undefined=",
            "");
    }
    if (strncmp(image->arch, device->arch, SIM_ARCH_MAX) != 0) {
        return refuse("it was made for ", image->arch);
    }
    return SIM_OK;
}

static void *open_object(const sim_image *image)
{
    char directory[SIM_PATH_MAX], path[SIM_PATH_MAX];
    void *handle = NULL;
    if (!sim_directory_make(directory)) {
        return NULL;
    }
    if (sim_path_join(path, directory, "program.so") &&
        sim_file_write(path, sim_image_object(image), image->object_bytes)) {
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    sim_directory_remove(directory);
    return handle;
}

/* Finds where the object with the module's bias is mapped. */
static int find_extent(struct dl_phdr_info *info, size_t size, void *data)
{
    sim_module *module = data;
    (void)size;
    if (info->dlpi_addr != module->bias) {
        return 0;
    }
    module->low = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD) {
            const uintptr_t first = info->dlpi_addr + header->p_vaddr;
            const uintptr_t last = first + header->p_memsz;
            module->low = module->low > first ? first : module->low;
            module->high = module->high < last ? last : module->high;
        }
    }
    return 1;
}

/* LOCAL memory of a kernel as a device would lay it out: arrays one after another, aligned to 16.
 */
static uint32_t local_bytes(const sim_program *program, const char *kernel)
{
    uint64_t bytes = 0;
    for (const sim_local_entry *local = program->locals; local < program->locals_end; local++) {
        if (strcmp(local->name, kernel) == 0) {
            bytes += (local->bytes + 15) / 16 * 16;
        }
    }
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static sim_fault find_functions(sim_module *module)
{
    sim_program program = {0};
    sim_bind *bind = (sim_bind *)(uintptr_t)dlsym(module->handle, SIM_BIND_NAME);
    struct link_map *map = NULL;
    if (bind == NULL || dlinfo(module->handle, RTLD_DI_LINKMAP, &map) != 0) {
        return refuse("it has no table of kernels", "");
    }
    bind(&sim_now.run, &program);
    module->bias = map->l_addr;
    (void)dl_iterate_phdr(find_extent, module);
    module->function_count = (size_t)(program.kernels_end - program.kernels);
    module->functions = calloc(module->function_count + 1, sizeof *module->functions);
    for (size_t i = 0; module->functions != NULL && i < module->function_count; i++) {
        sim_function *function = &module->functions[i];
        function->module = module;
        function->entry = &program.kernels[i];
        function->local_bytes = local_bytes(&program, function->entry->name);
        if (function->local_bytes > module->device.local_bytes) {
            char detail[256];
            (void)snprintf(detail, sizeof detail, "%s declares %u bytes of LOCAL memory of %u",
                           function->entry->name, function->local_bytes,
                           module->device.local_bytes);
            sim_finding("local-limit", "kernel=%s bytes=%u limit=%u", function->entry->name,
                        function->local_bytes, module->device.local_bytes);
            return refuse(detail, "");
        }
    }
    return module->functions != NULL ? SIM_OK : refuse("out of memory", "");
}

sim_fault sim_module_load(const void *image, const sim_device *device, sim_module **out_module)
{
    sim_module *module = calloc(1, sizeof *module);
    *out_module = NULL;
    if (module == NULL) {
        return refuse("out of memory", "");
    }
    module->device = *device;
    module->device.arch = NULL;
    sim_fault fault = copy_image(image, device, &module->image);
    if (fault == SIM_OK) {
        module->handle = open_object(module->image);
        fault = module->handle != NULL ? find_functions(module)
                                       : refuse("it cannot be loaded: ", dlerror());
    }
    if (fault != SIM_OK) {
        sim_module_unload(module);
        return fault;
    }
    *out_module = module;
    return SIM_OK;
}

void sim_module_unload(sim_module *module)
{
    if (module == NULL) {
        return;
    }
    if (module->handle != NULL) {
        dlclose(module->handle);
    }
    free(module->functions);
    free(module->image);
    free(module);
}

sim_function *sim_module_function(sim_module *module, const char *name)
{
    for (size_t i = 0; i < module->function_count; i++) {
        if (strcmp(module->functions[i].entry->name, name) == 0) {
            return &module->functions[i];
        }
    }
    return NULL;
}

void sim_function_info_get(const sim_function *function, sim_function_info *out)
{
    const sim_kernel_entry *entry = function->entry;
    memset(out, 0, sizeof *out);
    out->name = entry->name;
    out->arg_count = entry->arg_count;
    memcpy(out->arg_bytes, entry->arg_bytes, sizeof out->arg_bytes);
    out->block = entry->block;
    out->local_bytes = function->local_bytes;
}
