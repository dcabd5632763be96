/* Checks, loops and rows that keel.rms_norm and keel.layer_norm share. */
#include "normalisation/norm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keel/dtype.h"
#include "support/contract.h"

/* Role of an axis within a row. */
#define ROLE_ROW 1

const keel_attribute_rule keeli_norm_rules[NORM_RULES] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
    {.name = "epsilon", .kind = KEEL_ATTR_FLOAT, .default_float = 1e-5},
};

double keeli_norm_epsilon(const keel_call *call)
{
    return keeli_attribute_float(call, 1);
}

static keel_status norm_axis(const keel_call *call, int32_t *out_axis, keel_error *err)
{
    return keeli_axis(call, "axis", keeli_attribute_int(call, 0), call->operand[NORM_X].rank,
                      out_axis, err);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_epsilon(const keel_call *call, keel_error *err)
{
    const double epsilon = keeli_norm_epsilon(call);
    const double limit = keel_dtype_max(keeli_accumulator(call->operand[NORM_X].dtype));
    if (!(epsilon >= 0.0 && epsilon <= limit)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: epsilon is %g, allowed is 0 to %g",
                         call->op->name, epsilon, limit);
    }
    return KEEL_OK;
}

/* Scale and bias broadcast to a row: sizes equal or 1, no axis before the row's first. */
static keel_status check_parameter(const keel_call *call, uint32_t slot, int32_t axis,
                                   keel_error *err)
{
    const keel_desc *x = &call->operand[NORM_X];
    const keel_desc *d = &call->operand[slot];
    const char *name = call->op->operand_names[slot];
    if (d->dtype == KEEL_DTYPE_NONE) {
        return KEEL_OK;
    }
    if (d->rank > x->rank - axis) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, but a row (axes %d to %d of x) has %d",
                         call->op->name, name, (int)d->rank, (int)axis, (int)x->rank - 1,
                         (int)(x->rank - axis));
    }
    for (int32_t i = 0; i < d->rank; i++) {
        const int64_t size = x->shape[x->rank - d->rank + i];
        if (d->shape[i] != size && d->shape[i] != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis %d of %s has size %" PRId64 ", allowed is 1 or %" PRId64
                             ", as axis %d of x",
                             call->op->name, (int)i, name, d->shape[i], size,
                             (int)(x->rank - d->rank + i));
        }
    }
    return KEEL_OK;
}

keel_status keeli_norm_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    int32_t axis;
    KEEL_TRY(norm_axis(call, &axis, err));
    KEEL_TRY(check_epsilon(call, err));
    for (uint32_t slot = NORM_SCALE; slot < call->inputs; slot++) {
        KEEL_TRY(check_parameter(call, slot, axis, err));
    }
    outputs[0] = call->operand[NORM_X];
    for (uint32_t i = 1; i < call->outputs; i++) { /* an element a row */
        outputs[i] = outputs[0];
        outputs[i].dtype = KEEL_F32;
        for (int32_t a = axis; a < outputs[i].rank; a++) {
            outputs[i].shape[a] = 1;
        }
    }
    return KEEL_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Stride of an operand along an axis of x, 0 where it is repeated. */
static int64_t stride_along(const keel_desc *d, const keel_desc *x, int32_t axis)
{
    const int32_t own = axis - (x->rank - d->rank);
    return d->dtype == KEEL_DTYPE_NONE || own < 0 || d->shape[own] == 1 ? 0 : d->stride[own];
}

/* Whether axis continues the space's last one for every operand. */
static int continues_row(const keel_call *call, const keel_space *space, int32_t axis)
{
    const keel_desc *x = &call->operand[NORM_X];
    const int32_t last = space->rank - 1;
    for (int32_t k = 0; k < space->operands; k++) {
        int64_t reach;
        const int64_t stride = stride_along(&call->operand[k], x, axis);
        if (__builtin_mul_overflow(stride, x->shape[axis], &reach) ||
            space->stride[k][last] != reach) {
            return 0;
        }
    }
    return 1;
}

