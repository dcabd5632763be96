/* Granularity of scales, checks, loops, places and plans of quantize_linear and dequantize_linear.
 */
#include "quantisation/quantize.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status read_packed(const keel_call *call, keeli_quantization *q, keel_error *err)
{
    const keel_attribute *given = &call->attribute[QUANTIZE_PACKED];
    if (given->count == 0) {
        return KEEL_OK;
    }
    q->is_signed = keeli_attribute_is(call, QUANTIZE_PACKED, "i4");
    if (!q->is_signed && !keeli_attribute_is(call, QUANTIZE_PACKED, "u4")) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: packed is \"%.*s\", allowed are \"i4\", \"u4\" and nothing",
                         call->op->name, given->count < 32 ? (int)given->count : 32,
                         given->value.bytes);
    }
    q->packed = 4;
    const int slot = q->reals == QUANTIZE_X ? QUANTIZE_OUT : QUANTIZE_X;
    if (call->operand[slot].dtype != KEEL_U8) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %s, packed values need u8: two of them a byte", call->op->name,
                         call->op->operand_names[slot], keel_dtype_name(call->operand[slot].dtype));
    }
    return KEEL_OK;
}

int64_t keeli_quantization_bytes(int64_t elements)
{
    return elements / 2 + elements % 2;
}

/* A vector of bytes that holds so many values. */
static keel_status check_packed(const keel_call *call, int slot, int64_t values, keel_error *err)
{
    const keel_desc *d = &call->operand[slot];
    const int64_t bytes = keeli_quantization_bytes(values);
    if (d->rank != 1 || d->shape[0] != bytes) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d and %" PRId64 " elements; %" PRId64
                         " packed values need rank 1 and %" PRId64 " bytes",
                         call->op->name, call->op->operand_names[slot], (int)d->rank,
                         keeli_desc_elements(d), values, bytes);
    }
    return KEEL_OK;
}

static keel_status check_scale_size(const keel_call *call, int32_t axis, int64_t have, int64_t want,
                                    keel_error *err)
{
    if (have != want) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has %" PRId64 " elements for axis %d of the values, must have "
                         "%" PRId64,
                         call->op->name, call->op->operand_names[QUANTIZE_SCALE], have, (int)axis,
                         want);
    }
    return KEEL_OK;
}

/* One scale for each block of neighbours along axis. */
static keel_status read_blocks(const keel_call *call, int64_t block, keeli_quantization *q,
                               keel_error *err)
{
    const keel_desc *x = &q->logical;
    const keel_desc *s = &q->scales;
    if (s->rank != x->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d; block_size is %" PRId64
                         ", so it must have that of the values, %d",
                         call->op->name, call->op->operand_names[QUANTIZE_SCALE], (int)s->rank,
                         block, (int)x->rank);
    }
    KEEL_TRY(
        keeli_axis(call, "axis", keeli_attribute_int(call, QUANTIZE_AXIS), x->rank, &q->axis, err));
    q->block = block;
    for (int32_t a = 0; a < x->rank; a++) {
        const int64_t size = x->shape[a];
        const int64_t want = a == q->axis ? size / block + (size % block != 0) : size;
        KEEL_TRY(check_scale_size(call, a, s->shape[a], want, err));
    }
    return KEEL_OK;
}

static keel_status read_granularity(const keel_call *call, keeli_quantization *q, keel_error *err)
{
    const int64_t block = keeli_attribute_int(call, QUANTIZE_BLOCK_SIZE);
    q->axis = -1;
    q->block = 1;
    if (block < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: block_size is %" PRId64 ", must be at least 0", call->op->name,
                         block);
    }
    if (block > 0) {
        return read_blocks(call, block, q, err);
    }
    if (q->scales.rank > 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, without block_size at most 1 is allowed",
                         call->op->name, call->op->operand_names[QUANTIZE_SCALE],
                         (int)q->scales.rank);
    }
    if (q->scales.rank == 0 || q->scales.shape[0] == 1) {
        return KEEL_OK; /* one scale: axis does not matter */
    }
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, QUANTIZE_AXIS), q->logical.rank,
                        &q->axis, err));
    return check_scale_size(call, q->axis, q->scales.shape[0], q->logical.shape[q->axis], err);
}

