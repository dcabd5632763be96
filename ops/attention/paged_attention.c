/*
 * keel.paged_attention: attention of one query for each sequence over keys and values that lie in
 * blocks, found by a table. Contract; paged_attention.md is its page.
 */
#include "attention/paged_attention.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

static const keel_attribute_rule rules[] = {
    {.name = "scale", .kind = KEEL_ATTR_FLOAT},
    {.name = "softcap", .kind = KEEL_ATTR_FLOAT},
};

static const char *const names[PAGED_OPERANDS] = {"q", "k", "v", "block_table", "lengths", "out"};
static const int32_t ranks[PAGED_OPERANDS - 1] = {3, 4, 4, 2, 1};
static const char *const forms[PAGED_OPERANDS - 1] = {
    "(batch, heads, size)", "(blocks, block size, heads, size)",
    "(blocks, block size, heads, size of a value)", "(batch, blocks of a sequence)", "(batch)"};

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_attributes(const keel_call *call, keel_error *err)
{
    const double limit = keel_dtype_max(keeli_accumulator(call->operand[ATTENTION_Q].dtype));
    const double scale = keeli_attribute_float(call, PAGED_SCALE);
    const double softcap = keeli_attribute_float(call, PAGED_SOFTCAP);
    if (!(fabs(scale) <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: scale is %g, its magnitude must be at most %g", call->op->name, scale,
                         limit);
    }
    if (!(softcap >= 0.0 && softcap <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: softcap is %g, allowed is 0 (none) to %g", call->op->name, softcap,
                         limit);
    }
    return KEEL_OK;
}

/* An axis of a slot that must be as long as one of another slot. */
static keel_status check_axis(const keel_call *call, int slot, int32_t axis, int like,
                              int32_t like_axis, keel_error *err)
{
    const int64_t size = call->operand[slot].shape[axis];
    const int64_t want = call->operand[like].shape[like_axis];
    if (size != want) {
        return keel_fail(
            err, KEEL_ERR_INVALID_ARGUMENT,
            "%s: axis %d of %s has size %" PRId64 ", must be %" PRId64 ", as axis %d of %s",
            call->op->name, (int)axis, names[slot], size, want, (int)like_axis, names[like]);
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    KEEL_TRY(check_attributes(call, err));
    for (int slot = 0; slot < PAGED_OUT; slot++) {
        if (call->operand[slot].rank != ranks[slot]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has rank %d, must be %d: %s",
                             call->op->name, names[slot], (int)call->operand[slot].rank,
                             (int)ranks[slot], forms[slot]);
        }
    }
    KEEL_TRY(check_axis(call, ATTENTION_K, PAGED_AXIS_ELEMENT, ATTENTION_Q, 2, err));
    for (int32_t axis = PAGED_AXIS_BLOCK; axis <= PAGED_AXIS_HEAD; axis++) {
        KEEL_TRY(check_axis(call, ATTENTION_V, axis, ATTENTION_K, axis, err));
    }
    KEEL_TRY(check_axis(call, PAGED_TABLE, 0, ATTENTION_Q, 0, err));
    KEEL_TRY(check_axis(call, PAGED_LENGTHS, 0, ATTENTION_Q, 0, err));
    const int64_t q_heads = call->operand[ATTENTION_Q].shape[1];
    const int64_t kv_heads = call->operand[ATTENTION_K].shape[PAGED_AXIS_HEAD];
    if (kv_heads == 0 ? q_heads != 0 : q_heads % kv_heads != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: q has %" PRId64 " heads, which the %" PRId64
                         " heads of k and v must divide",
                         call->op->name, q_heads, kv_heads);
    }
    int64_t keys;
    if (__builtin_mul_overflow(call->operand[PAGED_TABLE].shape[1],
                               call->operand[ATTENTION_K].shape[PAGED_AXIS_PLACE], &keys)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %" PRId64 " blocks of %" PRId64 " keys are more than 2^63",
                         call->op->name, call->operand[PAGED_TABLE].shape[1],
                         call->operand[ATTENTION_K].shape[PAGED_AXIS_PLACE]);
    }
    outputs[0] = call->operand[ATTENTION_Q];
    outputs[0].shape[2] = call->operand[ATTENTION_V].shape[PAGED_AXIS_ELEMENT];
    keeli_desc_make_dense(&outputs[0]);
    return KEEL_OK;
}

/* ---- loops and cost -------------------------------------------------------------------------- */

