/* The geometry of sliding windows. */
#include "support/window.h"

#include <inttypes.h>
#include <string.h>

#include "support/contract.h"

/* Where 32-bit indices end, as in contract.c. */
#define REACH_32 (INT64_C(1) << 30)

/* How pads come about. */
#define PAD_NOTSET 0
#define PAD_SAME_UPPER 1
#define PAD_SAME_LOWER 2
#define PAD_VALID 3
static const char *const pad_names[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};

/* A geometry being read. */
typedef struct reader {
    const keel_call *call;
    const keeli_window_rules *rules;
    keeli_window *window;
    int32_t auto_pad;
    int32_t ceil_mode;
    keel_error *err;
} reader;

/* An INTS attribute; count 0 if it is absent. */
typedef struct list {
    const char *name;
    const int64_t *value;
    int64_t count;
} list;

static list read_list(const reader *r, int32_t rule)
{
    list l = {.name = ""};
    if (rule != KEELI_WINDOW_NONE) {
        const keel_attribute *given = &r->call->attribute[rule];
        l.name = r->call->op->attributes[rule].name;
        l.value = given->value.ints;
        l.count = given->count;
    }
    return l;
}

/* The axis of the window that spatial axis i of the tensor is. */
static keeli_window_axis *axis_of(const reader *r, int32_t i)
{
    return &r->window->axis[KEELI_WINDOW_AXES - r->window->rank + i];
}

static keel_status check_list(const reader *r, const list *l, int64_t wanted, int64_t least)
{
    if (l->count != 0 && l->count != wanted) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has %" PRId64 " elements, %" PRId64
                         " are needed for %d spatial axes",
                         r->call->op->name, l->name, l->count, wanted, (int)r->window->rank);
    }
    for (int64_t i = 0; i < l->count; i++) {
        if (l->value[i] < least) {
            return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s[%" PRId64 "] is %" PRId64 ", it must be at least %" PRId64,
                             r->call->op->name, l->name, i, l->value[i], least);
        }
    }
    return KEEL_OK;
}

static keel_status too_large(const reader *r, int32_t i)
{
    return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                     "%s: spatial axis %d: window, pads and input together exceed 2^63 - 1 "
                     "elements",
                     r->call->op->name, (int)i);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static keel_status read_rank(const reader *r)
{
    const keel_desc *x = &r->call->operand[0];
    const int32_t rank = x->rank - KEELI_WINDOW_FIRST_AXIS;
    if (rank < 1 || rank > KEELI_WINDOW_AXES) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s has rank %d, allowed is 3 to 5: batch, channels and 1 to 3 "
                         "spatial axes",
                         r->call->op->name, r->call->op->operand_names[0], (int)x->rank);
    }
    memset(r->window, 0, sizeof *r->window);
    r->window->rank = rank;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        r->window->axis[i] =
            (keeli_window_axis){.in = 1, .out = 1, .kernel = 1, .stride = 1, .dilation = 1};
    }
    for (int32_t i = 0; i < rank; i++) {
        axis_of(r, i)->in = x->shape[KEELI_WINDOW_FIRST_AXIS + i];
    }
    return KEEL_OK;
}

static keel_status read_kernel(const reader *r, const int64_t *taps)
{
    const list shape = read_list(r, r->rules->kernel_shape);
    KEEL_TRY(check_list(r, &shape, r->window->rank, 1));
    if (taps == NULL && shape.count == 0) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: kernel_shape is absent, it must have %d elements", r->call->op->name,
                         (int)r->window->rank);
    }
    for (int32_t i = 0; i < r->window->rank; i++) {
        if (taps != NULL && taps[i] < 1) {
            return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: spatial axis %d of the weights has %" PRId64
                             " elements, it must have at least 1",
                             r->call->op->name, (int)i, taps[i]);
        }
        if (taps != NULL && shape.count > 0 && taps[i] != shape.value[i]) {
            return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: kernel_shape[%d] is %" PRId64 ", but the weights have %" PRId64
                             " elements there",
                             r->call->op->name, (int)i, shape.value[i], taps[i]);
        }
        axis_of(r, i)->kernel = taps != NULL ? taps[i] : shape.value[i];
    }
    return KEEL_OK;
}

