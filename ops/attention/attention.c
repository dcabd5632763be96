/*
 * keel.attention: softmax(scale q k^T) v, with grouped heads, masks and caches. This file is the
 * contract: types, shapes, attributes and cost. attention.md is its page.
 */
#include "attention/attention.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

static const keel_attribute_rule rules[] = {
    {.name = "is_causal", .kind = KEEL_ATTR_INT},   {.name = "kv_num_heads", .kind = KEEL_ATTR_INT},
    {.name = "q_num_heads", .kind = KEEL_ATTR_INT}, {.name = "scale", .kind = KEEL_ATTR_FLOAT},
    {.name = "softcap", .kind = KEEL_ATTR_FLOAT},
};

static const char *const names[ATTENTION_OPERANDS] = {
    "q", "k", "v", "attn_mask", "attn_bias", "nonpad_kv_seqlen", "out"};

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_attributes(const keel_call *call, keel_error *err)
{
    KEEL_TRY(keeli_check_flag(call, ATTENTION_IS_CAUSAL, err));
    const double limit = keel_dtype_max(keeli_accumulator(call->operand[ATTENTION_Q].dtype));
    const double scale = keeli_attribute_float(call, ATTENTION_SCALE);
    if (!(fabs(scale) <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: scale is %g, its magnitude must be at most %g", call->op->name, scale,
                         limit);
    }
    const double softcap = keeli_attribute_float(call, ATTENTION_SOFTCAP);
    if (!(softcap >= 0.0 && softcap <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: softcap is %g, allowed is 0 (none) to %g", call->op->name, softcap,
                         limit);
    }
    return KEEL_OK;
}

/* Two sizes that must be equal; what: "batch axis", of slots a and b. */
static keel_status check_equal(const keel_call *call, const char *what, int a, int64_t size_a,
                               int b, int64_t size_b, keel_error *err)
{
    if (size_a != size_b) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s of %s is %" PRId64 ", of %s %" PRId64 "; they must be equal",
                         call->op->name, what, names[a], size_a, names[b], size_b);
    }
    return KEEL_OK;
}

static keel_status check_heads(const keel_call *call, keeli_heads *q, keeli_heads *k,
                               keeli_heads *v, keel_error *err)
{
    const int64_t q_heads = keeli_attribute_int(call, ATTENTION_Q_HEADS);
    const int64_t kv_heads = keeli_attribute_int(call, ATTENTION_KV_HEADS);
    KEEL_TRY(keeli_heads_read(call, ATTENTION_Q, "q_num_heads", q_heads, q, err));
    KEEL_TRY(keeli_heads_read(call, ATTENTION_K, "kv_num_heads", kv_heads, k, err));
    KEEL_TRY(keeli_heads_read(call, ATTENTION_V, "kv_num_heads", kv_heads, v, err));
    for (int slot = ATTENTION_K; slot <= ATTENTION_V; slot++) {
        KEEL_TRY(check_equal(call, "the rank", ATTENTION_Q, call->operand[ATTENTION_Q].rank, slot,
                             call->operand[slot].rank, err));
    }
    KEEL_TRY(check_equal(call, "the batch", ATTENTION_Q, q->batch, ATTENTION_K, k->batch, err));
    KEEL_TRY(check_equal(call, "the batch", ATTENTION_K, k->batch, ATTENTION_V, v->batch, err));
    KEEL_TRY(check_equal(call, "the number of heads", ATTENTION_K, k->heads, ATTENTION_V, v->heads,
                         err));
    KEEL_TRY(
        check_equal(call, "the sequence", ATTENTION_K, k->sequence, ATTENTION_V, v->sequence, err));
    KEEL_TRY(check_equal(call, "the head's size", ATTENTION_Q, q->size, ATTENTION_K, k->size, err));
    if (k->heads == 0 ? q->heads != 0 : q->heads % k->heads != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: q has %" PRId64 " heads, which the %" PRId64
                         " heads of k and v must divide",
                         call->op->name, q->heads, k->heads);
    }
    return KEEL_OK;
}

/* A mask broadcasts to [batch, heads of q, queries, keys]; its last axis may end before the keys.
 */
