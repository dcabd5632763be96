/*
 * A call of keel.matmul as the strided batched GEMM that vendors' libraries compute:
 * out = alpha a b + beta c + bias. For rows of keel_native_op; any backend may compile it in.
 */
#ifndef GEMM_FORM_H
#define GEMM_FORM_H

#include "keel/op.h"

/* Operand slots of keel.matmul: what a row finds in its array of keel_operand. */
#define GEMM_A 0
#define GEMM_B 1
#define GEMM_BIAS 2
#define GEMM_C 3
#define GEMM_OUT 4

/* A matrix in memory: element (i, j) is at i leading + j, or i + j leading when transposed. */
typedef struct gemm_matrix {
    int64_t leading;
    int64_t batch_stride; /* elements from one matrix of the batch to the next; 0: the same one */
    int32_t transposed;
    int32_t pad;
} gemm_matrix;

typedef struct gemm_form {
    keel_dtype dtype; /* of every operand */
    int32_t has_c;    /* c takes part: beta is not 0 */
    int32_t has_bias;
    int32_t bias_is_row; /* the bias is n elements side by side, the same for every row */
    int32_t allow_tf32;  /* only for f32 */
    int32_t pad;
    int64_t m, n, k, batch;
    gemm_matrix a, b, c, out; /* m x k, k x n, m x n, m x n; c only if has_c */
    double alpha, beta;
} gemm_form;

/*
 * Puts the call into that form. Pure.
 *
 * @param call    of keel.matmul, with its space
 * @param reason  words for why it does not fit
 * @retval KEEL_ERR_UNSUPPORTED  K is 0, a matrix has no unit stride, rows or columns overlap, or
 *                               the batch has more than one stride
 */
keel_status gemm_form_of(const keel_call *call, gemm_form *out, char reason[128]);

/* Writes the words for why a call does not fit, and gives KEEL_ERR_UNSUPPORTED. */
keel_status gemm_unfit(char reason[128], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
