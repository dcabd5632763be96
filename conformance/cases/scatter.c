/* Scatters: every reduction, updates that meet, indices out of range, layouts, in place. */
#include <stdio.h>

#include "cases/indexing.h"
#include "keel/registry.h"

#define IN_PLACE 1 /* out is data */
#define ANY_TYPE 2 /* not for a reduction */

typedef struct conf_scattering {
    const char *name;
    int32_t tier;
    int32_t layouts;
    conf_shape data, index;
    int64_t axis; /* of scatter_elements */
    double reach;
    const char *reduction;
    int32_t how;
    conf_data values; /* of data and updates */
} conf_scattering;

/* Small whole numbers: their sums are exact. */
#define WHOLE                                          \
    {                                                  \
        .kind = CONF_DATA_INTEGER, .low = 1, .high = 3 \
    }

static const conf_scattering elements[] = {
    {"rows_17x33", SMOKE, PLAIN, {2, {17, 33}}, {2, {9, 33}}, 0, 17, "none", 2, KIND(BITS)},
    {"last_9x31", SMOKE, STRIDED, {2, {9, 31}}, {2, {9, 40}}, -1, 31, "none", 2, KIND(BITS)},
    {"all_meet_257", SMOKE, PLAIN, {1, {7}}, {1, {257}}, 0, 7, "add", 0, UNIFORM(-1, 1)},
    {"outside_11x5", SMOKE, PLAIN, {2, {11, 5}}, {2, {40, 5}}, 0, 30, "max", 1, UNIFORM(-9, 9)},
    {"mul_6x7x9", SMOKE, SHIFTED, {3, {6, 7, 9}}, {3, {3, 12, 8}}, 1, 7, "mul", 0, UNIFORM(1, 2)},
    {"add_33x65", QUICK, PLAIN, {2, {33, 65}}, {2, {40, 65}}, 0, 33, "add", 1, UNIFORM(-1, 1)},
    {"in_place_33x65", QUICK, PLAIN, {2, {33, 65}}, {2, {33, 65}}, 1, 65, "none", 3, KIND(BITS)},
    {"crossed_31x65", QUICK, CROSSED, {2, {31, 65}}, {2, {31, 65}}, 1, 65, "add", 0, {0}},
    {"long_4099", QUICK, SHIFTED, {1, {513}}, {1, {4099}}, 0, 513, "add", 0, UNIFORM(-1, 1)},
    {"long_none_4099", QUICK, TIGHT, {1, {2049}}, {1, {4099}}, 0, 2049, "none", 2, KIND(BITS)},
    {"min_special", QUICK, PLAIN, {2, {5, 64}}, {2, {9, 64}}, 0, 5, "min", 0, KIND(SPECIAL)},
    {"max_special", QUICK, PLAIN, {2, {5, 64}}, {2, {9, 64}}, 0, 5, "max", 0, KIND(SPECIAL)},
    {"add_special", QUICK, PLAIN, {2, {5, 64}}, {2, {9, 64}}, 0, 5, "add", 0, KIND(SPECIAL)},
    {"mul_special", QUICK, PLAIN, {2, {5, 64}}, {2, {9, 64}}, 0, 5, "mul", 0, KIND(SPECIAL)},
    {"mul_wide", QUICK, PLAIN, {2, {13, 33}}, {2, {13, 33}}, 0, 13, "mul", 0, KIND(WIDE)},
    {"mul_tiny", QUICK, PLAIN, {2, {13, 33}}, {2, {13, 33}}, 0, 13, "mul", 0, KIND(NEAR_TINY)},
    {"add_huge", QUICK, PLAIN, {2, {13, 33}}, {2, {13, 33}}, 0, 13, "add", 0, KIND(NEAR_MAX)},
    {"exact_64x31", QUICK, PLAIN, {2, {64, 31}}, {2, {129, 31}}, 0, 64, "add", 0, WHOLE},
    {"no_updates_7x8", QUICK, SHIFTED, {2, {7, 8}}, {2, {0, 8}}, 0, 7, "add", 0, UNIFORM(-1, 1)},
    {"no_data_0x8", QUICK, PLAIN, {2, {0, 8}}, {2, {3, 8}}, 0, 2, "none", 2, KIND(BITS)},
    {"one", QUICK, PLAIN, {1, {1}}, {1, {1}}, -1, 1, "add", 0, UNIFORM(-1, 1)},
    {"vector_31", FULL, PLAIN, {1, {31}}, {1, {33}}, 0, 31, "min", 1, UNIFORM(-9, 9)},
    {"vector_64", FULL, PLAIN, {1, {64}}, {1, {65}}, 0, 64, "add", 1, UNIFORM(-1, 1)},
    {"vector_129", FULL, STRIDED, {1, {129}}, {1, {127}}, 0, 129, "mul", 0, UNIFORM(1, 2)},
    {"long_32771", FULL, PLAIN, {1, {4001}}, {1, {32771}}, 0, 4001, "mul", 1, UNIFORM(0.9, 1.1)},
    {"rank8",
     FULL,
     STRIDED,
     {8, {2, 3, 2, 3, 2, 3, 2, 3}},
     {8, {2, 3, 1, 3, 5, 3, 2, 2}},
     4,
     2,
     "add",
     0,
     UNIFORM(-1, 1)},
};

