/* The attributes and shapes of keel.pad. */
#include <inttypes.h>

#include "movement/pad.h"
#include "support/contract.h"

#define PADS 0
#define MODE 1
#define AXES 2

const keel_attribute_rule keeli_pad_attributes[KEELI_PAD_ATTRIBUTES] = {
    {.name = "pads", .kind = KEEL_ATTR_INTS, .flags = KEEL_ATTR_REQUIRED},
    {.name = "mode", .kind = KEEL_ATTR_BYTES}, /* "": constant */
    {.name = "axes", .kind = KEEL_ATTR_INTS},
};

/* ---- attributes ------------------------------------------------------------------------------ */

/* The mode; -1 if there is no such one. */
int32_t keeli_pad_mode(const keel_call *call)
{
    static const char *const names[] = {[PAD_MODE_CONSTANT] = "constant",
                                        [PAD_MODE_REFLECT] = "reflect",
                                        [PAD_MODE_EDGE] = "edge",
                                        [PAD_MODE_WRAP] = "wrap"};
    for (int32_t mode = PAD_MODE_CONSTANT; mode <= PAD_MODE_WRAP; mode++) {
        if (keeli_attribute_is(call, MODE, names[mode])) {
            return mode;
        }
    }
    return call->attribute[MODE].count == 0 ? PAD_MODE_CONSTANT : -1;
}

/* How many axes pads is about. */
static int32_t padded_axes(const keel_call *call)
{
    const keel_attribute *axes = &call->attribute[AXES];
    return axes->count > 0 ? axes->count : call->operand[PAD_IN].rank;
}

/* The axis that entry i of pads is about; may be out of range before it is checked. */
static int64_t axis_of(const keel_call *call, int32_t i)
{
    const keel_attribute *axes = &call->attribute[AXES];
    const int64_t axis = axes->count > 0 ? axes->value.ints[i] : i;
    return axis < 0 ? axis + call->operand[PAD_IN].rank : axis;
}

/* What is done to each axis of in; the attributes have been checked. */
void keeli_pad_all(const keel_call *call, keeli_padding *out)
{
    const int64_t *pads = call->attribute[PADS].value.ints;
    const int32_t count = padded_axes(call);
    for (int32_t a = 0; a < call->operand[PAD_IN].rank; a++) {
        out[a] = (keeli_padding){.kept = call->operand[PAD_IN].shape[a]};
    }
    for (int32_t i = 0; i < count; i++) {
        const int64_t begin = pads[i];
        const int64_t end = pads[i + count];
        keeli_padding *p = &out[axis_of(call, i)];
        p->first = begin < 0 ? -begin : 0;
        p->kept += (begin < 0 ? begin : 0) + (end < 0 ? end : 0);
        p->lead = begin > 0 ? begin : 0;
        p->trail = end > 0 ? end : 0;
    }
}

/* ---- checks ---------------------------------------------------------------------------------- */

static keel_status check_counts(const keel_call *call, keel_error *err)
{
    const int32_t count = call->attribute[PADS].count;
    const int32_t rank = call->operand[PAD_IN].rank;
    if (call->attribute[AXES].count > rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: axes has %d entries, must have at most %d, the rank of in",
                         call->attribute[AXES].count, rank);
    }
    if (count != 2 * padded_axes(call)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: pads has %d entries, must have %d, two for each %s", count,
                         2 * padded_axes(call),
                         call->attribute[AXES].count > 0 ? "entry of axes" : "axis of in");
    }
    if (keeli_pad_mode(call) < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: mode is \"%.*s\", must be constant, reflect, edge or wrap",
                         (int)call->attribute[MODE].count, call->attribute[MODE].value.bytes);
    }
    return KEEL_OK;
}

static keel_status check_axes(const keel_call *call, keel_error *err)
{
    const int32_t rank = call->operand[PAD_IN].rank;
    uint32_t seen = 0;
    for (int32_t i = 0; i < call->attribute[AXES].count; i++) {
        const int64_t axis = axis_of(call, i);
        if (axis < 0 || axis >= rank) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.pad: axes[%d] is %" PRId64 ", must be %d to %d", i,
                             call->attribute[AXES].value.ints[i], -rank, rank - 1);
        }
        if ((seen >> axis & 1) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.pad: axes[%d] is axis %" PRId64 ", which is there already", i,
                             axis);
        }
        seen |= 1u << axis;
    }
    return KEEL_OK;
}

/* Whether negative pads leave something over: at least 0 elements. */
static keel_status check_cuts(const keel_call *call, keel_error *err)
{
    const int64_t *pads = call->attribute[PADS].value.ints;
    const int32_t count = padded_axes(call);
    for (int32_t i = 0; i < count; i++) {
        const int64_t axis = axis_of(call, i);
        int64_t left = call->operand[PAD_IN].shape[axis];
        for (int32_t side = 0; side < 2; side++) {
            const int64_t pad = pads[i + side * count];
            if (pad < 0 && pad < -left) {
                return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                                 "keel.pad: pads[%d] is %" PRId64 ", but axis %" PRId64
                                 " has %" PRId64 " elements left to cut off",
                                 i + side * count, pad, axis, left);
            }
            left += pad < 0 ? pad : 0;
        }
    }
    return KEEL_OK;
}

/* Whether what is left of an axis suffices for what is made from it. */
static keel_status check_source(const keel_call *call, int32_t axis, const keeli_padding *p,
                                keel_error *err)
{
    const int32_t mode = keeli_pad_mode(call);
    const int64_t most = p->lead > p->trail ? p->lead : p->trail;
    if (mode == PAD_MODE_REFLECT && most > 0 && most >= p->kept) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: %" PRId64 " elements are added along axis %d by reflection, "
                         "must be less than the %" PRId64 " that it has",
                         most, axis, p->kept);
    }
    if (mode != PAD_MODE_CONSTANT && most > 0 && p->kept == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: %" PRId64 " elements are added along axis %d, but it has none "
                         "to take them from; must be 0 in any mode but constant",
                         most, axis);
    }
    return KEEL_OK;
}

keel_status keeli_pad_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *value = &call->operand[PAD_CONSTANT_VALUE];
    keeli_padding all[KEEL_MAX_RANK] = {0};
    KEEL_TRY(check_counts(call, err));
    KEEL_TRY(check_axes(call, err));
    KEEL_TRY(check_cuts(call, err));
    if (value->dtype != KEEL_DTYPE_NONE && keeli_desc_elements(value) != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.pad: constant_value has %" PRId64 " elements, must have 1",
                         keeli_desc_elements(value));
    }
    keeli_pad_all(call, all);
    outputs[0] = call->operand[PAD_IN];
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        int64_t *size = &outputs[0].shape[a];
        KEEL_TRY(check_source(call, a, &all[a], err));
        if (__builtin_add_overflow(all[a].lead, all[a].kept, size) ||
            __builtin_add_overflow(*size, all[a].trail, size)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.pad: axis %d of %" PRId64 " elements gets %" PRId64
                             " before and %" PRId64 " behind; must have at most 2^63 - 1",
                             a, all[a].kept, all[a].lead, all[a].trail);
        }
    }
    return KEEL_OK;
}
