/*
 * keel.conv_integer and keel.qlinear_conv: one to three spatial axes, groups, strides, dilations,
 * pads of every kind, layouts, zero points and scales per channel.
 */
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define SPATIAL 3

typedef struct conf_byte_conv {
    const char *name;
    int32_t tier;
    int32_t spatial; /* axes */
    int64_t images, in, out, group;
    int64_t size[SPATIAL], taps[SPATIAL];
    int64_t strides[SPATIAL], dilations[SPATIAL]; /* 0: not given */
    int64_t pads[2 * SPATIAL];
    int64_t result[SPATIAL]; /* sizes of the output, worked out by hand */
    const char *auto_pad;
    int32_t per_channel; /* weights have a scale and zero point for each channel */
    int32_t no_zeros, no_bias;
    int32_t x_layout, w_layout, y_layout;
    conf_data data;
    uint32_t flags;
} conf_byte_conv;

static const conf_byte_conv convolutions[] = {
    {.name = "3x3_2x5x17x19",
     .tier = SMOKE,
     .spatial = 2,
     .images = 2,
     .in = 5,
     .out = 7,
     .group = 1,
     .size = {17, 19},
     .taps = {3, 3},
     .pads = {1, 1, 1, 1},
     .result = {17, 19}},
    {.name = "group_2_stride_2_dilation_2/strided",
     .tier = SMOKE,
     .spatial = 2,
     .images = 2,
     .in = 6,
     .out = 8,
     .group = 2,
     .size = {16, 21},
     .taps = {3, 2},
     .strides = {2, 1},
     .dilations = {1, 2},
     .pads = {1, 2, 0, 1},
     .result = {8, 22},
     .per_channel = 1,
     .x_layout = STEP,
     .w_layout = STEP,
     .y_layout = PADDED},
    {.name = "1d_3x11x130",
     .tier = SMOKE,
     .spatial = 1,
     .images = 3,
     .in = 11,
     .out = 5,
     .group = 1,
     .size = {130},
     .taps = {5},
     .pads = {2, 2},
     .result = {130},
     .per_channel = 1},
    {.name = "3d_1x3x7x8x9",
     .tier = QUICK,
     .spatial = 3,
     .images = 1,
     .in = 3,
     .out = 4,
     .group = 1,
     .size = {7, 8, 9},
     .taps = {2, 3, 3},
     .strides = {2, 1, 2},
     .pads = {0, 1, 1, 1, 1, 0},
     .result = {4, 8, 4},
     .x_layout = OFFSET},
    {.name = "1x1_1x65x14x15",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 65,
     .out = 33,
     .group = 1,
     .size = {14, 15},
     .taps = {1, 1},
     .result = {14, 15},
     .per_channel = 1},
    {.name = "depthwise_2x9x20x18",
     .tier = QUICK,
     .spatial = 2,
     .images = 2,
     .in = 9,
     .out = 9,
     .group = 9,
     .size = {20, 18},
     .taps = {3, 3},
     .pads = {1, 1, 1, 1},
     .result = {20, 18},
     .per_channel = 1},
    {.name = "depthwise_multiplier_1x4x11x12",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 4,
     .out = 12,
     .group = 4,
     .size = {11, 12},
     .taps = {3, 3},
     .strides = {2, 2},
     .pads = {1, 1, 1, 1},
     .result = {6, 6}},
    {.name = "same_upper_1x3x10x11",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 3,
     .out = 4,
     .group = 1,
     .size = {10, 11},
     .taps = {3, 4},
     .strides = {2, 3},
     .result = {5, 4},
     .auto_pad = "SAME_UPPER"},
    {.name = "same_lower_1x3x10x11",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 3,
     .out = 4,
     .group = 1,
     .size = {10, 11},
     .taps = {4, 2},
     .result = {10, 11},
     .auto_pad = "SAME_LOWER"},
    {.name = "valid_1x3x10x11/transposed_memory",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 3,
     .out = 4,
     .group = 1,
     .size = {10, 11},
     .taps = {3, 3},
     .result = {8, 9},
     .auto_pad = "VALID",
     .x_layout = TRANSPOSED,
     .w_layout = TRANSPOSED,
     .y_layout = TRANSPOSED},
    {.name = "only_padding_1x2x3x3",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 2,
     .out = 3,
     .group = 1,
     .size = {3, 3},
     .taps = {2, 2},
     .pads = {4, 4, 4, 4},
     .result = {10, 10},
     .flags = FEW},
    {.name = "no_zero_points_1x8x9x9",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 8,
     .out = 16,
     .group = 1,
     .size = {9, 9},
     .taps = {3, 3},
     .result = {7, 7},
     .no_zeros = 1,
     .no_bias = 1,
     .x_layout = FLUSH,
     .w_layout = FLUSH,
     .y_layout = FLUSH},
    {.name = "long_1x300x3x5",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 300,
     .out = 130,
     .group = 1,
     .size = {3, 5},
     .taps = {3, 3},
     .pads = {1, 1, 1, 1},
     .result = {3, 5},
     .per_channel = 1},
    {.name = "no_images_0x3x5x5",
     .tier = QUICK,
     .spatial = 2,
     .in = 3,
     .out = 4,
     .group = 1,
     .size = {5, 5},
     .taps = {3, 3},
     .result = {3, 3}},
    {.name = "extremes_1x64x9x9",
     .tier = QUICK,
     .spatial = 2,
     .images = 1,
     .in = 64,
     .out = 5,
     .group = 1,
     .size = {9, 9},
     .taps = {3, 3},
     .result = {7, 7},
     .data = {.kind = CONF_DATA_SPECIAL},
     .flags = FEW},
    {.name = "3x3_1x64x56x56",
     .tier = FULL,
     .spatial = 2,
     .images = 1,
     .in = 64,
     .out = 64,
     .group = 1,
     .size = {56, 56},
     .taps = {3, 3},
     .pads = {1, 1, 1, 1},
     .result = {56, 56},
     .per_channel = 1},
};

