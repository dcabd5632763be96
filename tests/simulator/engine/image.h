/* Images: what the engine's compiler makes, and what a vendor would call a cubin or code object. */
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include "engine.h"

#define SIM_IMAGE_MAGIC "KEELSIM1"
#define SIM_ARCH_MAX 32

/* An image is this, the shared object, and the source text with its final 0. */
typedef struct sim_image {
    char magic[8];
    uint64_t bytes; /* all of it */
    uint64_t build; /* sim_engine_build() of the engine that made it */
    char arch[SIM_ARCH_MAX];
    uint64_t object_bytes, source_bytes;
} sim_image;

/* A hash of 64 bits (FNV-1a) that continues an earlier one; begin with SIM_HASH_START. */
#define SIM_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t sim_hash(uint64_t hash, const void *data, size_t bytes);

#endif
