/* Attributes, axes, broadcasting, classes of iteration spaces. */
#include "support/contract.h"

#include <inttypes.h>
#include <string.h>

/* Where 32-bit indices end: a grid-stride step beyond the last element must not overflow. */
#define REACH_32 (INT64_C(1) << 30)

const uint8_t keeli_types_same[4] = {0, 0, 0, 0};
const char *const keeli_names_in_out[2] = {"in", "out"};

int64_t keeli_attribute_int(const keel_call *call, uint32_t attribute)
{
    return call->attribute[attribute].value.i;
}

double keeli_attribute_float(const keel_call *call, uint32_t attribute)
{
    return call->attribute[attribute].value.f;
}

int keeli_attribute_is(const keel_call *call, uint32_t attribute, const char *text)
{
    const keel_attribute *given = &call->attribute[attribute];
    const size_t length = strlen(text);
    return given->count >= 0 && (size_t)given->count == length &&
           (length == 0 || memcmp(given->value.bytes, text, length) == 0);
}

keel_status keeli_axis(const keel_call *call, const char *name, int64_t value, int32_t rank,
                       int32_t *out_axis, keel_error *err)
{
    *out_axis = 0;
    if (rank == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", but a tensor of rank 0 has no axis",
                         call->op->name, name, value);
    }
    if (value < -(int64_t)rank || value >= rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", allowed is %d to %d", call->op->name, name, value,
                         (int)-rank, (int)rank - 1);
    }
    *out_axis = (int32_t)(value < 0 ? value + rank : value);
    return KEEL_OK;
}

/* Widens the sizes that out has so far by those of one operand. */
static keel_status broadcast_one(const keel_call *call, uint32_t k, keel_desc *out, keel_error *err)
{
    const keel_desc *operand = &call->operand[k];
    const int32_t skip = out->rank - operand->rank;
    for (int32_t axis = 0; axis < operand->rank; axis++) {
        int64_t *have = &out->shape[axis + skip];
        const int64_t size = operand->shape[axis];
        if (size != *have && size != 1 && *have != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis %d of %s has %" PRId64
                             " elements and cannot be broadcast to %" PRId64,
                             call->op->name, (int)axis, call->op->operand_names[k], size, *have);
        }
        *have = *have == 1 ? size : *have;
    }
    return KEEL_OK;
}

keel_status keeli_broadcast(const keel_call *call, uint32_t first, uint32_t count, keel_desc *out,
                            keel_error *err)
{
    out->rank = 0;
    for (uint32_t k = first; k < first + count; k++) {
        const int present = call->operand[k].dtype != KEEL_DTYPE_NONE;
        if (present && call->operand[k].rank > out->rank) {
            out->rank = call->operand[k].rank;
        }
    }
    for (int32_t axis = 0; axis < out->rank; axis++) {
        out->shape[axis] = 1;
    }
    for (uint32_t k = first; k < first + count; k++) {
        if (call->operand[k].dtype != KEEL_DTYPE_NONE) {
            KEEL_TRY(broadcast_one(call, k, out, err));
        }
    }
    keeli_desc_make_dense(out);
    return KEEL_OK;
}

static int64_t multiply_saturating(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

static int64_t product(const int64_t *sizes, int32_t rank)
{
    int64_t result = 1;
    for (int32_t axis = 0; axis < rank; axis++) {
        if (sizes[axis] == 0) {
            return 0;
        }
        result = multiply_saturating(result, sizes[axis]);
    }
    return result;
}

void keeli_desc_make_dense(keel_desc *desc)
{
    int64_t step = 1;
    for (int32_t axis = desc->rank - 1; axis >= 0; axis--) {
        desc->stride[axis] = desc->shape[axis] == 1 ? 0 : step;
        step = multiply_saturating(step, desc->shape[axis]);
    }
}

int64_t keeli_desc_elements(const keel_desc *desc)
{
    return product(desc->shape, desc->rank);
}

int64_t keeli_space_volume(const keel_space *space)
{
    return product(space->extent, space->rank);
}

int keeli_space_layout(const keel_space *space)
{
    const int32_t last = space->rank - 1;
    if (last < 0) {
        return KEELI_LAYOUT_FLAT;
    }
    int units = 0;
    int zeros = 0;
    for (int32_t k = 0; k < space->operands; k++) {
        units += space->stride[k][last] == 1;
        zeros += space->stride[k][last] == 0;
    }
    if (space->rank == 1 && units == space->operands) {
        return KEELI_LAYOUT_FLAT;
    }
    const int writes_units = space->stride[space->operands - 1][last] == 1;
    return writes_units && units + zeros == space->operands ? KEELI_LAYOUT_ROWS
                                                            : KEELI_LAYOUT_STRIDED;
}

int keeli_space_fits_32(const keel_space *space)
{
    if (keeli_space_volume(space) >= REACH_32) {
        return 0;
    }
    for (int32_t k = 0; k < space->operands; k++) {
        int64_t span = 0;
        for (int32_t axis = 0; axis < space->rank; axis++) {
            const int64_t steps = space->extent[axis] > 0 ? space->extent[axis] - 1 : 0;
            const int64_t reach = multiply_saturating(steps, space->stride[k][axis]);
            if (reach >= REACH_32 || space->stride[k][axis] >= REACH_32) {
                return 0;
            }
            span += reach;
        }
        if (span >= REACH_32) {
            return 0;
        }
    }
    return 1;
}

static void swap(int64_t *a, int64_t *b)
{
    const int64_t kept = *a;
    *a = *b;
    *b = kept;
}

void keeli_space_swap_axes(keel_space *space, int32_t a, int32_t b)
{
    swap(&space->extent[a], &space->extent[b]);
    for (int32_t k = 0; k < space->operands; k++) {
        swap(&space->stride[k][a], &space->stride[k][b]);
    }
}

int keeli_space_continues(const keel_space *space, int32_t outer, int32_t a)
{
    for (int32_t k = 0; k < space->operands; k++) {
        int64_t reach;
        if (__builtin_mul_overflow(space->stride[k][a], space->extent[a], &reach) ||
            space->stride[k][outer] != reach) {
            return 0;
        }
    }
    return 1;
}

keel_status keeli_supports_types(const keel_call *call, const keel_limits *limits, char reason[128])
{
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        if (call->operand[k].dtype == KEEL_F64 && (limits->flags & KEEL_LIMIT_FP64) == 0) {
            (void)snprintf(reason, 128, "%s is f64, which the device cannot compute with",
                           call->op->operand_names[k]);
            return KEEL_ERR_UNSUPPORTED;
        }
    }
    return KEEL_OK;
}

double keeli_compulsory_bytes(const keel_call *call)
{
    double bytes = 0;
    for (uint32_t k = 0; k < call->inputs + call->outputs; k++) {
        const keel_desc *operand = &call->operand[k];
        double elements = 1;
        for (int32_t axis = 0; axis < operand->rank; axis++) {
            const int repeated = operand->stride[axis] == 0 && operand->shape[axis] > 1;
            elements *= repeated ? 1.0 : (double)operand->shape[axis];
        }
        bytes += elements * (double)keel_dtype_size(operand->dtype);
    }
    return bytes;
}
