/* Tensors: making and viewing them, and moving their elements to and from the host. */
#include "keel/tensor.h"

#include <string.h>

#include "buffer.h"
#include "checked.h"
#include "context.h"
#include "ledger.h"
#include "plan.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Checks dtype, rank and sizes; gives the elements. */
static keel_status check_shape(keel_dtype dtype, int32_t rank, const int64_t *shape,
                               int64_t *out_elements, keel_error *err)
{
    *out_elements = 0;
    if (keel_dtype_size(dtype) == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "tensor: dtype is %d, must be 1 to %d",
                         dtype, KEEL_DTYPE_END - 1);
    }
    if (rank < 0 || rank > KEEL_MAX_RANK || (rank > 0 && shape == NULL)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "tensor: rank is %d and shape is %s; rank 0 to %d with a shape is allowed",
                         rank, shape == NULL ? "NULL" : "given", KEEL_MAX_RANK);
    }
    int64_t elements = 1;
    int64_t bytes = 0;
    int empty = 0;
    int fits = 1;
    for (int32_t a = 0; a < rank; a++) {
        if (shape[a] < 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "tensor: axis %d has size %lld, must be >= 0", a, (long long)shape[a]);
        }
        empty |= shape[a] == 0;
        fits = fits && keeli_mul_i64(elements, shape[a] > 0 ? shape[a] : 1, &elements);
    }
    if (!fits || !keeli_mul_i64(elements, keel_dtype_size(dtype), &bytes)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "tensor: shape %s of %s has more than 2^63 - 1 bytes",
                         keeli_shape_format(rank, shape).text, keel_dtype_name(dtype));
    }
    *out_elements = empty ? 0 : elements;
    return KEEL_OK;
}

static void set_dense(keel_tensor *tensor, keel_dtype dtype, int32_t rank, const int64_t *shape)
{
    tensor->dtype = dtype;
    tensor->rank = rank;
    for (int32_t a = 0; a < rank; a++) {
        tensor->shape[a] = shape[a];
    }
    keeli_dense_strides(rank, shape, tensor->stride);
}

int64_t keel_tensor_elements(const keel_tensor *tensor)
{
    int64_t elements;
    if (tensor == NULL ||
        check_shape(tensor->dtype, tensor->rank, tensor->shape, &elements, NULL) != KEEL_OK) {
        return 0;
    }
    return elements;
}

int32_t keel_tensor_is_dense(const keel_tensor *tensor)
{
    int64_t stride = 1;
    int64_t elements;
    if (tensor == NULL ||
        check_shape(tensor->dtype, tensor->rank, tensor->shape, &elements, NULL) != KEEL_OK) {
        return 0;
    }
    for (int32_t a = tensor->rank - 1; a >= 0; a--) {
        if (tensor->shape[a] != 1 && tensor->stride[a] != stride) {
            return 0;
        }
        stride *= tensor->shape[a] > 0 ? tensor->shape[a] : 1;
    }
    return 1;
}

/* ---- life ------------------------------------------------------------------------------------ */

keel_status keel_tensor_create(keel_device *device, keel_dtype dtype, int32_t rank,
                               const int64_t *shape, keel_tensor *out_tensor, keel_error *err)
{
    if (out_tensor != NULL) {
        memset(out_tensor, 0, sizeof *out_tensor);
    }
    KEEL_LATCHED(err);
    if (out_tensor == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "out_tensor is NULL");
    }
    int64_t elements = 0;
    KEEL_TRY(check_shape(dtype, rank, shape, &elements, err));
    keel_buffer *buffer;
    KEEL_TRY(keeli_buffer_create(device, (uint64_t)elements * (uint64_t)keel_dtype_size(dtype),
                                 KEELI_TAG_TENSOR, &buffer, err));
    set_dense(out_tensor, dtype, rank, shape);
    out_tensor->buffer = buffer;
    return KEEL_OK;
}

void keel_tensor_release(keel_tensor *tensor)
{
    if (tensor != NULL) {
        keel_buffer_release(tensor->buffer);
        memset(tensor, 0, sizeof *tensor);
    }
}

