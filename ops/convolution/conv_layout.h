/*
 * How a call of keel.conv lies for the register tiles of conv_simd.kc: which axes are one, whether
 * x is copied, and which output positions follow each other.
 */
#ifndef KEELI_CONV_LAYOUT_H
#define KEELI_CONV_LAYOUT_H

#include "convolution/convolution.h"

/* Register tile: CONV_MR output channels x CONV_NR positions. */
#define CONV_MR 6
#define CONV_NR 16

/* How a call is laid out for tiles. */
typedef struct keeli_conv_layout {
    keeli_window_axis axis[KEELI_WINDOW_AXES]; /* after axes have been merged */
    int64_t x_step[KEELI_WINDOW_AXES], y_step[KEELI_WINDOW_AXES];
    int packed; /* x is copied */
    int64_t phases[KEELI_WINDOW_AXES], length[KEELI_WINDOW_AXES];
    int64_t plane;                   /* elements of a packed channel */
    int64_t step[KEELI_WINDOW_AXES]; /* elements from an output position's input to the next */
    int64_t channel;                 /* from a channel to the next */
    int64_t lines, columns, pitch;
} keeli_conv_layout;

/* Taps so many apart are whole strides apart. */
int64_t keeli_conv_period(const keeli_window_axis *a);

/* Phases of an axis: inputs that windows meet at the same taps only; each is packed by itself. */
int64_t keeli_conv_phases(const keeli_window_axis *a);

/* space: the loops of the call. Returns 0 if tiles cannot take it: padded channels or offsets are
 * beyond 2^31 elements. */
int keeli_conv_lay_out(const keel_call *call, const keeli_conv *conv, const keel_space *space,
                       keeli_conv_layout *l);

#endif
