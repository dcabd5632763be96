/* Shapes, loops, plans and oracles of convolutions of 8-bit integers. */
#include "quantisation/product_conv.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"
#include "support/window.h"

#define AUTO_PAD 0
#define DILATIONS 1
#define GROUP 2
#define KERNEL_SHAPE 3
#define PADS 4
#define STRIDES 5

const keel_attribute_rule keeli_product_conv_rules[PRODUCT_CONV_RULES] = {
    {.name = "auto_pad", .kind = KEEL_ATTR_BYTES},
    {.name = "dilations", .kind = KEEL_ATTR_INTS},
    {.name = "group", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "kernel_shape", .kind = KEEL_ATTR_INTS},
    {.name = "pads", .kind = KEEL_ATTR_INTS},
    {.name = "strides", .kind = KEEL_ATTR_INTS},
};

static const keeli_window_rules rules = {.kernel_shape = KERNEL_SHAPE,
                                         .strides = STRIDES,
                                         .dilations = DILATIONS,
                                         .pads = PADS,
                                         .auto_pad = AUTO_PAD,
                                         .ceil_mode = KEELI_WINDOW_NONE,
                                         .output_padding = KEELI_WINDOW_NONE,
                                         .output_shape = KEELI_WINDOW_NONE};

/* ---- shapes ---------------------------------------------------------------------------------- */

static const char *name_of(const keel_call *call, int slot)
{
    return call->op->operand_names[slot];
}

static keel_status check_channels(const keel_call *call, const keeli_product_slots *slots,
                                  keel_error *err)
{
    const keel_desc *x = &call->operand[slots->b];
    const keel_desc *w = &call->operand[slots->a];
    const int64_t group = keeli_attribute_int(call, GROUP);
    if (group < 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: group is %" PRId64 ", must be at least 1", call->op->name, group);
    }
    if (x->shape[1] % group != 0 || w->shape[0] % group != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: group is %" PRId64 ", which does not divide the channels: %" PRId64
                         " of %s and %" PRId64 " of the output",
                         call->op->name, group, x->shape[1], name_of(call, slots->b), w->shape[0]);
    }
    if (w->shape[1] != x->shape[1] / group) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: axis 1 of %s has %" PRId64 " elements, must have %" PRId64
                         ": channels of %s in a group",
                         call->op->name, name_of(call, slots->a), w->shape[1], x->shape[1] / group,
                         name_of(call, slots->b));
    }
    return KEEL_OK;
}

/* One for all; with per_channel also a vector, one for each channel of the output. */
static keel_status check_parameter(const keel_call *call, int8_t slot, int per_channel,
                                   int64_t channels, keel_error *err)
{
    if (!keeli_product_has(call, slot)) {
        return KEEL_OK;
    }
    const keel_desc *d = &call->operand[slot];
    if (d->rank > 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s has rank %d, at most 1 is allowed",
                         call->op->name, name_of(call, slot), (int)d->rank);
    }
    if (d->rank == 1 && d->shape[0] != 1 && (!per_channel || d->shape[0] != channels)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has %" PRId64 " elements, must have 1 or %" PRId64, call->op->name,
                         name_of(call, slot), d->shape[0], per_channel ? channels : 1);
    }
    return KEEL_OK;
}

static keel_status check_bias(const keel_call *call, int8_t slot, int64_t channels, keel_error *err)
{
    if (!keeli_product_has(call, slot)) {
        return KEEL_OK;
    }
    const keel_desc *d = &call->operand[slot];
    if (d->rank != 1 || d->shape[0] != channels) {
        return keel_fail(
            err, KEEL_ERR_INVALID_ARGUMENT,
            "%s: %s has rank %d and %" PRId64 " elements, must have rank 1 and %" PRId64,
            call->op->name, name_of(call, slot), (int)d->rank, keeli_desc_elements(d), channels);
    }
    return KEEL_OK;
}