static conf_shape shape_of(const conf_byte_conv *p, int64_t first, int64_t second,
                           const int64_t *spatial)
{
    conf_shape shape = {.rank = 2 + p->spatial, .size = {first, second}};
    memcpy(shape.size + 2, spatial, (size_t)p->spatial * sizeof *spatial);
    return shape;
}

static conf_operand values(const conf_byte_conv *p, keel_dtype dtype, const conf_shape *shape,
                           int32_t layout)
{
    conf_operand operand = conf_make_operand(dtype, shape, layout);
    operand.data = p->data;
    if (p->data.kind == CONF_DATA_UNIFORM) {
        operand.data.kind = CONF_DATA_BITS;
    }
    return operand;
}

static conf_operand zeros(const conf_byte_conv *p, keel_dtype dtype, const conf_shape *shape)
{
    const int is_signed = dtype == KEEL_I8;
    conf_operand operand =
        conf_make_operand(p->no_zeros ? KEEL_DTYPE_NONE : dtype, shape, shape->rank);
    operand.data = (conf_data){.kind = CONF_DATA_INTEGER,
                               .low = is_signed ? -20.0 : 100.0,
                               .high = is_signed ? 30.0 : 150.0};
    return operand;
}

static conf_operand scales(const conf_shape *shape, double low, double high)
{
    conf_operand operand = conf_make_operand(KEEL_F32, shape, shape->rank);
    operand.data = (conf_data){.low = low, .high = high};
    return operand;
}

static uint32_t make_attributes(const conf_byte_conv *p, keel_attribute *attribute)
{
    uint32_t count = 0;
    if (p->group != 1) {
        attribute[count++] = conf_make_int("group", p->group);
    }
    if (p->strides[0] != 0) {
        attribute[count++] = conf_make_ints("strides", p->strides, p->spatial);
    }
    if (p->dilations[0] != 0) {
        attribute[count++] = conf_make_ints("dilations", p->dilations, p->spatial);
    }
    if (p->auto_pad != NULL) {
        attribute[count++] = conf_make_bytes("auto_pad", p->auto_pad);
        attribute[count++] = conf_make_ints("kernel_shape", p->taps, p->spatial);
    } else if (p->pads[0] + p->pads[1] != 0) {
        attribute[count++] = conf_make_ints("pads", p->pads, 2 * p->spatial);
    }
    return count;
}

