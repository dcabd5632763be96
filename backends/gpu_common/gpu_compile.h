/* From texts to an image that the vendor loads. */
#ifndef GPU_COMPILE_H
#define GPU_COMPILE_H

#include "gpu_image.h"
#include "gpu_objects.h"

#define GPU_COMPILE_OPTIONS 16

/* How a program is compiled: what a vendor's compiler_target() decides. */
struct gpu_compilation {
    const char *options[GPU_COMPILE_OPTIONS];
    int option_count;
    int portable;     /* 1: take the form that the driver compiles further */
    char target[128]; /* room for the option that names the architecture */
};

/*
 * One text that ends with 0: the texts one after another, with the prelude, where they contain it,
 * replaced by #include of GPU_PRELUDE_NAME. Memory of the host; NULL for want of it.
 */
char *gpu_source_compose(const gpu_runtime *runtime, const keel_text *texts, uint32_t count);

#define GPU_PRELUDE_NAME "keel_prelude.h"

/*
 * Compiles a composed text for the device.
 * @param out_image  memory of the host; the vendor's image behind it ends with a 0 of its own
 */
keel_status gpu_compile(gpu_device *device, const char *text, gpu_image **out_image,
                        keel_error *err);

/* A checked copy of a binary, in memory of the host. INVALID_ARGUMENT says what is wrong with it.
 */
keel_status gpu_image_copy(const gpu_device *device, const void *binary, uint64_t bytes,
                           gpu_image **out_image, keel_error *err);

#endif
