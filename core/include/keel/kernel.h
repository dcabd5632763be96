/*
 * Kernels that an application writes itself, in the kernel dialect (docs/kernel-language.md): one
 * source for every vendor. Depends on tensor.h.
 */
#ifndef KEEL_KERNEL_H
#define KEEL_KERNEL_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/op.h"
#include "keel/queue.h"
#include "keel/status.h"
#include "keel/tensor.h"

typedef struct keel_kernel keel_kernel;

/* What to compile. */
typedef struct keel_kernel_source {
    uint32_t struct_size;
    uint32_t dtype_count;
    const char *source;       /* dialect text, 0-terminated */
    const char *entry;        /* name of the kernel in it */
    const char *defines;      /* "KEEL_BLOCK=64 TILE=8", or NULL; KEEL_BLOCK is 1 if not given */
    const keel_dtype *dtypes; /* types behind T0, T1, ... LD0, ST0, ... */
} keel_kernel_source;

#define KEEL_KERNEL_TENSOR 1 /* a GLOBAL pointer: tensor */
#define KEEL_KERNEL_META 2   /* a KMETAn by value: tensors are the views, count of them */
#define KEEL_KERNEL_VALUE 3  /* size bytes by value, at most 16 */

typedef struct keel_kernel_arg {
    int32_t kind;
    uint32_t size;
    const void *value;                 /* VALUE */
    const keel_tensor *tensor;         /* TENSOR */
    const keel_tensor *const *tensors; /* META: all of one shape, which becomes the extent */
    uint32_t count;
    uint32_t pad;
} keel_kernel_arg;

KEEL_BEGIN_DECLS

/*
 * Compiles a kernel, or takes it from the binary cache.
 * @retval KEEL_ERR_BUILD  the message holds the start of the compiler's log
 * Thread safety: any thread; the kernel is immutable.
 */
KEEL_API keel_status keel_kernel_create(keel_device *device, const keel_kernel_source *source,
                                        keel_kernel **out_kernel, keel_error *err);

/* The complete text of such a program; parameters as for keel_op_program_text(). */
KEEL_API keel_status keel_kernel_program_text(const keel_kernel_source *source,
                                              const keel_limits *limits, const keel_text *prelude,
                                              char *out, uint64_t capacity, uint64_t *out_length,
                                              keel_error *err);

KEEL_API void keel_kernel_retain(keel_kernel *kernel);
KEEL_API void keel_kernel_release(keel_kernel *kernel); /* NULL is ignored */

/*
 * Launches a kernel. Arguments match its declaration, KERNELn(entry, type, name, ...), in number,
 * order and kind; tensors are checked against their buffers, what the kernel does with them is the
 * author's duty.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  names the kernel, the argument, what it is and what was
 * declared Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_kernel_launch(keel_queue *queue, const keel_kernel *kernel,
                                        const uint64_t grid[3], const uint32_t block[3],
                                        const keel_kernel_arg *args, uint32_t count,
                                        keel_error *err);

KEEL_END_DECLS

#endif
