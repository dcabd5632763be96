/*
 * What the patterns of elementwise.c do not reach: optional inputs, up to 15 inputs, arguments far
 * out, bounds that are crossed.
 */
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define MOST_INPUTS 15

static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return conf_make_name(op, dtype, conf_tier_for(dtype, tier));
}

/* Runs a function for each element type of an op's first input, if there is such an op. */
static void for_each_type(conf_list *list, const char *op_name,
                          void (*add)(conf_list *list, const keel_op *op, keel_dtype dtype))
{
    const keel_op *op = keel_op_find(conf_list_context(list), op_name);
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        add(list, op, tuple[0]);
    }
}

/* ---- clip: bounds that are scalars, absent, crossed, NaN ------------------------------------- */

typedef struct conf_clipping {
    const char *name;
    int32_t tier;
    int32_t has_min, has_max;
    double min, max;
    int32_t kind, x_layout, out_layout;
} conf_clipping;

static const conf_clipping clippings[] = {
    {"between_scalars", SMOKE, 1, 1, 2.0, 50.0, CONF_DATA_UNIFORM, OFFSET, DENSE},
    {"above_scalar", SMOKE, 1, 0, 3.0, 0.0, CONF_DATA_UNIFORM, DENSE, OFFSET},
    {"below_scalar", SMOKE, 0, 1, 0.0, 6.0, CONF_DATA_UNIFORM, STEP, PADDED},
    {"no_bounds", QUICK, 0, 0, 0.0, 0.0, CONF_DATA_SPECIAL, DENSE, DENSE},
    {"crossed", QUICK, 1, 1, 9.0, 4.0, CONF_DATA_SPECIAL, TRANSPOSED, DENSE},
    {"equal", QUICK, 1, 1, 5.0, 5.0, CONF_DATA_SPECIAL, DENSE, DENSE},
    {"special_above", QUICK, 1, 0, 1.0, 0.0, CONF_DATA_SPECIAL, DENSE, DENSE},
    {"special_below", QUICK, 0, 1, 0.0, 1.0, CONF_DATA_SPECIAL, DENSE, TRANSPOSED},
};

