/*
 * Images: what the simulated compilers give and module loading takes. A head, then the engine's
 * image, or for PTX the source, which the simulated driver compiles for the device when it loads
 * it.
 */
#ifndef RT_IMAGE_H
#define RT_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

#define RT_IMAGE_MARK "\177KEELSIM"

typedef struct rt_image {
    char mark[8];
    uint32_t vendor;
    uint32_t bytes;  /* of what follows */
    char target[64]; /* "sm_90", "gfx942:sramecc+:xnack-" */
} rt_image;

/* An image around the engine's; free() it. NULL: no memory. */
rt_image *rt_image_wrap(rt_vendor vendor, const char *target, const void *code, size_t bytes);

/* Text that stands for PTX of a source: free() it. version: "9.0". NULL: no memory. */
char *rt_ptx_write(const sim_source *source, const char *version, const char *target);

/*
 * Compiles PTX for a device. 0, RT_INVALID_PTX, or RT_UNSUPPORTED_PTX_VERSION if it is newer than
 * driver (13000 for CUDA 13.0) knows. *out is the engine's image, to be freed with free().
 */
int rt_ptx_compile(const char *text, const rt_device *device, int driver, void **out);

#endif
