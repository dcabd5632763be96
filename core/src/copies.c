/* Copies that the core inserts for kernels which take dense operands only. */
#include <string.h>

#include "builder.h"
#include "context.h"
#include "space.h"

keel_builder keeli_builder_make(keel_plan *plan, const keel_variant *variant, uint32_t tuple,
                                keel_error *err)
{
    keel_builder builder = {
        .plan = plan, .call = &plan->call.call, .variant = variant, .tuple = tuple, .err = err};
    for (int32_t k = 0; k < KEEL_MAX_OPERANDS; k++) {
        builder.operand[k] = k;
    }
    return builder;
}

static int is_dense(const keel_desc *desc)
{
    int64_t stride = 1;
    for (int32_t a = desc->rank - 1; a >= 0; a--) {
        if (desc->shape[a] == 0) {
            return 1;
        }
        if (desc->shape[a] > 1 && desc->stride[a] != stride) {
            return 0;
        }
        stride *= desc->shape[a];
    }
    return 1;
}

int keeli_needs_copies(const keel_call *call)
{
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        if (call->operand[k].dtype != KEEL_DTYPE_NONE && !is_dense(&call->operand[k])) {
            return 1;
        }
    }
    return 0;
}

/* A dense desc of the same type and shape, and its elements; 0 if there are more than 2^63 - 1. */
static int make_dense(const keel_desc *desc, keel_desc *out, int64_t *out_elements)
{
    int64_t stride = 1;
    int fits = 1;
    *out = *desc;
    out->align = 16;
    out->alias = -1;
    for (int32_t a = desc->rank - 1; a >= 0; a--) {
        out->stride[a] = desc->shape[a] > 1 ? stride : 0;
        fits = fits && !__builtin_mul_overflow(stride, desc->shape[a], &stride);
    }
    *out_elements = stride;
    return fits;
}

/* Appends the launches that copy one operand of the plan to another. */
static keel_status append_copy(keel_plan *plan, const keel_desc *from, int32_t from_operand,
                               const keel_desc *to, int32_t to_operand, keel_error *err)
{
    const keel_op *op = atomic_load(&plan->device->context->ops.copy);
    if (op == NULL) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED,
                         "%s needs an op that copies, and none is registered",
                         plan->call.call.op->name);
    }
    keeli_call copy;
    keel_space space;
    memset(&copy, 0, sizeof copy);
    copy.operand[0] = *from;
    copy.operand[1] = *to;
    copy.operand[0].alias = -1;
    copy.operand[1].alias = -1;
    KEEL_TRY(keeli_op_resolve_attributes(op, NULL, 0, copy.attribute, err));
    keeli_call_bind(&copy, op, 1);
    keeli_space_of(&copy.call, &space);
    copy.call.space = &space;
    keeli_choice choice;
    KEEL_TRY(keeli_choose_variant(plan->device, &copy.call, &choice, err));
    keel_builder builder = keeli_builder_make(plan, choice.variant, choice.tuple, err);
    builder.call = &copy.call;
    builder.operand[0] = from_operand;
    builder.operand[1] = to_operand;
    return choice.variant->plan(&copy.call, &plan->device->limits, &builder, err);
}

/* Gives operand k a dense twin in workspace, and copies an input to it. */
static keel_status replace_operand(keel_builder *builder, keel_call *call, keel_desc *descs,
                                   uint32_t k)
{
    keel_desc dense;
    int64_t elements;
    if (!make_dense(&descs[k], &dense, &elements)) {
        return keel_fail(builder->err, KEEL_ERR_UNSUPPORTED,
                         "%s: a dense copy of %s has more than 2^63 elements", call->op->name,
                         keeli_op_operand_name(call, k));
    }
    KEEL_TRY(keel_plan_workspace(builder, dense.dtype, elements, &builder->operand[k]));
    if (k < call->inputs) {
        KEEL_TRY(append_copy(builder->plan, &descs[k], (int32_t)k, &dense, builder->operand[k],
                             builder->err));
    }
    builder->plan->copies++;
    descs[k] = dense;
    return KEEL_OK;
}

keel_status keeli_plan_with_copies(keel_builder *builder)
{
    keel_plan *plan = builder->plan;
    const keel_call *given = &plan->call.call;
    keel_desc descs[KEEL_MAX_OPERANDS];
    keel_space space;
    keel_call call = *given;
    memcpy(descs, given->operand, sizeof descs);
    call.operand = descs;
    builder->call = &call;
    for (uint32_t k = 0; k < call.inputs + call.outputs; k++) {
        if (descs[k].dtype != KEEL_DTYPE_NONE && !is_dense(&descs[k])) {
            KEEL_TRY(replace_operand(builder, &call, descs, k));
        }
    }
    keeli_space_of(&call, &space);
    call.space = &space;
    KEEL_TRY(builder->variant->plan(&call, &plan->device->limits, builder, builder->err));
    for (uint32_t k = call.inputs; k < call.inputs + call.outputs; k++) {
        if (builder->operand[k] != (int32_t)k) {
            KEEL_TRY(append_copy(plan, &descs[k], builder->operand[k], &given->operand[k],
                                 (int32_t)k, builder->err));
        }
    }
    atomic_fetch_add(&plan->device->context->counters.copies_inserted, plan->copies);
    return KEEL_OK;
}