/* NOLINTNEXTLINE(readability-function-size): the public signature */
keel_status keel_tensor_view(keel_buffer *buffer, uint64_t byte_offset, keel_dtype dtype,
                             int32_t rank, const int64_t *shape, const int64_t *stride,
                             keel_tensor *out_tensor, keel_error *err)
{
    if (out_tensor != NULL) {
        memset(out_tensor, 0, sizeof *out_tensor);
    }
    KEEL_LATCHED(err);
    if (buffer == NULL || out_tensor == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "tensor: buffer or out_tensor is NULL");
    }
    int64_t elements;
    keel_tensor tensor = {.buffer = buffer, .byte_offset = byte_offset};
    KEEL_TRY(check_shape(dtype, rank, shape, &elements, err));
    set_dense(&tensor, dtype, rank, shape);
    if (stride != NULL) {
        memcpy(tensor.stride, stride, sizeof *stride * (size_t)rank);
    }
    keel_desc desc;
    uint64_t span;
    KEEL_TRY(keeli_describe_tensor(buffer->device, &tensor, "view", "tensor", &desc, &span, err));
    *out_tensor = tensor;
    return KEEL_OK;
}

/* ---- host transfers -------------------------------------------------------------------------- */

/* Checks a tensor for a transfer; gives its bytes when packed. */
static keel_status check_transfer(keel_queue *queue, const keel_tensor *tensor, const char *what,
                                  uint64_t *out_bytes, keel_error *err)
{
    *out_bytes = 0;
    keel_desc desc;
    uint64_t span;
    int64_t elements = 0;
    KEEL_TRY(keeli_queue_check(queue, err));
    if (tensor == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: the tensor is NULL", what);
    }
    KEEL_TRY(keeli_describe_tensor(queue->device, tensor, what, "tensor", &desc, &span, err));
    KEEL_TRY(check_shape(tensor->dtype, tensor->rank, tensor->shape, &elements, err));
    *out_bytes = (uint64_t)elements * (uint64_t)keel_dtype_size(tensor->dtype);
    return KEEL_OK;
}

/* A packed tensor of the same shape in memory of its own. */
static keel_status make_staging(keel_queue *queue, const keel_tensor *tensor, keel_tensor *out,
                                keel_error *err)
{
    return keel_tensor_create(queue->device, tensor->dtype, tensor->rank, tensor->shape, out, err);
}

static keel_status copy_tensor(keel_queue *queue, const keel_tensor *from, const keel_tensor *to,
                               keel_error *err)
{
    const keel_op *copy = atomic_load(&queue->device->context->ops.copy);
    if (copy == NULL) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "a tensor with strides needs an op that copies, and none is registered");
    }
    return keel_op_run(queue, copy->name, &from, 1, &to, 1, NULL, 0, err);
}

keel_status keel_tensor_write(keel_queue *queue, const keel_tensor *tensor, const void *host,
                              keel_error *err)
{
    uint64_t bytes;
    keel_tensor staging;
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(check_transfer(queue, tensor, "write", &bytes, err));
    if (keel_tensor_is_dense(tensor)) {
        return keel_buffer_write(queue, tensor->buffer, tensor->byte_offset, host, bytes, err);
    }
    KEEL_TRY(make_staging(queue, tensor, &staging, err));
    keel_status status = keel_buffer_write(queue, staging.buffer, 0, host, bytes, err);
    if (status == KEEL_OK) {
        status = copy_tensor(queue, &staging, tensor, err);
    }
    keel_tensor_release(&staging);
    return status;
}

keel_status keel_tensor_read(keel_queue *queue, const keel_tensor *tensor, void *host,
                             keel_error *err)
{
    uint64_t bytes;
    keel_tensor staging;
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    KEEL_TRY(check_transfer(queue, tensor, "read", &bytes, err));
    if (keel_tensor_is_dense(tensor)) {
        return keel_buffer_read(queue, tensor->buffer, tensor->byte_offset, host, bytes, err);
    }
    KEEL_TRY(make_staging(queue, tensor, &staging, err));
    keel_status status = copy_tensor(queue, tensor, &staging, err);
    if (status == KEEL_OK) {
        status = keel_buffer_read(queue, staging.buffer, 0, host, bytes, err);
    }
    keel_tensor_release(&staging);
    return status;
}
