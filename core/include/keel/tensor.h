/*
 * Tensors: plain values that describe device memory. A tensor owns nothing by itself; the ones that
 * keel_tensor_create() makes carry a reference to their buffer. Depends on buffer.h, dtype.h.
 */
#ifndef KEEL_TENSOR_H
#define KEEL_TENSOR_H

#include "keel/base.h"
#include "keel/buffer.h"
#include "keel/dtype.h"
#include "keel/status.h"

/* A view: copy it freely. Element (i0, i1, ...) is at byte_offset + size * sum(i[a] * stride[a]).
 */
typedef struct keel_tensor {
    keel_buffer *buffer;
    uint64_t byte_offset; /* a multiple of the element's size */
    keel_dtype dtype;
    int32_t rank;
    int64_t shape[KEEL_MAX_RANK];  /* elements per axis, >= 0 */
    int64_t stride[KEEL_MAX_RANK]; /* elements between neighbours, >= 0; 0 repeats an element */
} keel_tensor;

KEEL_BEGIN_DECLS

/*
 * Creates a dense row-major tensor in a buffer of its own; contents undefined.
 *
 * @param shape       rank entries; may be NULL if rank is 0
 * @param out_tensor  zeroed on failure; keel_tensor_release() it
 * @retval KEEL_ERR_INVALID_ARGUMENT  rank not in 0..8, a size below 0, unknown dtype, or more bytes
 *                                    than 2^63 - 1
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_tensor_create(keel_device *device, keel_dtype dtype, int32_t rank,
                                        const int64_t *shape, keel_tensor *out_tensor,
                                        keel_error *err);

/* Releases the tensor's buffer and zeroes the tensor; NULL is ignored. Not for views. */
KEEL_API void keel_tensor_release(keel_tensor *tensor);

/*
 * Describes memory of a buffer as a tensor; takes no reference.
 *
 * @param stride  rank entries in elements; NULL: dense row-major
 * @retval KEEL_ERR_INVALID_ARGUMENT  the view reaches past the buffer, or a rule above is broken
 */
KEEL_API keel_status keel_tensor_view(keel_buffer *buffer, uint64_t byte_offset, keel_dtype dtype,
                                      int32_t rank, const int64_t *shape, const int64_t *stride,
                                      keel_tensor *out_tensor, keel_error *err);

/* Elements of the tensor; 0 if it is malformed. Any thread. */
KEEL_API int64_t keel_tensor_elements(const keel_tensor *tensor);

/* Whether it is dense and row-major (sizes of 1 have any stride); 0 if malformed. Any thread. */
KEEL_API int32_t keel_tensor_is_dense(const keel_tensor *tensor);

/*
 * Moves all elements between dense row-major host memory and the tensor, whatever its strides. The
 * host memory may be reused (write) or is filled (read) when the call returns. A tensor that
 * repeats an element (stride 0) can be read, not written.
 *
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_tensor_write(keel_queue *queue, const keel_tensor *tensor,
                                       const void *host, keel_error *err);
KEEL_API keel_status keel_tensor_read(keel_queue *queue, const keel_tensor *tensor, void *host,
                                      keel_error *err);

KEEL_END_DECLS

#endif
