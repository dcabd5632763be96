/* CLBlast behind keel.matmul: loaded when a matmul first asks for it, absent without complaint. */
#ifndef CL_BLAST_H
#define CL_BLAST_H

#include <pthread.h>

#include "cl_symbols.h"

/* From clblast_c.h, whose C interface has been the same since 1.0; its enums are ints. */
typedef int (*cl_blast_sgemm)(int layout, int a_transpose, int b_transpose, size_t m, size_t n,
                              size_t k, float alpha, cl_mem a, size_t a_offset, size_t a_leading,
                              size_t a_stride, cl_mem b, size_t b_offset, size_t b_leading,
                              size_t b_stride, float beta, cl_mem c, size_t c_offset,
                              size_t c_leading, size_t c_stride, size_t batch_count,
                              cl_command_queue *queue, cl_event *event);
typedef int (*cl_blast_dgemm)(int layout, int a_transpose, int b_transpose, size_t m, size_t n,
                              size_t k, double alpha, cl_mem a, size_t a_offset, size_t a_leading,
                              size_t a_stride, cl_mem b, size_t b_offset, size_t b_leading,
                              size_t b_stride, double beta, cl_mem c, size_t c_offset,
                              size_t c_leading, size_t c_stride, size_t batch_count,
                              cl_command_queue *queue, cl_event *event);

/* The library's part of a runtime. */
typedef struct cl_blast {
    pthread_mutex_t lock; /* guards what follows; constant once tried is 1 */
    int tried;
    cl_blast_sgemm sgemm; /* CLBlastSgemmStridedBatched; NULL: no library */
    cl_blast_dgemm dgemm;
} cl_blast;

struct cl_runtime;

/* NULL without memory. Loads nothing yet. */
cl_blast *cl_blast_create(const struct cl_runtime *runtime);
void cl_blast_destroy(const struct cl_runtime *runtime, cl_blast *blast); /* NULL is ignored */

extern const keel_native_op cl_blast_matmul;

#endif
