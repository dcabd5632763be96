/* What is in an image, and whether it is ours. */
#include "image.h"

#include <string.h>

#include "embedded.h"
#include "window.h"

uint64_t sim_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t sim_engine_build(void)
{
    static uint64_t builds[4];
    const uint32_t options =
        (sim_checking() ? 1u : 0u) | (sim_option("undefined", 0) != 0 ? 2u : 0u);
    if (builds[options] == 0) {
        uint64_t hash = sim_hash(SIM_HASH_START, &options, sizeof options);
        for (size_t i = 0; i < SIM_EMBEDDED_COUNT; i++) {
            hash = sim_hash(hash, sim_embedded_files[i].data, sim_embedded_files[i].bytes);
        }
        builds[options] = hash;
    }
    return builds[options];
}

size_t sim_image_bytes(const void *data)
{
    sim_image image;
    if (data == NULL || memcmp(data, SIM_IMAGE_MAGIC, sizeof image.magic) != 0) {
        return 0;
    }
    memcpy(&image, data, sizeof image);
    const uint64_t limit = UINT64_C(1) << 30;
    const bool sane = image.object_bytes < limit && image.source_bytes < limit &&
                      image.bytes == sizeof image + image.object_bytes + image.source_bytes;
    return sane ? (size_t)image.bytes : 0;
}