static keel_status check_zero(const keel_call *call, const keeli_quantization *q, keel_error *err)
{
    const keel_desc *z = &call->operand[QUANTIZE_ZERO];
    if (z->dtype == KEEL_DTYPE_NONE) {
        return KEEL_OK;
    }
    if (q->packed) {
        return check_packed(call, QUANTIZE_ZERO, keeli_desc_elements(&q->scales), err);
    }
    int same = z->rank == q->scales.rank;
    for (int32_t a = 0; same && a < z->rank; a++) {
        same = z->shape[a] == q->scales.shape[a];
    }
    if (!same) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d and %" PRId64 " elements, %s rank %d and %" PRId64
                         "; they must have the same shape",
                         call->op->name, call->op->operand_names[QUANTIZE_ZERO], (int)z->rank,
                         keeli_desc_elements(z), call->op->operand_names[QUANTIZE_SCALE],
                         (int)q->scales.rank, keeli_desc_elements(&q->scales));
    }
    return KEEL_OK;
}

keel_status keeli_quantization_read(const keel_call *call, int32_t reals, keeli_quantization *out,
                                    keel_error *err)
{
    memset(out, 0, sizeof *out);
    out->reals = reals;
    out->scales = call->operand[QUANTIZE_SCALE];
    KEEL_TRY(read_packed(call, out, err));
    /* Unpacked values have the shape of the real numbers, whichever comes in. */
    out->logical = call->operand[out->packed ? reals : QUANTIZE_X];
    KEEL_TRY(read_granularity(call, out, err));
    if (out->packed && reals == QUANTIZE_OUT) {
        KEEL_TRY(check_packed(call, QUANTIZE_X, keeli_desc_elements(&out->logical), err));
    }
    return check_zero(call, out, err);
}

/* ---- loops and places ------------------------------------------------------------------------ */

/* Strides of a dense row-major tensor of that shape: those of packed values. */
static void dense_strides(const keel_desc *shape, int64_t *stride)
{
    keel_desc dense = *shape;
    keeli_desc_make_dense(&dense);
    memcpy(stride, dense.stride, sizeof dense.stride);
}

/* Strides, along the logical axes, of scale or zero point, whose own are given. */
static void scale_strides(const keeli_quantization *q, const int64_t *own, int64_t *stride)
{
    if (q->axis >= 0 && q->scales.rank == 1 && q->block == 1) {
        stride[q->axis] = own[0];
    } else if (q->axis >= 0) {
        memcpy(stride, own, (size_t)q->logical.rank * sizeof *own);
    }
}

static void operand_strides(const keel_call *call, const keeli_quantization *q, int slot,
                            int64_t *stride)
{
    const keel_desc *d = &call->operand[slot];
    int64_t own[KEEL_MAX_RANK];
    const int is_packed = q->packed && slot != q->reals && slot != QUANTIZE_SCALE;
    memcpy(own, d->stride, sizeof own);
    if (slot == QUANTIZE_SCALE || slot == QUANTIZE_ZERO) {
        if (is_packed) {
            dense_strides(&q->scales, own);
        }
        if (d->dtype != KEEL_DTYPE_NONE) {
            scale_strides(q, own, stride);
        }
        return;
    }
    if (is_packed) {
        dense_strides(&q->logical, own);
    }
    memcpy(stride, own, (size_t)q->logical.rank * sizeof *own);
}

void keeli_quantization_space(const keel_call *call, int32_t reals, keel_space *space)
{
    keeli_quantization q;
    memset(space, 0, sizeof *space);
    if (keeli_quantization_read(call, reals, &q, NULL) != KEEL_OK) {
        return; /* infer has refused it */
    }
    space->rank = q.logical.rank;
    space->operands = QUANTIZE_OPERANDS;
    memcpy(space->extent, q.logical.shape, sizeof q.logical.shape);
    if (q.block > 1) {
        space->role[q.axis] = QUANTIZE_ROLE_BLOCKS;
    }
    for (int slot = 0; slot < QUANTIZE_OPERANDS; slot++) {
        operand_strides(call, &q, slot, space->stride[slot]);
    }
}

keeli_quantized_place keeli_quantization_place(const keel_call *call, const keeli_quantization *q,
                                               int64_t position)
{
    keeli_quantized_place place = {{0}};
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(&q->logical, position, at);
    for (int slot = 0; slot < QUANTIZE_OPERANDS; slot++) {
        int64_t stride[KEEL_MAX_RANK] = {0};
        const int blocked = slot == QUANTIZE_SCALE || slot == QUANTIZE_ZERO;
        operand_strides(call, q, slot, stride);
        for (int32_t a = 0; a < q->logical.rank; a++) {
            const int64_t c = blocked && a == q->axis ? at[a] / q->block : at[a];
            place.at[slot] += c * stride[a];
        }
    }
    return place;
}

