/* Shapes, loops, plans and oracles of matrix products of 8-bit integers. */
#include "quantisation/product_matmul.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static const char *name_of(const keel_call *call, int slot)
{
    return call->op->operand_names[slot];
}

static keel_status check_rank(const keel_call *call, int slot, keel_error *err)
{
    if (call->operand[slot].rank < 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, at least 2 is needed: vectors are not promoted, "
                         "pass shape [1, K] or [K, 1]",
                         call->op->name, name_of(call, slot), (int)call->operand[slot].rank);
    }
    return KEEL_OK;
}

/* Size of an operand on an axis of the output, right-aligned: 1 where it has none. */
static int64_t aligned_size(const keel_desc *d, int32_t rank, int32_t axis)
{
    const int32_t own = axis - (rank - d->rank);
    return own < 0 ? 1 : d->shape[own];
}

static keel_status infer_batch(const keel_call *call, const keel_desc *a, const keel_desc *b,
                               keel_desc *out, keel_error *err)
{
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        const int64_t p = aligned_size(a, out->rank, axis);
        const int64_t q = aligned_size(b, out->rank, axis);
        if (p != q && p != 1 && q != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: batch axis %d of the output: a has size %" PRId64
                             " and b %" PRId64 ", which must be equal or 1",
                             call->op->name, (int)axis, p, q);
        }
        out->shape[axis] = p == 1 ? q : p;
    }
    return KEEL_OK;
}

/*
 * A scale or zero point: one for all; a vector, one for each row (or column); or of the rank of a
 * matrix, [..., M, 1] (or [..., 1, N]).
 */
static keel_status check_parameter(const keel_call *call, int8_t slot, int of_rows,
                                   const keel_desc *out, keel_error *err)
{
    if (!keeli_product_has(call, slot)) {
        return KEEL_OK;
    }
    const keel_desc *d = &call->operand[slot];
    const int32_t across = out->rank - (of_rows ? 1 : 2);
    const int32_t along = out->rank - (of_rows ? 2 : 1);
    if (d->rank > out->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, the output's is %d and is the limit", call->op->name,
                         name_of(call, slot), (int)d->rank, (int)out->rank);
    }
    for (int32_t own = 0; own < d->rank; own++) {
        const int32_t axis = d->rank == 1 ? along : own + out->rank - d->rank;
        const int64_t size = axis == across ? 1 : out->shape[axis];
        if (d->shape[own] != 1 && d->shape[own] != size) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis %d of %s has %" PRId64 " elements, must have 1 or %" PRId64,
                             call->op->name, (int)own, name_of(call, slot), d->shape[own], size);
        }
    }
    return KEEL_OK;
}

keel_status keeli_product_matmul_infer(const keel_call *call, const keeli_product_slots *slots,
                                       keel_desc *outputs, keel_error *err)
{
    const keel_desc *a = &call->operand[slots->a];
    const keel_desc *b = &call->operand[slots->b];
    keel_desc *out = &outputs[0];
    KEEL_TRY(check_rank(call, slots->a, err));
    KEEL_TRY(check_rank(call, slots->b, err));
    if (a->shape[a->rank - 1] != b->shape[b->rank - 2]) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: inner sizes differ: axis %d of a has %" PRId64
                         ", axis %d of b has %" PRId64,
                         call->op->name, (int)a->rank - 1, a->shape[a->rank - 1], (int)b->rank - 2,
                         b->shape[b->rank - 2]);
    }
    out->rank = a->rank > b->rank ? a->rank : b->rank;
    out->shape[out->rank - 2] = a->shape[a->rank - 2];
    out->shape[out->rank - 1] = b->shape[b->rank - 1];
    KEEL_TRY(infer_batch(call, a, b, out, err));
    const int8_t rows[] = {slots->a_scale, slots->a_zero, slots->y_scale, slots->y_zero};
    const int8_t columns[] = {slots->b_scale, slots->b_zero};
    for (size_t k = 0; k < KEEL_COUNT(rows); k++) {
        KEEL_TRY(check_parameter(call, rows[k], 1, out, err));
    }
    for (size_t k = 0; k < KEEL_COUNT(columns); k++) {
        KEEL_TRY(check_parameter(call, columns[k], 0, out, err));
    }
    keeli_desc_make_dense(out);
    return KEEL_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Stride of an operand along an axis of the output, 0 where it is repeated. */
