/* DLPack exchange: descriptions out and in, and who frees what. */
#include "keel/dlpack.h"

#include <string.h>

#include "buffer.h"
#include "checked.h"
#include "context.h"
#include "plan.h"

/* The standard's type codes. */
#define DL_INT 0
#define DL_UINT 1
#define DL_FLOAT 2
#define DL_BFLOAT 4
#define DL_BOOL 6
#define DL_F8E4M3FN 10
#define DL_F8E4M3FNUZ 11
#define DL_F8E5M2 12
#define DL_F8E5M2FNUZ 13

static const uint8_t type_codes[KEEL_DTYPE_END] = {
    [KEEL_F64] = DL_FLOAT,         [KEEL_F32] = DL_FLOAT,
    [KEEL_F16] = DL_FLOAT,         [KEEL_BF16] = DL_BFLOAT,
    [KEEL_F8E4M3FN] = DL_F8E4M3FN, [KEEL_F8E4M3FNUZ] = DL_F8E4M3FNUZ,
    [KEEL_F8E5M2] = DL_F8E5M2,     [KEEL_F8E5M2FNUZ] = DL_F8E5M2FNUZ,
    [KEEL_I64] = DL_INT,           [KEEL_I32] = DL_INT,
    [KEEL_I16] = DL_INT,           [KEEL_I8] = DL_INT,
    [KEEL_U64] = DL_UINT,          [KEEL_U32] = DL_UINT,
    [KEEL_U16] = DL_UINT,          [KEEL_U8] = DL_UINT,
    [KEEL_BOOL] = DL_BOOL,
};

static const keel_dlpack_api *find_api(const keel_device *device, keel_error *err)
{
    const keel_backend *table = device->backend->table;
    const keel_dlpack_api *api = NULL;
    if (KEEL_HAS(keel_backend, table, get_extension) && table->get_extension != NULL) {
        api = table->get_extension(device->backend->state, KEEL_DLPACK_EXTENSION,
                                   KEEL_DLPACK_VERSION);
    }
    if (api == NULL || !KEEL_HAS(keel_dlpack_api, api, buffer_import)) {
        (void)keel_fail(err, KEEL_ERR_UNSUPPORTED, "backend %s has no %s", device->backend->name,
                        KEEL_DLPACK_EXTENSION);
        return NULL;
    }
    return api;
}

/* ---- export ---------------------------------------------------------------------------------- */

/* What an exported tensor owns. */
typedef struct exported {
    keel_dl_managed managed;
    keel_buffer *buffer;
    int64_t shape[KEEL_MAX_RANK];
    int64_t stride[KEEL_MAX_RANK];
} exported;

static void delete_exported(keel_dl_managed *self)
{
    exported *owner = self->manager_ctx;
    keel_context *context = owner->buffer->device->context;
    keel_buffer *buffer = owner->buffer;
    keel_context_retain(context); /* the buffer may hold the last reference */
    keeli_free(context, owner);
    keel_buffer_release(buffer);
    keel_context_release(context);
}

static void fill_exported(exported *owner, const keel_tensor *tensor, const keel_dlpack_api *api)
{
    const size_t bytes = sizeof(int64_t) * (size_t)tensor->rank;
    const keel_device *device = tensor->buffer->device;
    memcpy(owner->shape, tensor->shape, bytes);
    memcpy(owner->stride, tensor->stride, bytes);
    owner->buffer = tensor->buffer;
    keel_buffer_retain(tensor->buffer);
    owner->managed = (keel_dl_managed){
        .major = KEEL_DLPACK_MAJOR,
        .minor = KEEL_DLPACK_MINOR,
        .manager_ctx = owner,
        .deleter = delete_exported,
        .flags = tensor->buffer->read_only ? KEEL_DLPACK_READ_ONLY : 0,
        .tensor = {.data = tensor->buffer->handle != NULL ? api->buffer_data(tensor->buffer->handle)
                                                          : NULL,
                   .device_type = api->device_type,
                   .device_id = (int32_t)device->index,
                   .ndim = tensor->rank,
                   .dtype_code = type_codes[tensor->dtype],
                   .dtype_bits = (uint8_t)(8 * keel_dtype_size(tensor->dtype)),
                   .dtype_lanes = 1,
                   .shape = owner->shape,
                   .strides = owner->stride,
                   .byte_offset = tensor->byte_offset},
    };
}

keel_status keel_dlpack_export(const keel_tensor *tensor, keel_dl_managed **out_managed,
                               keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_managed != NULL) {
        *out_managed = NULL;
    }
    KEEL_LATCHED(err);
    if (out_managed == NULL || tensor == NULL || tensor->buffer == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "export: tensor, its buffer or out_managed is NULL");
    }
    keel_device *device = tensor->buffer->device;
    keel_desc desc;
    uint64_t span;
    KEEL_TRY(keeli_device_check(device, err));
    KEEL_TRY(keeli_describe_tensor(device, tensor, "export", "tensor", &desc, &span, err));
    const keel_dlpack_api *api = find_api(device, err);
    if (api == NULL) {
        return err->status;
    }
    exported *owner = keeli_alloc(device->context, sizeof *owner);
    if (owner == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a DLPack tensor");
    }
    fill_exported(owner, tensor, api);
    *out_managed = &owner->managed;
    return KEEL_OK;
}

/* ---- import ---------------------------------------------------------------------------------- */

