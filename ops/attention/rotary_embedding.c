/*
 * keel.rotary_embedding: pairs of a head's elements rotated by an angle that depends on the
 * position. Contract and oracle; rotary_embedding_plan.c chooses kernels, rotary_embedding.md is
 * the page.
 */
#include <inttypes.h>

#include "attention/heads.h"
#include "attention/rotary_embedding.h"
#include "keel/dtype.h"
#include "support/contract.h"
#include "support/truth.h"

static const keel_attribute_rule rules[] = {
    {.name = "interleaved", .kind = KEEL_ATTR_INT},
    {.name = "num_heads", .kind = KEEL_ATTR_INT},
    {.name = "rotary_embedding_dim", .kind = KEEL_ATTR_INT},
};

/* Elements of a head that are rotated. */
static int64_t rotated_size(const keel_call *call, const keeli_heads *x)
{
    const int64_t given = keeli_attribute_int(call, ROTARY_SIZE);
    return given == 0 ? x->size : given;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_rotated(const keel_call *call, const keeli_heads *x, keel_error *err)
{
    const int64_t given = keeli_attribute_int(call, ROTARY_SIZE);
    if (given < 0 || given > x->size || given % 2 != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: rotary_embedding_dim is %" PRId64
                         ", must be even and from 0 to the head's size, %" PRId64,
                         call->op->name, given, x->size);
    }
    if (given == 0 && x->size % 2 != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the head's size is %" PRId64
                         ", must be even unless rotary_embedding_dim is given",
                         call->op->name, x->size);
    }
    return KEEL_OK;
}

/* A size of an operand's axis against the one that it must have. */
static keel_status check_size(const keel_call *call, int slot, int32_t axis, int64_t want,
                              const char *what, keel_error *err)
{
    const int64_t size = call->operand[slot].shape[axis];
    if (size != want) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: axis %d of %s has size %" PRId64 ", must be %" PRId64 ", %s",
                         call->op->name, (int)axis, call->op->operand_names[slot], size, want,
                         what);
    }
    return KEEL_OK;
}

static keel_status check_cache(const keel_call *call, int slot, const keeli_heads *x,
                               keel_error *err)
{
    const keel_desc *d = &call->operand[slot];
    const int32_t rank = keeli_rotary_has_ids(call) ? 2 : 3;
    if (d->rank != rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has rank %d, must be %d: %s",
                         call->op->name, call->op->operand_names[slot], (int)d->rank, (int)rank,
                         rank == 2 ? "(positions, angles), since position_ids is given"
                                   : "(batch, sequence, angles), since position_ids is absent");
    }
    if (rank == 2) {
        KEEL_TRY(check_size(call, slot, 0, call->operand[ROTARY_COS].shape[0],
                            "as axis 0 of cos_cache", err));
    } else {
        KEEL_TRY(check_size(call, slot, 0, x->batch, "the batch of x", err));
        KEEL_TRY(check_size(call, slot, 1, x->sequence, "the sequence of x", err));
    }
    return check_size(call, slot, rank - 1, rotated_size(call, x) / 2,
                      "half of the rotated elements of a head", err);
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    keeli_heads x;
    KEEL_TRY(keeli_check_flag(call, ROTARY_INTERLEAVED, err));
    KEEL_TRY(keeli_heads_read(call, ROTARY_X, "num_heads",
                              keeli_attribute_int(call, ROTARY_NUM_HEADS), &x, err));
    KEEL_TRY(check_rotated(call, &x, err));
    KEEL_TRY(check_cache(call, ROTARY_COS, &x, err));
    KEEL_TRY(check_cache(call, ROTARY_SIN, &x, err));
    if (keeli_rotary_has_ids(call)) {
        if (call->operand[ROTARY_IDS].rank != 2) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: position_ids has rank %d, must be 2: (batch, sequence)",
                             call->op->name, (int)call->operand[ROTARY_IDS].rank);
        }
        KEEL_TRY(check_size(call, ROTARY_IDS, 0, x.batch, "the batch of x", err));
        KEEL_TRY(check_size(call, ROTARY_IDS, 1, x.sequence, "the sequence of x", err));
    }
    outputs[0] = call->operand[ROTARY_X];
    return KEEL_OK;
}

