/*
 * A vendor's GEMM library behind keel.matmul. The vendors share one interface, that of cuBLASLt,
 * under their own names and with their own numbers. The library is opened when a matmul first asks
 * for it, and absent without complaint.
 */
#ifndef GPU_BLASLT_H
#define GPU_BLASLT_H

#include "gpu_symbols.h"

/* The library's functions. Descriptors are opaque; results are the library's codes, 0 is success.
 */
typedef struct gpu_blaslt_api {
    int (*create)(void **out);
    int (*destroy)(void *handle);
    int (*operation_create)(void **out, int compute_type, int scale_type);
    int (*operation_set)(void *operation, int attribute, const void *value, size_t bytes);
    int (*operation_destroy)(void *operation);
    int (*layout_create)(void **out, int type, uint64_t rows, uint64_t columns, int64_t leading);
    int (*layout_set)(void *layout, int attribute, const void *value, size_t bytes);
    int (*layout_destroy)(void *layout);
    int (*preference_create)(void **out);
    int (*preference_set)(void *preference, int attribute, const void *value, size_t bytes);
    int (*preference_destroy)(void *preference);
    int (*heuristic)(void *handle, void *operation, void *a, void *b, void *c, void *d,
                     void *preference, int wanted, void *out_results, int *out_count);
    int (*matmul)(void *handle, void *operation, const void *alpha, const void *a, void *a_layout,
                  const void *b, void *b_layout, const void *beta, const void *c, void *c_layout,
                  void *d, void *d_layout, const void *algorithm, void *workspace,
                  size_t workspace_bytes, void *stream);
} gpu_blaslt_api;

#define GPU_BLASLT_RESULT_BYTES 96 /* room for one result of heuristic() */
#define GPU_BLASLT_NONE (-1)       /* a number that a vendor does not have */

/* Numbers that the vendors share. */
#define GPU_BLASLT_F32 0
#define GPU_BLASLT_F64 1
#define GPU_BLASLT_F16 2
#define GPU_BLASLT_BF16 14
#define GPU_BLASLT_EPILOGUE_BIAS 4u
#define GPU_BLASLT_REDUCTION 2u /* partial sums stay in the type that is computed with */

/* What differs between the vendors. */
typedef struct gpu_blaslt_vendor {
    const char *title; /* "cuBLASLt" */
    const keel_vendor_spec *library;
    const gpu_symbols *symbols; /* slots of gpu_blaslt_api */
    int32_t min_runtime;        /* version that the runtime must have, as it counts them; 0: any */
    int transpose_none, transpose;
    int compute_f32, compute_f64, compute_tf32; /* the last two may be NONE */
    int operation_transpose_a, operation_transpose_b;
    int operation_epilogue, operation_bias, operation_bias_type;
    int layout_batch_count, layout_batch_stride;
    int preference_workspace;
    int preference_reduction; /* mask of allowed split-K reductions, or NONE */
    int preference_alignment; /* of a; b, c and d follow. Or NONE */
    uint32_t algorithm_bytes; /* at the start of a result; the bytes of workspace follow */
    int status_no_memory, status_unsupported;
} gpu_blaslt_vendor;

struct gpu_device;

/* The slots of a vendor's row of native ops. */
keel_status gpu_blaslt_query(void *device_object, const keel_call *call, char reason[128]);
keel_status gpu_blaslt_prepare(void *device_object, const keel_call *call, void **out_plan,
                               uint64_t *out_workspace_bytes, keel_error *err);
keel_status gpu_blaslt_enqueue(void *queue_object, void *plan_object, const keel_operand *operands,
                               uint32_t count, keel_error *err);
void gpu_blaslt_release(void *plan_object);

/* Drops what a device holds of the library. */
void gpu_blaslt_close(struct gpu_device *device);

#endif
