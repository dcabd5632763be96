/*
 * Gathers by elements and by tuples, and the writing into caches: index types, negative indices and
 * ones out of range, layouts, in place.
 */
#include "cases/indexing.h"

#include <stdio.h>

#include "keel/registry.h"

/* ---- shared ---------------------------------------------------------------------------------- */

int32_t conf_indexing_layout(int32_t layouts, int32_t slot)
{
    static const int32_t of[][4] = {
        [PLAIN] = {DENSE, DENSE, DENSE, DENSE},   [SHIFTED] = {OFFSET, OFFSET, OFFSET, OFFSET},
        [STRIDED] = {STEP, PADDED, STEP, PADDED}, [CROSSED] = {TRANSPOSED, TRANSPOSED, DENSE, STEP},
        [TIGHT] = {FLUSH, FLUSH, FLUSH, FLUSH},
    };
    return of[layouts][slot];
}

conf_data conf_indexing_data(double reach)
{
    return (conf_data){.kind = CONF_DATA_INTEGER, .low = -reach, .high = reach - 1};
}

int32_t conf_indexing_tier(keel_dtype data, keel_dtype index, int32_t tier)
{
    const int32_t own = conf_tier_for(data, tier);
    if (index == KEEL_I64) {
        return own;
    }
    return own == SMOKE ? QUICK : FULL;
}

void conf_indexing_append(conf_shape *shape, const conf_shape *from, int32_t first, int32_t end)
{
    for (int32_t a = first; a < end; a++) {
        shape->size[shape->rank++] = from->size[a];
    }
}

void conf_indexing_each(conf_list *list, const char *op, conf_indexing_adder add)
{
    const keel_op *found = keel_op_find(conf_list_context(list), op);
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; keel_op_tuple(found, t, tuple); t++) {
        add(list, found, tuple);
    }
}

/* ---- gather_elements, gather_nd -------------------------------------------------------------- */

typedef struct conf_picking {
    const char *name;
    int32_t tier;
    int32_t layouts;
    conf_shape data, index;
    int64_t value; /* of axis or batch_dims */
    double reach;
    uint32_t flags;
} conf_picking;

static const conf_picking by_elements[] = {
    {"rows_17x33", SMOKE, PLAIN, {2, {17, 33}}, {2, {9, 33}}, 0, 17, 0},
    {"last_9x31", SMOKE, STRIDED, {2, {9, 31}}, {2, {9, 40}}, -1, 31, 0},
    {"outside_11x5", SMOKE, PLAIN, {2, {11, 5}}, {2, {40, 5}}, 0, 30, 0},
    {"smaller_6x7x9", QUICK, SHIFTED, {3, {6, 7, 9}}, {3, {3, 12, 8}}, 1, 7, 0},
    {"crossed_31x65", QUICK, CROSSED, {2, {31, 65}}, {2, {31, 65}}, 1, 65, 0},
    {"vector_513", QUICK, TIGHT, {1, {513}}, {1, {1025}}, 0, 513, 0},
    {"one", QUICK, PLAIN, {1, {1}}, {1, {1}}, -1, 1, FEW},
    {"no_indices_7x8", QUICK, PLAIN, {2, {7, 8}}, {2, {0, 8}}, 0, 7, FEW},
    {"no_data_0x8", QUICK, PLAIN, {2, {0, 8}}, {2, {3, 8}}, 0, 2, FEW},
    {"vector_63", FULL, SHIFTED, {1, {63}}, {1, {65}}, 0, 63, 0},
    {"rank8", FULL, STRIDED, {8, {2, 3, 2, 3, 2, 3, 2, 3}}, {8, {2, 3, 1, 3, 5, 3, 2, 2}}, 4, 2, 0},
};

static const conf_picking by_tuples[] = {
    {"rows_20x33", SMOKE, PLAIN, {2, {20, 33}}, {2, {13, 1}}, 0, 20, 0},
    {"points_9x31", SMOKE, STRIDED, {2, {9, 31}}, {3, {5, 17, 2}}, 0, 9, 0},
    {"outside_11x5x3", SMOKE, PLAIN, {3, {11, 5, 3}}, {2, {80, 2}}, 0, 8, 0},
    {"batch_4x9x5x7", SMOKE, SHIFTED, {4, {4, 9, 5, 7}}, {3, {4, 11, 2}}, 1, 5, 0},
    {"batch_3x4x6", QUICK, CROSSED, {3, {3, 4, 6}}, {3, {3, 4, 1}}, 2, 6, 0},
    {"one_slice_3x4x5", QUICK, PLAIN, {3, {3, 4, 5}}, {1, {1}}, 0, 3, 0},
    {"one_element_3x4", QUICK, SHIFTED, {2, {3, 4}}, {1, {2}}, 0, 3, FEW},
    {"no_tuples_7x8", QUICK, PLAIN, {2, {7, 8}}, {2, {0, 1}}, 0, 7, FEW},
    {"no_data_0x8", QUICK, PLAIN, {2, {0, 8}}, {2, {3, 1}}, 0, 2, FEW},
    {"table_1000x64", QUICK, TIGHT, {2, {1000, 64}}, {3, {4, 33, 1}}, 0, 1000, 0},
    {"points_127", FULL, PLAIN, {1, {127}}, {2, {129, 1}}, 0, 127, 0},
    {"rank8", FULL, STRIDED, {8, {2, 3, 2, 3, 2, 3, 2, 3}}, {4, {2, 3, 5, 4}}, 2, 2, 0},
};

