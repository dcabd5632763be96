/*
 * keel.dynamic_quantize_linear; keel.quantize_linear and keel.dequantize_linear: every triple of
 * types, one scale, one per index of an axis, one per block, packed 4-bit values, ties, special
 * values, layouts.
 */
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define OPERANDS 4 /* x, scale, zero point, y */

/* How many scales there are. */
#define ONE 0    /* of rank 0 */
#define VECTOR 1 /* of rank 1 and one element */
#define AXIS 2
#define BLOCKS 3

typedef struct conf_quantizing {
    const char *name;
    int32_t tier; /* for the main types; others deeper */
    conf_shape shape;
    int32_t form;
    int32_t axis, block;
    int32_t no_zero; /* no zero point is given */
    int32_t x_layout, scale_layout, y_layout;
    uint32_t repeat; /* axes of x of stride 0, by bits */
    conf_data data;  /* of the real numbers; of the quantized ones if there is an integer kind */
    conf_data scale;
    uint32_t flags;
} conf_quantizing;

#define STEPS UNIFORM(0.01, 0.04)
#define ONES UNIFORM(1.0, 1.0)

static const conf_quantizing plain[] = {
    {.name = "tensor_33x65", .tier = SMOKE, .shape = {2, {33, 65}}, .scale = STEPS},
    {.name = "axis_last_17x37",
     .tier = SMOKE,
     .shape = {2, {17, 37}},
     .form = AXIS,
     .axis = -1,
     .x_layout = OFFSET,
     .scale = STEPS},
    {.name = "axis_1_3x5x7x9/strided",
     .tier = SMOKE,
     .shape = {4, {3, 5, 7, 9}},
     .form = AXIS,
     .axis = 1,
     .x_layout = STEP,
     .scale_layout = STEP,
     .y_layout = PADDED,
     .scale = STEPS},
    {.name = "blocks_of_32_5x100",
     .tier = SMOKE,
     .shape = {2, {5, 100}},
     .form = BLOCKS,
     .axis = 1,
     .block = 32,
     .scale = STEPS},
    {.name = "blocks_of_3_axis_0_10x17/transposed_memory",
     .tier = QUICK,
     .shape = {2, {10, 17}},
     .form = BLOCKS,
     .axis = 0,
     .block = 3,
     .x_layout = TRANSPOSED,
     .scale_layout = TRANSPOSED,
     .y_layout = TRANSPOSED,
     .scale = STEPS},
    {.name = "blocks_of_16_middle_3x33x5",
     .tier = QUICK,
     .shape = {3, {3, 33, 5}},
     .form = BLOCKS,
     .axis = -2,
     .block = 16,
     .y_layout = OFFSET,
     .scale = STEPS},
    {.name = "blocks_of_1_19x17",
     .tier = QUICK,
     .shape = {2, {19, 17}},
     .form = BLOCKS,
     .axis = 0,
     .block = 1,
     .scale_layout = PADDED,
     .scale = STEPS},
    {.name = "blocks_longer_than_axis_4x31",
     .tier = QUICK,
     .shape = {2, {4, 31}},
     .form = BLOCKS,
     .axis = 1,
     .block = 64,
     .scale = STEPS},
    {.name = "ties_1021",
     .tier = SMOKE,
     .shape = {1, {1021}},
     .form = VECTOR,
     .axis = 5, /* does not matter: there is one scale */
     .data = {.kind = CONF_DATA_RAMP, .low = -255.0, .high = 0.5},
     .scale = ONES,
     .flags = FEW},
    {.name = "no_zero_point_257",
     .tier = QUICK,
     .shape = {1, {257}},
     .no_zero = 1,
     .x_layout = FLUSH,
     .y_layout = FLUSH,
     .scale = STEPS},
    {.name = "special_997",
     .tier = QUICK,
     .shape = {1, {997}},
     .data = KIND(SPECIAL),
     .scale = {.kind = CONF_DATA_WIDE, .low = -2.0, .high = 2.0},
     .flags = FEW},
    {.name = "special_scales_31x37",
     .tier = QUICK,
     .shape = {2, {31, 37}},
     .form = AXIS,
     .axis = 0,
     .data = KIND(SPECIAL),
     .scale = KIND(SPECIAL),
     .flags = FEW},
    {.name = "any_bits_1000",
     .tier = QUICK,
     .shape = {1, {1000}},
     .no_zero = 1,
     .data = KIND(BITS),
     .scale = ONES,
     .flags = FEW},
    {.name = "repeated_6x1x40",
     .tier = FULL,
     .shape = {3, {6, 1, 40}},
     .form = AXIS,
     .axis = 2,
     .repeat = 1,
     .scale = STEPS},
    {.name = "rank_0", .tier = QUICK, .scale = STEPS, .flags = FEW},
    {.name = "rank_8_2x1x3x1x2x3x1x5",
     .tier = FULL,
     .shape = {8, {2, 1, 3, 1, 2, 3, 1, 5}},
     .form = AXIS,
     .axis = 5,
     .x_layout = STEP,
     .scale = STEPS},
    {.name = "empty_3x0x5",
     .tier = QUICK,
     .shape = {3, {3, 0, 5}},
     .form = BLOCKS,
     .axis = 2,
     .block = 2,
     .scale = STEPS},
    {.name = "no_blocks_5x0",
     .tier = FULL,
     .shape = {2, {5, 0}},
     .form = BLOCKS,
     .axis = 1,
     .block = 2,
     .scale = STEPS},
    {.name = "tensor_1031x513", .tier = FULL, .shape = {2, {1031, 513}}, .scale = STEPS},
    {.name = "blocks_of_32_1031x512",
     .tier = FULL,
     .shape = {2, {1031, 512}},
     .form = BLOCKS,
     .axis = 1,
     .block = 32,
     .scale = STEPS},
};

