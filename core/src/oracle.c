/* Asking a contract without a device: the shapes of its outputs, and their truth. */
#include <string.h>

#include "context.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "op.h"

/* Copies descs into the call; strides of 0 stand where a caller left them out. */
static keel_status take_descs(keeli_call *call, const keel_desc *descs, uint32_t count,
                              uint32_t first, keel_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const keel_desc *desc = &descs[i];
        if (desc->dtype < 0 || desc->dtype >= KEEL_DTYPE_END || desc->rank < 0 ||
            desc->rank > KEEL_MAX_RANK) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "operand %u: dtype %d, rank %d; dtype 0 to %d and rank 0 to %d are "
                             "allowed",
                             first + i, desc->dtype, desc->rank, KEEL_DTYPE_END - 1, KEEL_MAX_RANK);
        }
        call->operand[first + i] = *desc;
    }
    return KEEL_OK;
}

static void dense_strides(keel_desc *desc)
{
    int64_t stride = 1;
    for (int32_t a = desc->rank - 1; a >= 0; a--) {
        desc->stride[a] = stride;
        stride *= desc->shape[a] > 0 ? desc->shape[a] : 1;
    }
}

/* NOLINTNEXTLINE(readability-function-size): the public signature */
keel_status keel_op_infer(keel_context *context, const char *name, const keel_desc *inputs,
                          uint32_t input_count, const keel_attribute *attributes,
                          uint32_t attribute_count, keel_desc *out_outputs, uint32_t output_count,
                          keel_error *err)
{
    KEEL_LATCHED(err);
    const keel_op *op = keel_op_find(context, name);
    if (op == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "there is no op %s",
                         name == NULL ? "NULL" : name);
    }
    keeli_call call;
    memset(&call, 0, sizeof call);
    KEEL_TRY(keeli_op_check_arity(op, input_count, output_count, err));
    const uint32_t slots = keeli_op_inputs(op, input_count);
    KEEL_TRY(take_descs(&call, inputs, input_count, 0, err));
    KEEL_TRY(take_descs(&call, out_outputs, output_count, slots, err));
    KEEL_TRY(keeli_op_resolve_attributes(op, attributes, attribute_count, call.attribute, err));
    keeli_call_bind(&call, op, slots);
    uint32_t tuple;
    KEEL_TRY(keeli_op_match_types(&call.call, &tuple, err));
    keel_desc inferred[KEEL_MAX_OPERANDS];
    memset(inferred, 0, sizeof inferred);
    KEEL_TRY(op->infer(&call.call, inferred, err));
    for (uint32_t i = 0; i < output_count; i++) {
        out_outputs[i] = inferred[i];
        dense_strides(&out_outputs[i]);
    }
    return KEEL_OK;
}

/* NOLINTNEXTLINE(readability-function-size): the public signature */
keel_status keel_op_oracle(const keel_op *op, const keel_attribute *attributes,
                           uint32_t attribute_count, const keel_desc *operands,
                           uint32_t operand_count, const void *const *host, uint32_t output,
                           const int64_t *index, int64_t first, int64_t count,
                           keel_truth *out_truth, keel_error *err)
{
    KEEL_LATCHED(err);
    KEEL_TRY(keeli_op_check_contract(op, err));
    if (operand_count < op->outputs || output >= op->outputs || count < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %u operands, output %u, %lld elements; at least %u operands and an "
                         "output below %u are needed",
                         op->name, operand_count, output, (long long)count, op->outputs,
                         op->outputs);
    }
    const uint32_t given = operand_count - op->outputs;
    const uint32_t slots = keeli_op_inputs(op, given);
    keeli_call call;
    memset(&call, 0, sizeof call);
    KEEL_TRY(keeli_op_check_arity(op, given, op->outputs, err));
    KEEL_TRY(take_descs(&call, operands, given, 0, err));
    KEEL_TRY(take_descs(&call, operands + given, op->outputs, slots, err));
    KEEL_TRY(keeli_op_resolve_attributes(op, attributes, attribute_count, call.attribute, err));
    keeli_call_bind(&call, op, slots);
    uint32_t tuple;
    KEEL_TRY(keeli_op_match_types(&call.call, &tuple, err));
    KEEL_TRY(keeli_op_check_outputs(&call.call, err));
    const void *pointers[KEEL_MAX_OPERANDS] = {0};
    for (uint32_t i = 0; i < given; i++) {
        pointers[i] = host[i];
    }
    memset(out_truth, 0, sizeof *out_truth * (size_t)count);
    const keel_status status =
        op->oracle(&call.call, pointers, output, index, first, count, out_truth);
    return status == KEEL_OK ? KEEL_OK : keel_fail(err, status, "%s: the oracle failed", op->name);
}
