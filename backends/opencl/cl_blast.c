/*
 * CLBlast's GEMM as a row of native ops. It serves f32 and f64: its f16 adds in f16, which the
 * contract of keel.matmul does not allow. On CPUs Keel's own kernels are the faster ones, so the
 * row runs there only when it is asked for by name.
 */
#include "cl_blast.h"

#include <string.h>

#include "../support/gemm_form.h"
#include "cl_objects.h"

#define ROW_MAJOR 101
#define TRANSPOSE_NO 111
#define TRANSPOSE_YES 112

typedef struct blast_plan {
    const cl_runtime *runtime;
    gemm_form form;
} blast_plan;

cl_blast *cl_blast_create(const cl_runtime *runtime)
{
    cl_blast *blast = cl_alloc(runtime, sizeof *blast);
    if (blast != NULL) {
        (void)pthread_mutex_init(&blast->lock, NULL);
    }
    return blast;
}

void cl_blast_destroy(const cl_runtime *runtime, cl_blast *blast)
{
    if (blast != NULL) {
        (void)pthread_mutex_destroy(&blast->lock);
        cl_free(runtime, blast);
    }
}

static const char *const suffixes[] = {"1"};

static const keel_vendor_spec library_spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libclblast",
    .suffixes = suffixes,
};

static void find_library(const cl_runtime *runtime, cl_blast *blast)
{
    const keel_host *host = runtime->host;
    keel_error ignored = KEEL_ERROR_INIT;
    void *library = NULL;
    if (host->vendor_open(host->context, &library_spec, &library, &ignored) != KEEL_OK) {
        return; /* the load report has what was tried */
    }
    void *sgemm = host->vendor_sym(host->context, library, "CLBlastSgemmStridedBatched");
    void *dgemm = host->vendor_sym(host->context, library, "CLBlastDgemmStridedBatched");
    if (sgemm != NULL && dgemm != NULL) {
        memcpy(&blast->sgemm, &sgemm, sizeof sgemm);
        memcpy(&blast->dgemm, &dgemm, sizeof dgemm);
    }
}

static int has_library(const cl_runtime *runtime)
{
    cl_blast *blast = runtime->blast;
    (void)pthread_mutex_lock(&blast->lock);
    if (!blast->tried) {
        find_library(runtime, blast);
        blast->tried = 1;
    }
    const int found = blast->sgemm != NULL;
    (void)pthread_mutex_unlock(&blast->lock);
    return found;
}

static keel_status form_of(const keel_call *call, gemm_form *out, char reason[128])
{
    KEEL_TRY(gemm_form_of(call, out, reason));
    if (out->dtype != KEEL_F32 && out->dtype != KEEL_F64) {
        return gemm_unfit(reason, "only f32 and f64");
    }
    if (out->has_c || out->has_bias) {
        return gemm_unfit(reason, "no bias and no c");
    }
    if (out->batch > 1 && (out->a.batch_stride == 0 || out->b.batch_stride == 0)) {
        return gemm_unfit(reason, "an operand is the same for the whole batch");
    }
    if (out->out.transposed) {
        return gemm_unfit(reason, "the output's rows are not contiguous");
    }
    return KEEL_OK;
}

static keel_status blast_query(void *device_object, const keel_call *call, char reason[128])
{
    const cl_device *device = device_object;
    gemm_form form;
    KEEL_TRY(form_of(call, &form, reason));
    if (form.dtype == KEEL_F64 && (device->limits.flags & KEEL_LIMIT_FP64) == 0) {
        return gemm_unfit(reason, "the device has no f64");
    }
    return has_library(device->runtime) ? KEEL_OK : gemm_unfit(reason, "libclblast is not there");
}

static keel_status blast_prepare(void *device_object, const keel_call *call, void **out_plan,
                                 uint64_t *out_workspace_bytes, keel_error *err)
{
    const cl_device *device = device_object;
    char reason[128];
    *out_plan = NULL;
    *out_workspace_bytes = 0;
    blast_plan *plan = cl_alloc(device->runtime, sizeof *plan);
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a plan of CLBlast");
    }
    plan->runtime = device->runtime;
    const keel_status status = form_of(call, &plan->form, reason);
    if (status != KEEL_OK) {
        cl_free(device->runtime, plan);
        return keel_fail(err, status, "clblast: %s", reason);
    }
    *out_plan = plan;
    return KEEL_OK;
}

/* CLBlast refuses a stride of 0, also where there is one matrix only. */
static size_t batch_stride_of(const gemm_matrix *matrix)
{
    return matrix->batch_stride > 0 ? (size_t)matrix->batch_stride : 1;
}

static int transpose_of(const gemm_matrix *matrix)
{
    return matrix->transposed ? TRANSPOSE_YES : TRANSPOSE_NO;
}

static cl_mem memory_of(const keel_operand *operand)
{
    return ((const cl_buffer *)operand->buffer)->handle;
}

static keel_status blast_enqueue(void *queue_object, void *plan_object,
                                 const keel_operand *operands, uint32_t count, keel_error *err)
{
    cl_queue *queue = queue_object;
    const blast_plan *plan = plan_object;
    const gemm_form *form = &plan->form;
    const cl_blast *blast = plan->runtime->blast;
    const keel_operand *a = &operands[GEMM_A];
    const keel_operand *b = &operands[GEMM_B];
    const keel_operand *out = &operands[GEMM_OUT];
    const size_t size = form->dtype == KEEL_F32 ? sizeof(float) : sizeof(double);
    int code;
    (void)count;
#define GEMM_ARGUMENTS(alpha, beta)                                                              \
    ROW_MAJOR, transpose_of(&form->a), transpose_of(&form->b), (size_t)form->m, (size_t)form->n, \
        (size_t)form->k, alpha, memory_of(a), a->byte_offset / size, (size_t)form->a.leading,    \
        batch_stride_of(&form->a), memory_of(b), b->byte_offset / size, (size_t)form->b.leading, \
        batch_stride_of(&form->b), beta, memory_of(out), out->byte_offset / size,                \
        (size_t)form->out.leading, batch_stride_of(&form->out), (size_t)form->batch,             \
        &queue->handle, NULL
    if (form->dtype == KEEL_F32) {
        code = blast->sgemm(GEMM_ARGUMENTS((float)form->alpha, 0.0f));
    } else {
        code = blast->dgemm(GEMM_ARGUMENTS(form->alpha, 0.0));
    }
#undef GEMM_ARGUMENTS
    queue->submitted = 1;
    return cl_check(err, code, "CLBlastGemmStridedBatched", "matmul");
}

static void blast_release(void *plan_object)
{
    blast_plan *plan = plan_object;
    cl_free(plan->runtime, plan);
}

const keel_native_op cl_blast_matmul = {
    .struct_size = sizeof(keel_native_op),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .op = "keel.matmul",
    .name = "clblast",
    .query = blast_query,
    .prepare = blast_prepare,
    .enqueue = blast_enqueue,
    .release = blast_release,
    .determinism = KEEL_DETERMINISM_CONCURRENT,
};
