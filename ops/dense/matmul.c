/*
 * keel.matmul: alpha * op(a) * op(b) + beta * c + bias over matrices and batches of them. This file
 * is the contract: types, shapes, attributes and cost. matmul.md is its page.
 */
#include <math.h>
#include <string.h>

#include "dense/matmul.h"
#include "keel/dtype.h"
#include "keel/op.h"
#include "support/contract.h"
#include "support/truth.h"

static const keel_attribute_rule rules[] = {
    {.name = "transpose_a", .kind = KEEL_ATTR_INT},
    {.name = "transpose_b", .kind = KEEL_ATTR_INT},
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT, .default_float = 1.0},
    {.name = "beta", .kind = KEEL_ATTR_FLOAT},
    {.name = "allow_tf32", .kind = KEEL_ATTR_INT},
};

static const char *const names[MATMUL_OPERANDS] = {"a", "b", "bias", "c", "out"};

static const uint64_t type_sets[] = {KEELI_TYPES_PRODUCT};
static const uint8_t operand_types[MATMUL_OPERANDS] = {0, 0, 0, 0, 0};

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_flag(const keel_call *call, int index, keel_error *err)
{
    const int64_t value = call->attribute[index].value.i;
    if (value != 0 && value != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s is %lld, allowed are 0 and 1",
                         rules[index].name, (long long)value);
    }
    return KEEL_OK;
}

/* Factors must be exact enough to mean something in the type that the op computes with. */
static keel_status check_factor(const keel_call *call, int index, keel_error *err)
{
    const double value = call->attribute[index].value.f;
    const keel_dtype dtype = call->operand[MATMUL_A].dtype;
    if (!keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        if (!(fabs(value) <= 0x1p53) || value != rint(value)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s is %g, %s needs a whole number of magnitude at most 2^53",
                             call->op->name, rules[index].name, value, keel_dtype_name(dtype));
        }
        return KEEL_OK;
    }
    const double limit = keel_dtype_max(keeli_accumulator(dtype));
    if (!(fabs(value) <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %g, its magnitude must be at most %g", call->op->name,
                         rules[index].name, value, limit);
    }
    return KEEL_OK;
}

static keel_status check_attributes(const keel_call *call, keel_error *err)
{
    KEEL_TRY(check_flag(call, 0, err));
    KEEL_TRY(check_flag(call, 1, err));
    KEEL_TRY(check_factor(call, 2, err));
    KEEL_TRY(check_factor(call, 3, err));
    KEEL_TRY(check_flag(call, 4, err));
    if (keeli_matmul_has_c(call) && call->operand[MATMUL_C].dtype == KEEL_DTYPE_NONE) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: beta is %g but c is absent",
                         call->op->name, keeli_matmul_beta(call));
    }
    return KEEL_OK;
}

static keel_status check_rank(const keel_call *call, int slot, keel_error *err)
{
    if (call->operand[slot].rank < 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, at least 2 is needed: vectors are not promoted, "
                         "pass shape [1, K] or [K, 1]",
                         call->op->name, names[slot], (int)call->operand[slot].rank);
    }
    return KEEL_OK;
}

/* Size of axis a of the output as operand d has it: 1 on axes that d lacks. */
static int64_t aligned_size(const keel_desc *d, int32_t rank, int32_t axis)
{
    const int32_t own = axis - (rank - d->rank);
    return own < 0 ? 1 : d->shape[own];
}

static keel_status infer_batch(const keel_call *call, keel_desc *out, keel_error *err)
{
    const keel_desc *a = &call->operand[MATMUL_A];
    const keel_desc *b = &call->operand[MATMUL_B];
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        const int64_t p = aligned_size(a, out->rank, axis);
        const int64_t q = aligned_size(b, out->rank, axis);
        if (p != q && p != 1 && q != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: batch axis %d of the output: a has size %lld and b %lld, which "
                             "must be equal or 1",
                             call->op->name, (int)axis, (long long)p, (long long)q);
        }
        out->shape[axis] = p == 1 ? q : p;
    }
    return KEEL_OK;
}

/* bias and c broadcast to the output, never the other way round. */
static keel_status check_addend(const keel_call *call, int slot, const keel_desc *out,
                                keel_error *err)
{
    const keel_desc *d = &call->operand[slot];
    if (d->dtype == KEEL_DTYPE_NONE) {
        return KEEL_OK;
    }
    if (d->rank > out->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, the output's is %d and is the limit", call->op->name,
                         names[slot], (int)d->rank, (int)out->rank);
    }
    for (int32_t axis = out->rank - d->rank; axis < out->rank; axis++) {
        const int64_t size = aligned_size(d, out->rank, axis);
        if (size != 1 && size != out->shape[axis]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s has size %lld where the output's axis %d has %lld; it must "
                             "be equal or 1",
                             call->op->name, names[slot], (long long)size, (int)axis,
                             (long long)out->shape[axis]);
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    KEEL_TRY(check_attributes(call, err));
    KEEL_TRY(check_rank(call, MATMUL_A, err));
    KEEL_TRY(check_rank(call, MATMUL_B, err));
    const keel_desc *a = &call->operand[MATMUL_A];
    const keel_desc *b = &call->operand[MATMUL_B];
    const int ta = keeli_matmul_transposed(call, MATMUL_A);
    const int tb = keeli_matmul_transposed(call, MATMUL_B);
    const int32_t a_inner = a->rank - (ta ? 2 : 1);
    const int32_t b_inner = b->rank - (tb ? 1 : 2);
    if (a->shape[a_inner] != b->shape[b_inner]) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: inner sizes differ: axis %d of a has %lld, axis %d of b has %lld",
                         call->op->name, (int)a_inner, (long long)a->shape[a_inner], (int)b_inner,
                         (long long)b->shape[b_inner]);
    }
    keel_desc *out = &outputs[0];
    out->dtype = a->dtype;
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    out->shape[out->rank - 2] = a->shape[a->rank - (ta ? 1 : 2)];
    out->shape[out->rank - 1] = b->shape[b->rank - (tb ? 2 : 1)];
    KEEL_TRY(infer_batch(call, out, err));
    KEEL_TRY(check_addend(call, MATMUL_BIAS, out, err));
    return check_addend(call, MATMUL_C, out, err);
}

