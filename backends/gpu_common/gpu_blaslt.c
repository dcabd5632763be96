/* Opening a vendor's GEMM library and running plans with it; gpu_blaslt_plan.c makes the plans. */
#include "gpu_blaslt.h"

#include "gpu_blaslt_plan.h"
#include "gpu_objects.h"

/* Opens the library and makes a handle; where there is none, out->handle stays NULL. */
static void find_library(gpu_device *device, gpu_blaslt *out)
{
    const gpu_runtime *runtime = device->runtime;
    const gpu_blaslt_vendor *vendor = runtime->vendor->blaslt;
    const keel_host *host = runtime->host;
    keel_error ignored = KEEL_ERROR_INIT; /* the load report has what was tried */
    void *library = NULL;
    int version = 0;
    gpu_scope scope;
    if (runtime->api.runtime_version(&version) != 0 || version < vendor->min_runtime ||
        host->vendor_open(host->context, vendor->library, &library, &ignored) != KEEL_OK ||
        runtime->simulated != gpu_library_simulated(host, library) ||
        gpu_symbols_load(host, vendor->symbols, 0, library, vendor->title, &out->api, &ignored) !=
            KEEL_OK ||
        gpu_enter(device, &scope, &ignored) != KEEL_OK) {
        return;
    }
    if (out->api.create(&out->handle) != 0) {
        out->handle = NULL;
        gpu_log(runtime, KEEL_LOG_WARNING, "%s gives no handle on %s: matmul does without it",
                vendor->title, device->listed->info.name);
    }
    gpu_leave(&scope);
}

static void drop(gpu_device *device, gpu_blaslt *library)
{
    keel_error ignored = KEEL_ERROR_INIT;
    gpu_scope scope;
    if (library->handle != NULL && gpu_enter(device, &scope, &ignored) == KEEL_OK) {
        (void)library->api.destroy(library->handle);
        gpu_leave(&scope);
    }
    gpu_free(device->runtime, library);
}

gpu_blaslt *gpu_blaslt_of(gpu_device *device)
{
    gpu_blaslt *known = atomic_load_explicit(&device->blaslt, memory_order_acquire);
    if (known != NULL) {
        return known->handle != NULL ? known : NULL;
    }
    gpu_blaslt *made = gpu_alloc(device->runtime, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    find_library(device, made);
    if (!atomic_compare_exchange_strong(&device->blaslt, &known, made)) {
        drop(device, made); /* another thread was faster */
        made = known;
    }
    return made->handle != NULL ? made : NULL;
}

void gpu_blaslt_close(gpu_device *device)
{
    gpu_blaslt *library = atomic_load(&device->blaslt);
    if (library != NULL) {
        drop(device, library);
    }
}

static void *address_of(const keel_operand *operand)
{
    const gpu_buffer *buffer = operand->buffer;
    return buffer != NULL ? (char *)buffer->address + operand->byte_offset : NULL;
}

/* The call itself. A bias is part of the operation, which queues share: hence the lock. */
static int run(gpu_blaslt_plan *plan, const gpu_queue *queue, const keel_operand *operands,
               uint32_t count)
{
    const gemm_form *form = &plan->form;
    const gpu_blaslt *library = plan->library;
    const gpu_blaslt_vendor *vendor = plan->device->runtime->vendor->blaslt;
    void *out = address_of(&operands[GEMM_OUT]);
    void *workspace = count > GEMM_OUT + 1 ? address_of(&operands[GEMM_OUT + 1]) : NULL;
    void *bias = address_of(&operands[GEMM_BIAS]);
    int code = 0;
    if (form->has_bias) {
        (void)pthread_mutex_lock(&plan->lock);
        code = library->api.operation_set(plan->operation, vendor->operation_bias, &bias,
                                          sizeof(void *));
    }
    if (code == 0) {
        code = library->api.matmul(
            library->handle, plan->operation, &plan->alpha, address_of(&operands[plan->left]),
            plan->left_layout, address_of(&operands[plan->right]), plan->right_layout, &plan->beta,
            form->has_c ? address_of(&operands[GEMM_C]) : out, plan->c_layout, out,
            plan->out_layout, plan->algorithm, workspace, plan->workspace_bytes, queue->stream);
    }
    if (form->has_bias) {
        (void)pthread_mutex_unlock(&plan->lock);
    }
    return code;
}

keel_status gpu_blaslt_enqueue(void *queue_object, void *plan_object, const keel_operand *operands,
                               uint32_t count, keel_error *err)
{
    gpu_queue *queue = queue_object;
    gpu_blaslt_plan *plan = plan_object;
    gpu_scope scope;
    KEEL_TRY(gpu_enter(queue->device, &scope, err));
    const int code = run(plan, queue, operands, count);
    gpu_leave(&scope);
    return code == 0 ? KEEL_OK : gpu_blaslt_fail(plan, code, err);
}
