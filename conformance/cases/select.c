/* Slice, concat and gather: picking parts of tensors and putting tensors together. */
#include <stdio.h>

#include "cases/short.h"
#include "keel/registry.h"

static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return conf_make_name(op, dtype, conf_tier_for(dtype, tier));
}

/* ---- slice ----------------------------------------------------------------------------------- */

#define ENTRIES 3

typedef struct conf_slicing {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    conf_shape out;
    int32_t count; /* entries of the attributes */
    int64_t start[ENTRIES], end[ENTRIES], axis[ENTRIES], step[ENTRIES];
} conf_slicing;

/* The shapes of results are written by hand: they are part of what is checked. */
static const conf_slicing slicings[] = {
    {"forward_50", SMOKE, DENSE, DENSE, {1, {50}}, {1, {30}}, 1, {7}, {37}, {0}, {1}},
    {"step_3_50", SMOKE, DENSE, OFFSET, {1, {50}}, {1, {14}}, 1, {7}, {48}, {0}, {3}},
    {"reverse_50", SMOKE, OFFSET, DENSE, {1, {50}}, {1, {50}}, 1, {-1}, {-51}, {0}, {-1}},
    {"reverse_step_4_50", SMOKE, DENSE, DENSE, {1, {50}}, {1, {12}}, 1, {45}, {0}, {0}, {-4}},
    {"matrix_20x30",
     SMOKE,
     STEP,
     PADDED,
     {2, {20, 30}},
     {2, {9, 10}},
     2,
     {1, -3},
     {19, -31},
     {0, 1},
     {2, -3}},
    {"last_axis_5x7x9",
     SMOKE,
     DENSE,
     DENSE,
     {3, {5, 7, 9}},
     {3, {5, 7, 4}},
     1,
     {2},
     {6},
     {-1},
     {1}},
    {"to_the_end_40", QUICK, DENSE, DENSE, {1, {40}}, {1, {35}}, 1, {5}, {INT64_MAX}, {0}, {1}},
    {"from_the_front_40", QUICK, DENSE, DENSE, {1, {40}}, {1, {6}}, 1, {5}, {INT64_MIN}, {0}, {-1}},
    {"empty_40", QUICK, DENSE, DENSE, {1, {40}}, {1, {0}}, 1, {7}, {7}, {0}, {1}},
    {"wrong_way_40", QUICK, DENSE, DENSE, {1, {40}}, {1, {0}}, 1, {30}, {7}, {0}, {1}},
    {"huge_step_40", QUICK, DENSE, DENSE, {1, {40}}, {1, {1}}, 1, {3}, {40}, {0}, {INT64_MAX}},
    {"of_empty_0x4",
     QUICK,
     DENSE,
     DENSE,
     {2, {0, 4}},
     {2, {0, 2}},
     2,
     {0, 1},
     {5, 3},
     {0, 1},
     {1, 1}},
    {"all_axes_reversed_6x7x8",
     QUICK,
     TRANSPOSED,
     DENSE,
     {3, {6, 7, 8}},
     {3, {6, 7, 8}},
     3,
     {-1, -1, -1},
     {INT64_MIN, INT64_MIN, INT64_MIN},
     {2, 0, 1},
     {-1, -1, -1}},
    {"rows_513x129",
     QUICK,
     DENSE,
     DENSE,
     {2, {513, 129}},
     {2, {256, 129}},
     1,
     {1},
     {513},
     {0},
     {2}},
};

