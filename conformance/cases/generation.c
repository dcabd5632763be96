/* trilu, range, eye_like, one_hot: elements that depend on their place. */
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return conf_make_name(op, dtype, conf_tier_for(dtype, tier));
}

/* Kernels are the same for types of one size: of the rarer types a few cases are enough. */
static int is_enough(keel_dtype dtype, int32_t tier)
{
    return tier != SMOKE && conf_tier_for(dtype, SMOKE) == FULL;
}

/* ---- range ----------------------------------------------------------------------------------- */

typedef struct conf_counting {
    const char *name;
    int32_t tier;
    int32_t layout;
    int64_t count; /* elements that there must be; whole numbers go as they are */
    double start, limit, delta;
} conf_counting;

static const conf_counting countings[] = {
    {"to_1000", SMOKE, DENSE, 1000, 0, 1000, 1},
    {"down_by_3", SMOKE, STEP, 34, 50, -50, -3},
    {"empty", SMOKE, DENSE, 0, 5, 5, 1},
    {"wrong_way", QUICK, DENSE, 0, 5, 9, -1},
    {"one", QUICK, OFFSET, 1, 7, 8, 5},
    {"by_2", QUICK, OFFSET, 65, -64, 65, 2},
    {"to_30000", QUICK, DENSE, 30000, 0, 30000, 1},
    {"halves", QUICK, DENSE, 201, -50, 50.25, 0.5},
    {"to_100003_by_1", FULL, FLUSH, 100003, 0, 100003, 1},
};

