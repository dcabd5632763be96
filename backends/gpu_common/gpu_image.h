/*
 * The binaries of the backends here: what program_binary() gives and program_load() takes, in the
 * binary cache and in kernel packs. This head, then the vendor's image (a cubin, a code object).
 * The vendors' loaders are not told a size, so this is where it is checked. A tool that compiles
 * programs without a device writes the same.
 */
#ifndef GPU_IMAGE_H
#define GPU_IMAGE_H

#include <stdint.h>

#define GPU_IMAGE_MARK "KEELGPU1"

/* Numbers are little-endian; what is not used is zero. This struct does not grow. */
typedef struct gpu_image {
    char mark[8];      /* GPU_IMAGE_MARK, without its 0 */
    uint64_t bytes;    /* of the vendor's image */
    char target[96];   /* "sm_90", "gfx90a", "gfx90a:xnack-": features not named may be anything */
    uint32_t portable; /* 1: a form that the driver compiles further; not in caches and packs */
    uint32_t zero;
} gpu_image;

_Static_assert(sizeof(gpu_image) == 120, "binaries have a fixed head");

#endif