static keel_status check_mask(const keel_call *call, const keeli_heads *q, const keeli_heads *k,
                              keel_error *err)
{
    const int slot = keeli_attention_mask(call);
    if (slot < 0) {
        return KEEL_OK;
    }
    if (keeli_attention_has(call, ATTENTION_MASK) && keeli_attention_has(call, ATTENTION_BIAS)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: attn_mask and attn_bias are both given, one of them is allowed: "
                         "keel.where(attn_mask, attn_bias, -inf) is both in one",
                         call->op->name);
    }
    const keel_desc *d = &call->operand[slot];
    const int64_t size[4] = {q->batch, q->heads, q->sequence, k->sequence};
    if (d->rank > 4) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has rank %d, at most 4 is allowed",
                         call->op->name, names[slot], (int)d->rank);
    }
    for (int32_t axis = 0; axis < d->rank; axis++) {
        const int32_t at = axis + 4 - d->rank;
        const int64_t have = d->shape[axis];
        if (have != 1 && have != size[at] && !(at == 3 && have < size[at])) {
            return keel_fail(
                err, KEEL_ERR_INVALID_ARGUMENT,
                "%s: axis %d of %s has size %" PRId64 ", allowed are 1 and %s%" PRId64 ", the %s",
                call->op->name, (int)axis, names[slot], have, at == 3 ? "up to " : "", size[at],
                (const char *const[]){"batch", "heads of q", "queries", "keys"}[at]);
        }
    }
    return KEEL_OK;
}

static keel_status check_lengths(const keel_call *call, const keeli_heads *q, keel_error *err)
{
    const keel_desc *d = &call->operand[ATTENTION_LENGTHS];
    if (d->dtype != KEEL_DTYPE_NONE && (d->rank != 1 || d->shape[0] != q->batch)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: nonpad_kv_seqlen has rank %d and first size %" PRId64
                         ", must have rank 1 and size %" PRId64 ", the batch",
                         call->op->name, (int)d->rank, d->rank > 0 ? d->shape[0] : 1, q->batch);
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    keeli_heads q;
    keeli_heads k;
    keeli_heads v;
    KEEL_TRY(check_attributes(call, err));
    KEEL_TRY(check_heads(call, &q, &k, &v, err));
    KEEL_TRY(check_mask(call, &q, &k, err));
    KEEL_TRY(check_lengths(call, &q, err));
    keel_desc *out = &outputs[0];
    *out = call->operand[ATTENTION_Q];
    int64_t width = v.size;
    if (out->rank == 3 && __builtin_mul_overflow(q.heads, v.size, &width)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %" PRId64 " heads of %" PRId64 " elements are more than 2^63",
                         call->op->name, q.heads, v.size);
    }
    out->shape[out->rank - 1] = width;
    keeli_desc_make_dense(out);
    return KEEL_OK;
}

/* ---- loops and cost -------------------------------------------------------------------------- */

double keeli_attention_scale(const keel_call *call)
{
    const double given = keeli_attribute_float(call, ATTENTION_SCALE);
    const keeli_heads q =
        keeli_heads_of(&call->operand[ATTENTION_Q], keeli_attribute_int(call, ATTENTION_Q_HEADS));
    return given != 0.0 ? given : 1.0 / sqrt((double)(q.size > 0 ? q.size : 1));
}

int64_t keeli_attention_keys(const keel_call *call)
{
    const int slot = keeli_attention_mask(call);
    const keel_desc *k = &call->operand[ATTENTION_K];
    const int64_t keys = k->shape[k->rank - 2];
    if (slot < 0 || call->operand[slot].rank == 0) {
        return keys;
    }
    const keel_desc *d = &call->operand[slot];
    const int64_t have = d->shape[d->rank - 1];
    return have == 1 || have > keys ? keys : have;
}

/* Strides of an operand that has heads of q, or of k and v, along sequence and its last axis. */
static void heads_strides(const keeli_heads *h, int64_t group, int sequence, int size,
                          int64_t *stride)
{
    stride[ATTENTION_BATCH] = h->batch_step;
    stride[ATTENTION_HEAD] = group * h->head_step;
    stride[ATTENTION_GROUP] = sequence == ATTENTION_QUERY ? h->head_step : 0;
    stride[sequence] = h->sequence_step;
    stride[size] = h->size_step;
}