/* ---- loops and cost -------------------------------------------------------------------------- */

static void heads_strides(const keeli_heads *h, int interleaved, int64_t *stride)
{
    stride[ROTARY_BATCH] = h->batch_step;
    stride[ROTARY_SEQUENCE] = h->sequence_step;
    stride[ROTARY_HEAD] = h->head_step;
    stride[ROTARY_PAIR] = (interleaved ? 2 : 1) * h->size_step;
    stride[ROTARY_ELEMENT] = h->size_step;
}

static void space(const keel_call *call, keel_space *out)
{
    const int64_t heads = keeli_attribute_int(call, ROTARY_NUM_HEADS);
    const int interleaved = keeli_attribute_int(call, ROTARY_INTERLEAVED) != 0;
    const keeli_heads x = keeli_heads_of(&call->operand[ROTARY_X], heads);
    const keeli_heads y = keeli_heads_of(&call->operand[ROTARY_OUT], heads);
    const int64_t rotated = rotated_size(call, &x);
    const int64_t extent[ROTARY_AXES] = {
        x.batch,          x.sequence,
        x.heads,          rotated / 2,
        x.size - rotated, keeli_rotary_has_ids(call) ? call->operand[ROTARY_COS].shape[0] : 1};
    out->rank = ROTARY_AXES;
    out->operands = ROTARY_OPERANDS;
    for (int32_t axis = 0; axis < ROTARY_AXES; axis++) {
        out->extent[axis] = extent[axis];
        out->role[axis] = axis + 1;
    }
    heads_strides(&x, interleaved, out->stride[ROTARY_X]);
    heads_strides(&y, interleaved, out->stride[ROTARY_OUT]);
    for (int slot = ROTARY_COS; slot <= ROTARY_SIN; slot++) {
        const keel_desc *d = &call->operand[slot];
        out->stride[slot][ROTARY_PAIR] = d->stride[d->rank - 1];
        if (keeli_rotary_has_ids(call)) {
            out->stride[slot][ROTARY_POSITION] = d->stride[0];
        } else {
            out->stride[slot][ROTARY_BATCH] = d->stride[0];
            out->stride[slot][ROTARY_SEQUENCE] = d->stride[1];
        }
    }
    if (keeli_rotary_has_ids(call)) {
        out->stride[ROTARY_IDS][ROTARY_BATCH] = call->operand[ROTARY_IDS].stride[0];
        out->stride[ROTARY_IDS][ROTARY_SEQUENCE] = call->operand[ROTARY_IDS].stride[1];
    }
}

/* Two products and a sum for each rotated element. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    const keeli_heads x =
        keeli_heads_of(&call->operand[ROTARY_X], keeli_attribute_int(call, ROTARY_NUM_HEADS));
    *flops = 3.0 * (double)(x.batch * x.sequence * x.heads) * (double)rotated_size(call, &x);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* a b + sign c d in the accumulator: both products rounded, then the sum. */
static double rounded_sum(keel_dtype inner, const double *factor, double sign)
{
    if (inner == KEEL_F64) {
        const double left = keeli_two_product(factor[0], factor[1]).hi;
        const double right = sign * keeli_two_product(factor[2], factor[3]).hi;
        return keeli_two_sum(left, right).hi;
    }
    /* Products of two floats are exact in a double, and so is rounding their sum twice. */
    const float left = (float)(factor[0] * factor[1]);
    const float right = (float)(factor[2] * factor[3]);
    return (double)(float)((double)left + sign * (double)right);
}

