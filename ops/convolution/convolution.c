/* What the contracts of convolutions share: reading a call, shapes, loops and cost. */
#include "convolution/convolution.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"

const char *const keeli_conv_names[CONV_OPERANDS] = {"x", "w", "bias", "y"};

static const keeli_window_rules conv_rules = {
    CONV_KERNEL_SHAPE, CONV_STRIDES,      CONV_DILATIONS,    CONV_PADS,
    CONV_AUTO_PAD,     KEELI_WINDOW_NONE, KEELI_WINDOW_NONE, KEELI_WINDOW_NONE};
static const keeli_window_rules transposed_rules = {
    CONV_KERNEL_SHAPE, CONV_STRIDES,      CONV_DILATIONS,      CONV_PADS,
    CONV_AUTO_PAD,     KEELI_WINDOW_NONE, CONV_OUTPUT_PADDING, CONV_OUTPUT_SHAPE};

/* ---- reading ----------------------------------------------------------------------------------
 */

static keel_status check_weights_rank(const keel_call *call, keel_error *err)
{
    const keel_desc *x = &call->operand[CONV_X];
    const keel_desc *w = &call->operand[CONV_W];
    if (x->rank >= KEELI_WINDOW_FIRST_AXIS + 1 &&
        x->rank <= KEELI_WINDOW_FIRST_AXIS + KEELI_WINDOW_AXES && w->rank != x->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: w has rank %d, it must be that of x, %d", call->op->name,
                         (int)w->rank, (int)x->rank);
    }
    return KEEL_OK;
}

/* Splits what stands in groups: size elements on axis axis of operand slot. */
static keel_status split(const keel_call *call, int slot, int32_t axis, int64_t group,
                         int64_t *out_share, keel_error *err)
{
    const int64_t size = call->operand[slot].shape[axis];
    if (size % group != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: axis %d of %s has %" PRId64 " elements, group is %" PRId64
                         " and must divide it",
                         call->op->name, (int)axis, keeli_conv_names[slot], size, group);
    }
    *out_share = size / group;
    return KEEL_OK;
}

/* Channels: C of x, both axes of w, M of the bias. */
static keel_status read_channels(const keel_call *call, keeli_conv *out, keel_error *err)
{
    const keel_desc *x = &call->operand[CONV_X];
    const keel_desc *w = &call->operand[CONV_W];
    out->group = keeli_attribute_int(call, CONV_GROUP);
    if (out->group < 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: group is %" PRId64 ", it must be at least 1", call->op->name,
                         out->group);
    }
    KEEL_TRY(split(call, CONV_X, 1, out->group, &out->channels, err));
    if (out->transposed) {
        out->outputs = w->shape[1];
        if (w->shape[0] != x->shape[1]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis 0 of w has %" PRId64 " elements, it must have %" PRId64
                             ", the channels of x",
                             call->op->name, w->shape[0], x->shape[1]);
        }
        int64_t all;
        if (__builtin_mul_overflow(out->outputs, out->group, &all)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis 1 of w times group exceeds 2^63 - 1", call->op->name);
        }
        return KEEL_OK;
    }
    KEEL_TRY(split(call, CONV_W, 0, out->group, &out->outputs, err));
    if (w->shape[1] != out->channels) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: axis 1 of w has %" PRId64 " elements, it must have %" PRId64
                         ": %" PRId64 " channels of x in %" PRId64 " groups",
                         call->op->name, w->shape[1], out->channels, x->shape[1], out->group);
    }
    return KEEL_OK;
}

static keel_status check_bias(const keel_call *call, const keeli_conv *conv, keel_error *err)
{
    const keel_desc *bias = &call->operand[CONV_BIAS];
    if (!keeli_conv_has_bias(call)) {
        return KEEL_OK;
    }
    if (bias->rank != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: bias has rank %d, it must be 1",
                         call->op->name, (int)bias->rank);
    }
    if (bias->shape[0] != conv->outputs * conv->group) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: bias has %" PRId64 " elements, it must have %" PRId64
                         ", the channels of the output",
                         call->op->name, bias->shape[0], conv->outputs * conv->group);
    }
    return KEEL_OK;
}

keel_status keeli_conv_read(const keel_call *call, int transposed, keeli_conv *out, keel_error *err)
{
    memset(out, 0, sizeof *out);
    out->transposed = transposed;
    KEEL_TRY(check_weights_rank(call, err));
    const int64_t *taps = call->operand[CONV_W].shape + KEELI_WINDOW_FIRST_AXIS;
    KEEL_TRY(transposed ? keeli_window_transposed(call, &transposed_rules, taps, &out->window, err)
                        : keeli_window_read(call, &conv_rules, taps, &out->window, err));
    KEEL_TRY(read_channels(call, out, err));
    out->batch = call->operand[CONV_X].shape[0];
    if (__builtin_mul_overflow(out->channels, keeli_window_volume(&out->window), &out->depth)) {
        out->depth = INT64_MAX;
    }
    return check_bias(call, out, err);
}

