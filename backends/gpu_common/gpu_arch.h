/*
 * Architectures of a vendor: what is known of them before a device is seen. The plugin asks this
 * table about its devices; the compile gates and kernel packs compile for its rows. An architecture
 * that is not in it runs portable kernels only, and is never refused.
 */
#ifndef GPU_ARCH_H
#define GPU_ARCH_H

#include <stdint.h>

/* Its matrix units are those that the vendor's prelude knows how to use. */
#define GPU_ARCH_MATRIX 1u
/* Every kernel is compiled for it before a change goes in; others only on request. */
#define GPU_ARCH_GATED 2u
/* Where there is no time for all that are gated, it stands for its vendor. */
#define GPU_ARCH_TYPICAL 4u

typedef struct gpu_arch {
    const char *name;     /* as keel_device_info names it, or what the compiler calls a superset */
    uint32_t wave;        /* work-items that run in lock step */
    uint32_t local_bytes; /* LOCAL memory that a kernel may declare */
    uint32_t flags;       /* GPU_ARCH_* */
} gpu_arch;

typedef struct gpu_archs {
    const gpu_arch *rows;
    uint32_t count;
} gpu_archs;

/* The row of that name, or NULL. */
const gpu_arch *gpu_arch_find(gpu_archs archs, const char *name);

#endif