static conf_shape scale_shape(const conf_quantizing *p)
{
    conf_shape shape = {.rank = p->form == ONE ? 0 : 1, .size = {1}};
    const int32_t axis = p->axis < 0 ? p->axis + p->shape.rank : p->axis;
    if (p->form == AXIS) {
        shape.size[0] = p->shape.size[axis];
    } else if (p->form == BLOCKS) {
        shape = p->shape;
        shape.size[axis] = (shape.size[axis] + p->block - 1) / p->block;
    }
    return shape;
}

static int64_t volume(const conf_shape *shape)
{
    int64_t elements = 1;
    for (int32_t a = 0; a < shape->rank; a++) {
        elements *= shape->size[a];
    }
    return elements;
}

/* Bytes of packed values. */
static conf_shape bytes_of(const conf_shape *shape)
{
    return (conf_shape){1, {(volume(shape) + 1) / 2}};
}

/* Zero points: small for the types that quantized values saturate. */
static conf_data zero_data(keel_dtype dtype)
{
    const int is_signed = !keel_dtype_in(dtype, KEEL_DTYPES_UNSIGNED);
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_F8);
    return (conf_data){.kind = CONF_DATA_INTEGER,
                       .low = is_float    ? -2.0
                              : is_signed ? -20.0
                                          : 90.0,
                       .high = is_float    ? 2.0
                               : is_signed ? 30.0
                                           : 140.0};
}

/* Of quantized values: all there are, but for the 16- and 32-bit integers and what is no number. */
static conf_data value_data(const conf_quantizing *p, keel_dtype dtype)
{
    if (p->data.kind == CONF_DATA_BITS || p->data.kind == CONF_DATA_SPECIAL ||
        p->data.kind == CONF_DATA_RAMP) {
        return p->data.kind == CONF_DATA_RAMP ? (conf_data)KIND(ALL) : p->data;
    }
    if (keel_dtype_in(dtype, KEEL_DTYPES_F8)) {
        return (conf_data)UNIFORM(-100.0, 100.0);
    }
    if (dtype == KEEL_I32) { /* within f16 after scaling; "any_bits" has the others */
        return (conf_data){.kind = CONF_DATA_INTEGER, .low = -1e6, .high = 1e6};
    }
    return (conf_data)KIND(WIDE);
}