static void add_countings(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    for (size_t i = 0; i < KEEL_COUNT(countings); i++) {
        const conf_counting *p = &countings[i];
        const int is_whole = p->delta == (double)(int64_t)p->delta;
        /* Only where every end is a value of the type. */
        if ((!is_float && !is_whole) || (p->limit > 32767 && dtype == KEEL_I16) ||
            (p->limit > 2048 && keel_dtype_size(dtype) == 2 && is_float) ||
            (p->count == 65 && dtype == KEEL_BF16) || (!is_whole && dtype == KEEL_BF16)) {
            continue;
        }
        const conf_shape shape = {1, {p->count}};
        const conf_operand out = conf_make_operand(dtype, &shape, p->layout);
        const keel_attribute attributes[3] = {
            is_float ? conf_make_float("start", p->start)
                     : conf_make_int("int_start", (int64_t)p->start),
            is_float ? conf_make_float("limit", p->limit)
                     : conf_make_int("int_limit", (int64_t)p->limit),
            is_float ? conf_make_float("delta", p->delta)
                     : conf_make_int("int_delta", (int64_t)p->delta)};
        const conf_op_case c = {.op = op->name,
                                .outputs = 1,
                                .operand = &out,
                                .attribute = attributes,
                                .attributes = 3,
                                .flags = p->count < 8 ? FEW : 0,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- eye_like, trilu ------------------------------------------------------------------------- */

typedef struct conf_diagonal {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int64_t k;
} conf_diagonal;

static const conf_diagonal diagonals[] = {
    {"main_33x33", SMOKE, DENSE, DENSE, {2, {33, 33}}, 0},
    {"above_17x65", SMOKE, OFFSET, DENSE, {2, {17, 65}}, 3},
    {"below_65x17", SMOKE, STEP, PADDED, {2, {65, 17}}, -4},
    {"far_above_9x31", QUICK, DENSE, DENSE, {2, {9, 31}}, INT64_MAX},
    {"far_below_9x31", QUICK, DENSE, OFFSET, {2, {9, 31}}, INT64_MIN},
    {"corner_9x31", QUICK, DENSE, DENSE, {2, {9, 31}}, 30},
    {"lower_corner_9x31", QUICK, DENSE, DENSE, {2, {9, 31}}, -8},
    {"edge_9x31", QUICK, DENSE, DENSE, {2, {9, 31}}, 31},
    {"transposed_37x41", QUICK, TRANSPOSED, TRANSPOSED, {2, {37, 41}}, 1},
    {"row_1x129", QUICK, DENSE, DENSE, {2, {1, 129}}, 64},
    {"column_129x1", QUICK, DENSE, DENSE, {2, {129, 1}}, -64},
    {"one_1x1", QUICK, DENSE, DENSE, {2, {1, 1}}, 0},
    {"no_rows_0x5", QUICK, DENSE, DENSE, {2, {0, 5}}, 0},
    {"no_columns_5x0", QUICK, DENSE, DENSE, {2, {5, 0}}, 0},
    {"wide_7x4099", QUICK, OFFSET, DENSE, {2, {7, 4099}}, 2000},
    {"batch_3x5x7x9", QUICK, STEP, TRANSPOSED, {4, {3, 5, 7, 9}}, 1},
    {"rank8", QUICK, PADDED, STEP, {8, {2, 1, 2, 3, 1, 2, 5, 4}}, -1},
    {"size_513x511", FULL, DENSE, DENSE, {2, {513, 511}}, -3},
};

static void add_eyes(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(diagonals); i++) {
        const conf_diagonal *p = &diagonals[i];
        if (p->shape.rank != 2 || is_enough(dtype, p->tier)) {
            continue;
        }
        const conf_operand out = conf_make_operand(dtype, &p->shape, p->out_layout);
        const keel_attribute k = conf_make_int("k", p->k);
        const conf_op_case c = {.op = op->name,
                                .outputs = 1,
                                .operand = &out,
                                .attribute = &k,
                                .attributes = 1,
                                .flags = FEW,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

static void add_triangles(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < 2 * KEEL_COUNT(diagonals); i++) {
        const conf_diagonal *p = &diagonals[i / 2];
        const int64_t upper = 1 - (int64_t)i % 2;
        /* Of types other than the main one, the two ways in turns. */
        const int is_turn = conf_is_main_dtype(dtype) || (i / 2 + i) % 2 == 0;
        if (!is_turn || is_enough(dtype, p->tier)) {
            continue;
        }
        conf_operand operand[2] = {conf_make_operand(dtype, &p->shape, p->in_layout),
                                   conf_make_operand(dtype, &p->shape, p->out_layout)};
        operand[0].data.kind = CONF_DATA_BITS;
        const keel_attribute attributes[2] = {conf_make_int("upper", upper),
                                              conf_make_int("k", p->k)};
        conf_op_case c = {.op = op->name,
                          .inputs = 1,
                          .outputs = 1,
                          .operand = operand,
                          .attribute = attributes,
                          .attributes = 2,
                          .flags = FEW,
                          .alias = CONF_NO_ALIAS};
        const char *way = upper ? "upper" : "lower";
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s/%s", p->name, way);
        if (p->in_layout == p->out_layout) {
            const conf_name deeper = name_of(op, dtype, i < 2 ? QUICK : FULL);
            c.alias = 0;
            conf_list_add_op(list, &deeper, &c, "in_place_%s/%s", p->name, way);
        }
    }
}

/* ---- one_hot --------------------------------------------------------------------------------- */

typedef struct conf_heating {
    const char *name;
    int32_t tier;
    int32_t index_layout, out_layout;
    conf_shape index;
    int64_t depth, axis;
    double low, high; /* of the indices; beyond depth on purpose where the name says so */
} conf_heating;

static const conf_heating heatings[] = {
    {"last_40_of_33", SMOKE, DENSE, DENSE, {1, {40}}, 33, -1, 0, 32},
    {"first_7x9_of_5", SMOKE, OFFSET, DENSE, {2, {7, 9}}, 5, 0, -5, 4},
    {"middle_7x9_of_5/strided", SMOKE, STEP, PADDED, {2, {7, 9}}, 5, 1, -5, 4},
    {"out_of_range_65_of_10", QUICK, DENSE, DENSE, {1, {65}}, 10, -1, -25, 25},
    {"out_of_range_65_of_10/first", QUICK, DENSE, DENSE, {1, {65}}, 10, 0, -25, 25},
    {"scalar_of_4", QUICK, DENSE, DENSE, {0, {0}}, 4, 0, 0, 3},
    {"depth_1", QUICK, DENSE, OFFSET, {1, {129}}, 1, -1, -1, 1},
    {"depth_0", QUICK, DENSE, DENSE, {1, {5}}, 0, -1, 0, 3},
    {"none", QUICK, DENSE, DENSE, {1, {0}}, 5, -1, 0, 3},
    {"transposed_5x6x7_of_3", QUICK, TRANSPOSED, TRANSPOSED, {3, {5, 6, 7}}, 3, -2, -3, 2},
    {"rank7", QUICK, DENSE, STEP, {7, {2, 1, 2, 3, 1, 2, 3}}, 2, 4, -2, 1},
    {"wide_9_of_4099", QUICK, DENSE, DENSE, {1, {9}}, 4099, -1, -4099, 4098},
};

static void add_heatings(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(heatings); i++) {
        const conf_heating *p = &heatings[i];
        const conf_shape two = {1, {2}};
        if (is_enough(tuple[1], p->tier)) {
            continue;
        }
        conf_shape out = {.rank = p->index.rank + 1};
        const int32_t axis = (int32_t)(p->axis < 0 ? p->axis + out.rank : p->axis);
        for (int32_t a = 0; a < out.rank; a++) {
            out.size[a] = a == axis ? p->depth : p->index.size[a < axis ? a : a - 1];
        }
        conf_operand operand[3] = {conf_make_operand(tuple[0], &p->index, p->index_layout),
                                   conf_make_operand(tuple[1], &two, i % 2 != 0 ? STEP : OFFSET),
                                   conf_make_operand(tuple[1], &out, p->out_layout)};
        operand[0].data = (conf_data){.kind = CONF_DATA_INTEGER, .low = p->low, .high = p->high};
        operand[1].data.kind = CONF_DATA_BITS;
        const keel_attribute attributes[2] = {conf_make_int("depth", p->depth),
                                              conf_make_int("axis", p->axis)};
        const conf_op_case c = {.op = op->name,
                                .inputs = 2,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = attributes,
                                .attributes = 2,
                                .flags = FEW,
                                .alias = CONF_NO_ALIAS};
        const int32_t tier = tuple[0] == KEEL_I64 ? p->tier : p->tier == SMOKE ? QUICK : FULL;
        const conf_name name = name_of(op, tuple[1], tier);
        conf_list_add_op(list, &name, &c, "%s/by_%s", p->name, keel_dtype_name(tuple[0]));
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_generation(conf_list *list)
{
    static const struct {
        const char *op;
        void (*add)(conf_list *list, const keel_op *op, keel_dtype dtype);
    } ops[] = {
        {"keel.trilu", add_triangles},
        {"keel.range", add_countings},
        {"keel.eye_like", add_eyes},
    };
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t i = 0; i < KEEL_COUNT(ops); i++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[i].op);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            ops[i].add(list, op, tuple[0]);
        }
    }
    const keel_op *one_hot = keel_op_find(conf_list_context(list), "keel.one_hot");
    for (uint32_t t = 0; one_hot != NULL && keel_op_tuple(one_hot, t, tuple); t++) {
        add_heatings(list, one_hot, tuple);
    }
}
