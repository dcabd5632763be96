/*
 * Geometries of sliding windows, written as the names of cases:
 *   n2/c6/m8/g2/in9,11/k3,3/s2,1/d1,2/p0,1,1,2/bias
 * is 2 images of 6 channels, 9 x 11 each, to 8 channels in 2 groups, a window of 3 x 3, its
 * strides, dilations and pads. o: output_padding; y: output_shape; SAME_UPPER, SAME_LOWER, VALID.
 * Words that mean nothing only tell names apart.
 */
#ifndef CONF_CASES_GEOMETRY_H
#define CONF_CASES_GEOMETRY_H

#include <stdint.h>

#define CONF_WINDOW_AXES 3

/* Lists of numbers in a name, by their letter. */
typedef struct conf_numbers {
    const char *key;
    int32_t count;
    int64_t value[2 * CONF_WINDOW_AXES];
} conf_numbers;

enum {
    CONF_WINDOW_BATCH,
    CONF_WINDOW_CHANNELS,
    CONF_WINDOW_OUTPUTS,
    CONF_WINDOW_GROUP,
    CONF_WINDOW_INPUT,
    CONF_WINDOW_KERNEL,
    CONF_WINDOW_STRIDES,
    CONF_WINDOW_DILATIONS,
    CONF_WINDOW_PADS,
    CONF_WINDOW_EXTRA,
    CONF_WINDOW_SHAPE,
    CONF_WINDOW_KEYS
};

typedef struct conf_geometry {
    conf_numbers list[CONF_WINDOW_KEYS];
    const char *auto_pad; /* "" or a word */
    int32_t bias;
} conf_geometry;

conf_geometry conf_geometry_read(const char *name);

/* Size of output axis i, by ONNX's formulas of keel.conv or keel.conv_transpose. */
int64_t conf_geometry_output(const conf_geometry *g, int32_t i, int32_t is_transposed);

#endif