/* The window, after the rank of the weights. */
static keel_status read_window(const keel_call *call, const keeli_product_slots *slots,
                               keeli_window *window, keel_error *err)
{
    const keel_desc *x = &call->operand[slots->b];
    const keel_desc *w = &call->operand[slots->a];
    const int ranked = x->rank > KEELI_WINDOW_FIRST_AXIS; /* else keeli_window_read() refuses x */
    if (ranked && w->rank != x->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, must have that of %s, %d", call->op->name,
                         name_of(call, slots->a), (int)w->rank, name_of(call, slots->b),
                         (int)x->rank);
    }
    return keeli_window_read(call, &rules, w->shape + KEELI_WINDOW_FIRST_AXIS, window, err);
}

keel_status keeli_product_conv_infer(const keel_call *call, const keeli_product_slots *slots,
                                     keel_desc *outputs, keel_error *err)
{
    keeli_window window;
    const keel_desc *x = &call->operand[slots->b];
    const keel_desc *w = &call->operand[slots->a];
    KEEL_TRY(read_window(call, slots, &window, err));
    KEEL_TRY(check_channels(call, slots, err));
    const int8_t single[] = {slots->b_scale, slots->b_zero, slots->y_scale, slots->y_zero};
    for (size_t k = 0; k < KEEL_COUNT(single); k++) {
        KEEL_TRY(check_parameter(call, single[k], 0, w->shape[0], err));
    }
    KEEL_TRY(check_parameter(call, slots->a_scale, 1, w->shape[0], err));
    KEEL_TRY(check_parameter(call, slots->a_zero, 1, w->shape[0], err));
    KEEL_TRY(check_bias(call, slots->bias, w->shape[0], err));
    keel_desc *out = &outputs[0];
    out->rank = x->rank;
    out->shape[0] = x->shape[0];
    out->shape[1] = w->shape[0];
    for (int32_t i = 0; i < window.rank; i++) {
        out->shape[KEELI_WINDOW_FIRST_AXIS + i] =
            window.axis[KEELI_WINDOW_AXES - window.rank + i].out;
    }
    keeli_desc_make_dense(out);
    return KEEL_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

void keeli_product_conv_space(const keel_call *call, const keeli_product_slots *slots,
                              keel_space *space)
{
    const keel_desc *out = &call->operand[slots->out];
    memset(space, 0, sizeof *space);
    space->rank = out->rank;
    space->operands = (int32_t)(call->inputs + call->outputs);
    memcpy(space->extent, out->shape, (size_t)out->rank * sizeof out->shape[0]);
    memcpy(space->stride[slots->out], out->stride, (size_t)out->rank * sizeof out->stride[0]);
}

/* Channels of a group times taps. */
static int64_t depth_of(const keel_desc *w)
{
    int64_t depth = 1;
    for (int32_t axis = 1; axis < w->rank; axis++) {
        depth *= w->shape[axis];
    }
    return depth;
}

/* The slot of the weights: the other tensor of more than one axis. */
static const keel_desc *weights_of(const keel_call *call)
{
    return &call->operand[call->inputs == 4 ? 1 : 3];
}

void keeli_product_conv_work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 2.0 * (double)keeli_desc_elements(&call->operand[call->inputs]) *
             (double)depth_of(weights_of(call));
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* Batch axes of the loops. */
#define IMAGES PRODUCT_BATCH
#define GROUPS (PRODUCT_BATCH + 1)
/* Strides of a view beyond its loops: spatial axes of x and out; of the weights channels and taps.
 */
#define SPATIAL 5
#define CHANNELS 5
#define TAPS 6

/* Strides of the spatial axes, those that a tensor lacks first. */
static void spatial_strides(const keel_desc *d, int64_t *stride)
{
    const int32_t rank = d->rank - KEELI_WINDOW_FIRST_AXIS;
    for (int32_t i = 0; i < rank; i++) {
        stride[KEELI_WINDOW_AXES - rank + i] = d->stride[KEELI_WINDOW_FIRST_AXIS + i];
    }
}

/* What there is one of for each channel of the output, or one for all. */
static keel_meta_view channel_view(const keel_call *call, int8_t slot, int64_t rows)
{
    keel_meta_view view = {0};
    if (keeli_product_has(call, slot) && call->operand[slot].rank == 1) {
        const keel_desc *d = &call->operand[slot];
        view.stride[PRODUCT_M] = d->shape[0] > 1 ? d->stride[0] : 0;
        view.stride[GROUPS] = rows * view.stride[PRODUCT_M];
    }
    return view;
}

/* Elements from the first to the last of an operand. */
static int64_t span_of(const keel_desc *d)
{
    int64_t span = 0;
    for (int32_t axis = 0; axis < d->rank; axis++) {
        span += d->shape[axis] > 0 ? (d->shape[axis] - 1) * d->stride[axis] : 0;
    }
    return span;
}

static int needs_64(const keeli_product *p, const keeli_window *window)
{
    const int64_t limit = INT64_C(1) << 30;
    const int64_t *extent = p->loops.extent;
    return !keeli_window_fits_32(window) || extent[PRODUCT_N] >= limit ||
           extent[PRODUCT_M] >= limit || extent[PRODUCT_K] >= limit ||
           extent[PRODUCT_M] * (extent[PRODUCT_K] + 1) >= limit ||
           span_of(&p->call->operand[p->slots->b]) >= limit ||
           span_of(&p->call->operand[p->slots->out]) >= limit;
}

static void describe(keeli_product *p, const keeli_window *window)
{
    const keel_desc *x = &p->call->operand[p->slots->b];
    const keel_desc *w = &p->call->operand[p->slots->a];
    const keel_desc *out = &p->call->operand[p->slots->out];
    const int64_t group = keeli_attribute_int(p->call, GROUP);
    const int64_t rows = w->shape[0] / group;
    keel_meta *loops = &p->loops;
    loops->rank = GROUPS + 1;
    loops->extent[PRODUCT_M] = rows;
    loops->extent[PRODUCT_N] = window->axis[0].out * window->axis[1].out * window->axis[2].out;
    loops->extent[PRODUCT_K] = depth_of(w);
    loops->extent[IMAGES] = x->shape[0];
    loops->extent[GROUPS] = group;
    keel_meta_view *b = &loops->view[PRODUCT_VIEW_B];
    keel_meta_view *y = &loops->view[PRODUCT_VIEW_OUT];
    b->stride[0] = x->stride[1];
    b->stride[IMAGES] = x->stride[0];
    b->stride[GROUPS] = w->shape[1] * x->stride[1];
    spatial_strides(x, &b->stride[SPATIAL]);
    y->stride[PRODUCT_M] = out->stride[1];
    y->stride[IMAGES] = out->stride[0];
    y->stride[GROUPS] = rows * out->stride[1];
    spatial_strides(out, &y->stride[SPATIAL]);
    keeli_window_views(window, &loops->view[PRODUCT_VIEW_STEPS], &loops->view[PRODUCT_VIEW_SIZES]);
    p->a.stride[PRODUCT_M] = w->stride[0];
    p->a.stride[GROUPS] = rows * w->stride[0];
    p->a.stride[CHANNELS] = w->stride[1];
    spatial_strides(w, &p->a.stride[TAPS]);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        p->inner.stride[TAPS + i] = window->axis[i].kernel;
    }
    p->a_zero = channel_view(p->call, p->slots->a_zero, rows);
    p->a_scale = channel_view(p->call, p->slots->a_scale, rows);
    p->bias = channel_view(p->call, p->slots->bias, rows);
}

