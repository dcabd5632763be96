/* Binaries: the vendor's image behind a head that says how long it is and what it is for. */
#include <string.h>

#include "gpu_compile.h"

/* Whether an image for target runs on a device: it may leave the device's features open. */
static int is_for(const char *target, const char *device)
{
    const size_t length = strlen(target);
    return strncmp(target, device, length) == 0 && (device[length] == 0 || device[length] == ':');
}

static keel_status check(const gpu_device *device, const gpu_image *head, uint64_t bytes,
                         keel_error *err)
{
    if (bytes <= sizeof *head || memcmp(head->mark, GPU_IMAGE_MARK, sizeof head->mark) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "binary of %llu bytes: it does not begin with the mark " GPU_IMAGE_MARK,
                         (unsigned long long)bytes);
    }
    if (head->bytes != bytes - sizeof *head) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "binary of %llu bytes: its head says %llu and %zu of its own",
                         (unsigned long long)bytes, (unsigned long long)head->bytes, sizeof *head);
    }
    if (head->target[0] == 0 || memchr(head->target, 0, sizeof head->target) == NULL ||
        !is_for(head->target, device->listed->target)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "binary for \"%.*s\": the device is %s",
                         (int)sizeof head->target, head->target, device->listed->target);
    }
    return KEEL_OK;
}

keel_status gpu_image_copy(const gpu_device *device, const void *binary, uint64_t bytes,
                           gpu_image **out_image, keel_error *err)
{
    gpu_image head = {{0}, 0, {0}, 0, 0};
    *out_image = NULL;
    memcpy(&head, binary, bytes < sizeof head ? bytes : sizeof head);
    KEEL_TRY(check(device, &head, bytes, err));
    gpu_image *image = gpu_alloc(device->runtime, bytes + 1); /* zeroed: a text ends with 0 */
    if (image == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no %llu bytes of host memory for a binary",
                         (unsigned long long)bytes);
    }
    memcpy(image, binary, bytes);
    *out_image = image;
    return KEEL_OK;
}
