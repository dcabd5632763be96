/* Softmax and the norms of rows: row lengths around vector and group sizes, any axis, layouts. */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define SLOTS 6 /* x, scale, bias, y, mean, inv_std_dev: the most that an op here has */

typedef struct conf_rows {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int32_t axis;
    int32_t in_place;
    uint32_t flags;
    conf_data data;
} conf_rows;

static const conf_rows rows[] = {
    {"rows_65x127", SMOKE, DENSE, DENSE, {2, {65, 127}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"rows_8x1000/offset", SMOKE, OFFSET, OFFSET, {2, {8, 1000}}, 1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"rows_9x33/strided", SMOKE, STEP, PADDED, {2, {9, 33}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"transposed_17x31",
     SMOKE,
     TRANSPOSED,
     TRANSPOSED,
     {2, {17, 31}},
     -1,
     0,
     0,
     UNIFORM(-2.0, 2.0)},
    {"one_per_row_9x1", SMOKE, DENSE, DENSE, {2, {9, 1}}, 1, 0, FEW, UNIFORM(-3.0, 3.0)},
    {"long_1x10007", SMOKE, OFFSET, DENSE, {2, {1, 10007}}, -1, 0, FEW, UNIFORM(-9.0, 9.0)},
    {"empty_0x7", SMOKE, DENSE, DENSE, {2, {0, 7}}, -1, 0, 0, {0}},
    {"special_40x3", SMOKE, DENSE, DENSE, {2, {40, 3}}, 1, 0, FEW, KIND(SPECIAL)},
    {"in_place_33x65", SMOKE, DENSE, DENSE, {2, {33, 65}}, -1, 1, 0, UNIFORM(-3.0, 3.0)},
    {"shifted_16x257", QUICK, DENSE, DENSE, {2, {16, 257}}, -1, 0, 0, UNIFORM(90.0, 93.0)},
    {"vector_129", QUICK, DENSE, OFFSET, {1, {129}}, 0, 0, 0, UNIFORM(-3.0, 3.0)},
    {"padded_5x64", QUICK, PADDED, DENSE, {2, {5, 64}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"cube_3x5x63", QUICK, PADDED, STEP, {3, {3, 5, 63}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"flush_7x129", QUICK, FLUSH, FLUSH, {2, {7, 129}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"wide_range_13x96", QUICK, DENSE, DENSE, {2, {13, 96}}, -1, 0, FEW, KIND(WIDE)},
    {"near_max_13x31", QUICK, DENSE, DENSE, {2, {13, 31}}, -1, 0, FEW, KIND(NEAR_MAX)},
    {"near_tiny_13x31", QUICK, DENSE, DENSE, {2, {13, 31}}, -1, 0, FEW, KIND(NEAR_TINY)},
    {"sparse_13x65", QUICK, DENSE, DENSE, {2, {13, 65}}, -1, 0, FEW, KIND(SPARSE)},
    {"long_3x50021", QUICK, DENSE, DENSE, {2, {3, 50021}}, -1, 0, FEW, UNIFORM(-9.0, 9.0)},
    {"many_2049x17", QUICK, DENSE, DENSE, {2, {2049, 17}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"first_axis_33x5x7", SMOKE, DENSE, PADDED, {3, {33, 5, 7}}, 0, 0, 0, UNIFORM(-4.0, 4.0)},
    {"middle_axis_4x65x9", QUICK, DENSE, DENSE, {3, {4, 65, 9}}, 1, 0, 0, UNIFORM(-4.0, 4.0)},
    {"rank8", FULL, STEP, PADDED, {8, {2, 2, 1, 2, 3, 2, 2, 9}}, -1, 0, 0, UNIFORM(-3.0, 3.0)},
};

/* Lengths on both sides of every vector and wave size. */
static const int64_t lengths[] = {2,  3,  7,  8,   15,  16,  17,  31,  32,  33,  63,   64,   65,
                                  95, 96, 97, 127, 128, 129, 255, 256, 257, 511, 1023, 1025, 4097};

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype)) {
        return tier;
    }
    if (tier == SMOKE) {
        return dtype == KEEL_F16 ? SMOKE : QUICK;
    }
    return FULL;
}

/* The shape of scale and bias: what x has from the axis on. */
static conf_shape tail_shape(const conf_shape *shape, int32_t axis)
{
    const int32_t first = axis < 0 ? axis + shape->rank : axis;
    conf_shape tail = {.rank = shape->rank - first};
    memcpy(tail.size, shape->size + first, (size_t)tail.rank * sizeof tail.size[0]);
    return tail;
}

/* A range that the type has less than 32 values in becomes wider, or results would be alike. */
static conf_data widen(conf_data data, keel_dtype dtype)
{
    const double steps = 32.0 * 2.0 * keel_dtype_unit(dtype);
    if (data.low > 0.0 && data.high - data.low < steps * data.high) {
        data.high = data.low / (1.0 - steps);
    }
    return data;
}

static void add_rows(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                     const conf_rows *p, int32_t terms)
{
    conf_operand operand[SLOTS] = {0};
    const conf_shape tail = tail_shape(&p->shape, p->axis);
    operand[0] = conf_make_operand(dtype[0], &p->shape, p->in_layout);
    operand[0].data = widen(p->data, dtype[0]);
    for (uint32_t slot = 1; slot < op->inputs && (int32_t)slot <= terms; slot++) {
        operand[slot] = conf_make_operand(dtype[slot], &tail, OFFSET);
        operand[slot].data = (conf_data){.low = 0.5, .high = 2.0};
    }
    operand[op->inputs] = conf_make_operand(dtype[op->inputs], &p->shape, p->out_layout);
    const keel_attribute axis = conf_make_int("axis", p->axis);
    const conf_op_case c = {.op = op->name,
                            .inputs = op->inputs,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = &axis,
                            .attributes = 1,
                            .flags = p->flags,
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    const int plain = terms == 0 && op->inputs > 1;
    const int32_t tier = plain && p->tier == SMOKE ? QUICK : p->tier;
    const conf_name name = conf_make_name(op, dtype[0], tier_for(dtype[0], tier));
    conf_list_add_op(list, &name, &c, "%s%s", p->name, plain ? "/plain" : "");
}

/* All outputs of a row, or the second one left out. */
static void add_statistics(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                           const conf_rows *p, int32_t without)
{
    conf_operand operand[SLOTS] = {0};
    const int32_t first = p->axis < 0 ? p->axis + p->shape.rank : p->axis;
    conf_shape row = p->shape;
    for (int32_t a = first; a < row.rank; a++) {
        row.size[a] = 1;
    }
    operand[0] = conf_make_operand(dtype[0], &p->shape, p->in_layout);
    operand[0].data = widen(p->data, dtype[0]);
    operand[op->inputs] = conf_make_operand(dtype[op->inputs], &p->shape, p->out_layout);
    for (uint32_t slot = op->inputs + 1; slot < op->inputs + op->outputs; slot++) {
        if ((int32_t)(slot - op->inputs) != without) {
            operand[slot] = conf_make_operand(dtype[slot], &row, p->out_layout);
        }
    }
    const keel_attribute axis = conf_make_int("axis", p->axis);
    const conf_op_case c = {.op = op->name,
                            .inputs = op->inputs,
                            .outputs = op->outputs,
                            .operand = operand,
                            .attribute = &axis,
                            .attributes = 1,
                            .flags = p->flags | FEW,
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    const int32_t tier = p->tier == SMOKE && without == 0 && !p->in_place ? QUICK : FULL;
    const conf_name name = conf_make_name(op, dtype[0], tier_for(dtype[0], tier));
    conf_list_add_op(list, &name, &c, "%s/%s", p->name, without == 0 ? "statistics" : "deviation");
}

/* p of lp_norm, which is 2 elsewhere. */
static void add_power_1(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                        const conf_rows *p)
{
    conf_operand operand[] = {conf_make_operand(dtype[0], &p->shape, p->in_layout),
                              conf_make_operand(dtype[1], &p->shape, p->out_layout)};
    operand[0].data = widen(p->data, dtype[0]);
    const keel_attribute attribute[] = {conf_make_int("axis", p->axis), conf_make_int("p", 1)};
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = p->flags,
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    const int32_t tier = p->tier == SMOKE ? QUICK : FULL;
    const conf_name name = conf_make_name(op, dtype[0], tier_for(dtype[0], tier));
    conf_list_add_op(list, &name, &c, "%s/p_1", p->name);
}

static void add_lengths(conf_list *list, const keel_op *op, const keel_dtype *dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(lengths); i++) {
        const int64_t length = lengths[i];
        char text[32];
        (void)snprintf(text, sizeof text, "length_%lld", (long long)length);
        const conf_rows p = {.name = text,
                             .tier = i % 3 == 0 ? QUICK : FULL,
                             .shape = {2, {7, length}},
                             .axis = -1,
                             .flags = FEW,
                             .data = {.low = -3.0, .high = 3.0}};
        add_rows(list, op, dtype, &p, (int32_t)op->inputs);
    }
}

void conf_cases_normalisation(conf_list *list)
{
    static const char *const ops[] = {"keel.softmax", "keel.log_softmax", "keel.rms_norm",
                                      "keel.layer_norm", "keel.lp_norm"};
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[k]);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
                if (rows[i].in_place && (op->flags & KEEL_OP_IN_PLACE) == 0) {
                    continue;
                }
                add_rows(list, op, tuple, &rows[i], (int32_t)op->inputs);
                if (op->inputs > 1) { /* scale and bias are optional */
                    add_rows(list, op, tuple, &rows[i], 0);
                }
                if (op->outputs > 1) { /* and so are the statistics */
                    add_statistics(list, op, tuple, &rows[i], 0);
                    add_statistics(list, op, tuple, &rows[i], 1);
                }
                if (strcmp(op->name, "keel.lp_norm") == 0) {
                    add_power_1(list, op, tuple, &rows[i]);
                }
            }
            add_lengths(list, op, tuple);
        }
    }
}