keel_status keeli_conv_infer(const keel_call *call, int transposed, keel_desc *outputs,
                             keel_error *err)
{
    keeli_conv conv;
    KEEL_TRY(keeli_conv_read(call, transposed, &conv, err));
    keel_desc *y = &outputs[0];
    const int32_t spatial = conv.window.rank;
    y->dtype = call->operand[CONV_X].dtype;
    y->rank = KEELI_WINDOW_FIRST_AXIS + spatial;
    y->shape[0] = conv.batch;
    y->shape[1] = conv.outputs * conv.group;
    for (int32_t i = 0; i < spatial; i++) {
        y->shape[KEELI_WINDOW_FIRST_AXIS + i] =
            conv.window.axis[KEELI_WINDOW_AXES - spatial + i].out;
    }
    return KEEL_OK;
}

/* ---- loops and cost ---------------------------------------------------------------------------
 */

/* Strides of a tensor's spatial axes, on loops first, first + 1, first + 2. */
static void spatial_strides(const keel_desc *d, int64_t *stride, int32_t first)
{
    const int32_t spatial = d->rank - KEELI_WINDOW_FIRST_AXIS;
    for (int32_t i = 0; i < spatial; i++) {
        stride[first + KEELI_WINDOW_AXES - spatial + i] = d->stride[KEELI_WINDOW_FIRST_AXIS + i];
    }
}

static int64_t saturating(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

void keeli_conv_space(const keel_call *call, int transposed, keel_space *space)
{
    keeli_conv conv;
    memset(space, 0, sizeof *space);
    if (keeli_conv_read(call, transposed, &conv, NULL) != KEEL_OK) {
        return;
    }
    const keel_desc *x = &call->operand[CONV_X];
    const keel_desc *w = &call->operand[CONV_W];
    const keel_desc *y = &call->operand[CONV_OUT];
    space->rank = KEEL_SPACE_RANK;
    space->operands = CONV_OPERANDS;
    for (int32_t axis = 0; axis < KEEL_SPACE_RANK; axis++) {
        space->role[axis] = axis + 1;
    }
    space->extent[CONV_AXIS_N] = conv.batch;
    space->extent[CONV_AXIS_G] = conv.group;
    space->extent[CONV_AXIS_M] = conv.outputs;
    space->extent[CONV_AXIS_C] = conv.channels;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        space->extent[CONV_AXIS_OUT + i] = conv.window.axis[i].out;
        space->extent[CONV_AXIS_TAP + i] = conv.window.axis[i].kernel;
    }
    int64_t *sx = space->stride[CONV_X];
    int64_t *sw = space->stride[CONV_W];
    int64_t *sy = space->stride[CONV_OUT];
    sx[CONV_AXIS_N] = x->stride[0];
    sx[CONV_AXIS_G] = saturating(x->stride[1], conv.channels);
    sx[CONV_AXIS_C] = x->stride[1];
    spatial_strides(x, sx, CONV_AXIS_OUT);
    spatial_strides(x, sx, CONV_AXIS_TAP);
    const int32_t rows = transposed ? CONV_AXIS_C : CONV_AXIS_M;
    const int32_t columns = transposed ? CONV_AXIS_M : CONV_AXIS_C;
    sw[rows] = w->stride[0];
    sw[columns] = w->stride[1];
    sw[CONV_AXIS_G] = saturating(w->stride[0], transposed ? conv.channels : conv.outputs);
    spatial_strides(w, sw, CONV_AXIS_TAP);
    if (keeli_conv_has_bias(call)) {
        const int64_t step = call->operand[CONV_BIAS].stride[0];
        space->stride[CONV_BIAS][CONV_AXIS_M] = step;
        space->stride[CONV_BIAS][CONV_AXIS_G] = saturating(step, conv.outputs);
    }
    sy[CONV_AXIS_N] = y->stride[0];
    sy[CONV_AXIS_G] = saturating(y->stride[1], conv.outputs);
    sy[CONV_AXIS_M] = y->stride[1];
    spatial_strides(y, sy, CONV_AXIS_OUT);
}

/* Every tap counts, whether it lies on the input or on padding. */
void keeli_conv_work(const keel_call *call, int transposed, double *flops, double *bytes)
{
    keeli_conv conv;
    *flops = 0.0;
    *bytes = keeli_compulsory_bytes(call);
    if (keeli_conv_read(call, transposed, &conv, NULL) != KEEL_OK) {
        return;
    }
    const double out = (double)keeli_desc_elements(&call->operand[CONV_OUT]);
    const double taps = (double)keeli_window_volume(&conv.window);
    if (transposed) {
        const double in = (double)keeli_desc_elements(&call->operand[CONV_X]);
        *flops = 2.0 * in * (double)conv.outputs * taps;
    } else {
        *flops = 2.0 * out * (double)conv.channels * taps;
    }
    *flops += keeli_conv_has_bias(call) ? out : 0.0;
}