static keel_dtype find_dtype(const keel_dl_tensor *tensor)
{
    for (keel_dtype dtype = 1; dtype < KEEL_DTYPE_END; dtype++) {
        if (type_codes[dtype] == tensor->dtype_code &&
            8 * keel_dtype_size(dtype) == tensor->dtype_bits) {
            return dtype;
        }
    }
    return KEEL_DTYPE_NONE;
}

static int is_empty(const keel_dl_tensor *tensor)
{
    int32_t a = 0;
    while (a < tensor->ndim && tensor->shape[a] != 0) {
        a++;
    }
    return a < tensor->ndim;
}

static keel_status check_foreign(const keel_device *device, const keel_dlpack_api *api,
                                 const keel_dl_managed *managed, keel_error *err)
{
    const keel_dl_tensor *tensor = &managed->tensor;
    if (managed->major != KEEL_DLPACK_MAJOR) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "import: DLPack %u.%u, only %d.x is understood",
                         managed->major, managed->minor, KEEL_DLPACK_MAJOR);
    }
    if (tensor->device_type != api->device_type || tensor->device_id != (int32_t)device->index) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "import: the tensor is on DLPack device %d:%d, %s is %d:%u",
                         tensor->device_type, tensor->device_id, device->id, api->device_type,
                         device->index);
    }
    if (tensor->ndim < 0 || tensor->ndim > KEEL_MAX_RANK ||
        (tensor->ndim > 0 && tensor->shape == NULL)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "import: ndim is %d and shape is %s; 0 to %d with a shape is allowed",
                         tensor->ndim, tensor->shape == NULL ? "NULL" : "given", KEEL_MAX_RANK);
    }
    if (tensor->data == NULL && !is_empty(tensor)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "import: the tensor's data is NULL");
    }
    if (find_dtype(tensor) == KEEL_DTYPE_NONE || tensor->dtype_lanes != 1) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "import: element type code %u of %u bits in %u lanes", tensor->dtype_code,
                         tensor->dtype_bits, tensor->dtype_lanes);
    }
    return KEEL_OK;
}

/* Takes over shape and strides; gives the bytes from data to the end of the last element. */
static keel_status take_layout(const keel_dl_tensor *from, keel_tensor *to, uint64_t *out_bytes,
                               keel_error *err)
{
    int64_t dense = 1;
    int64_t last = 0;
    int fits = 1;
    int empty = 0;
    for (int32_t a = from->ndim - 1; a >= 0; a--) {
        const int64_t size = from->shape[a];
        const int64_t stride = from->strides != NULL ? from->strides[a] : dense;
        int64_t reach = 0;
        if (size < 0 || stride < 0) {
            return keel_fail(err, size < 0 ? KEEL_ERR_INVALID_ARGUMENT : KEEL_ERR_UNSUPPORTED,
                             "import: axis %d has size %lld and stride %lld, both must be >= 0", a,
                             (long long)size, (long long)stride);
        }
        to->shape[a] = size;
        to->stride[a] = stride;
        empty |= size == 0;
        fits = fits && keeli_mul_i64(dense, size > 0 ? size : 1, &dense) &&
               (size == 0 ||
                (keeli_mul_i64(size - 1, stride, &reach) && keeli_add_i64(last, reach, &last)));
    }
    uint64_t bytes = 0;
    fits = fits && last < INT64_MAX &&
           keeli_mul_u64((uint64_t)last + 1, (uint64_t)keel_dtype_size(to->dtype), &bytes) &&
           keeli_add_u64(bytes, from->byte_offset, &bytes);
    if (!fits) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "import: shape and strides reach beyond 2^63 bytes");
    }
    *out_bytes = empty ? from->byte_offset : bytes;
    return KEEL_OK;
}

static void delete_imported(void *owner)
{
    keel_dl_managed *managed = owner;
    if (managed->deleter != NULL) {
        managed->deleter(managed);
    }
}

keel_status keel_dlpack_import(keel_device *device, keel_dl_managed *managed,
                               keel_tensor *out_tensor, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_tensor != NULL) {
        memset(out_tensor, 0, sizeof *out_tensor);
    }
    KEEL_LATCHED(err);
    if (device == NULL || managed == NULL || out_tensor == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "import: device, managed or out_tensor is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    const keel_dlpack_api *api = find_api(device, err);
    if (api == NULL) {
        return err->status;
    }
    KEEL_TRY(check_foreign(device, api, managed, err));
    keel_tensor tensor = {.byte_offset = managed->tensor.byte_offset,
                          .dtype = find_dtype(&managed->tensor),
                          .rank = managed->tensor.ndim};
    uint64_t bytes = 0;
    KEEL_TRY(take_layout(&managed->tensor, &tensor, &bytes, err));
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): check_foreign() knows the type */
    if (tensor.byte_offset % (uint64_t)keel_dtype_size(tensor.dtype) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "import: byte offset %llu is not a multiple of the element's %d bytes",
                         (unsigned long long)tensor.byte_offset, keel_dtype_size(tensor.dtype));
    }
    void *handle = NULL;
    const keel_status status = api->buffer_import(device->handle, managed->tensor.data,
                                                  bytes > 0 ? bytes : 1, &handle, err);
    KEEL_TRY(keeli_device_result(device, status, err));
    KEEL_TRY(keeli_buffer_wrap(device, handle, bytes, &tensor.buffer, err));
    tensor.buffer->read_only = (managed->flags & KEEL_DLPACK_READ_ONLY) != 0;
    tensor.buffer->block->release = delete_imported;
    tensor.buffer->block->owner = managed;
    *out_tensor = tensor;
    return KEEL_OK;
}