void conf_cases_slice(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(slicings); i++) {
        const conf_slicing *p = &slicings[i];
        conf_operand operand[2] = {conf_make_operand(dtype, &p->shape, p->in_layout),
                                   conf_make_operand(dtype, &p->out, p->out_layout)};
        operand[0].data.kind = CONF_DATA_BITS;
        const keel_attribute attribute[] = {
            conf_make_ints("starts", p->start, p->count),
            conf_make_ints("ends", p->end, p->count),
            conf_make_ints("axes", p->axis, p->count),
            conf_make_ints("steps", p->step, p->count),
        };
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = attribute,
                                .attributes = KEEL_COUNT(attribute),
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- concat ---------------------------------------------------------------------------------- */

#define PARTS KEEL_MAX_OPERANDS

typedef struct conf_joining {
    const char *name;
    int32_t tier;
    int32_t odd_layout; /* of inputs 1, 3, ... */
    int32_t out_layout;
    conf_shape shape; /* of the result; the joined axis is filled in from the parts */
    int32_t axis;     /* as the attribute; may be negative */
    int32_t parts;
    int64_t size[PARTS]; /* of each part along the axis */
} conf_joining;

static const conf_joining joinings[] = {
    {"axis0_two", SMOKE, DENSE, DENSE, {2, {0, 17}}, 0, 2, {5, 9}},
    {"last_three", SMOKE, OFFSET, DENSE, {3, {3, 7, 0}}, -1, 3, {4, 1, 12}},
    {"middle_two/strided", SMOKE, STEP, PADDED, {3, {5, 0, 9}}, 1, 2, {3, 4}},
    {"one", QUICK, DENSE, OFFSET, {2, {4, 0}}, 1, 1, {11}},
    {"with_empty", SMOKE, DENSE, DENSE, {1, {0}}, 0, 3, {3, 0, 40}},
    {"all_empty", QUICK, DENSE, DENSE, {2, {0, 3}}, 0, 2, {0, 0}},
    {"empty_other_axis", QUICK, DENSE, DENSE, {2, {0, 0}}, 1, 2, {2, 3}},
    {"single_columns", QUICK, TRANSPOSED, DENSE, {2, {65, 0}}, 1, 4, {1, 1, 1, 1}},
    {"fifteen",
     QUICK,
     PADDED,
     DENSE,
     {2, {3, 0}},
     1,
     15,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
    {"long", QUICK, OFFSET, DENSE, {1, {0}}, 0, 2, {65537, 4099}},
};

void conf_cases_concat(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(joinings); i++) {
        const conf_joining *p = &joinings[i];
        const int32_t axis = p->axis < 0 ? p->axis + p->shape.rank : p->axis;
        conf_operand operand[PARTS];
        conf_shape out = p->shape;
        out.size[axis] = 0;
        for (int32_t k = 0; k < p->parts; k++) {
            conf_shape part = p->shape;
            part.size[axis] = p->size[k];
            out.size[axis] += p->size[k];
            operand[k] = conf_make_operand(dtype, &part, (k & 1) != 0 ? p->odd_layout : DENSE);
            operand[k].data.kind = CONF_DATA_BITS;
        }
        operand[p->parts] = conf_make_operand(dtype, &out, p->out_layout);
        const keel_attribute attribute = conf_make_int("axis", p->axis);
        const conf_op_case c = {.op = op->name,
                                .inputs = (uint32_t)p->parts,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = &attribute,
                                .attributes = 1,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- gather ---------------------------------------------------------------------------------- */

typedef struct conf_gathering {
    const char *name;
    int32_t tier;
    int32_t data_layout, index_layout, out_layout;
    conf_shape data;
    conf_shape index;
    int32_t axis;
    double low, high; /* of the indices; beyond the axis on purpose where the name says so */
} conf_gathering;

static const conf_gathering gatherings[] = {
    {"rows_20x33", SMOKE, DENSE, DENSE, DENSE, {2, {20, 33}}, {1, {13}}, 0, 0, 19},
    {"negative_20x33", SMOKE, DENSE, OFFSET, DENSE, {2, {20, 33}}, {2, {3, 5}}, 0, -20, 19},
    {"columns_9x31/strided", SMOKE, STEP, STEP, PADDED, {2, {9, 31}}, {1, {17}}, -1, -31, 30},
    {"middle_4x9x5", SMOKE, PADDED, DENSE, DENSE, {3, {4, 9, 5}}, {2, {2, 3}}, 1, -9, 8},
    {"out_of_range_11x5", SMOKE, DENSE, DENSE, DENSE, {2, {11, 5}}, {1, {40}}, 0, -30, 30},
    {"scalar_index_7x8", QUICK, DENSE, DENSE, DENSE, {2, {7, 8}}, {0, {0}}, 0, -7, 6},
    {"no_indices_7x8", QUICK, DENSE, DENSE, DENSE, {2, {7, 8}}, {1, {0}}, 0, 0, 6},
    {"of_vector_513", QUICK, OFFSET, DENSE, OFFSET, {1, {513}}, {1, {1025}}, 0, -513, 512},
    {"table_1000x64", QUICK, DENSE, DENSE, DENSE, {2, {1000, 64}}, {2, {4, 33}}, 0, 0, 999},
};

void conf_cases_gather(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; keel_op_tuple(op, t, tuple); t++) {
        if (tuple[0] != dtype) {
            continue;
        }
        for (size_t i = 0; i < KEEL_COUNT(gatherings); i++) {
            const conf_gathering *p = &gatherings[i];
            conf_shape out = {.rank = 0};
            const int32_t axis = p->axis < 0 ? p->axis + p->data.rank : p->axis;
            for (int32_t a = 0; a < axis; a++) {
                out.size[out.rank++] = p->data.size[a];
            }
            for (int32_t a = 0; a < p->index.rank; a++) {
                out.size[out.rank++] = p->index.size[a];
            }
            for (int32_t a = axis + 1; a < p->data.rank; a++) {
                out.size[out.rank++] = p->data.size[a];
            }
            conf_operand operand[3] = {conf_make_operand(dtype, &p->data, p->data_layout),
                                       conf_make_operand(tuple[1], &p->index, p->index_layout),
                                       conf_make_operand(dtype, &out, p->out_layout)};
            operand[0].data.kind = CONF_DATA_BITS;
            operand[1].data =
                (conf_data){.kind = CONF_DATA_INTEGER, .low = p->low, .high = p->high};
            const keel_attribute attribute = conf_make_int("axis", p->axis);
            const conf_op_case c = {.op = op->name,
                                    .inputs = 2,
                                    .outputs = 1,
                                    .operand = operand,
                                    .attribute = &attribute,
                                    .attributes = 1,
                                    .alias = CONF_NO_ALIAS};
            conf_name name = name_of(op, dtype, tuple[1] == KEEL_I64 ? p->tier : QUICK);
            conf_list_add_op(list, &name, &c, "%s/by_%s", p->name, keel_dtype_name(tuple[1]));
        }
    }
}
