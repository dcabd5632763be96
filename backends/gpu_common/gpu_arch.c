/* Finding an architecture. */
#include "gpu_arch.h"

#include <stddef.h>
#include <string.h>

const gpu_arch *gpu_arch_find(gpu_archs archs, const char *name)
{
    for (uint32_t i = 0; i < archs.count; i++) {
        if (strcmp(archs.rows[i].name, name) == 0) {
            return &archs.rows[i];
        }
    }
    return NULL;
}