keel_status keeli_product_conv_plan(const keel_call *call, const keel_limits *limits,
                                    const keeli_product_slots *slots, keel_builder *builder)
{
    keeli_window window;
    keeli_product p = {.call = call, .limits = limits, .builder = builder, .slots = slots};
    KEEL_TRY(read_window(call, slots, &window, NULL));
    describe(&p, &window);
    p.is_conv = 1;
    p.wide = needs_64(&p, &window);
    return keeli_product_plan(&p);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* A convolution, and one point of its output. */
typedef struct point {
    const keel_call *call;
    const keeli_product_slots *slots;
    const void *const *host;
    keeli_window window;
    int64_t at[KEEL_MAX_RANK];
    int64_t group_channels, first_channel; /* of x, that the output's channel sees */
} point;

static double parameter(const point *p, int8_t slot)
{
    if (!keeli_product_has(p->call, slot)) {
        return 0.0;
    }
    const keel_desc *d = &p->call->operand[slot];
    const int64_t offset = d->rank == 1 && d->shape[0] > 1 ? p->at[1] * d->stride[0] : 0;
    return keel_dtype_load(d->dtype, p->host[slot], offset);
}

/* Products of one channel of x. */
static uint32_t channel_sum(const point *p, int64_t channel, int64_t x_zero, int64_t w_zero)
{
    const keel_desc *x = &p->call->operand[p->slots->b];
    const keel_desc *w = &p->call->operand[p->slots->a];
    int64_t xs[KEELI_WINDOW_AXES] = {0};
    int64_t ws[KEELI_WINDOW_AXES] = {0};
    int64_t o[KEELI_WINDOW_AXES] = {0};
    int64_t first[KEELI_WINDOW_AXES];
    int64_t end[KEELI_WINDOW_AXES];
    const int32_t lacks = KEELI_WINDOW_AXES - p->window.rank;
    spatial_strides(x, xs);
    spatial_strides(w, ws);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        o[i] = i < lacks ? 0 : p->at[KEELI_WINDOW_FIRST_AXIS + i - lacks];
        keeli_window_taps(&p->window.axis[i], o[i], &first[i], &end[i]);
    }
    const keeli_window_axis *axis = p->window.axis;
    const int64_t x_at = p->at[0] * x->stride[0] + (p->first_channel + channel) * x->stride[1];
    const int64_t w_at = p->at[1] * w->stride[0] + channel * w->stride[1];
    uint32_t sum = 0;
    for (int64_t d = first[0]; d < end[0]; d++) {
        for (int64_t h = first[1]; h < end[1]; h++) {
            for (int64_t k = first[2]; k < end[2]; k++) {
                const int64_t tap[KEELI_WINDOW_AXES] = {d, h, k};
                int64_t from = x_at;
                int64_t with = w_at;
                for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
                    from += xs[i] *
                            (o[i] * axis[i].stride - axis[i].pad_begin + tap[i] * axis[i].dilation);
                    with += ws[i] * tap[i];
                }
                sum += (uint32_t)((keel_dtype_load_bits(x->dtype, p->host[p->slots->b], from) -
                                   x_zero) *
                                  (keel_dtype_load_bits(w->dtype, p->host[p->slots->a], with) -
                                   w_zero));
            }
        }
    }
    return sum;
}