int64_t keeli_quantization_nibble(const keel_call *call, const keeli_quantization *q, int slot,
                                  const void *host, int64_t at)
{
    const int64_t byte = at / 2 * call->operand[slot].stride[0];
    const int64_t bits = keel_dtype_load_bits(KEEL_U8, host, byte) >> (at % 2 * 4) & 15;
    return q->is_signed && bits > 7 ? bits - 16 : bits;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Row 2 * packed + (needs 64 bits). */
const keel_instance keeli_quantize_instances[QUANTIZE_INSTANCES] = {
    {.entry = "plain_32", .defines = "PACKED=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "plain_64", .defines = "PACKED=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};
const keel_instance keeli_quantize_packed_instances[QUANTIZE_INSTANCES] = {
    {.entry = "packed_32", .defines = "PACKED=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "packed_64", .defines = "PACKED=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};

keel_status keeli_quantize_supports_plain(const keel_call *call, const keel_limits *limits,
                                          char reason[128])
{
    (void)limits;
    if (call->attribute[QUANTIZE_PACKED].count > 0) {
        (void)snprintf(reason, 128, "not for packed values");
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

keel_status keeli_quantize_supports_packed(const keel_call *call, const keel_limits *limits,
                                           char reason[128])
{
    (void)limits;
    if (call->operand[QUANTIZE_X].dtype != KEEL_U8 &&
        call->operand[QUANTIZE_OUT].dtype != KEEL_U8) {
        (void)snprintf(reason, 128, "only for packed values, which u8 holds");
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

/* Mirrors of QUANT_FORM and QUANT_STEPS. */
typedef struct form {
    int32_t axis, flags;
    int64_t block;
} form;
typedef struct steps {
    int64_t data, zero; /* from a byte of packed values to the next */
} steps;

#define FLAG_ZERO 1
#define FLAG_SATURATE 2
#define FLAG_SIGNED 4

static int32_t block_axis(const keel_space *space)
{
    for (int32_t a = 0; a < space->rank; a++) {
        if (space->role[a] == QUANTIZE_ROLE_BLOCKS) {
            return a;
        }
    }
    return -1;
}

keel_status keeli_quantize_plan(const keel_call *call, const keel_limits *limits, int32_t reals,
                                keel_builder *builder, keel_error *err)
{
    keeli_quantization q;
    KEEL_TRY(keeli_quantization_read(call, reals, &q, err));
    const int wide = !keeli_space_fits_32(call->space);
    int32_t kernel;
    const keel_instance *rows =
        q.packed ? keeli_quantize_packed_instances : keeli_quantize_instances;
    KEEL_TRY(keel_plan_kernel(builder, rows[wide].entry, &kernel));
    const int has_zero = call->operand[QUANTIZE_ZERO].dtype != KEEL_DTYPE_NONE;
    const int saturates =
        call->attributes > QUANTIZE_SATURATE && keeli_attribute_int(call, QUANTIZE_SATURATE) != 0;
    const form f = {.axis = block_axis(call->space),
                    .flags = (has_zero ? FLAG_ZERO : 0) | (saturates ? FLAG_SATURATE : 0) |
                             (q.is_signed ? FLAG_SIGNED : 0),
                    .block = q.block};
    const int quantized = reals == QUANTIZE_X ? QUANTIZE_OUT : QUANTIZE_X;
    const steps s = {call->operand[quantized].stride[0], call->operand[QUANTIZE_ZERO].stride[0]};
    const int8_t map[KEEL_META_VIEWS] = {QUANTIZE_X, QUANTIZE_SCALE,
                                         has_zero ? QUANTIZE_ZERO : QUANTIZE_SCALE, QUANTIZE_OUT};
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const keel_plan_arg args[] = {keeli_arg_operand(map[0]),
                                  keeli_arg_operand(map[1]),
                                  keeli_arg_operand(map[2]),
                                  keeli_arg_operand(map[3]),
                                  keeli_arg_meta(&meta, QUANTIZE_OPERANDS, map),
                                  keeli_arg_value(&f, sizeof f),
                                  keeli_arg_value(&s, sizeof s)};
    const int64_t elements = keeli_space_volume(call->space);
    const int writes_bytes = q.packed && reals == QUANTIZE_X;
    const keeli_grid grid =
        keeli_grid_map(limits, writes_bytes ? keeli_quantization_bytes(elements) : elements);
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

void keeli_quantize_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 2.0 * (double)keeli_desc_elements(&call->operand[QUANTIZE_OUT]);
    *bytes = keeli_compulsory_bytes(call);
}