static void add_clippings(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const conf_shape scalar = {0, {0}};
    const conf_shape shape = {3, {5, 9, 23}};
    for (size_t i = 0; i < KEEL_COUNT(clippings); i++) {
        const conf_clipping *p = &clippings[i];
        conf_operand operand[4] = {conf_make_operand(dtype, &shape, p->x_layout),
                                   {.dtype = KEEL_DTYPE_NONE},
                                   {.dtype = KEEL_DTYPE_NONE},
                                   conf_make_operand(dtype, &shape, p->out_layout)};
        operand[0].data = (conf_data){.kind = p->kind};
        if (p->kind == CONF_DATA_UNIFORM) {
            operand[0].data.low = -20.0;
            operand[0].data.high = 100.0;
        }
        if (p->has_min) {
            operand[1] = conf_make_operand(dtype, &scalar, OFFSET);
            operand[1].data = conf_make_values(&p->min, 1);
        }
        if (p->has_max) {
            operand[2] = conf_make_operand(dtype, &scalar, OFFSET);
            operand[2].data = conf_make_values(&p->max, 1);
        }
        const conf_op_case c = {.op = op->name,
                                .inputs = 3,
                                .outputs = 1,
                                .operand = operand,
                                .flags = FEW,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s_5x9x23", p->name);
        if (i == 1) {
            conf_op_case in_place = c;
            operand[3].layout = operand[0].layout;
            in_place.alias = 0;
            conf_list_add_op(list, &name, &in_place, "in_place_%s", p->name);
        }
    }
}

/* ---- sum, mean ------------------------------------------------------------------------------- */

typedef struct conf_adding {
    const char *name;
    int32_t tier, inputs, kind;
    uint32_t single[3]; /* axes of size 1, by bits, of inputs 0, 1, 2, 3 and so on */
    int32_t drop[3];    /* leading axes that the input lacks */
    int32_t layout[3], out_layout;
    int32_t in_place;
} conf_adding;

static const conf_adding addings[] = {
    {"two", SMOKE, 2, CONF_DATA_UNIFORM, {0}, {0}, {0}, DENSE, 0},
    {"three_broadcast", SMOKE, 3, CONF_DATA_UNIFORM, {0, 2, 1}, {0, 0, 1}, {0}, OFFSET, 0},
    {"five", SMOKE, 5, CONF_DATA_UNIFORM, {0}, {0}, {OFFSET, DENSE, OFFSET}, DENSE, 0},
    {"four", QUICK, 4, CONF_DATA_CANCEL, {0}, {0}, {0}, OFFSET, 0},
    {"eight_strided", QUICK, 8, CONF_DATA_UNIFORM, {0}, {0}, {STEP, TRANSPOSED, PADDED}, PADDED, 0},
    {"nine_broadcast", QUICK, 9, CONF_DATA_NORMAL, {4, 2, 1}, {0, 1, 2}, {0}, TRANSPOSED, 0},
    {"fifteen", QUICK, 15, CONF_DATA_UNIFORM, {0}, {0}, {0}, DENSE, 0},
    {"six_special", QUICK, 6, CONF_DATA_SPECIAL, {0}, {0}, {0}, DENSE, 0},
    {"three_near_max", QUICK, 3, CONF_DATA_NEAR_MAX, {0}, {0}, {0}, DENSE, 0},
    {"three_near_tiny", QUICK, 3, CONF_DATA_NEAR_TINY, {0}, {0}, {0}, DENSE, 0},
    {"three_in_place", QUICK, 3, CONF_DATA_UNIFORM, {0}, {0}, {0}, DENSE, 1},
    {"seven_in_place", QUICK, 7, CONF_DATA_UNIFORM, {0}, {0}, {STEP, DENSE, DENSE}, STEP, 1},
};

static void add_addings(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const conf_shape shape = {3, {3, 11, 37}};
    for (size_t i = 0; i < KEEL_COUNT(addings); i++) {
        const conf_adding *p = &addings[i];
        conf_operand operand[MOST_INPUTS + 1];
        for (int32_t k = 0; k < p->inputs; k++) {
            conf_shape own = {.rank = shape.rank - p->drop[k % 3]};
            for (int32_t a = p->drop[k % 3]; a < shape.rank; a++) {
                const int is_single = (p->single[k % 3] >> a & 1) != 0;
                own.size[a - p->drop[k % 3]] = is_single ? 1 : shape.size[a];
            }
            operand[k] = conf_make_operand(dtype, &own, p->layout[k % 3]);
            operand[k].data = (conf_data){.kind = p->kind};
        }
        operand[p->inputs] = conf_make_operand(dtype, &shape, p->out_layout);
        const conf_op_case c = {.op = op->name,
                                .inputs = (uint32_t)p->inputs,
                                .outputs = 1,
                                .operand = operand,
                                .flags = p->kind == CONF_DATA_UNIFORM ? 0 : FEW,
                                .alias = p->in_place ? 0 : CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s_3x11x37", p->name);
    }
}

/* ---- far out --------------------------------------------------------------------------------- */

typedef struct conf_distance {
    const char *name;
    int32_t tier;
    conf_data data;
} conf_distance;

/* Angles about the places where the reduction changes its way, and of every size. */
static const double hardest[] = {
    16367173.0 * 0x1p72,          /* the f32 nearest to a multiple of pi / 2 */
    6381956970095103.0 * 0x1p797, /* the f64 nearest to one; an infinity in narrower types */
    0x1.fffffep+127,
    0x1.fffffffffffffp+1023,
    131072.0,
    -131072.015625,
    0x1p+1023,
    1e22};

static const conf_distance angles[] = {
    {"to_32768", SMOKE, UNIFORM(-32768.0, 32768.0)},
    {"to_300000", SMOKE, UNIFORM(-300000.0, 300000.0)},
    {"quarter_turns", QUICK, {.kind = CONF_DATA_RAMP, .low = -780.0, .high = 1.5707963267948966}},
    {"wide", QUICK, KIND(WIDE)},
    {"any_bits", QUICK, KIND(BITS)},
    {"hardest", QUICK, {.kind = CONF_DATA_VALUES, .values = hardest, .count = KEEL_COUNT(hardest)}},
};

static void add_angles(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const conf_shape shape = {1, {4099}};
    for (size_t i = 0; i < KEEL_COUNT(angles); i++) {
        conf_operand operand[2] = {conf_make_operand(dtype, &shape, OFFSET),
                                   conf_make_operand(dtype, &shape, DENSE)};
        operand[0].data = angles[i].data;
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 1,
                                .operand = operand,
                                .flags = FEW | CONF_CASE_EVERY,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, angles[i].tier);
        conf_list_add_op(list, &name, &c, "%s_4099", angles[i].name);
    }
}

/* Quotients of every size. */
static const conf_distance divisors[] = {
    {"wide_by_wide", SMOKE, KIND(WIDE)},
    {"wide_by_tiny", QUICK, KIND(NEAR_TINY)},
    {"wide_by_max", QUICK, KIND(NEAR_MAX)},
    {"any_bits", QUICK, KIND(BITS)},
};

static void add_divisors(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const conf_shape shape = {1, {1021}};
    const int32_t is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT) != 0;
    for (size_t i = 0; i < KEEL_COUNT(divisors); i++) {
        conf_operand operand[3] = {conf_make_operand(dtype, &shape, DENSE),
                                   conf_make_operand(dtype, &shape, OFFSET),
                                   conf_make_operand(dtype, &shape, DENSE)};
        operand[0].data.kind = i == 3 ? CONF_DATA_BITS : CONF_DATA_WIDE;
        operand[1].data = divisors[i].data;
        const keel_attribute fmod = conf_make_int("fmod", is_float);
        const conf_op_case c = {.op = op->name,
                                .inputs = 2,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = &fmod,
                                .attributes = 1,
                                .flags = FEW | CONF_CASE_EVERY,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, divisors[i].tier);
        conf_list_add_op(list, &name, &c, "%s_1021", divisors[i].name);
    }
}

void conf_cases_elementwise_more(conf_list *list)
{
    for_each_type(list, "keel.clip", add_clippings);
    for_each_type(list, "keel.sum", add_addings);
    for_each_type(list, "keel.mean", add_addings);
    for_each_type(list, "keel.sin", add_angles);
    for_each_type(list, "keel.cos", add_angles);
    for_each_type(list, "keel.mod", add_divisors);
}