static uint32_t sum_of(const point *p)
{
    uint32_t sum = (uint32_t)(int64_t)parameter(p, p->slots->bias);
    const int64_t x_zero = (int64_t)parameter(p, p->slots->b_zero);
    const int64_t w_zero = (int64_t)parameter(p, p->slots->a_zero);
    for (int64_t channel = 0; channel < p->group_channels; channel++) {
        sum += channel_sum(p, channel, x_zero, w_zero);
    }
    return sum;
}

keel_status keeli_product_conv_oracle(const keel_call *call, const keeli_product_slots *slots,
                                      const void *const *host, const int64_t *index, int64_t first,
                                      int64_t count, keel_truth *truth)
{
    const keel_desc *out = &call->operand[slots->out];
    const keel_desc *w = &call->operand[slots->a];
    const int64_t rows = w->shape[0] / keeli_attribute_int(call, GROUP);
    point p = {.call = call, .slots = slots, .host = host, .group_channels = w->shape[1]};
    KEEL_TRY(read_window(call, slots, &p.window, NULL));
    for (int64_t i = 0; i < count; i++) {
        keeli_coordinates(out, index != NULL ? index[i] : first + i, p.at);
        p.first_channel = p.at[1] / rows * p.group_channels;
        const keeli_requantised r = {.dtype = out->dtype,
                                     .a_scale = parameter(&p, slots->a_scale),
                                     .b_scale = parameter(&p, slots->b_scale),
                                     .y_scale = parameter(&p, slots->y_scale),
                                     .y_zero = (int64_t)parameter(&p, slots->y_zero)};
        keeli_requantised_truth(&truth[i], sum_of(&p), &r);
    }
    return KEEL_OK;
}
