/* Plans for a vendor's GEMM library: what it takes, and how a matmul reads in its terms. */
#include "gpu_blaslt_plan.h"

#include <string.h>

#define WORKSPACE_BYTES ((uint64_t)32 << 20) /* the most that a plan may take */

/* An element type in the library's numbers. */
typedef struct blaslt_type {
    keel_dtype dtype;
    int number;
    const char *name;
} blaslt_type;

static const blaslt_type types[] = {
    {KEEL_F32, GPU_BLASLT_F32, "f32"},
    {KEEL_F64, GPU_BLASLT_F64, "f64"},
    {KEEL_F16, GPU_BLASLT_F16, "f16"},
    {KEEL_BF16, GPU_BLASLT_BF16, "bf16"},
};

/* NULL if the library does not have it. */
static const blaslt_type *find_type(keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(types); i++) {
        if (types[i].dtype == dtype) {
            return &types[i];
        }
    }
    return NULL;
}

static keel_status form_of(const gpu_blaslt_vendor *vendor, const keel_call *call, gemm_form *out,
                           char reason[128])
{
    KEEL_TRY(gemm_form_of(call, out, reason));
    if (find_type(out->dtype) == NULL ||
        (out->dtype == KEEL_F64 && vendor->compute_f64 == GPU_BLASLT_NONE)) {
        return gemm_unfit(reason, "not for this element type");
    }
    if (out->m > INT32_MAX || out->n > INT32_MAX || out->k > INT32_MAX || out->batch > INT32_MAX) {
        return gemm_unfit(reason, "an extent is above 2^31 - 1");
    }
    if (out->has_c && out->c.transposed != out->out.transposed) {
        return gemm_unfit(reason, "c and the output differ in order");
    }
    if (out->has_bias && (!out->bias_is_row || out->out.transposed)) {
        return gemm_unfit(reason, "only a bias of N elements for contiguous rows");
    }
    return KEEL_OK;
}

keel_status gpu_blaslt_query(void *device_object, const keel_call *call, char reason[128])
{
    gpu_device *device = device_object;
    const gpu_blaslt_vendor *vendor = device->runtime->vendor->blaslt;
    gemm_form form;
    KEEL_TRY(form_of(vendor, call, &form, reason));
    return gpu_blaslt_of(device) != NULL ? KEEL_OK
                                         : gemm_unfit(reason, "%s is not there", vendor->title);
}