static void add(conf_list *list, const keel_op *op, const conf_byte_conv *p,
                const conf_operand *operand, uint32_t inputs, const char *label, int32_t tier)
{
    keel_attribute attribute[6];
    const conf_op_case c = {.op = op->name,
                            .inputs = inputs,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = make_attributes(p, attribute),
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = {.family = op->family, .op = op->name, .dtype = label, .tier = tier};
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_integer(conf_list *list, const keel_op *op, const keel_dtype *types,
                        const conf_byte_conv *p)
{
    const conf_shape x = shape_of(p, p->images, p->in, p->size);
    const conf_shape w = shape_of(p, p->out, p->in / p->group, p->taps);
    const conf_shape y = shape_of(p, p->images, p->out, p->result);
    const conf_shape one = {0, {0}};
    const conf_shape channels = {1, {p->per_channel ? p->out : 1}};
    const conf_operand operand[5] = {values(p, types[0], &x, p->x_layout),
                                     values(p, types[1], &w, p->w_layout), zeros(p, types[2], &one),
                                     zeros(p, types[3], &channels),
                                     conf_make_operand(types[4], &y, p->y_layout)};
    char label[32];
    (void)snprintf(label, sizeof label, "%s-%s", keel_dtype_name(types[0]),
                   keel_dtype_name(types[1]));
    const int usual = types[0] == KEEL_U8 && types[1] == KEEL_I8;
    add(list, op, p, operand, 4, label, usual ? p->tier : p->tier == SMOKE ? QUICK : FULL);
}

static void add_quantised(conf_list *list, const keel_op *op, const keel_dtype *types,
                          const conf_byte_conv *p)
{
    const conf_shape x = shape_of(p, p->images, p->in, p->size);
    const conf_shape w = shape_of(p, p->out, p->in / p->group, p->taps);
    const conf_shape y = shape_of(p, p->images, p->out, p->result);
    const conf_shape one = {0, {0}};
    const conf_shape channels = {1, {p->per_channel ? p->out : 1}};
    const conf_shape biases = {1, {p->out}};
    conf_operand operand[10] = {values(p, types[0], &x, p->x_layout),
                                scales(&one, 0.01, 0.02),
                                zeros(p, types[2], &one),
                                values(p, types[3], &w, p->w_layout),
                                scales(&channels, 0.01, 0.02),
                                zeros(p, types[5], &channels),
                                scales(&one, 0.2, 0.5),
                                zeros(p, types[7], &one),
                                conf_make_operand(types[8], &biases, OFFSET),
                                conf_make_operand(types[9], &y, p->y_layout)};
    operand[8].data = (conf_data){.kind = CONF_DATA_INTEGER, .low = -100000.0, .high = 100000.0};
    if (p->no_bias) {
        operand[8].dtype = KEEL_DTYPE_NONE;
    }
    char label[48];
    (void)snprintf(label, sizeof label, "%s-%s-to-%s", keel_dtype_name(types[0]),
                   keel_dtype_name(types[3]), keel_dtype_name(types[9]));
    const int usual = types[0] == KEEL_U8 && types[3] == KEEL_I8 && types[9] == KEEL_U8;
    add(list, op, p, operand, 9, label, usual ? p->tier : p->tier == SMOKE ? QUICK : FULL);
}

void conf_cases_quantised_conv(conf_list *list)
{
    static const char *const names[] = {"keel.conv_integer", "keel.qlinear_conv"};
    for (int quantised = 0; quantised < 2; quantised++) {
        const keel_op *op = keel_op_find(conf_list_context(list), names[quantised]);
        keel_dtype tuple[KEEL_MAX_OPERANDS];
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            for (size_t i = 0; i < KEEL_COUNT(convolutions); i++) {
                conf_byte_conv p = convolutions[i];
                p.no_zeros = quantised ? 0 : p.no_zeros; /* they must be given */
                (quantised ? add_quantised : add_integer)(list, op, tuple, &p);
            }
        }
    }
}