static keel_status read_steps(const reader *r)
{
    const list strides = read_list(r, r->rules->strides);
    const list dilations = read_list(r, r->rules->dilations);
    KEEL_TRY(check_list(r, &strides, r->window->rank, 1));
    KEEL_TRY(check_list(r, &dilations, r->window->rank, 1));
    for (int32_t i = 0; i < r->window->rank; i++) {
        axis_of(r, i)->stride = strides.count > 0 ? strides.value[i] : 1;
        axis_of(r, i)->dilation = dilations.count > 0 ? dilations.value[i] : 1;
    }
    return KEEL_OK;
}

static keel_status read_auto_pad(reader *r)
{
    const int32_t rule = r->rules->auto_pad;
    if (rule == KEELI_WINDOW_NONE || r->call->attribute[rule].count == 0) {
        return KEEL_OK;
    }
    for (int32_t k = 0; k < (int32_t)KEEL_COUNT(pad_names); k++) {
        if (keeli_attribute_is(r->call, (uint32_t)rule, pad_names[k])) {
            r->auto_pad = k;
            return KEEL_OK;
        }
    }
    const keel_attribute *given = &r->call->attribute[rule];
    const int shown = given->count > 0 ? (int)given->count : 0;
    return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                     "%s: auto_pad is \"%.*s\", allowed are NOTSET, SAME_UPPER, SAME_LOWER and "
                     "VALID",
                     r->call->op->name, shown < 32 ? shown : 32, given->value.bytes);
}

static keel_status read_ceil_mode(reader *r)
{
    if (r->rules->ceil_mode == KEELI_WINDOW_NONE) {
        return KEEL_OK;
    }
    const int64_t value = keeli_attribute_int(r->call, (uint32_t)r->rules->ceil_mode);
    if (value != 0 && value != 1) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: ceil_mode is %" PRId64 ", allowed are 0 and 1", r->call->op->name,
                         value);
    }
    r->ceil_mode = (int32_t)value;
    return KEEL_OK;
}

/* Pads that auto_pad makes needless must not say otherwise. */
static keel_status read_pads(const reader *r)
{
    const list pads = read_list(r, r->rules->pads);
    const int32_t rank = r->window->rank;
    KEEL_TRY(check_list(r, &pads, 2 * (int64_t)rank, 0));
    for (int64_t i = 0; i < pads.count && r->auto_pad != PAD_NOTSET; i++) {
        if (pads.value[i] != 0) {
            return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: pads[%" PRId64 "] is %" PRId64
                             ", it must be 0 where auto_pad is %s",
                             r->call->op->name, i, pads.value[i], pad_names[r->auto_pad]);
        }
    }
    for (int32_t i = 0; i < rank && pads.count > 0; i++) {
        axis_of(r, i)->pad_begin = pads.value[i];
        axis_of(r, i)->pad_end = pads.value[i + rank];
    }
    return KEEL_OK;
}

