/* Enqueueing a plan: binding its operands to memory, and launching. */
#include <string.h>

#include "buffer.h"
#include "context.h"
#include "plan.h"
#include "queue.h"
#include "ranges.h"

/* Memory of every operand number that launches refer to. */
typedef struct bound_operands {
    keel_operand operand[KEELI_PLAN_OPERANDS];
    uint32_t count; /* what a native implementation is given */
} bound_operands;

/* Makes the queue's workspace large enough; the old one is reused when its work has passed. */
static keel_status reserve_arena(keel_queue *queue, const keel_plan *plan, keel_error *err)
{
    const uint64_t bytes = plan->workspace_bytes;
    const uint64_t held = queue->arena != NULL ? queue->arena->size_bytes : 0;
    char tag[KEEL_TAG_CAPACITY];
    if (held >= bytes) {
        return KEEL_OK;
    }
    if (queue->capture != NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%llu bytes of workspace are needed, the queue has %llu and makes none "
                         "while it captures: run the op once before",
                         (unsigned long long)bytes, (unsigned long long)held);
    }
    keel_buffer_release(queue->arena);
    queue->arena = NULL;
    (void)snprintf(tag, sizeof tag, "workspace of %.30s", plan->call.call.op->name);
    return keeli_buffer_create(queue->device, bytes, tag, &queue->arena, err);
}

static keel_status bind_operands(const keel_plan *plan, keel_queue *queue,
                                 const keel_tensor *const *operands, bound_operands *out,
                                 keel_error *err)
{
    const uint32_t count = plan->call.call.inputs + plan->call.call.outputs;
    for (uint32_t k = 0; k < count; k++) {
        const keel_tensor *tensor = operands[k];
        out->operand[k] = (keel_operand){0};
        if (tensor != NULL) {
            out->operand[k] = (keel_operand){tensor->buffer->handle, tensor->byte_offset};
            keeli_buffer_use(tensor->buffer, queue);
        }
    }
    out->count = count;
    if (plan->workspace_bytes == 0) {
        return KEEL_OK;
    }
    KEEL_TRY(reserve_arena(queue, plan, err));
    keeli_buffer_use(queue->arena, queue);
    if (plan->native != NULL) {
        out->operand[out->count++] = (keel_operand){queue->arena->handle, 0};
    }
    for (uint32_t i = 0; i < plan->workspace_count; i++) {
        out->operand[KEEL_MAX_OPERANDS + i] =
            (keel_operand){queue->arena->handle, plan->workspace_offset[i]};
    }
    return KEEL_OK;
}

/*
 * Fills in what changes from call to call: buffers, and element offsets in the views of a META.
 * Devices with plain pointers get the byte offset folded into the buffer argument instead.
 */
static void fill_argument(const keel_plan *plan, const keeli_arg *arg, const bound_operands *bound,
                          int64_t *stack, keel_launch_arg *out)
{
    const int fold = (plan->device->limits.flags & KEEL_LIMIT_POINTER_OFFSET) != 0;
    if (arg->kind == KEEL_ARG_OPERAND) {
        const keel_operand *operand = &bound->operand[arg->index];
        *out = (keel_launch_arg){.kind = KEEL_LAUNCH_BUFFER,
                                 .size = arg->size,
                                 .u.buffer = operand->buffer,
                                 .byte_offset = fold ? operand->byte_offset : 0};
        return;
    }
    const void *value = arg->value;
    if (arg->kind == KEEL_ARG_META) {
        keel_meta *meta = (keel_meta *)(void *)stack;
        memcpy(meta, arg->meta, arg->size);
        for (int32_t v = 0; v < arg->index && !fold; v++) {
            const int8_t k = arg->map[v];
            meta->view[v].offset +=
                (int64_t)(bound->operand[k].byte_offset /
                          (plan->element_size[k] > 0 ? plan->element_size[k] : 1));
        }
        value = meta;
    }
    *out = (keel_launch_arg){.kind = KEEL_LAUNCH_VALUE, .size = arg->size, .u.value = value};
}

static keel_status run_launches(const keel_plan *plan, keel_queue *queue,
                                const bound_operands *bound, keel_error *err)
{
    const keel_device_api *api = queue->device->api;
    keel_launch_arg args[KEELI_LAUNCH_ARGS];
    int64_t stack[KEELI_LAUNCH_BYTES / sizeof(int64_t)]; /* METAs, which are made of int64_t */
    for (const keeli_launch *launch = plan->launches; launch != NULL; launch = launch->next) {
        uint32_t used = 0;
        for (uint32_t i = 0; i < launch->arg_count; i++) {
            const keeli_arg *arg = &launch->arg[i];
            fill_argument(plan, arg, bound, stack + used / sizeof *stack, &args[i]);
            used += arg->kind == KEEL_ARG_META ? arg->size : 0;
        }
        KEEL_TRY(api->launch(queue->handle, launch->kernel, launch->grid, launch->block, args,
                             launch->arg_count, err));
    }
    return KEEL_OK;
}

