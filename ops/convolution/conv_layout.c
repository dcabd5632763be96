/* How a call of keel.conv lies for register tiles. docs: conv.md. */
#include "convolution/conv_layout.h"

#include <string.h>

#include "convolution/convolution_plan.h"

/* Offsets of a table are 32 bits wide. */
#define REACH 0x1p31

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int64_t keeli_conv_period(const keeli_window_axis *a)
{
    return a->stride / divisor(a->stride, a->dilation);
}

int64_t keeli_conv_phases(const keeli_window_axis *a)
{
    const int64_t period = keeli_conv_period(a);
    return a->kernel < period ? a->kernel : period;
}

static int is_point(const keeli_window_axis *a)
{
    return a->kernel == 1 && a->stride == 1 && a->pad_begin == 0 && a->out == a->in;
}

/* Whether steps of axis i are whole rows of axis i + 1. */
static int continues(const keeli_window_axis *inner, int64_t step, int64_t inner_step)
{
    int64_t row;
    return !__builtin_mul_overflow(inner->in, inner_step, &row) && step == row;
}

/* Where a window is one element, spatial axes that follow each other are one. */
static void merge_axes(keeli_conv_layout *l)
{
    for (int32_t i = KEELI_WINDOW_AXES - 2; i >= 0; i--) {
        keeli_window_axis *outer = &l->axis[i];
        keeli_window_axis *inner = &l->axis[KEELI_WINDOW_AXES - 1];
        const int together = continues(inner, l->x_step[i], l->x_step[KEELI_WINDOW_AXES - 1]) &&
                             continues(inner, l->y_step[i], l->y_step[KEELI_WINDOW_AXES - 1]);
        if (!is_point(outer) || !is_point(inner) || (outer->in > 1 && !together)) {
            return;
        }
        inner->in = inner->out = inner->in * outer->in;
        outer->in = outer->out = 1;
    }
}

/* Whether windows can be read where x lies: no padding, neighbours side by side. */
static int reads_directly(const keel_call *call, const keeli_conv_layout *l)
{
    double reach = 0.0;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *a = &l->axis[i];
        const int64_t last = a->out - 1 + (a->kernel - 1) * a->dilation;
        if (a->stride != 1 || a->pad_begin != 0 || last >= a->in) {
            return 0;
        }
        reach += (double)(a->kernel - 1) * (double)a->dilation * (double)l->x_step[i];
    }
    const keel_desc *x = &call->operand[CONV_X];
    reach += (double)x->stride[1] * (double)x->shape[1];
    /* Channels 1 KiB apart would share few lines of the cache. */
    return x->dtype == KEEL_F32 && l->x_step[KEELI_WINDOW_AXES - 1] == 1 && reach < REACH &&
           (x->stride[1] % 256 != 0 || x->shape[1] < 8);
}

/* Sizes of a packed channel. Returns 0 if they are out of reach. */
static int measure_packed(keeli_conv_layout *l, int64_t channels)
{
    double elements = 1.0;
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        const keeli_window_axis *a = &l->axis[i];
        l->phases[i] = keeli_conv_phases(a);
        l->length[i] = (a->kernel - 1) * a->dilation / a->stride;
        if ((double)a->out + (double)l->length[i] >= REACH) {
            return 0;
        }
        l->length[i] += a->out;
        elements *= (double)l->phases[i] * (double)l->length[i];
    }
    if ((elements + 32.0) * (double)channels >= REACH) {
        return 0;
    }
    /* An odd number of cache lines, so that channels spread over the cache. */
    l->plane = (((int64_t)elements + 15) / 16 | 1) * 16;
    l->step[2] = 1;
    l->step[1] = l->length[2];
    l->step[0] = l->length[1] * l->length[2];
    l->channel = l->plane;
    return 1;
}

/* Lines: all rows of a slice as one, or one by one, whichever takes fewer tiles. */
static void choose_lines(keeli_conv_layout *l)
{
    const int64_t height = l->axis[1].out;
    const int64_t width = l->axis[2].out;
    int64_t all;
    l->lines = height;
    l->columns = l->pitch = width;
    if (l->step[1] < width || __builtin_mul_overflow(height - 1, l->step[1], &all) ||
        __builtin_add_overflow(all, width, &all)) {
        return;
    }
    if (keeli_conv_ceil_div(all, CONV_NR) <= height * keeli_conv_ceil_div(width, CONV_NR)) {
        l->lines = 1;
        l->columns = all;
        l->pitch = l->step[1];
    }
}

int keeli_conv_lay_out(const keel_call *call, const keeli_conv *conv, const keel_space *space,
                       keeli_conv_layout *l)
{
    memset(l, 0, sizeof *l);
    memcpy(l->axis, conv->window.axis, sizeof l->axis);
    for (int32_t i = 0; i < KEELI_WINDOW_AXES; i++) {
        l->x_step[i] = space->stride[CONV_X][CONV_AXIS_OUT + i];
        l->y_step[i] = space->stride[CONV_OUT][CONV_AXIS_OUT + i];
        l->phases[i] = 1;
    }
    merge_axes(l);
    if (reads_directly(call, l)) {
        memcpy(l->step, l->x_step, sizeof l->step);
        l->channel = call->operand[CONV_X].stride[1];
        choose_lines(l);
        if (l->columns >= CONV_NR) {
            return 1;
        }
    }
    l->packed = 1;
    if (!measure_packed(l, conv->channels)) {
        return 0;
    }
    choose_lines(l);
    return 1;
}
