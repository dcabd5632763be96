/* Contracts of pooling: shapes, spaces, and walks for the oracles. */
#include "pooling/pool.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"
#include "support/truth.h"

/* Windows that are looked at one by one, at most, before the first one that begins on the input. */
#define WINDOWS_CHECKED (INT64_C(1) << 20)

static const keeli_window_rules rules = {.kernel_shape = 0,
                                         .strides = 1,
                                         .dilations = 2,
                                         .pads = 3,
                                         .auto_pad = 4,
                                         .ceil_mode = 5,
                                         .output_padding = KEELI_WINDOW_NONE,
                                         .output_shape = KEELI_WINDOW_NONE};

keel_status keeli_pooling_window(const keel_call *call, keeli_window *out, keel_error *err)
{
    return keeli_window_read(call, &rules, NULL, out, err);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

keel_status keeli_pooling_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *x = &call->operand[POOL_X];
    keeli_window window;
    KEEL_TRY(keeli_pooling_window(call, &window, err));
    outputs[0] = *x;
    for (int32_t i = 0; i < window.rank; i++) {
        outputs[0].shape[KEELI_WINDOW_FIRST_AXIS + i] =
            window.axis[KEELI_WINDOW_AXES - window.rank + i].out;
    }
    for (uint32_t k = 1; k < call->outputs; k++) {
        outputs[k] = outputs[0];
        outputs[k].dtype = KEEL_I64;
    }
    return KEEL_OK;
}

/* A window of the axis that meets padding only, or -1. */
static int64_t window_in_padding(const keeli_window_axis *axis)
{
    int64_t first;
    int64_t end;
    for (int64_t o = 0; o < axis->out && o < WINDOWS_CHECKED; o++) {
        keeli_window_taps(axis, o, &first, &end);
        if (first == end) {
            return o;
        }
        if (o * axis->stride >= axis->pad_begin) {
            break; /* tap 0 of later ones lies on the input, until they begin behind it */
        }
    }
    if (axis->out > 0) {
        keeli_window_taps(axis, axis->out - 1, &first, &end);
        return first == end ? axis->out - 1 : -1;
    }
    return -1;
}

keel_status keeli_pooling_check_taps(const keel_call *call, keel_error *err)
{
    keeli_window window;
    KEEL_TRY(keeli_pooling_window(call, &window, err));
    for (int32_t i = 0; i < window.rank; i++) {
        const keeli_window_axis *axis = &window.axis[KEELI_WINDOW_AXES - window.rank + i];
        const int64_t o = window_in_padding(axis);
        if (o >= 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: spatial axis %d: window %" PRId64 " of %" PRId64
                             " meets only padding (kernel_shape %" PRId64 ", dilation %" PRId64
                             ", stride %" PRId64 ", pads %" PRId64 " and %" PRId64
                             ", input %" PRId64 "), must meet at least 1 element",
                             call->op->name, (int)i, o, axis->out, axis->kernel, axis->dilation,
                             axis->stride, axis->pad_begin, axis->pad_end, axis->in);
        }
    }
    return KEEL_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void append(const keel_call *call, keel_space *out, int32_t role, int64_t extent, int32_t a)
{
    const int32_t to = out->rank++;
    out->role[to] = role;
    out->extent[to] = extent;
    for (int32_t k = 0; k < out->operands; k++) {
        out->stride[k][to] =
            a >= 0 && call->operand[k].dtype != KEEL_DTYPE_NONE ? call->operand[k].stride[a] : 0;
    }
}

void keeli_pooling_space(const keel_call *call, keel_space *out)
{
    const keel_desc *y = &call->operand[POOL_Y];
    const int32_t spatial = y->rank - KEELI_WINDOW_FIRST_AXIS;
    out->operands = (int32_t)(call->inputs + call->outputs);
    for (int32_t a = 0; a < KEELI_WINDOW_FIRST_AXIS; a++) {
        append(call, out, KEEL_AXIS_MAP, y->shape[a], a);
    }
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const int32_t own = i - (KEELI_WINDOW_AXES - spatial);
        const int32_t a = own < 0 ? -1 : KEELI_WINDOW_FIRST_AXIS + own;
        append(call, out, POOL_ROLE_SPATIAL, a < 0 ? 1 : y->shape[a], a);
    }
}

void keeli_pooling_work(const keel_call *call, double *flops, double *bytes)
{
    keeli_window window;
    *bytes = keeli_compulsory_bytes(call);
    *flops = (double)keeli_desc_elements(&call->operand[POOL_Y]);
    if (keeli_pooling_window(call, &window, NULL) == KEEL_OK) {
        *flops *= (double)keeli_window_volume(&window);
    }
}

/* ---- walks ----------------------------------------------------------------------------------- */

keel_status keeli_pooling_walk_open(const keel_call *call, keeli_pooling_walk *out)
{
    const keel_desc *x = &call->operand[POOL_X];
    memset(out, 0, sizeof *out);
    KEEL_TRY(keeli_pooling_window(call, &out->window, NULL));
    for (int32_t i = 0; i < out->window.rank; i++) {
        out->stride[KEELI_WINDOW_AXES - out->window.rank + i] =
            x->stride[KEELI_WINDOW_FIRST_AXIS + i];
    }
    return KEEL_OK;
}

/* Where the current tap lies. */
static void locate(keeli_pooling_walk *walk)
{
    walk->offset = walk->base;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *axis = &walk->window.axis[i];
        walk->at[i] = walk->out[i] * axis->stride - axis->pad_begin + walk->tap[i] * axis->dilation;
        walk->offset += walk->at[i] * walk->stride[i];
    }
}

void keeli_pooling_walk_seek(const keel_call *call, keeli_pooling_walk *walk, int64_t position)
{
    const keel_desc *x = &call->operand[POOL_X];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(&call->operand[POOL_Y], position, at);
    walk->base = at[0] * x->stride[0] + at[1] * x->stride[1];
    walk->channel = at[0] * x->shape[1] + at[1];
    walk->count = 1;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const int32_t own = i - (KEELI_WINDOW_AXES - walk->window.rank);
        walk->out[i] = own < 0 ? 0 : at[KEELI_WINDOW_FIRST_AXIS + own];
        keeli_window_taps(&walk->window.axis[i], walk->out[i], &walk->first[i], &walk->end[i]);
        walk->tap[i] = walk->first[i];
        walk->count *= walk->end[i] - walk->first[i];
    }
    locate(walk);
}

void keeli_pooling_walk_next(keeli_pooling_walk *walk)
{
    for (int32_t i = KEELI_WINDOW_AXES - 1; i >= 0; i--) {
        if (++walk->tap[i] < walk->end[i]) {
            break;
        }
        walk->tap[i] = walk->first[i];
    }
    locate(walk);
}
