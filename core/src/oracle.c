/* Asking a contract without a device: the shapes of its outputs, and their truth. */
#include <string.h>

#include "checked.h"
#include "context.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "op.h"

/* Counts the elements of a desc; 0 if a size or stride is below 0 or there are more than 2^63 - 1
 * bytes. */
static int count_elements(const keel_desc *desc, int64_t *out_elements)
{
    int64_t bytes = desc->dtype != KEEL_DTYPE_NONE ? keel_dtype_size(desc->dtype) : 1;
    int64_t elements = 1;
    for (int32_t a = 0; a < desc->rank; a++) {
        const int64_t size = desc->shape[a];
        if (size < 0 || desc->stride[a] < 0 || !keeli_mul_i64(bytes, size > 0 ? size : 1, &bytes)) {
            return 0;
        }
        elements = size > 0 ? elements * size : 0;
    }
    *out_elements = elements;
    return 1;
}

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
        int64_t elements;
        if (!count_elements(desc, &elements)) {
            return keel_fail(
                err, KEEL_ERR_INVALID_ARGUMENT,
                "operand %u: shape %s; sizes and strides must be >= 0 and all elements "
                "below 2^63 bytes",
                first + i, keeli_shape_format(desc->rank, desc->shape).text);
        }
        call->operand[first + i] = *desc;
    }
    return KEEL_OK;
}

/* Inputs that the contract requires must have a type. */
static keel_status check_required(const keel_call *call, keel_error *err)
{
    const int variadic = (call->op->flags & KEEL_OP_VARIADIC) != 0;
    const uint32_t required = variadic ? call->inputs : call->op->inputs_required;
    for (uint32_t i = 0; i < required; i++) {
        if (call->operand[i].dtype == KEEL_DTYPE_NONE) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is absent but required",
                             call->op->name, keeli_op_operand_name(call, i));
        }
    }
    return KEEL_OK;
}

/* NOLINTNEXTLINE(readability-function-size): the public signature */
keel_status keel_op_infer(keel_context *context, const char *name, const keel_desc *inputs,
                          uint32_t input_count, const keel_attribute *attributes,
                          uint32_t attribute_count, keel_desc *out_outputs, uint32_t output_count,
                          keel_error *err)
{
    KEEL_LATCHED(err);
    if (context == NULL || name == NULL || (inputs == NULL && input_count > 0) ||
        out_outputs == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "infer: context, op, inputs or out_outputs is NULL");
    }
    const keel_op *op = keel_op_find(context, name);
    if (op == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "there is no op %.60s", name);
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
    KEEL_TRY(check_required(&call.call, err));
    KEEL_TRY(keeli_op_match_types(&call.call, &tuple, err));
    keel_desc inferred[KEEL_MAX_OPERANDS];
    KEEL_TRY(keeli_op_infer(&call.call, inferred, err));
    for (uint32_t i = 0; i < output_count; i++) {
        int64_t elements;
        if (!count_elements(&inferred[i], &elements)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: output %s would have shape %s, more than 2^63 - 1 bytes",
                             op->name, keeli_op_operand_name(&call.call, slots + i),
                             keeli_shape_format(inferred[i].rank, inferred[i].shape).text);
        }
        keeli_dense_strides(inferred[i].rank, inferred[i].shape, inferred[i].stride);
    }
    memcpy(out_outputs, inferred, sizeof *inferred * output_count);
    return KEEL_OK;
}

/* Positions must lie within the output, and inputs that are there must have memory. */
static keel_status check_positions(const keel_call *call, const void *const *host, uint32_t output,
                                   const int64_t *index, int64_t first, int64_t count,
                                   keel_error *err)
{
    const keel_op *op = call->op;
    int64_t elements = 0;
    for (uint32_t i = 0; i < call->inputs; i++) {
        (void)count_elements(&call->operand[i], &elements);
        if (call->operand[i].dtype != KEEL_DTYPE_NONE && elements > 0 && host[i] == NULL) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: host memory of %s is NULL",
                             op->name, keeli_op_operand_name(call, i));
        }
    }
    if (call->operand[call->inputs + output].dtype == KEEL_DTYPE_NONE) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: output %s is absent", op->name,
                         keeli_op_operand_name(call, call->inputs + output));
    }
    (void)count_elements(&call->operand[call->inputs + output], &elements);
    const int64_t last = index == NULL ? elements - count : elements - 1;
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index == NULL ? first : index[i];
        if (position < 0 || position > last) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: element %lld is not one of 0 to %lld", op->name,
                             (long long)position, (long long)last);
        }
        if (index == NULL) {
            break;
        }
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
    if (operands == NULL || (host == NULL && operand_count > op->outputs) ||
        (out_truth == NULL && count > 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: operands, host or out_truth is NULL",
                         op->name);
    }
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
    KEEL_TRY(check_required(&call.call, err));
    KEEL_TRY(keeli_op_match_types(&call.call, &tuple, err));
    KEEL_TRY(keeli_op_check_outputs(&call.call, err));
    const void *pointers[KEEL_MAX_OPERANDS] = {0};
    for (uint32_t i = 0; host != NULL && i < given; i++) {
        pointers[i] = host[i];
    }
    KEEL_TRY(check_positions(&call.call, pointers, output, index, first, count, err));
    if (out_truth != NULL) { /* NULL: count is 0 */
        memset(out_truth, 0, sizeof *out_truth * (size_t)count);
    }
    const keel_status status =
        op->oracle(&call.call, pointers, output, index, first, count, out_truth);
    return status == KEEL_OK ? KEEL_OK : keel_fail(err, status, "%s: the oracle failed", op->name);
}