static void make_operands(const conf_quantizing *p, int quantizes, int packed,
                          const keel_dtype *types, conf_operand *operand)
{
    const conf_shape scales = scale_shape(p);
    const conf_shape values = packed ? bytes_of(&p->shape) : p->shape;
    const conf_shape zeros = packed ? bytes_of(&scales) : scales;
    operand[0] = conf_make_operand(types[0], quantizes ? &p->shape : &values, p->x_layout);
    operand[1] = conf_make_operand(types[1], &scales, p->scale_layout);
    operand[2] = conf_make_operand(types[2], &zeros, p->scale_layout);
    operand[3] = conf_make_operand(types[3], quantizes ? &values : &p->shape, p->y_layout);
    operand[0].repeat = !quantizes && packed ? 0 : p->repeat;
    operand[0].data = quantizes ? p->data : value_data(p, types[0]);
    if (quantizes && p->data.kind == CONF_DATA_UNIFORM) {
        operand[0].data = (conf_data)UNIFORM(-3.0, 3.0);
    }
    operand[1].data = p->scale;
    operand[2].data = packed ? (conf_data)KIND(WIDE) : zero_data(types[2]);
    if (p->no_zero) {
        operand[2].dtype = KEEL_DTYPE_NONE;
    }
}

static void add(conf_list *list, const keel_op *op, const keel_dtype *types, int32_t tier,
                const conf_quantizing *p, const char *packed, int32_t saturate)
{
    const int quantizes = strcmp(op->name, "keel.quantize_linear") == 0;
    conf_operand operand[OPERANDS];
    keel_attribute attribute[4];
    uint32_t attributes = 0;
    make_operands(p, quantizes, packed[0] != '\0', types, operand);
    if (p->axis != 1) {
        attribute[attributes++] = conf_make_int("axis", p->axis);
    }
    if (p->form == BLOCKS) {
        attribute[attributes++] = conf_make_int("block_size", p->block);
    }
    if (packed[0] != '\0') {
        attribute[attributes++] = conf_make_bytes("packed", packed);
    }
    if (!saturate) {
        attribute[attributes++] = conf_make_int("saturate", 0);
    }
    const conf_op_case c = {.op = op->name,
                            .inputs = OPERANDS - 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = attributes,
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    char label[48];
    const keel_dtype named[] = {types[0], types[1], types[3]};
    conf_make_dtype_label(named, 3, label, sizeof label);
    const conf_name name = {.family = op->family, .op = op->name, .dtype = label, .tier = tier};
    conf_list_add_op(list, &name, &c, "%s%s%s%s", p->name, packed[0] != '\0' ? "/" : "", packed,
                     saturate ? "" : "/overflow");
}

/* 0: the types that smoke looks at; 1: those of quick; 2: of full, and there the first cases. */
static int32_t depth_of(const keel_dtype *types, int quantizes)
{
    const keel_dtype real = types[quantizes ? 0 : 3];
    const keel_dtype value = types[quantizes ? 3 : 0];
    if (real != types[1]) {
        return 2;
    }
    if (real == KEEL_F32) {
        return value == KEEL_U8 ? 0 : 1;
    }
    return (real == KEEL_F16 && value == KEEL_U8) || (real == KEEL_BF16 && value == KEEL_I8) ? 1
                                                                                             : 2;
}

static void add_tuple(conf_list *list, const keel_op *op, const keel_dtype *types, int quantizes)
{
    const int32_t depth = depth_of(types, quantizes);
    const keel_dtype value = types[quantizes ? 3 : 0];
    for (size_t i = 0; i < KEEL_COUNT(plain); i++) {
        const conf_quantizing *p = &plain[i];
        if (depth == 2 && p->tier != SMOKE) {
            continue;
        }
        const int32_t tier = depth == 0 ? p->tier : depth == 1 && p->tier == SMOKE ? QUICK : FULL;
        add(list, op, types, tier, p, "", 1);
        if (quantizes && keel_dtype_in(value, KEEL_DTYPES_F8) && p->data.kind != 0) {
            add(list, op, types, tier == SMOKE ? QUICK : tier, p, "", 0);
        }
        if (value == KEEL_U8 && p->repeat == 0) {
            add(list, op, types, tier, p, "i4", 1);
            add(list, op, types, tier == SMOKE ? QUICK : FULL, p, "u4", 1);
        }
    }
}

/* ---- dynamic_quantize_linear ----------------------------------------------------------------- */

typedef struct conf_dynamic {
    const char *name;
    int32_t tier;
    conf_shape shape;
    int32_t x_layout, y_layout;
    conf_data data;
    uint32_t flags;
} conf_dynamic;

static const conf_dynamic dynamics[] = {
    {"both_signs_33x65", SMOKE, {2, {33, 65}}, DENSE, DENSE, UNIFORM(-3.0, 5.0), 0},
    {"above_0_1031", SMOKE, {1, {1031}}, OFFSET, OFFSET, UNIFORM(1.0, 5.0), 0},
    {"below_0_5x7x11/strided", SMOKE, {3, {5, 7, 11}}, STEP, TRANSPOSED, UNIFORM(-9.0, -2.0), 0},
    {"normal_257x129", QUICK, {2, {257, 129}}, DENSE, DENSE, KIND(NORMAL), 0},
    {"wide_997",
     QUICK,
     {1, {997}},
     FLUSH,
     FLUSH,
     {.kind = CONF_DATA_WIDE, .low = -9.0, .high = 9.0},
     FEW},
    {"zeros_300", QUICK, {1, {300}}, DENSE, DENSE, {.kind = CONF_DATA_RAMP}, FEW},
    {"one_element", QUICK, {2, {1, 1}}, DENSE, DENSE, UNIFORM(2.0, 3.0), FEW},
    {"rank_0", QUICK, {0, {0}}, DENSE, DENSE, UNIFORM(-3.0, -2.0), FEW},
    {"empty_3x0", QUICK, {2, {3, 0}}, DENSE, DENSE, {0}, FEW},
    {"special_997", QUICK, {1, {997}}, DENSE, DENSE, KIND(SPECIAL), FEW},
    {"near_tiny_997", QUICK, {1, {997}}, DENSE, DENSE, KIND(NEAR_TINY), FEW},
    {"near_max_997", QUICK, {1, {997}}, DENSE, DENSE, KIND(NEAR_MAX), FEW},
    {"every_integer_511",
     QUICK,
     {1, {511}},
     DENSE,
     DENSE,
     {.kind = CONF_DATA_RAMP, .low = -127.5, .high = 0.5},
     0},
    {"large_first_4099", QUICK, {1, {4099}}, DENSE, DENSE, KIND(LARGE_FIRST), FEW},
    {"normal_70001", FULL, {1, {70001}}, DENSE, DENSE, KIND(NORMAL), 0},
    {"sparse_8x8192", FULL, {2, {8, 8192}}, PADDED, DENSE, KIND(SPARSE), 0},
};

static void add_dynamic(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.dynamic_quantize_linear");
    for (size_t i = 0; op != NULL && i < KEEL_COUNT(dynamics); i++) {
        const conf_dynamic *p = &dynamics[i];
        const conf_shape one = {0, {0}};
        conf_operand operand[OPERANDS] = {conf_make_operand(KEEL_F32, &p->shape, p->x_layout),
                                          conf_make_operand(KEEL_U8, &p->shape, p->y_layout),
                                          conf_make_operand(KEEL_F32, &one, OFFSET),
                                          conf_make_operand(KEEL_U8, &one, OFFSET)};
        operand[0].data = p->data;
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 3,
                                .operand = operand,
                                .flags = p->flags | FEW, /* one scale, one zero point */
                                .alias = CONF_NO_ALIAS};
        const conf_name name = conf_make_name(op, KEEL_F32, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

void conf_cases_quantisation(conf_list *list)
{
    static const char *const names[] = {"keel.quantize_linear", "keel.dequantize_linear"};
    for (size_t i = 0; i < KEEL_COUNT(names); i++) {
        const keel_op *op = keel_op_find(conf_list_context(list), names[i]);
        keel_dtype tuple[KEEL_MAX_OPERANDS];
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            add_tuple(list, op, tuple, i == 0);
        }
    }
    add_dynamic(list);
    conf_cases_quantised_matmul(list);
    conf_cases_quantised_conv(list);
}