/* Strides of a mask: 0 along what it lacks or has once. */
static void mask_strides(const keel_desc *d, int64_t group, int64_t *stride)
{
    int64_t step[4] = {0, 0, 0, 0};
    for (int32_t axis = 0; axis < d->rank; axis++) {
        step[axis + 4 - d->rank] = d->shape[axis] == 1 ? 0 : d->stride[axis];
    }
    stride[ATTENTION_BATCH] = step[0];
    stride[ATTENTION_HEAD] = group * step[1];
    stride[ATTENTION_GROUP] = step[1];
    stride[ATTENTION_QUERY] = step[2];
    stride[ATTENTION_KEY] = step[3];
}

void keeli_attention_space(const keel_call *call, keel_space *out)
{
    const int64_t q_heads = keeli_attribute_int(call, ATTENTION_Q_HEADS);
    const int64_t kv_heads = keeli_attribute_int(call, ATTENTION_KV_HEADS);
    const keeli_heads q = keeli_heads_of(&call->operand[ATTENTION_Q], q_heads);
    const keeli_heads k = keeli_heads_of(&call->operand[ATTENTION_K], kv_heads);
    const keeli_heads v = keeli_heads_of(&call->operand[ATTENTION_V], kv_heads);
    const keeli_heads y = keeli_heads_of(&call->operand[ATTENTION_OUT], q_heads);
    const int64_t group = k.heads > 0 ? q.heads / k.heads : 0;
    const int64_t extent[ATTENTION_AXES] = {
        q.batch, k.heads, group, q.sequence, keeli_attention_keys(call), q.size, v.size};
    memset(out, 0, sizeof *out);
    out->rank = ATTENTION_AXES;
    out->operands = ATTENTION_OPERANDS;
    for (int32_t axis = 0; axis < ATTENTION_AXES; axis++) {
        out->extent[axis] = extent[axis];
        out->role[axis] = axis + 1;
    }
    heads_strides(&q, group, ATTENTION_QUERY, ATTENTION_SIZE, out->stride[ATTENTION_Q]);
    heads_strides(&k, 1, ATTENTION_KEY, ATTENTION_SIZE, out->stride[ATTENTION_K]);
    heads_strides(&v, 1, ATTENTION_KEY, ATTENTION_VALUE, out->stride[ATTENTION_V]);
    heads_strides(&y, group, ATTENTION_QUERY, ATTENTION_VALUE, out->stride[ATTENTION_OUT]);
    const int mask = keeli_attention_mask(call);
    if (mask >= 0) {
        mask_strides(&call->operand[mask], group, out->stride[mask]);
    }
    if (keeli_attention_has(call, ATTENTION_LENGTHS)) {
        out->stride[ATTENTION_LENGTHS][ATTENTION_BATCH] =
            call->operand[ATTENTION_LENGTHS].stride[0];
    }
}

/* Both products, and five operations for each score; half of the scores if causal and square. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    const keeli_heads q =
        keeli_heads_of(&call->operand[ATTENTION_Q], keeli_attribute_int(call, ATTENTION_Q_HEADS));
    const keeli_heads v =
        keeli_heads_of(&call->operand[ATTENTION_V], keeli_attribute_int(call, ATTENTION_KV_HEADS));
    double scores = (double)q.batch * (double)q.heads * (double)q.sequence;
    scores *= (double)keeli_attention_keys(call);
    const int causal = keeli_attribute_int(call, ATTENTION_IS_CAUSAL) != 0;
    scores *= causal && q.sequence > 1 ? 0.5 : 1.0;
    *flops = scores * (2.0 * (double)q.size + 2.0 * (double)v.size + 5.0);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- the contract ---------------------------------------------------------------------------- */

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT, KEEL_DTYPE_BIT(KEEL_BOOL),
                                     KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[ATTENTION_OPERANDS] = {0, 0, 0, 1, 0, 2, 0};

const keel_op keeli_op_attention = {
    .struct_size = sizeof(keel_op),
    .name = "keel.attention",
    .family = "attention",
    .summary = "softmax(scale q k^T) v over heads, with masks and caches",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 6,
    .inputs_required = 3,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = keeli_attention_space,
    .work = work,
    .oracle = keeli_attention_oracle,
    .variants = keeli_attention_variants,
    .variant_count = ATTENTION_VARIANTS,
};
