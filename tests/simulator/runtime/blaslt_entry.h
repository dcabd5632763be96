/* The exported functions of the simulated GEMM libraries, but for a vendor's names and numbers. */
#ifndef RT_BLASLT_ENTRY_H
#define RT_BLASLT_ENTRY_H

#include "blaslt.h"
#include "handle.h"

#define BLASLT_ABSENT (-1) /* a number that the vendor does not have */

typedef struct blaslt_vendor {
    rt_vendor vendor;
    int (*enter)(const char *function, rt_device **out_device);
    int (*leave)(int code);
    rt_stream *(*stream)(rt_device *device, void *handle, const char *function);
    int status[BLASLT_RESULTS]; /* how it spells blaslt_result */
    int transpose_none, transpose;
    int compute_f32, compute_f64, compute_tf32;
    int operation_transpose_a, operation_transpose_b, operation_epilogue;
    int operation_bias, operation_bias_type;
    int layout_batch, layout_batch_stride;
    int preference_workspace, preference_reduction, preference_align;
    size_t algorithm_bytes, result_bytes;
} blaslt_vendor;

int blaslt_create(const blaslt_vendor *vendor, const char *function, void **out);
int blaslt_destroy(const blaslt_vendor *vendor, const char *function, void *handle);

int blaslt_operation_create(const blaslt_vendor *vendor, const char *function, void **out,
                            int compute_type, int scale_type);
int blaslt_operation_set(const blaslt_vendor *vendor, const char *function, void *handle,
                         int attribute, const void *value, size_t bytes);
int blaslt_layout_create(const blaslt_vendor *vendor, const char *function, void **out, int type,
                         uint64_t rows, uint64_t columns, int64_t leading);
int blaslt_layout_set(const blaslt_vendor *vendor, const char *function, void *handle,
                      int attribute, const void *value, size_t bytes);
int blaslt_preference_create(const blaslt_vendor *vendor, const char *function, void **out);
int blaslt_preference_set(const blaslt_vendor *vendor, const char *function, void *handle,
                          int attribute, const void *value, size_t bytes);
/* Of any of the three. */
int blaslt_descriptor_destroy(const blaslt_vendor *vendor, const char *function, rt_kind kind,
                              void *handle);

/* Handles and addresses of a call, as applications give them. Layouts of a, b, c and d. */
typedef struct blaslt_request {
    void *handle, *operation, *layout[4], *preference;
    const void *address[4];
    const void *alpha, *beta, *algorithm;
    void *workspace;
    size_t workspace_bytes;
    void *stream;
} blaslt_request;

int blaslt_heuristic(const blaslt_vendor *vendor, const char *function,
                     const blaslt_request *request, int wanted, void *out_results, int *out_count);
int blaslt_run(const blaslt_vendor *vendor, const char *function, const blaslt_request *request);

#endif
