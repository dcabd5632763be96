/* Extension keel.dlpack: DLPack's data is the cl_mem, whose offset travels beside it. */
#include "cl_objects.h"

static keel_status import_buffer(void *device, void *data, uint64_t bytes, void **out_buffer,
                                 keel_error *err)
{
    uint64_t has = 0;
    KEEL_TRY(cl_native.buffer_wrap(device, data, out_buffer, &has, err));
    if (has < bytes) {
        cl_buffer_free(device, *out_buffer);
        *out_buffer = NULL;
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "the tensor reaches to byte %llu of a buffer of %llu bytes",
                         (unsigned long long)bytes, (unsigned long long)has);
    }
    return KEEL_OK;
}

static void *buffer_data(void *buffer)
{
    return cl_native.buffer_export(buffer);
}

const keel_dlpack_api cl_dlpack = {
    .struct_size = sizeof(keel_dlpack_api),
    .device_type = 4,
    .buffer_data = buffer_data,
    .buffer_import = import_buffer,
};
