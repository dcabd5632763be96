/*
 * Exchange of tensors with other libraries by DLPack 1.x (https://dmlc.github.io/dlpack): no bytes
 * are copied. The structs here have the standard's layout under names of Keel's own, so that a file
 * may include the standard's header too; cast pointers between the two. Depends on tensor.h.
 */
#ifndef KEEL_DLPACK_H
#define KEEL_DLPACK_H

#include "keel/base.h"
#include "keel/device.h"
#include "keel/status.h"
#include "keel/tensor.h"

#define KEEL_DLPACK_MAJOR 1 /* other majors are refused: their layout is unknown */
#define KEEL_DLPACK_MINOR 1

#define KEEL_DLPACK_READ_ONLY 1u /* flags: the importer must not write */
#define KEEL_DLPACK_IS_COPIED 2u

/* The standard's DLTensor. */
typedef struct keel_dl_tensor {
    void *data; /* host pointer or the vendor's handle; a byte_offset may come on top */
    int32_t device_type;
    int32_t device_id;
    int32_t ndim;
    uint8_t dtype_code;
    uint8_t dtype_bits;
    uint16_t dtype_lanes;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: dense row-major */
    uint64_t byte_offset;
} keel_dl_tensor;

/* The standard's DLManagedTensorVersioned. */
typedef struct keel_dl_managed {
    uint32_t major, minor;
    void *manager_ctx;
    void (*deleter)(struct keel_dl_managed *self); /* may be NULL */
    uint64_t flags;
    keel_dl_tensor tensor;
} keel_dl_managed;

#define KEEL_DLPACK_EXTENSION "keel.dlpack"
#define KEEL_DLPACK_VERSION 1

/* The backend's side (keel_backend.get_extension). */
typedef struct keel_dlpack_api {
    uint32_t struct_size;
    int32_t device_type; /* the standard's number: 1 host, 2 CUDA, 4 OpenCL, 10 ROCm */
    /* What the standard wants in data; borrowed. */
    void *(*buffer_data)(void *buffer);
    /* A buffer over foreign memory of at least bytes. Freeing it leaves the memory alone. */
    keel_status (*buffer_import)(void *device, void *data, uint64_t bytes, void **out_buffer,
                                 keel_error *err);
} keel_dlpack_api;

KEEL_BEGIN_DECLS

/*
 * Shares a tensor with another library. Work on it must have passed, or the importer must wait for
 * an event: DLPack carries no order.
 *
 * @param out_managed  holds a reference to the buffer until its deleter is called, by any thread
 * @retval KEEL_ERR_UNSUPPORTED  the backend has no keel.dlpack
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_dlpack_export(const keel_tensor *tensor, keel_dl_managed **out_managed,
                                        keel_error *err);

/*
 * Takes a tensor from another library. On success Keel owns managed: it calls the deleter when the
 * tensor is released and all work on it has passed. On failure managed stays the caller's.
 *
 * @param out_tensor  keel_tensor_release() it. Memory marked read-only is refused as an output.
 * @retval KEEL_ERR_INVALID_ARGUMENT  it lives on another device, or its shape breaks a rule
 * @retval KEEL_ERR_UNSUPPORTED       another major version, an element type Keel does not have,
 *                                    negative strides, or a backend without keel.dlpack
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_dlpack_import(keel_device *device, keel_dl_managed *managed,
                                        keel_tensor *out_tensor, keel_error *err);

KEEL_END_DECLS

#endif