keel_status gpu_blaslt_fail(const gpu_blaslt_plan *plan, int code, keel_error *err)
{
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    const gemm_form *form = &plan->form;
    const keel_status status = code == vendor->status_no_memory     ? KEEL_ERR_OUT_OF_MEMORY
                               : code == vendor->status_unsupported ? KEEL_ERR_UNSUPPORTED
                                                                    : KEEL_ERR_DEVICE;
    err->vendor_code = code;
    (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", vendor->title);
    return keel_fail(err, status, "%s answered code %d for %lld x %lld x %lld in %s", vendor->title,
                     code, (long long)form->m, (long long)form->n, (long long)form->k,
                     find_type(form->dtype)->name);
}

/* A matrix of the form as the library sees it: column-major, so rows of a row-major one. */
static int make_layout(const gpu_blaslt_plan *plan, const gemm_matrix *matrix, int64_t rows,
                       int64_t columns, void **out)
{
    const gpu_blaslt_api *api = &plan->library->api;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    const int32_t batch = (int32_t)plan->form.batch;
    const int64_t high = matrix->transposed ? rows : columns;
    const int64_t wide = matrix->transposed ? columns : rows;
    int code = api->layout_create(out, find_type(plan->form.dtype)->number, (uint64_t)high,
                                  (uint64_t)wide, matrix->leading);
    if (code == 0 && batch > 1) {
        code = api->layout_set(*out, vendor->layout_batch_count, &batch, sizeof batch);
    }
    if (code == 0 && batch > 1) {
        code = api->layout_set(*out, vendor->layout_batch_stride, &matrix->batch_stride,
                               sizeof matrix->batch_stride);
    }
    return code;
}

static int make_layouts(gpu_blaslt_plan *plan)
{
    const gemm_form *form = &plan->form;
    void **a = plan->left == GEMM_A ? &plan->left_layout : &plan->right_layout;
    void **b = plan->left == GEMM_B ? &plan->left_layout : &plan->right_layout;
    int code = make_layout(plan, &form->a, form->m, form->k, a);
    code = code != 0 ? code : make_layout(plan, &form->b, form->k, form->n, b);
    code = code != 0 ? code : make_layout(plan, &form->out, form->m, form->n, &plan->out_layout);
    return code != 0 ? code
                     : make_layout(plan, form->has_c ? &form->c : &form->out, form->m, form->n,
                                   &plan->c_layout);
}

/*
 * Whether the library is to transpose a factor. Seen column-major, a row-major factor is transposed
 * already; so is the product, unless it is column-major itself.
 */
static int32_t transpose_of(const gpu_blaslt_plan *plan, const gemm_matrix *matrix)
{
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    return matrix->transposed != plan->form.out.transposed ? vendor->transpose
                                                           : vendor->transpose_none;
}

/* A bias is given with each call; what the heuristic sees instead only has its alignment. */
static int set_bias(const gpu_blaslt_plan *plan, const keel_call *call)
{
    const gpu_blaslt_api *api = &plan->library->api;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    const uint32_t epilogue = GPU_BLASLT_EPILOGUE_BIAS;
    const int32_t type = find_type(plan->form.dtype)->number;
    const uintptr_t aligned = (uintptr_t)call->operand[GEMM_BIAS].align;
    int code =
        api->operation_set(plan->operation, vendor->operation_epilogue, &epilogue, sizeof epilogue);
    if (code == 0) {
        code = api->operation_set(plan->operation, vendor->operation_bias_type, &type, sizeof type);
    }
    return code != 0 ? code
                     : api->operation_set(plan->operation, vendor->operation_bias, &aligned,
                                          sizeof aligned);
}

/* A permission to use tf32 is none to fail where there is no such thing. */
static int compute_type(const gpu_blaslt_vendor *vendor, const gemm_form *form)
{
    if (form->dtype == KEEL_F64) {
        return vendor->compute_f64;
    }
    return form->allow_tf32 && vendor->compute_tf32 != GPU_BLASLT_NONE ? vendor->compute_tf32
                                                                       : vendor->compute_f32;
}

static int make_operation(gpu_blaslt_plan *plan, const keel_call *call)
{
    const gpu_blaslt_api *api = &plan->library->api;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    const gemm_form *form = &plan->form;
    const int32_t left = transpose_of(plan, plan->left == GEMM_A ? &form->a : &form->b);
    const int32_t right = transpose_of(plan, plan->right == GEMM_A ? &form->a : &form->b);
    int code = api->operation_create(&plan->operation, compute_type(vendor, form),
                                     form->dtype == KEEL_F64 ? GPU_BLASLT_F64 : GPU_BLASLT_F32);
    if (code == 0) {
        code =
            api->operation_set(plan->operation, vendor->operation_transpose_a, &left, sizeof left);
    }
    if (code == 0) {
        code = api->operation_set(plan->operation, vendor->operation_transpose_b, &right,
                                  sizeof right);
    }
    return code == 0 && form->has_bias ? set_bias(plan, call) : code;
}

/* What the library may assume and use. */
static int set_preference(const gpu_blaslt_plan *plan, const keel_call *call, void *preference)
{
    const gpu_blaslt_api *api = &plan->library->api;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    const int slots[4] = {plan->left, plan->right, plan->form.has_c ? GEMM_C : GEMM_OUT, GEMM_OUT};
    const uint64_t workspace = WORKSPACE_BYTES;
    const uint32_t reduction = GPU_BLASLT_REDUCTION;
    int code =
        api->preference_set(preference, vendor->preference_workspace, &workspace, sizeof workspace);
    if (code == 0 && vendor->preference_reduction != GPU_BLASLT_NONE) {
        code = api->preference_set(preference, vendor->preference_reduction, &reduction,
                                   sizeof reduction);
    }
    for (int i = 0; i < 4 && code == 0 && vendor->preference_alignment != GPU_BLASLT_NONE; i++) {
        const uint32_t align = (uint32_t)call->operand[slots[i]].align;
        code =
            api->preference_set(preference, vendor->preference_alignment + i, &align, sizeof align);
    }
    return code;
}

/* Asks for the algorithm that the library thinks best; the device is current. */
static int choose_algorithm(gpu_blaslt_plan *plan, const keel_call *call)
{
    const gpu_blaslt *library = plan->library;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    void *preference = NULL;
    int found = 0;
    int code = library->api.preference_create(&preference);
    if (code != 0) {
        return code;
    }
    code = set_preference(plan, call, preference);
    if (code == 0) {
        code = library->api.heuristic(library->handle, plan->operation, plan->left_layout,
                                      plan->right_layout, plan->c_layout, plan->out_layout,
                                      preference, 1, plan->algorithm, &found);
    }
    (void)library->api.preference_destroy(preference);
    if (code == 0 && found == 0) {
        return vendor->status_unsupported;
    }
    size_t workspace = 0;
    memcpy(&workspace, (char *)plan->algorithm + vendor->algorithm_bytes, sizeof workspace);
    plan->workspace_bytes = workspace;
    return code;
}

static void set_factors(gpu_blaslt_plan *plan)
{
    if (plan->form.dtype == KEEL_F64) {
        plan->alpha.f64 = plan->form.alpha;
        plan->beta.f64 = plan->form.beta;
    } else {
        plan->alpha.f32 = (float)plan->form.alpha;
        plan->beta.f32 = (float)plan->form.beta;
    }
}

keel_status gpu_blaslt_prepare(void *device_object, const keel_call *call, void **out_plan,
                               uint64_t *out_workspace_bytes, keel_error *err)
{
    gpu_device *device = device_object;
    const gpu_blaslt_vendor *vendor = device->runtime->vendor->blaslt;
    char reason[128];
    *out_plan = NULL;
    *out_workspace_bytes = 0;
    gpu_blaslt_plan *plan = gpu_alloc(device->runtime, sizeof *plan);
    if (plan == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a plan of %s",
                         vendor->title);
    }
    (void)pthread_mutex_init(&plan->lock, NULL);
    plan->device = device;
    plan->library = gpu_blaslt_of(device);
    keel_status status = form_of(vendor, call, &plan->form, reason);
    if (status != KEEL_OK || plan->library == NULL) {
        status = keel_fail(err, KEEL_ERR_UNSUPPORTED, "%s: %s", vendor->title,
                           status != KEEL_OK ? reason : "it is not there");
        gpu_blaslt_release(plan);
        return status;
    }
    plan->left = plan->form.out.transposed ? GEMM_A : GEMM_B;
    plan->right = plan->form.out.transposed ? GEMM_B : GEMM_A;
    set_factors(plan);
    gpu_scope scope;
    status = gpu_enter(device, &scope, err);
    if (status == KEEL_OK) {
        int code = make_operation(plan, call);
        code = code != 0 ? code : make_layouts(plan);
        code = code != 0 ? code : choose_algorithm(plan, call);
        gpu_leave(&scope);
        status = code == 0 ? KEEL_OK : gpu_blaslt_fail(plan, code, err);
    }
    if (status != KEEL_OK) {
        gpu_blaslt_release(plan);
        return status;
    }
    *out_workspace_bytes = plan->workspace_bytes;
    *out_plan = plan;
    return KEEL_OK;
}

static void drop_descriptors(const gpu_blaslt_plan *plan, const gpu_blaslt_api *api)
{
    void *const layouts[] = {plan->left_layout, plan->right_layout, plan->c_layout,
                             plan->out_layout};
    for (size_t i = 0; i < KEEL_COUNT(layouts); i++) {
        if (layouts[i] != NULL) {
            (void)api->layout_destroy(layouts[i]);
        }
    }
    if (plan->operation != NULL) {
        (void)api->operation_destroy(plan->operation);
    }
}

void gpu_blaslt_release(void *plan_object)
{
    gpu_blaslt_plan *plan = plan_object;
    if (plan->library != NULL) {
        drop_descriptors(plan, &plan->library->api);
    }
    (void)pthread_mutex_destroy(&plan->lock);
    gpu_free(plan->device->runtime, plan);
}