/* Element e of a head, 0 <= e < rotated. at: where its head begins, in elements of x. */
static double rotated_element(const keel_call *call, const void *const *host, int64_t at,
                              const keeli_heads *x, int64_t e, const int64_t *cache)
{
    const int64_t half = rotated_size(call, x) / 2;
    const int interleaved = keeli_attribute_int(call, ROTARY_INTERLEAVED) != 0;
    const int64_t pair = interleaved ? e / 2 : e % half;
    const int second = interleaved ? e % 2 == 1 : e >= half;
    const int64_t first_at = interleaved ? 2 * pair : pair;
    const int64_t second_at = interleaved ? first_at + 1 : first_at + half;
    double angle[2] = {0.0, 0.0}; /* cosine, sine; zeros for a position that does not exist */
    for (int k = 0; k < 2; k++) {
        const keel_desc *d = &call->operand[ROTARY_COS + k];
        if (cache[k] >= 0) {
            angle[k] = keel_dtype_load(d->dtype, host[ROTARY_COS + k],
                                       cache[k] + pair * d->stride[d->rank - 1]);
        }
    }
    const keel_dtype dtype = call->operand[ROTARY_X].dtype;
    const double x1 = keel_dtype_load(dtype, host[ROTARY_X], at + first_at * x->size_step);
    const double x2 = keel_dtype_load(dtype, host[ROTARY_X], at + second_at * x->size_step);
    const double real[4] = {angle[0], x1, angle[1], x2};
    const double imaginary[4] = {angle[1], x1, angle[0], x2};
    return second ? rounded_sum(keeli_accumulator(dtype), imaginary, 1.0)
                  : rounded_sum(keeli_accumulator(dtype), real, -1.0);
}

/* Where the angles of a token begin in both caches, or -1. */
static void find_angles(const keel_call *call, const void *const *host, int64_t batch,
                        int64_t sequence, int64_t *cache)
{
    const keel_desc *ids = &call->operand[ROTARY_IDS];
    int64_t position = 0;
    if (keeli_rotary_has_ids(call)) {
        position = keel_dtype_load_bits(ids->dtype, host[ROTARY_IDS],
                                        batch * ids->stride[0] + sequence * ids->stride[1]);
    }
    for (int k = 0; k < 2; k++) {
        const keel_desc *d = &call->operand[ROTARY_COS + k];
        cache[k] = !keeli_rotary_has_ids(call) ? batch * d->stride[0] + sequence * d->stride[1]
                   : position >= 0 && position < d->shape[0] ? position * d->stride[0]
                                                             : -1;
    }
}

static void truth_at(const keel_call *call, const void *const *host, const keeli_heads *x,
                     int64_t index, keel_truth *out)
{
    const keel_desc *d = &call->operand[ROTARY_X];
    int64_t at[KEEL_MAX_RANK];
    int64_t cache[2];
    keeli_coordinates(d, index, at);
    const int64_t last = at[d->rank - 1];
    const int64_t head = d->rank == 4 ? at[1] : last / x->size;
    const int64_t sequence = d->rank == 4 ? at[2] : at[1];
    const int64_t e = d->rank == 4 ? last : last % x->size;
    const int64_t begin = at[0] * x->batch_step + head * x->head_step + sequence * x->sequence_step;
    if (e >= rotated_size(call, x)) {
        keeli_truth_bits(out, d->dtype,
                         keel_dtype_load_bits(d->dtype, host[ROTARY_X], begin + e * x->size_step));
        return;
    }
    find_angles(call, host, at[0], sequence, cache);
    const double value = rotated_element(call, host, begin, x, e, cache);
    unsigned char stored[8] = {0};
    keel_dtype_store(d->dtype, stored, 0, value, 0.0);
    keeli_truth_bits(out, d->dtype, keel_dtype_load_bits(d->dtype, stored, 0));
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keeli_heads x =
        keeli_heads_of(&call->operand[ROTARY_X], keeli_attribute_int(call, ROTARY_NUM_HEADS));
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host, &x, index == NULL ? first + i : index[i], &truth[i]);
    }
    return KEEL_OK;
}

/* ---- the contract ------------------------------------------------------------------------------
 */

static const keel_variant *const variants[] = {&keeli_rotary_embedding_any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT, KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[ROTARY_OPERANDS] = {0, 0, 0, 1, 0};
static const char *const operand_names[ROTARY_OPERANDS] = {"x", "cos_cache", "sin_cache",
                                                           "position_ids", "out"};

const keel_op keeli_op_rotary_embedding = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.rotary_embedding",
    .family = "attention",
    .summary = "pairs of a head's elements rotated by the angle of their position",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 4,
    .inputs_required = 3,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