static void add_picking(conf_list *list, const keel_op *op, const keel_dtype *tuple,
                        const conf_picking *p, const conf_shape *out)
{
    const conf_shape *shapes[] = {&p->data, &p->index, out};
    conf_operand operand[KEEL_COUNT(shapes)];
    for (int32_t slot = 0; slot < (int32_t)KEEL_COUNT(shapes); slot++) {
        operand[slot] =
            conf_make_operand(tuple[slot], shapes[slot], conf_indexing_layout(p->layouts, slot));
    }
    operand[0].data.kind = CONF_DATA_BITS;
    operand[1].data = conf_indexing_data(p->reach);
    const keel_attribute attribute = conf_make_int(op->attributes[0].name, p->value);
    const conf_op_case c = {.op = op->name,
                            .inputs = 2,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = &attribute,
                            .attributes = 1,
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    const int32_t tier = conf_indexing_tier(tuple[0], tuple[1], p->tier);
    const conf_name name = conf_make_name(op, tuple[0], tier);
    conf_list_add_op(list, &name, &c, "%s/by_%s", p->name, keel_dtype_name(tuple[1]));
}

static void add_by_elements(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(by_elements); i++) {
        add_picking(list, op, tuple, &by_elements[i], &by_elements[i].index);
    }
}

static void add_by_tuples(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(by_tuples); i++) {
        const conf_picking *p = &by_tuples[i];
        const int32_t last = p->index.rank - 1;
        const int32_t first = (int32_t)(p->value + p->index.size[last]);
        conf_shape out = {0};
        conf_indexing_append(&out, &p->index, 0, last);
        conf_indexing_append(&out, &p->data, first, p->data.rank);
        add_picking(list, op, tuple, p, &out);
    }
}

/* ---- tensor_scatter -------------------------------------------------------------------------- */

typedef struct conf_caching {
    const char *name;
    int32_t tier;
    int32_t layouts;
    conf_shape past;
    int64_t axis;
    int64_t length; /* of the update along it */
    const char *mode;
    int32_t in_place;
    double reach; /* of the write indices; 0: there are none */
} conf_caching;

static const conf_caching cachings[] = {
    {"heads_3x4x16x24", SMOKE, PLAIN, {4, {3, 4, 16, 24}}, -2, 2, "linear", 1, 15},
    {"circular_5x2x7x33", SMOKE, PLAIN, {4, {5, 2, 7, 33}}, -2, 3, "circular", 1, 20},
    {"from_0_2x8x5", SMOKE, SHIFTED, {3, {2, 8, 5}}, 1, 3, "linear", 0, 0},
    {"outside_9x8x5", QUICK, PLAIN, {3, {9, 8, 5}}, -2, 3, "linear", 0, 12},
    {"last_7x3x17", QUICK, STRIDED, {3, {7, 3, 17}}, -1, 5, "circular", 0, 40},
    {"crossed_3x9x2x4", QUICK, CROSSED, {4, {3, 9, 2, 4}}, 1, 4, "circular", 0, 30},
    {"whole_3x5x4", QUICK, PLAIN, {3, {3, 5, 4}}, 1, 5, "circular", 1, 4},
    {"nothing_3x5x4", QUICK, SHIFTED, {3, {3, 5, 4}}, 1, 0, "linear", 0, 4},
    {"empty_0x5x4", QUICK, PLAIN, {3, {0, 5, 4}}, 1, 2, "linear", 0, 3},
    {"one_1x64x128", QUICK, TIGHT, {3, {1, 64, 128}}, -2, 1, "linear", 1, 64},
    {"matrix_4x9", QUICK, PLAIN, {2, {4, 9}}, 1, 2, "linear", 0, 9},
    {"many_65x3x31x2", FULL, PLAIN, {4, {65, 3, 31, 2}}, 2, 7, "circular", 1, 200},
};

static void add_cachings(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(cachings); i++) {
        const conf_caching *p = &cachings[i];
        const conf_shape batch = {1, {p->past.size[0]}};
        conf_shape update = p->past;
        update.size[p->axis < 0 ? p->axis + update.rank : p->axis] = p->length;
        const conf_shape *shapes[] = {&p->past, &update, &batch, &p->past};
        conf_operand operand[KEEL_COUNT(shapes)];
        for (int32_t slot = 0; slot < (int32_t)KEEL_COUNT(shapes); slot++) {
            operand[slot] = conf_make_operand(tuple[slot], shapes[slot],
                                              conf_indexing_layout(p->layouts, slot));
            operand[slot].data.kind = CONF_DATA_BITS;
        }
        operand[2].data = conf_indexing_data(p->reach);
        operand[2].dtype = p->reach > 0 ? tuple[2] : KEEL_DTYPE_NONE;
        const keel_attribute attribute[] = {conf_make_int("axis", p->axis),
                                            conf_make_bytes("mode", p->mode)};
        const conf_op_case c = {.op = op->name,
                                .inputs = 3,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = attribute,
                                .attributes = 2,
                                .flags = FEW,
                                .alias = p->in_place ? 0 : CONF_NO_ALIAS};
        const int32_t tier = conf_indexing_tier(tuple[0], tuple[2], p->tier);
        const conf_name name = conf_make_name(op, tuple[0], tier);
        conf_list_add_op(list, &name, &c, "%s/by_%s", p->name, keel_dtype_name(tuple[2]));
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_indexing(conf_list *list)
{
    conf_indexing_each(list, "keel.gather_elements", add_by_elements);
    conf_indexing_each(list, "keel.gather_nd", add_by_tuples);
    conf_indexing_each(list, "keel.tensor_scatter", add_cachings);
    conf_cases_scatter(list);
}