static int64_t aligned_stride(const keel_desc *d, const keel_desc *out, int32_t axis)
{
    const int32_t own = axis - (out->rank - d->rank);
    return own < 0 || (d->shape[own] == 1 && out->shape[axis] != 1) ? 0 : d->stride[own];
}

static void batch_strides(const keel_desc *d, const keel_desc *out, int64_t *stride)
{
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        stride[PRODUCT_BATCH + axis] = aligned_stride(d, out, axis);
    }
}

static void parameter_strides(const keel_call *call, int8_t slot, int of_rows, const keel_desc *out,
                              int64_t *stride)
{
    if (!keeli_product_has(call, slot)) {
        return;
    }
    const keel_desc *d = &call->operand[slot];
    int64_t *along = &stride[of_rows ? PRODUCT_M : PRODUCT_N];
    if (d->rank == 1) {
        *along = d->shape[0] == 1 ? 0 : d->stride[0];
    } else if (d->rank > 1) {
        *along = aligned_stride(d, out, out->rank - (of_rows ? 2 : 1));
        batch_strides(d, out, stride);
    }
}

void keeli_product_matmul_space(const keel_call *call, const keeli_product_slots *slots,
                                keel_space *space)
{
    const keel_desc *a = &call->operand[slots->a];
    const keel_desc *b = &call->operand[slots->b];
    const keel_desc *out = &call->operand[slots->out];
    memset(space, 0, sizeof *space);
    space->rank = PRODUCT_BATCH + out->rank - 2;
    space->operands = (int32_t)(call->inputs + call->outputs);
    for (int32_t axis = 0; axis < PRODUCT_BATCH; axis++) {
        space->role[axis] = axis + 1; /* neither dropped nor merged */
    }
    space->extent[PRODUCT_M] = out->shape[out->rank - 2];
    space->extent[PRODUCT_N] = out->shape[out->rank - 1];
    space->extent[PRODUCT_K] = a->shape[a->rank - 1];
    for (int32_t axis = 0; axis < out->rank - 2; axis++) {
        space->extent[PRODUCT_BATCH + axis] = out->shape[axis];
    }
    space->stride[slots->a][PRODUCT_M] = a->stride[a->rank - 2];
    space->stride[slots->a][PRODUCT_K] = a->stride[a->rank - 1];
    batch_strides(a, out, space->stride[slots->a]);
    space->stride[slots->b][PRODUCT_K] = b->stride[b->rank - 2];
    space->stride[slots->b][PRODUCT_N] = b->stride[b->rank - 1];
    batch_strides(b, out, space->stride[slots->b]);
    space->stride[slots->out][PRODUCT_M] = out->stride[out->rank - 2];
    space->stride[slots->out][PRODUCT_N] = out->stride[out->rank - 1];
    batch_strides(out, out, space->stride[slots->out]);
    const int8_t rows[] = {slots->a_scale, slots->a_zero, slots->y_scale, slots->y_zero};
    const int8_t columns[] = {slots->b_scale, slots->b_zero};
    for (size_t k = 0; k < KEEL_COUNT(rows); k++) {
        if (rows[k] != PRODUCT_ABSENT) {
            parameter_strides(call, rows[k], 1, out, space->stride[rows[k]]);
        }
    }
    for (size_t k = 0; k < KEEL_COUNT(columns); k++) {
        if (columns[k] != PRODUCT_ABSENT) {
            parameter_strides(call, columns[k], 0, out, space->stride[columns[k]]);
        }
    }
}

void keeli_product_matmul_work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *a = &call->operand[0];
    *flops = 2.0 * (double)keeli_desc_elements(&call->operand[call->inputs]) *
             (double)a->shape[a->rank - 1];
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- plan ------------------------------------------------------------------------------------ */

static keel_meta_view view_of(const keel_space *space, int8_t slot)
{
    keel_meta_view view = {0};
    if (slot != PRODUCT_ABSENT) {
        memcpy(view.stride, space->stride[slot], sizeof view.stride);
    }
    return view;
}

