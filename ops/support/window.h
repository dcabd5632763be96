/*
 * The geometry of windows that slide over the spatial axes of an N C [D] [H] W tensor: what
 * convolutions, transposed convolutions and pooling share. It reads ONNX's attributes and gives
 * sizes and pads; everything wrong is refused in words. Pure functions; any thread.
 */
#ifndef KEELI_SUPPORT_WINDOW_H
#define KEELI_SUPPORT_WINDOW_H

#include "keel/op.h"

/* Spatial axes that a window may have, and where they begin in a tensor. */
#define KEELI_WINDOW_AXES 3
#define KEELI_WINDOW_FIRST_AXIS 2

/*
 * One spatial axis, in elements. Output position o meets tap k at input position
 * o * stride - pad_begin + k * dilation, in a transposed convolution the other way round: input
 * position i and tap k meet at output position i * stride - pad_begin + k * dilation.
 */
typedef struct keeli_window_axis {
    int64_t in, out; /* sizes, >= 0 */
    int64_t kernel;  /* taps, >= 1 */
    int64_t stride;  /* >= 1 */
    int64_t dilation;
    int64_t pad_begin; /* >= 0 */
    int64_t pad_end;   /* >= 0; of a transposed convolution perhaps less: nothing reaches the end */
} keeli_window_axis;

/*
 * All axes, the innermost last. Axes that the tensor lacks come first, with sizes, taps and steps
 * of 1 and no pads, so that three loops serve every rank.
 */
typedef struct keeli_window {
    int32_t rank; /* spatial axes that the tensor has: 1 to 3 */
    int32_t pad;
    keeli_window_axis axis[KEELI_WINDOW_AXES];
} keeli_window;

/*
 * Where the attributes stand in the op's rules; KEELI_WINDOW_NONE for those that it lacks.
 * kernel_shape, strides, dilations, pads (all begins, then all ends), output_padding and
 * output_shape are INTS of which an empty array counts as absent; auto_pad is BYTES (empty:
 * NOTSET); ceil_mode is INT.
 */
#define KEELI_WINDOW_NONE (-1)
typedef struct keeli_window_rules {
    int32_t kernel_shape, strides, dilations, pads, auto_pad, ceil_mode;
    int32_t output_padding, output_shape; /* keeli_window_transposed() alone */
} keeli_window_rules;

/*
 * Reads the geometry of a window over the first input, whose rank is checked (3 to 5).
 *
 * @param taps  kernel sizes that the weights have, one per spatial axis; NULL: kernel_shape must be
 *              given. Where both are, they must agree.
 * @param out   receives the geometry; undefined on errors
 * @retval KEEL_ERR_INVALID_ARGUMENT  an attribute has the wrong length, is out of its domain or
 *         contradicts another; a window is larger than the padded input; a size exceeds 2^63 - 1.
 *         An input axis without elements and pads gives an output axis without elements.
 */
keel_status keeli_window_read(const keel_call *call, const keeli_window_rules *rules,
                              const int64_t *taps, keeli_window *out, keel_error *err);

/* The same for a transposed convolution: out.axis[].out is what the input is spread over. */
keel_status keeli_window_transposed(const keel_call *call, const keeli_window_rules *rules,
                                    const int64_t *taps, keeli_window *out, keel_error *err);

/* Taps first .. end-1 of output position o that lie on the input; end >= first. Not transposed. */
void keeli_window_taps(const keeli_window_axis *axis, int64_t o, int64_t *first, int64_t *end);

/* Taps of all axes together; 2^63 - 1 if there are more. */
int64_t keeli_window_volume(const keeli_window *window);

/*
 * What kernels need beside a space, as the strides of two views: of steps, axis by axis, strides in
 * 0 to 2, dilations in 3 to 5, pad_begin in 6 to 8; of sizes in in 0 to 2, out in 3 to 5, taps in 6
 * to 8.
 */
void keeli_window_views(const keeli_window *window, keel_meta_view *steps, keel_meta_view *sizes);

/* Whether 32-bit indices reach every position that the window may meet, pads included. */
int keeli_window_fits_32(const keeli_window *window);

#endif