keel_status keeli_plan_enqueue(const keel_plan *plan, keel_queue *queue,
                               const keel_tensor *const *operands, keel_error *err)
{
    if (plan->native == NULL && plan->launches == NULL) {
        return KEEL_OK;
    }
    const char *name = plan->call.call.op->name;
    bound_operands bound;
    keeli_range_push(plan->device, name);
    keel_status status = bind_operands(plan, queue, operands, &bound, err);
    if (status == KEEL_OK) {
        status = plan->native != NULL ? plan->native->enqueue(queue->handle, plan->native_plan,
                                                              bound.operand, bound.count, err)
                                      : run_launches(plan, queue, &bound, err);
    }
    keeli_range_pop(plan->device);
    if (queue->capture != NULL) {
        keeli_graph_keep_plan(queue->capture, plan);
        keeli_graph_note(queue->capture, status, name);
    }
    memcpy(queue->last_op, name, strnlen(name, sizeof queue->last_op - 1) + 1);
    keeli_queue_submitted(queue);
    if (status != KEEL_OK) {
        (void)snprintf(err->op, sizeof err->op, "%s", name);
    }
    return keeli_device_result(queue->device, status, err);
}

/* Checks that the tensors are like the prepared ones in everything but buffer and offset. */
static keel_status check_like_prepared(const keel_plan *plan, const keel_tensor *const *operands,
                                       uint32_t k, keel_error *err)
{
    const keel_desc *want = &plan->call.operand[k];
    const char *op = plan->call.call.op->name;
    const char *name = keeli_op_operand_name(&plan->call.call, k);
    const keel_tensor *tensor = operands[k];
    keel_desc got = {.alias = -1};
    uint64_t span;
    if ((tensor == NULL) != (want->dtype == KEEL_DTYPE_NONE)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is %s, the plan was made %s it",
                         op, name, tensor == NULL ? "NULL" : "given",
                         tensor == NULL ? "with" : "without");
    }
    if (tensor == NULL) {
        return KEEL_OK;
    }
    KEEL_TRY(keeli_describe_tensor(plan->device, tensor, op, name, &got, &span, err));
    if (k >= plan->call.call.inputs) {
        KEEL_TRY(keeli_buffer_check_writable(tensor->buffer, name, err));
    }
    const size_t bytes = sizeof(int64_t) * (size_t)want->rank;
    if (got.dtype != want->dtype || got.rank != want->rank ||
        memcmp(got.shape, want->shape, bytes) != 0 ||
        memcmp(got.stride, want->stride, bytes) != 0 || got.align < want->align) {
        return keel_fail(
            err, KEEL_ERR_INVALID_ARGUMENT,
            "%s: %s is %s %s aligned to %d, the plan was made for %s %s aligned to %d, "
            "or the strides differ",
            op, name, keel_dtype_name(got.dtype), keeli_shape_format(got.rank, got.shape).text,
            got.align, keel_dtype_name(want->dtype),
            keeli_shape_format(want->rank, want->shape).text, want->align);
    }
    return KEEL_OK;
}

/* An output that was prepared in place is the same view as that input. */
static keel_status check_in_place(const keel_call *call, const keel_tensor *const *operands,
                                  uint32_t output, keel_error *err)
{
    const int32_t input = call->operand[output].alias;
    if (input < 0 || (operands[output]->buffer == operands[input]->buffer &&
                      operands[output]->byte_offset == operands[input]->byte_offset)) {
        return KEEL_OK;
    }
    return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                     "%s: the plan was made to work in place, output %s is not %s", call->op->name,
                     keeli_op_operand_name(call, output),
                     keeli_op_operand_name(call, (uint32_t)input));
}

/* Outputs meet other operands only as the prepared ones did: as the view that they work in. */
static keel_status check_same_aliases(const keel_plan *plan, const keel_tensor *const *operands,
                                      keel_error *err)
{
    const keel_call *call = &plan->call.call;
    for (uint32_t k = call->inputs; k < call->inputs + call->outputs; k++) {
        if (operands[k] == NULL) {
            continue;
        }
        KEEL_TRY(check_in_place(call, operands, k, err));
        for (uint32_t j = 0; j < k; j++) {
            const keel_tensor *a = operands[k];
            const keel_tensor *b = operands[j];
            if (b == NULL || plan->span[k] == 0 || plan->span[j] == 0) {
                continue;
            }
            const int meets = a->buffer == b->buffer &&
                              a->byte_offset < b->byte_offset + plan->span[j] &&
                              b->byte_offset < a->byte_offset + plan->span[k];
            const int same = call->operand[k].alias >= 0 && j < call->inputs &&
                             keeli_same_view(a, b, &call->operand[k], &call->operand[j]);
            if (meets && !same) {
                return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                                 "%s: output %s overlaps %s, which the plan was not made for",
                                 call->op->name, keeli_op_operand_name(call, k),
                                 keeli_op_operand_name(call, j));
            }
        }
    }
    return KEEL_OK;
}

keel_status keel_plan_enqueue(const keel_plan *plan, keel_queue *queue,
                              const keel_tensor *const *operands, uint32_t operand_count,
                              keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    if (plan == NULL || operands == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "plan or operands is NULL");
    }
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    const keel_call *call = &plan->call.call;
    if (queue->device != plan->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the plan is for device %s, the queue on %s", call->op->name,
                         plan->device->id, queue->device->id);
    }
    if (operand_count != call->inputs + call->outputs) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %u operands given, the plan has %u (absent ones included)",
                         call->op->name, operand_count, call->inputs + call->outputs);
    }
    for (uint32_t k = 0; k < operand_count; k++) {
        KEEL_TRY(check_like_prepared(plan, operands, k, err));
    }
    KEEL_TRY(check_same_aliases(plan, operands, err));
    return keeli_plan_enqueue(plan, queue, operands, err);
}