keel_status keeli_product_matmul_plan(const keel_call *call, const keel_limits *limits,
                                      const keeli_product_slots *slots, keel_builder *builder)
{
    const keel_space *space = call->space;
    keeli_product p = {.call = call, .limits = limits, .builder = builder, .slots = slots};
    p.loops.rank = space->rank;
    memcpy(p.loops.extent, space->extent, sizeof space->extent);
    p.loops.view[PRODUCT_VIEW_B] = view_of(space, slots->b);
    p.loops.view[PRODUCT_VIEW_B_ZERO] = view_of(space, slots->b_zero);
    p.loops.view[PRODUCT_VIEW_B_SCALE] = view_of(space, slots->b_scale);
    p.loops.view[PRODUCT_VIEW_OUT] = view_of(space, slots->out);
    p.a = view_of(space, slots->a);
    p.a_zero = view_of(space, slots->a_zero);
    p.a_scale = view_of(space, slots->a_scale);
    p.y_scale = view_of(space, slots->y_scale);
    p.y_zero = view_of(space, slots->y_zero);
    p.wide = !keeli_space_fits_32(space);
    return keeli_product_plan(&p);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* Place of an operand for row i, column j and batch coordinates, in elements; at k = 0. */
static int64_t place(const keel_space *space, int8_t slot, const int64_t *at, int32_t rank)
{
    int64_t offset = at[rank - 2] * space->stride[slot][PRODUCT_M] +
                     at[rank - 1] * space->stride[slot][PRODUCT_N];
    for (int32_t axis = 0; axis < rank - 2; axis++) {
        offset += at[axis] * space->stride[slot][PRODUCT_BATCH + axis];
    }
    return offset;
}

/* One point of the output. */
typedef struct point {
    const keel_call *call;
    const void *const *host;
    const keel_space *space;
    int64_t at[KEEL_MAX_RANK];
    int32_t rank;
} point;

static int64_t integer_at(const point *p, int8_t slot)
{
    return keeli_product_has(p->call, slot)
               ? keel_dtype_load_bits(p->call->operand[slot].dtype, p->host[slot],
                                      place(p->space, slot, p->at, p->rank))
               : 0;
}

static double real_at(const point *p, int8_t slot)
{
    return slot != PRODUCT_ABSENT ? keel_dtype_load(p->call->operand[slot].dtype, p->host[slot],
                                                    place(p->space, slot, p->at, p->rank))
                                  : 0.0;
}

static uint32_t sum_of(const point *p, const keeli_product_slots *slots)
{
    const keel_space *s = p->space;
    const int64_t a_zero = integer_at(p, slots->a_zero);
    const int64_t b_zero = integer_at(p, slots->b_zero);
    const int64_t a_at = place(s, slots->a, p->at, p->rank);
    const int64_t b_at = place(s, slots->b, p->at, p->rank);
    const keel_dtype a = p->call->operand[slots->a].dtype;
    const keel_dtype b = p->call->operand[slots->b].dtype;
    uint32_t sum = 0;
    for (int64_t k = 0; k < s->extent[PRODUCT_K]; k++) {
        const int64_t x =
            keel_dtype_load_bits(a, p->host[slots->a], a_at + k * s->stride[slots->a][PRODUCT_K]);
        const int64_t y =
            keel_dtype_load_bits(b, p->host[slots->b], b_at + k * s->stride[slots->b][PRODUCT_K]);
        sum += (uint32_t)((x - a_zero) * (y - b_zero));
    }
    return sum;
}

keel_status keeli_product_matmul_oracle(const keel_call *call, const keeli_product_slots *slots,
                                        const void *const *host, const int64_t *index,
                                        int64_t first, int64_t count, keel_truth *truth)
{
    keel_space space;
    const keel_desc *out = &call->operand[slots->out];
    keeli_product_matmul_space(call, slots, &space);
    point p = {.call = call, .host = host, .space = &space, .rank = out->rank};
    for (int64_t i = 0; i < count; i++) {
        keeli_coordinates(out, index != NULL ? index[i] : first + i, p.at);
        const keeli_requantised r = {.dtype = out->dtype,
                                     .a_scale = real_at(&p, slots->a_scale),
                                     .b_scale = real_at(&p, slots->b_scale),
                                     .y_scale = real_at(&p, slots->y_scale),
                                     .y_zero = integer_at(&p, slots->y_zero)};
        keeli_requantised_truth(&truth[i], sum_of(&p, slots), &r);
    }
    return KEEL_OK;
}
