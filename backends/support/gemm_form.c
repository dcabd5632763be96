/* keel.matmul as a strided batched GEMM. */
#include "gemm_form.h"

#include <string.h>

/* Axes of keel.matmul's space, and its attributes. */
#define AXIS_M 0
#define AXIS_N 1
#define AXIS_K 2
#define AXIS_BATCH 3
#define ATTRIBUTE_ALPHA 2
#define ATTRIBUTE_BETA 3
#define ATTRIBUTE_ALLOW_TF32 4

keel_status gemm_unfit(char reason[128], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, 128, format, args);
    va_end(args);
    return KEEL_ERR_UNSUPPORTED;
}

static int64_t at_least_one(int64_t x)
{
    return x > 1 ? x : 1;
}

/* A matrix of rows x columns whose neighbours are that far apart; strides of size-1 axes are free.
 */
static int describe(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                    gemm_matrix *out)
{
    if ((columns == 1 || column_stride == 1) && (rows == 1 || row_stride >= columns)) {
        out->transposed = 0;
        out->leading = rows == 1 ? at_least_one(columns) : row_stride;
        return 1;
    }
    if ((rows == 1 || row_stride == 1) && (columns == 1 || column_stride >= rows)) {
        out->transposed = 1;
        out->leading = columns == 1 ? at_least_one(rows) : column_stride;
        return 1;
    }
    return 0;
}

static keel_status take_matrix(const keel_call *call, int operand, int row_axis, int column_axis,
                               gemm_matrix *out, char reason[128])
{
    const keel_space *space = call->space;
    const int64_t *stride = space->stride[operand];
    if (!describe(space->extent[row_axis], space->extent[column_axis], stride[row_axis],
                  stride[column_axis], out)) {
        return gemm_unfit(reason,
                          "%s has strides %lld and %lld: one must be 1, the other no overlap",
                          call->op->operand_names[operand], (long long)stride[row_axis],
                          (long long)stride[column_axis]);
    }
    out->batch_stride = space->rank > AXIS_BATCH ? stride[AXIS_BATCH] : 0;
    return KEEL_OK;
}

keel_status gemm_form_of(const keel_call *call, gemm_form *out, char reason[128])
{
    const keel_space *space = call->space;
    memset(out, 0, sizeof *out);
    if (space->rank > AXIS_BATCH + 1) {
        return gemm_unfit(reason, "%d batch axes have strides of their own",
                          space->rank - AXIS_BATCH);
    }
    out->dtype = call->operand[GEMM_A].dtype;
    out->m = space->extent[AXIS_M];
    out->n = space->extent[AXIS_N];
    out->k = space->extent[AXIS_K];
    out->batch = space->rank > AXIS_BATCH ? space->extent[AXIS_BATCH] : 1;
    out->alpha = call->attribute[ATTRIBUTE_ALPHA].value.f;
    out->beta = call->attribute[ATTRIBUTE_BETA].value.f;
    out->allow_tf32 = out->dtype == KEEL_F32 && call->attribute[ATTRIBUTE_ALLOW_TF32].value.i != 0;
    if (out->k == 0) {
        return gemm_unfit(reason, "K is 0");
    }
    KEEL_TRY(take_matrix(call, GEMM_A, AXIS_M, AXIS_K, &out->a, reason));
    KEEL_TRY(take_matrix(call, GEMM_B, AXIS_K, AXIS_N, &out->b, reason));
    KEEL_TRY(take_matrix(call, GEMM_OUT, AXIS_M, AXIS_N, &out->out, reason));
    out->has_c = out->beta != 0.0;
    if (out->has_c) {
        KEEL_TRY(take_matrix(call, GEMM_C, AXIS_M, AXIS_N, &out->c, reason));
    }
    out->has_bias = call->operand[GEMM_BIAS].dtype != KEEL_DTYPE_NONE;
    if (out->has_bias) {
        const int64_t *stride = space->stride[GEMM_BIAS];
        out->bias_is_row = (out->n == 1 || stride[AXIS_N] == 1) &&
                           (out->m == 1 || stride[AXIS_M] == 0) &&
                           (out->batch == 1 || stride[AXIS_BATCH] == 0);
    }
    return KEEL_OK;
}