static void append_axis(const keel_call *call, keel_space *space, int32_t axis, int32_t role)
{
    const keel_desc *x = &call->operand[NORM_X];
    space->extent[space->rank] = x->shape[axis];
    space->role[space->rank] = role;
    for (int32_t k = 0; k < space->operands; k++) {
        space->stride[k][space->rank] = stride_along(&call->operand[k], x, axis);
    }
    space->rank++;
}

/*
 * Rows first. Axes of a row are merged here, since the core merges independent axes only; most
 * calls end with a single one.
 */
void keeli_norm_space(const keel_call *call, keel_space *space)
{
    const keel_desc *x = &call->operand[NORM_X];
    int32_t first;
    if (norm_axis(call, &first, NULL) != KEEL_OK) {
        return;
    }
    space->operands = (int32_t)(call->inputs + call->outputs);
    for (int32_t axis = 0; axis < first; axis++) {
        append_axis(call, space, axis, KEEL_AXIS_MAP);
    }
    for (int32_t axis = first; axis < x->rank; axis++) {
        if (space->rank > first && x->shape[axis] == 1) {
            continue;
        }
        const int32_t last = space->rank - 1;
        if (space->rank > first && space->extent[last] == 1) {
            space->rank--; /* a row needs an axis, but not one of size 1 */
            append_axis(call, space, axis, ROLE_ROW);
        } else if (space->rank > first && continues_row(call, space, axis)) {
            space->extent[last] *= x->shape[axis];
            for (int32_t k = 0; k < space->operands; k++) {
                space->stride[k][last] = stride_along(&call->operand[k], x, axis);
            }
        } else {
            append_axis(call, space, axis, ROLE_ROW);
        }
    }
}

/* ---- rows of the oracles --------------------------------------------------------------------- */

keel_status keeli_norm_open(keeli_norm_reader *reader, const keel_call *call,
                            const void *const *host)
{
    const keel_desc *x = &call->operand[NORM_X];
    int32_t first;
    int64_t n = 1;
    KEEL_TRY(norm_axis(call, &first, NULL));
    for (int32_t axis = first; axis < x->rank; axis++) {
        n *= x->shape[axis];
    }
    return keeli_norm_open_rows(reader, call, host, first, n);
}

keel_status keeli_norm_open_rows(keeli_norm_reader *reader, const keel_call *call,
                                 const void *const *host, int32_t axis, int64_t n)
{
    memset(reader, 0, sizeof *reader);
    reader->call = call;
    reader->host = host;
    reader->axis = axis;
    reader->row = -1;
    reader->n = n;
    reader->x = calloc(reader->n > 0 ? (size_t)reader->n : 1, sizeof *reader->x);
    return reader->x != NULL ? KEEL_OK : KEEL_ERR_OUT_OF_MEMORY;
}

void keeli_norm_close(keeli_norm_reader *reader)
{
    free(reader->x);
    reader->x = NULL;
}

static void read_row(keeli_norm_reader *reader, int64_t row)
{
    const keel_desc *x = &reader->call->operand[NORM_X];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(x, row * reader->n, at);
    for (int64_t i = 0; i < reader->n; i++) {
        reader->x[i] =
            keel_dtype_load(x->dtype, reader->host[NORM_X], keeli_offset(x, at, x->rank));
        for (int32_t axis = x->rank - 1; axis >= reader->axis; axis--) {
            if (++at[axis] < x->shape[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
    reader->row = row;
}

int keeli_norm_seek(keeli_norm_reader *reader, int64_t position)
{
    const int64_t row = position / reader->n;
    const int is_new = row != reader->row;
    if (is_new) {
        read_row(reader, row);
    }
    reader->position = position % reader->n;
    keeli_coordinates(&reader->call->operand[NORM_X], position, reader->coordinate);
    return is_new;
}

double keeli_norm_parameter(const keeli_norm_reader *reader, int slot, double instead)
{
    const keel_desc *d = &reader->call->operand[slot];
    if (d->dtype == KEEL_DTYPE_NONE) {
        return instead;
    }
    const int32_t rank = reader->call->operand[NORM_X].rank;
    return keel_dtype_load(d->dtype, reader->host[slot], keeli_offset(d, reader->coordinate, rank));
}
