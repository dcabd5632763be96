/* Contracts of reductions over axes: attributes, shapes, spaces, and walks for the oracles. */
#include "reduction/reduce.h"

#include <string.h>

#include "reduction/reduce_space.h"
#include "support/accumulate.h"

#define AXES 0
#define KEEPDIMS 1
#define NOOP 2

const keel_attribute_rule keeli_reduce_attributes[KEELI_REDUCE_ATTRIBUTES] = {
    {.name = "axes", .kind = KEEL_ATTR_INTS},
    {.name = "keepdims", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "noop_with_empty_axes", .kind = KEEL_ATTR_INT},
};

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The reduced axes of the input as bits; no axes given means all, or none by an attribute. */
static keel_status reduced_axes(const keel_call *call, uint32_t *out_axes, keel_error *err)
{
    const keel_attribute *axes = &call->attribute[AXES];
    const int32_t rank = call->operand[0].rank;
    const int64_t noop = keeli_attribute_int(call, NOOP);
    *out_axes = axes->count == 0 && noop == 0 ? (1u << rank) - 1 : 0;
    if (noop != 0 && noop != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: noop_with_empty_axes is %lld, must be 0 or 1", call->op->name,
                         (long long)noop);
    }
    for (int32_t i = 0; i < axes->count; i++) {
        int32_t axis;
        KEEL_TRY(keeli_axis(call, "an entry of axes", axes->value.ints[i], rank, &axis, err));
        if ((*out_axes >> axis & 1) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axes[%d] is axis %d, which is there already", call->op->name, i,
                             axis);
        }
        *out_axes |= 1u << axis;
    }
    return KEEL_OK;
}

static uint32_t checked_axes(const keel_call *call)
{
    uint32_t axes;
    (void)reduced_axes(call, &axes, NULL);
    return axes;
}

keel_status keeli_reduce_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    uint32_t axes;
    KEEL_TRY(reduced_axes(call, &axes, err));
    return keeli_reduce_shape(call, axes, keeli_attribute_int(call, KEEPDIMS), outputs, err);
}

keel_status keeli_reduce_shape(const keel_call *call, uint32_t axes, int64_t keepdims,
                               keel_desc *out, keel_error *err)
{
    const keel_desc *in = &call->operand[0];
    if (keepdims != 0 && keepdims != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: keepdims is %lld, must be 0 or 1",
                         call->op->name, (long long)keepdims);
    }
    out->dtype = in->dtype;
    out->rank = 0;
    for (int32_t a = 0; a < in->rank; a++) {
        const int reduced = (axes >> a & 1) != 0;
        if (!reduced || keepdims == 1) {
            out->shape[out->rank++] = reduced ? 1 : in->shape[a];
        }
    }
    return KEEL_OK;
}

/* Elements that each output is made of. */
static int64_t elements_over(const keel_call *call, uint32_t axes)
{
    keel_desc reduced = call->operand[0];
    for (int32_t a = 0; a < reduced.rank; a++) {
        reduced.shape[a] = (axes >> a & 1) != 0 ? reduced.shape[a] : 1;
    }
    return keeli_desc_elements(&reduced);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

/* Appends the axes of the input that are, or are not, reduced. */
static void append_axes(const keel_call *call, uint32_t axes, int want_reduced, keel_space *out)
{
    const keel_desc *in = &call->operand[0];
    const keel_desc *target = &call->operand[1];
    const int keepdims = in->rank == target->rank;
    int32_t kept = 0;
    for (int32_t a = 0; a < in->rank; a++) {
        const int reduced = (axes >> a & 1) != 0;
        if (reduced == want_reduced) {
            const int32_t b = out->rank++;
            out->role[b] = reduced ? KEELI_REDUCED : KEEL_AXIS_MAP;
            out->extent[b] = in->shape[a];
            out->stride[0][b] = in->stride[a];
            out->stride[1][b] = reduced ? 0 : target->stride[keepdims ? a : kept];
        }
        kept += !reduced;
    }
}

void keeli_reduce_space_over(const keel_call *call, uint32_t axes, keel_space *out)
{
    out->rank = 0;
    out->operands = 2;
    append_axes(call, axes, 0, out);
    if (elements_over(call, axes) > 0) {
        append_axes(call, axes, 1, out);
    } /* else each output still has to be given the identity: kept axes only */
}

void keeli_reduce_space(const keel_call *call, keel_space *out)
{
    keeli_reduce_space_over(call, checked_axes(call), out);
}

int64_t keeli_reduce_elements(const keel_call *call)
{
    return elements_over(call, checked_axes(call));
}

void keeli_reduce_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = (double)keeli_desc_elements(&call->operand[0]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracles --------------------------------------------------------------------------------- */

keeli_reduce_walk keeli_reduce_walk_over(const keel_call *call, uint32_t axes, int64_t position)
{
    const keel_desc *in = &call->operand[0];
    const keel_desc *out = &call->operand[1];
    const int keepdims = in->rank == out->rank;
    int64_t at[KEEL_MAX_RANK];
    int32_t kept = 0;
    keeli_reduce_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.count = elements_over(call, axes);
    keeli_coordinates(out, position, at);
    for (int32_t a = 0; a < in->rank; a++) {
        if ((axes >> a & 1) != 0) {
            walk.extent[walk.rank] = in->shape[a];
            walk.stride[walk.rank++] = in->stride[a];
        } else {
            walk.offset += at[keepdims ? a : kept++] * in->stride[a];
        }
    }
    return walk;
}

void keeli_reduce_next(keeli_reduce_walk *walk)
{
    for (int32_t a = walk->rank - 1; a >= 0; a--) {
        walk->offset += walk->stride[a];
        if (++walk->at[a] < walk->extent[a]) {
            return;
        }
        walk->offset -= walk->stride[a] * walk->extent[a];
        walk->at[a] = 0;
    }
}

keel_status keeli_reduce_oracle(const keel_call *call, const void *const *host,
                                const int64_t *index, int64_t first, int64_t count,
                                keel_truth *truth, keeli_reduce_truth of_output)
{
    const uint32_t axes = checked_axes(call);
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index != NULL ? index[i] : first + i;
        keeli_reduce_walk walk = keeli_reduce_walk_over(call, axes, position);
        of_output(call->operand[0].dtype, host[0], &walk, &truth[i]);
    }
    return KEEL_OK;
}

keeli_dd keeli_reduce_true_sum(keel_dtype dtype, const void *host, keeli_reduce_walk *walk,
                               double *out_magnitude)
{
    keeli_sum sum = {.terms = 0};
    for (int64_t k = 0; k < walk->count; k++, keeli_reduce_next(walk)) {
        keeli_sum_add(&sum, keel_dtype_load(dtype, host, walk->offset));
    }
    *out_magnitude = sum.magnitude;
    return keeli_sum_value(&sum);
}
