/* Programs: compiled from text, or loaded from a binary. */
#include <string.h>

#include "gpu_compile.h"

void gpu_module_release(gpu_module *module)
{
    gpu_device *device = module->device;
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (atomic_fetch_sub(&module->references, 1) != 1) {
        return;
    }
    if (module->handle != NULL && gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        /* Its kernels may still be queued. Where waiting fails they may still run: it stays. */
        if (gpu_queues_drain(device, atomic_load(&module->slots)) == KEEL_OK) {
            const int code = device->api->module_unload(module->handle);
            (void)gpu_check(device, &ignored, code, GPU_CALL(module_unload), "program");
        }
        gpu_leave(&scope);
    }
    gpu_free(device->runtime, module->image);
    gpu_free(device->runtime, module);
}

/* An image that the vendor refuses is the caller's fault, or that of the vendor's own compiler. */
static keel_status refuse(const gpu_module *module, int compiled, int code, keel_error *err)
{
    const keel_status own = module->device->runtime->vendor->status_of(code);
    return gpu_fail_as(module->device, err,
                       compiled && own == KEEL_ERR_INVALID_ARGUMENT ? KEEL_ERR_DEVICE : own, code,
                       GPU_CALL(module_load), "binary of %llu bytes for %s",
                       (unsigned long long)module->image->bytes, module->image->target);
}

/* Loads an image, which becomes the module's, also on failure. compiled: by this backend. */
static keel_status load(gpu_device *device, gpu_image *image, int compiled, void **out_program,
                        keel_error *err)
{
    gpu_scope scope;
    gpu_module *module = gpu_alloc(device->runtime, sizeof *module);
    if (module == NULL) {
        gpu_free(device->runtime, image);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a program");
    }
    module->device = device;
    module->image = image;
    atomic_init(&module->references, 1);
    keel_status status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        const int code = device->api->module_load(&module->handle, image + 1, 0, NULL, NULL);
        gpu_leave(&scope);
        if (code != 0) {
            module->handle = NULL;
            status = refuse(module, compiled, code, err);
        }
    }
    if (status != KEEL_OK) {
        gpu_module_release(module);
        return status;
    }
    *out_program = module;
    return KEEL_OK;
}

keel_status gpu_program_build(void *device_object, const keel_text *texts, uint32_t count,
                              void **out_program, keel_error *err)
{
    gpu_device *device = device_object;
    gpu_image *image = NULL;
    *out_program = NULL;
    char *text = gpu_source_compose(device->runtime, texts, count);
    if (text == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a program's text");
    }
    const keel_status status = gpu_compile(device, text, &image, err);
    gpu_free(device->runtime, text);
    return status == KEEL_OK ? load(device, image, 1, out_program, err) : status;
}

keel_status gpu_program_load(void *device_object, const void *binary, uint64_t bytes,
                             void **out_program, keel_error *err)
{
    gpu_device *device = device_object;
    gpu_image *image = NULL;
    *out_program = NULL;
    KEEL_TRY(gpu_image_copy(device, binary, bytes, &image, err));
    return load(device, image, 0, out_program, err);
}

keel_status gpu_program_binary(void *program_object, void *out, uint64_t capacity,
                               uint64_t *out_bytes, keel_error *err)
{
    const gpu_module *module = program_object;
    const gpu_image *image = module->image;
    const uint64_t bytes = sizeof *image + image->bytes;
    *out_bytes = 0;
    if (image->portable) {
        /* It would outlive the compiler that knows no better; the driver keeps what it made. */
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "the compiler does not know %s: the program is in a portable form, which "
                         "is not kept",
                         image->target);
    }
    if (out != NULL) {
        if (capacity < bytes) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "binary of %llu bytes: room for %llu",
                             (unsigned long long)bytes, (unsigned long long)capacity);
        }
        memcpy(out, image, bytes);
    }
    *out_bytes = bytes;
    return KEEL_OK;
}

void gpu_program_release(void *program_object)
{
    gpu_module_release(program_object);
}