/* ---- loops and cost -------------------------------------------------------------------------- */

/* Stride of an operand along an axis of the output, 0 where it is repeated. */
static int64_t aligned_stride(const keel_desc *d, const keel_desc *out, int32_t axis)
{
    const int32_t own = axis - (out->rank - d->rank);
    return own < 0 || (d->shape[own] == 1 && out->shape[axis] != 1) ? 0 : d->stride[own];
}

/* Strides of an operand that has the output's axes (out, bias, c). */
static void addend_strides(const keel_desc *d, const keel_desc *out, int64_t *stride)
{
    if (d->dtype == KEEL_DTYPE_NONE) {
        return;
    }
    stride[MATMUL_M] = aligned_stride(d, out, out->rank - 2);
    stride[MATMUL_N] = aligned_stride(d, out, out->rank - 1);
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        stride[MATMUL_BATCH + axis] = aligned_stride(d, out, axis);
    }
}

void keeli_matmul_space(const keel_call *call, keel_space *space)
{
    const keel_desc *a = &call->operand[MATMUL_A];
    const keel_desc *b = &call->operand[MATMUL_B];
    const keel_desc *out = &call->operand[MATMUL_OUT];
    const int ta = keeli_matmul_transposed(call, MATMUL_A);
    const int tb = keeli_matmul_transposed(call, MATMUL_B);
    memset(space, 0, sizeof *space);
    space->rank = MATMUL_BATCH + out->rank - 2;
    space->operands = MATMUL_OPERANDS;
    space->role[MATMUL_M] = MATMUL_ROLE_M;
    space->role[MATMUL_N] = MATMUL_ROLE_N;
    space->role[MATMUL_K] = MATMUL_ROLE_K;
    space->extent[MATMUL_M] = out->shape[out->rank - 2];
    space->extent[MATMUL_N] = out->shape[out->rank - 1];
    space->extent[MATMUL_K] = a->shape[a->rank - (ta ? 2 : 1)];
    space->stride[MATMUL_A][MATMUL_M] = a->stride[a->rank - (ta ? 1 : 2)];
    space->stride[MATMUL_A][MATMUL_K] = a->stride[a->rank - (ta ? 2 : 1)];
    space->stride[MATMUL_B][MATMUL_N] = b->stride[b->rank - (tb ? 2 : 1)];
    space->stride[MATMUL_B][MATMUL_K] = b->stride[b->rank - (tb ? 1 : 2)];
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        space->extent[MATMUL_BATCH + axis] = out->shape[axis];
        space->stride[MATMUL_A][MATMUL_BATCH + axis] = aligned_stride(a, out, axis);
        space->stride[MATMUL_B][MATMUL_BATCH + axis] = aligned_stride(b, out, axis);
    }
    addend_strides(&call->operand[MATMUL_BIAS], out, space->stride[MATMUL_BIAS]);
    addend_strides(&call->operand[MATMUL_C], out, space->stride[MATMUL_C]);
    addend_strides(out, out, space->stride[MATMUL_OUT]);
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *a = &call->operand[MATMUL_A];
    const keel_desc *c = &call->operand[MATMUL_C];
    const int32_t inner = a->rank - (keeli_matmul_transposed(call, MATMUL_A) ? 2 : 1);
    const double out = (double)keeli_desc_elements(&call->operand[MATMUL_OUT]);
    *flops = 2.0 * out * (double)a->shape[inner];
    *flops += keeli_matmul_alpha(call) != 1.0 ? out : 0.0;
    *flops += keeli_matmul_has_c(call) ? 2.0 * out : 0.0;
    *flops += keeli_matmul_has_bias(call) ? out : 0.0;
    *bytes = keeli_compulsory_bytes(call);
    if (c->dtype != KEEL_DTYPE_NONE && !keeli_matmul_has_c(call)) {
        *bytes -= (double)keeli_desc_elements(c) * keel_dtype_size(c->dtype);
    }
}

const keel_op keeli_op_matmul = {
    .struct_size = sizeof(keel_op),
    .name = "keel.matmul",
    .family = "dense",
    .summary = "alpha * op(a) * op(b) + beta * c + bias, batched",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 4,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = keeli_matmul_space,
    .work = work,
    .oracle = keeli_matmul_oracle,
    .variants = keeli_matmul_variants,
    .variant_count = MATMUL_VARIANTS,
};