static const conf_scattering tuples[] = {
    {"rows_20x33", SMOKE, PLAIN, {2, {20, 33}}, {2, {13, 1}}, 0, 20, "none", 2, KIND(BITS)},
    {"add_8x129", SMOKE, PLAIN, {2, {8, 129}}, {2, {33, 1}}, 0, 8, "add", 1, UNIFORM(-1, 1)},
    {"points_9x31", SMOKE, STRIDED, {2, {9, 31}}, {3, {5, 17, 2}}, 0, 9, "add", 0, UNIFORM(-1, 1)},
    {"outside_11x5x3", SMOKE, PLAIN, {3, {11, 5, 3}}, {2, {80, 2}}, 0, 8, "min", 0, UNIFORM(-9, 9)},
    {"mul_6x40", SMOKE, SHIFTED, {2, {6, 40}}, {3, {2, 7, 1}}, 0, 6, "mul", 0, UNIFORM(1, 2)},
    {"max_16x64", QUICK, CROSSED, {2, {16, 64}}, {3, {3, 5, 1}}, 0, 16, "max", 0, UNIFORM(-9, 9)},
    {"in_place_5x7x33", QUICK, PLAIN, {3, {5, 7, 33}}, {2, {30, 2}}, 0, 5, "none", 3, KIND(BITS)},
    {"whole_3x4x5", QUICK, PLAIN, {3, {3, 4, 5}}, {1, {1}}, 0, 3, "add", 0, UNIFORM(-1, 1)},
    {"one_of_3x4", QUICK, SHIFTED, {2, {3, 4}}, {1, {2}}, 0, 3, "none", 2, KIND(BITS)},
    {"points_64x63", QUICK, PLAIN, {2, {64, 63}}, {2, {3001, 2}}, 0, 63, "add", 0, {0}},
    {"points_127", QUICK, TIGHT, {1, {127}}, {2, {1025, 1}}, 0, 127, "none", 2, KIND(BITS)},
    {"add_special", QUICK, PLAIN, {2, {3, 64}}, {2, {5, 1}}, 0, 3, "add", 0, KIND(SPECIAL)},
    {"min_special", QUICK, PLAIN, {2, {3, 64}}, {2, {5, 1}}, 0, 3, "min", 0, KIND(SPECIAL)},
    {"exact_33x31", QUICK, PLAIN, {2, {33, 31}}, {2, {65, 1}}, 0, 33, "add", 0, WHOLE},
    {"cancel_4x257", QUICK, PLAIN, {2, {4, 257}}, {2, {64, 1}}, 0, 4, "add", 0, KIND(CANCEL)},
    {"no_updates_7x8", QUICK, SHIFTED, {2, {7, 8}}, {2, {0, 1}}, 0, 7, "none", 2, KIND(BITS)},
    {"no_data_0x8", QUICK, PLAIN, {2, {0, 8}}, {2, {3, 1}}, 0, 2, "add", 0, UNIFORM(-1, 1)},
    {"long_3x5003", FULL, PLAIN, {2, {3, 5003}}, {2, {7, 1}}, 0, 3, "add", 1, UNIFORM(-1, 1)},
    {"rows_64x65", FULL, STRIDED, {2, {64, 65}}, {2, {31, 1}}, 0, 64, "none", 2, KIND(BITS)},
    {"rank8",
     FULL,
     STRIDED,
     {8, {2, 3, 2, 3, 2, 3, 2, 3}},
     {4, {2, 3, 5, 4}},
     0,
     2,
     "add",
     0,
     UNIFORM(-1, 1)},
};

static int takes(const conf_scattering *p, keel_dtype dtype)
{
    return (p->how & ANY_TYPE) != 0 ||
           keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_INTEGER);
}

/* update: its shape. The attribute axis is left out where the op has none. */
static void add_scattering(conf_list *list, const keel_op *op, const keel_dtype *tuple,
                           const conf_scattering *p, const conf_shape *update)
{
    const conf_shape *shapes[] = {&p->data, &p->index, update, &p->data};
    conf_operand operand[KEEL_COUNT(shapes)];
    for (int32_t slot = 0; slot < (int32_t)KEEL_COUNT(shapes); slot++) {
        operand[slot] =
            conf_make_operand(tuple[slot], shapes[slot], conf_indexing_layout(p->layouts, slot));
    }
    operand[0].data = operand[2].data = p->values;
    operand[1].data = conf_indexing_data(p->reach);
    const keel_attribute attribute[] = {conf_make_bytes("reduction", p->reduction),
                                        conf_make_int("axis", p->axis)};
    const uint32_t exact = p->values.kind == CONF_DATA_INTEGER ? CONF_CASE_EXACT : 0;
    const conf_op_case c = {.op = op->name,
                            .inputs = 3,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = op->attribute_count,
                            .flags = FEW | exact,
                            .alias = (p->how & IN_PLACE) != 0 ? 0 : CONF_NO_ALIAS};
    const int32_t tier = conf_indexing_tier(tuple[0], tuple[1], p->tier);
    const conf_name name = conf_make_name(op, tuple[0], tier);
    conf_list_add_op(list, &name, &c, "%s/by_%s", p->name, keel_dtype_name(tuple[1]));
}

static void add_elements(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(elements); i++) {
        if (takes(&elements[i], tuple[0])) {
            add_scattering(list, op, tuple, &elements[i], &elements[i].index);
        }
    }
}

static void add_tuples(conf_list *list, const keel_op *op, const keel_dtype *tuple)
{
    for (size_t i = 0; i < KEEL_COUNT(tuples); i++) {
        const conf_scattering *p = &tuples[i];
        const int32_t last = p->index.rank - 1;
        conf_shape update = {0};
        conf_indexing_append(&update, &p->index, 0, last);
        conf_indexing_append(&update, &p->data, (int32_t)p->index.size[last], p->data.rank);
        if (takes(p, tuple[0])) {
            add_scattering(list, op, tuple, p, &update);
        }
    }
}

void conf_cases_scatter(conf_list *list)
{
    conf_indexing_each(list, "keel.scatter_elements", add_elements);
    conf_indexing_each(list, "keel.scatter_nd", add_tuples);
}
