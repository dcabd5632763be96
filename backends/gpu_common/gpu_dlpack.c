/* Extension keel.dlpack: DLPack's data is the device address. */
#include "gpu_objects.h"

void *gpu_dlpack_data(void *buffer_object)
{
    return ((gpu_buffer *)buffer_object)->address;
}

keel_status gpu_dlpack_import(void *device_object, void *data, uint64_t bytes, void **out_buffer,
                              keel_error *err)
{
    uint64_t has = 0;
    KEEL_TRY(gpu_native.buffer_wrap(device_object, data, out_buffer, &has, err));
    if (has < bytes) {
        gpu_buffer_free(device_object, *out_buffer);
        *out_buffer = NULL;
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the tensor reaches to byte %llu of memory of %llu bytes",
                         (unsigned long long)bytes, (unsigned long long)has);
    }
    return KEEL_OK;
}