static keel_status read_all(reader *r, const int64_t *taps)
{
    KEEL_TRY(read_rank(r));
    KEEL_TRY(read_kernel(r, taps));
    KEEL_TRY(read_steps(r));
    KEEL_TRY(read_auto_pad(r));
    KEEL_TRY(read_ceil_mode(r));
    return read_pads(r);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Elements from the first tap to the last, both included. Returns 0 on overflow. */
static int window_span(const keeli_window_axis *a, int64_t *out)
{
    int64_t reach;
    return !__builtin_mul_overflow(a->kernel - 1, a->dilation, &reach) &&
           !__builtin_add_overflow(reach, 1, out);
}

static int64_t ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

/* The odd one of an uneven total goes to the end for SAME_UPPER of a convolution. */
static void share_pads(keeli_window_axis *a, int64_t total, int larger_end)
{
    const int64_t half = total / 2;
    a->pad_begin = larger_end ? half : total - half;
    a->pad_end = total - a->pad_begin;
}

/* SAME: as many outputs as strides begin in the input, and the pads that this takes. */
static keel_status place_same(const reader *r, int32_t i, int64_t span)
{
    keeli_window_axis *a = axis_of(r, i);
    a->out = ceil_div(a->in, a->stride);
    const int64_t last = a->out > 0 ? (a->out - 1) * a->stride : 0; /* below in */
    int64_t end;
    if (__builtin_add_overflow(last, span, &end)) {
        return too_large(r, i);
    }
    share_pads(a, a->out > 0 && end > a->in ? end - a->in : 0, r->auto_pad == PAD_SAME_UPPER);
    return KEEL_OK;
}

static keel_status place_window(const reader *r, int32_t i)
{
    keeli_window_axis *a = axis_of(r, i);
    int64_t span;
    int64_t padded;
    if (!window_span(a, &span) || __builtin_add_overflow(a->in, a->pad_begin, &padded) ||
        __builtin_add_overflow(padded, a->pad_end, &padded)) {
        return too_large(r, i);
    }
    if (r->auto_pad == PAD_SAME_UPPER || r->auto_pad == PAD_SAME_LOWER) {
        return place_same(r, i, span);
    }
    const int64_t room = padded - span;
    const int ceiled = r->ceil_mode && r->auto_pad == PAD_NOTSET;
    if (room < 0 && a->in > 0 && !(ceiled && -room < a->stride)) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: spatial axis %d: the window spans %" PRId64
                         " elements, with its pads the input has only %" PRId64,
                         r->call->op->name, (int)i, span, padded);
    }
    a->out = room < 0 ? 0 : room / a->stride + 1;
    if (ceiled) {
        /* One more that is not whole; but none that begins in the padding at the end. */
        const int64_t all = a->out + (room < 0 ? -room < a->stride : room % a->stride != 0);
        const int64_t begun = ceil_div(a->in + a->pad_begin, a->stride);
        a->out = all < begun ? all : begun;
    }
    return KEEL_OK;
}

keel_status keeli_window_read(const keel_call *call, const keeli_window_rules *rules,
                              const int64_t *taps, keeli_window *out, keel_error *err)
{
    reader r = {.call = call, .rules = rules, .window = out, .err = err};
    KEEL_TRY(read_all(&r, taps));
    for (int32_t i = 0; i < out->rank; i++) {
        KEEL_TRY(place_window(&r, i));
    }
    return KEEL_OK;
}

/* ---- transposed ------------------------------------------------------------------------------ */

static keel_status check_output_padding(const reader *r, const list *extra)
{
    KEEL_TRY(check_list(r, extra, r->window->rank, 0));
    for (int32_t i = 0; i < r->window->rank && extra->count > 0; i++) {
        const keeli_window_axis *a = axis_of(r, i);
        const int64_t limit = a->stride > a->dilation ? a->stride : a->dilation;
        if (extra->value[i] >= limit) {
            return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: output_padding[%d] is %" PRId64
                             ", it must be below the larger of stride and dilation, %" PRId64,
                             r->call->op->name, (int)i, extra->value[i], limit);
        }
    }
    return KEEL_OK;
}

/* Elements that the input is spread over before pads cut some off. Returns 0 on overflow. */
static int spread(const keeli_window_axis *a, int64_t extra, int64_t *out)
{
    int64_t span;
    if (a->in == 0) {
        *out = 0;
        return 1;
    }
    return window_span(a, &span) && !__builtin_mul_overflow(a->in - 1, a->stride, out) &&
           !__builtin_add_overflow(*out, span, out) && !__builtin_add_overflow(*out, extra, out);
}

/* The output has a size of its own, and pads are what makes it so; too large, it ends in nothing.
 */
static void fit_pads(const reader *r, keeli_window_axis *a, int64_t whole)
{
    share_pads(a, whole > a->out ? whole - a->out : 0, r->auto_pad == PAD_SAME_UPPER);
    a->pad_end = whole - a->out - a->pad_begin;
}

