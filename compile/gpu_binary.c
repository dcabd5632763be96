/* What the backends of GPUs make of a vendor's image: see gpu_image_copy(), which takes it. */
#include "gpu_binary.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_compile.h"

keel_status compile_gpu_package(const compile_target *target, void **binary, uint64_t *bytes,
                                keel_error *err)
{
    gpu_image head = {.mark = GPU_IMAGE_MARK, .bytes = *bytes};
    if (strlen(target->arch) >= sizeof head.target) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "target %s: its name is too long",
                         target->arch);
    }
    memcpy(head.target, target->arch, strlen(target->arch)); /* its features stay open */
    char *whole = malloc(sizeof head + *bytes);
    if (whole == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for a binary of %llu bytes",
                         (unsigned long long)*bytes);
    }
    memcpy(whole, &head, sizeof head);
    memcpy(whole + sizeof head, *binary, *bytes);
    free(*binary);
    *binary = whole;
    *bytes += sizeof head;
    return KEEL_OK;
}