double keeli_paged_scale(const keel_call *call)
{
    const double given = keeli_attribute_float(call, PAGED_SCALE);
    const int64_t size = call->operand[ATTENTION_Q].shape[2];
    return given != 0.0 ? given : 1.0 / sqrt((double)(size > 0 ? size : 1));
}

void keeli_paged_space(const keel_call *call, keel_space *out)
{
    const keel_desc *q = &call->operand[ATTENTION_Q];
    const keel_desc *k = &call->operand[ATTENTION_K];
    const keel_desc *v = &call->operand[ATTENTION_V];
    const keel_desc *table = &call->operand[PAGED_TABLE];
    const keel_desc *y = &call->operand[PAGED_OUT];
    const int64_t heads = k->shape[PAGED_AXIS_HEAD];
    const int64_t group = heads > 0 ? q->shape[1] / heads : 0;
    const int64_t extent[ATTENTION_AXES] = {q->shape[0],
                                            heads,
                                            group,
                                            1,
                                            table->shape[1] * k->shape[PAGED_AXIS_PLACE],
                                            q->shape[2],
                                            v->shape[PAGED_AXIS_ELEMENT]};
    memset(out, 0, sizeof *out);
    out->rank = ATTENTION_AXES;
    out->operands = PAGED_OPERANDS;
    for (int32_t axis = 0; axis < ATTENTION_AXES; axis++) {
        out->extent[axis] = extent[axis];
        out->role[axis] = axis + 1;
    }
    const keel_desc *const of_q[2] = {q, y};
    const int slot_of_q[2] = {ATTENTION_Q, PAGED_OUT};
    for (int i = 0; i < 2; i++) {
        int64_t *stride = out->stride[slot_of_q[i]];
        stride[ATTENTION_BATCH] = of_q[i]->stride[0];
        stride[ATTENTION_HEAD] = group * of_q[i]->stride[1];
        stride[ATTENTION_GROUP] = of_q[i]->stride[1];
        stride[i == 0 ? ATTENTION_SIZE : ATTENTION_VALUE] = of_q[i]->stride[2];
    }
    const keel_desc *const cache[2] = {k, v};
    for (int i = 0; i < 2; i++) {
        int64_t *stride = out->stride[ATTENTION_K + i];
        stride[ATTENTION_QUERY] = cache[i]->stride[PAGED_AXIS_BLOCK];
        stride[ATTENTION_KEY] = cache[i]->stride[PAGED_AXIS_PLACE];
        stride[ATTENTION_HEAD] = cache[i]->stride[PAGED_AXIS_HEAD];
        stride[i == 0 ? ATTENTION_SIZE : ATTENTION_VALUE] = cache[i]->stride[PAGED_AXIS_ELEMENT];
    }
    out->stride[PAGED_TABLE][ATTENTION_BATCH] = table->stride[0];
    out->stride[PAGED_TABLE][ATTENTION_KEY] = table->stride[1];
    out->stride[PAGED_LENGTHS][ATTENTION_BATCH] = call->operand[PAGED_LENGTHS].stride[0];
}

/* What the table can name at most. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *q = &call->operand[ATTENTION_Q];
    const keel_desc *k = &call->operand[ATTENTION_K];
    const double size = (double)q->shape[2];
    const double value = (double)call->operand[ATTENTION_V].shape[PAGED_AXIS_ELEMENT];
    const double keys = (double)q->shape[0] * (double)call->operand[PAGED_TABLE].shape[1] *
                        (double)k->shape[PAGED_AXIS_PLACE];
    *flops = keys * (double)q->shape[1] * (2.0 * size + 2.0 * value + 5.0);
    *bytes = keys * (double)k->shape[PAGED_AXIS_HEAD] * (size + value) *
             (double)keel_dtype_size(q->dtype);
}

/* ---- the contract ---------------------------------------------------------------------------- */

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT & ~KEEL_DTYPE_BIT(KEEL_F64),
                                     KEEL_DTYPE_BIT(KEEL_I32)};
static const uint8_t operand_types[PAGED_OPERANDS] = {0, 0, 0, 1, 1, 0};

const keel_op keeli_op_paged_attention = {
    .struct_size = sizeof(keel_op),
    .name = "keel.paged_attention",
    .family = "attention",
    .summary = "attention of one query for each sequence over a cache in blocks",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 5,
    .inputs_required = 5,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = keeli_paged_space,
    .work = work,
    .oracle = keeli_paged_oracle,
    .variants = keeli_paged_variants,
    .variant_count = PAGED_VARIANTS,
};