static keel_status place_transposed(const reader *r, int32_t i, const list *shape, int64_t extra)
{
    keeli_window_axis *a = axis_of(r, i);
    int64_t whole;
    if (!spread(a, extra, &whole)) {
        return too_large(r, i);
    }
    if (shape->count > 0) {
        a->out = shape->value[i];
        fit_pads(r, a, whole);
        return KEEL_OK;
    }
    if (r->auto_pad == PAD_SAME_UPPER || r->auto_pad == PAD_SAME_LOWER) {
        if (__builtin_mul_overflow(a->in, a->stride, &a->out)) {
            return too_large(r, i);
        }
        fit_pads(r, a, whole);
        return KEEL_OK;
    }
    int64_t pads;
    if (__builtin_add_overflow(a->pad_begin, a->pad_end, &pads)) {
        return too_large(r, i);
    }
    if (pads > whole && a->in > 0) {
        return keel_fail(r->err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: spatial axis %d: pads cut off %" PRId64 " of %" PRId64 " elements",
                         r->call->op->name, (int)i, pads, whole);
    }
    a->out = a->in > 0 ? whole - pads : 0;
    return KEEL_OK;
}

keel_status keeli_window_transposed(const keel_call *call, const keeli_window_rules *rules,
                                    const int64_t *taps, keeli_window *out, keel_error *err)
{
    reader r = {.call = call, .rules = rules, .window = out, .err = err};
    KEEL_TRY(read_all(&r, taps));
    const list extra = read_list(&r, rules->output_padding);
    const list shape = read_list(&r, rules->output_shape);
    KEEL_TRY(check_output_padding(&r, &extra));
    KEEL_TRY(check_list(&r, &shape, out->rank, 0));
    for (int32_t i = 0; i < out->rank; i++) {
        KEEL_TRY(place_transposed(&r, i, &shape, extra.count > 0 ? extra.value[i] : 0));
    }
    return KEEL_OK;
}

/* ---- use ------------------------------------------------------------------------------------- */

void keeli_window_taps(const keeli_window_axis *axis, int64_t o, int64_t *first, int64_t *end)
{
    const int64_t at = o * axis->stride - axis->pad_begin; /* of tap 0 */
    const int64_t skip = at < 0 ? (-at - 1) / axis->dilation + 1 : 0;
    const int64_t room = axis->in - at;
    const int64_t fit = room > 0 ? (room - 1) / axis->dilation + 1 : 0;
    *first = skip < axis->kernel ? skip : axis->kernel;
    *end = fit < axis->kernel ? fit : axis->kernel;
    if (*end < *first) {
        *end = *first;
    }
}

int64_t keeli_window_volume(const keeli_window *window)
{
    int64_t volume = 1;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        if (__builtin_mul_overflow(volume, window->axis[i].kernel, &volume)) {
            return INT64_MAX;
        }
    }
    return volume;
}

void keeli_window_views(const keeli_window *window, keel_meta_view *steps, keel_meta_view *sizes)
{
    memset(steps, 0, sizeof *steps);
    memset(sizes, 0, sizeof *sizes);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *a = &window->axis[i];
        steps->stride[i] = a->stride;
        steps->stride[KEELI_WINDOW_AXES + i] = a->dilation;
        steps->stride[2 * KEELI_WINDOW_AXES + i] = a->pad_begin;
        sizes->stride[i] = a->in;
        sizes->stride[KEELI_WINDOW_AXES + i] = a->out;
        sizes->stride[2 * KEELI_WINDOW_AXES + i] = a->kernel;
    }
}

int keeli_window_fits_32(const keeli_window *window)
{
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *a = &window->axis[i];
        const int64_t number[] = {a->in,       a->out,       a->kernel, a->stride,
                                  a->dilation, a->pad_begin, a->pad_end};
        for (size_t k = 0; k < KEEL_COUNT(number); k++) {
            if (number[k] >= REACH_32 || number[k] <= -REACH_32) {
                return 0;
            }
        }
        /* All are below 2^30, so that these products are exact. */
        if (a->out * a->stride >= REACH_32 || a->in * a->stride >= REACH_32 ||
            a->kernel * a->dilation >= REACH_32) {
            return 0;
        }
    }
    return 1;
}
