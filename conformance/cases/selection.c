/* Topk and nonzero: lengths around runs, ties, special values, layouts, room that is too small. */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define TIES                                                \
    {                                                       \
        .kind = CONF_DATA_INTEGER, .low = -3.0, .high = 3.0 \
    }

/* ---- topk ------------------------------------------------------------------------------------ */

typedef struct conf_topk {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int32_t axis;
    int32_t largest;
    int64_t k;
    conf_data data;
} conf_topk;

static const conf_topk searches[] = {
    {"last_33x129", SMOKE, DENSE, DENSE, {2, {33, 129}}, -1, 1, 5, {0}},
    {"first_129x33/least", SMOKE, OFFSET, PADDED, {2, {129, 33}}, 0, 0, 7, {0}},
    {"special_65x20", SMOKE, DENSE, DENSE, {2, {65, 20}}, 1, 1, 9, KIND(SPECIAL)},
    {"special_65x20/least", SMOKE, DENSE, DENSE, {2, {65, 20}}, 1, 0, 9, KIND(SPECIAL)},
    {"ties_9x700", SMOKE, DENSE, DENSE, {2, {9, 700}}, 1, 1, 100, TIES},
    {"long_20011", SMOKE, DENSE, DENSE, {1, {20011}}, 0, 1, 100, {0}},
    {"middle_5x33x17/strided", QUICK, STEP, TRANSPOSED, {3, {5, 33, 17}}, 1, 1, 6, {0}},
    {"all_7x65", QUICK, DENSE, DENSE, {2, {7, 65}}, 1, 1, 65, {0}},
    {"all_5x1025/least", QUICK, DENSE, DENSE, {2, {5, 1025}}, 1, 0, 1025, {0}},
    {"all_2x5000", QUICK, DENSE, DENSE, {2, {2, 5000}}, -1, 1, 5000, TIES},
    {"none_9x7", QUICK, DENSE, DENSE, {2, {9, 7}}, 1, 1, 0, {0}},
    {"none_of_none_9x0", QUICK, DENSE, DENSE, {2, {9, 0}}, 1, 1, 0, {0}},
    {"empty_0x7", QUICK, DENSE, DENSE, {2, {0, 7}}, 1, 1, 3, {0}},
    {"one_of_one_9x1", QUICK, DENSE, DENSE, {2, {9, 1}}, 1, 1, 1, {0}},
    {"one_40x1000/least", QUICK, DENSE, DENSE, {2, {40, 1000}}, 1, 0, 1, {0}},
    {"few_64_of_30011", QUICK, DENSE, DENSE, {1, {30011}}, 0, 0, 64, TIES},
    {"few_65_of_30011", QUICK, DENSE, DENSE, {1, {30011}}, 0, 0, 65, TIES},
    {"most_4000_of_4097", QUICK, OFFSET, OFFSET, {1, {4097}}, 0, 1, 4000, {0}},
    {"same_3x3000", QUICK, DENSE, DENSE, {2, {3, 3000}}, 1, 1, 1500, UNIFORM(1.0, 1.0)},
    {"sparse_33x64", QUICK, PADDED, DENSE, {2, {33, 64}}, 1, 1, 33, KIND(SPARSE)},
    {"flush_33x65", QUICK, FLUSH, FLUSH, {2, {33, 65}}, 1, 1, 4, {0}},
    {"near_tiny_33x65", FULL, DENSE, DENSE, {2, {33, 65}}, 1, 0, 20, KIND(NEAR_TINY)},
    {"wide_33x65", FULL, DENSE, DENSE, {2, {33, 65}}, 1, 1, 20, KIND(WIDE)},
    {"bits_9x300", FULL, DENSE, DENSE, {2, {9, 300}}, 1, 0, 300, KIND(BITS)},
    {"columns_2049x3", FULL, DENSE, DENSE, {2, {2049, 3}}, 0, 1, 70, {0}},
    {"rank8", FULL, STEP, PADDED, {8, {2, 3, 2, 3, 2, 3, 2, 5}}, 3, 1, 2, {0}},
    {"long_151936", FULL, DENSE, DENSE, {1, {151936}}, 0, 1, 50, {0}},
    {"long_151936/thousand", FULL, DENSE, DENSE, {1, {151936}}, 0, 1, 1000, {0}},
    {"long_1000003", FULL, DENSE, DENSE, {1, {1000003}}, 0, 1, 10, {0}},
};

static const int64_t lengths[] = {2,   3,   31,  32,  33,  63,   64,   65,   96,   127,
                                  128, 129, 255, 511, 513, 1023, 1024, 2047, 2048, 2049};

static int32_t topk_tier(keel_dtype dtype, int32_t tier)
{
    return tier == SMOKE && dtype == KEEL_I32 ? SMOKE : conf_tier_for(dtype, tier);
}

static void add_topk(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                     const conf_topk *p)
{
    const int is_long = p->shape.rank == 1 && p->shape.size[0] > 100000;
    if (is_long && dtype[0] != KEEL_F32 && dtype[0] != KEEL_F16 && dtype[0] != KEEL_I64) {
        return; /* the oracle is slow, and lengths do not depend on the type */
    }
    conf_shape out = p->shape;
    out.size[p->axis < 0 ? p->axis + p->shape.rank : p->axis] = p->k;
    conf_operand operand[3] = {conf_make_operand(dtype[0], &p->shape, p->in_layout),
                               conf_make_operand(dtype[1], &out, p->out_layout),
                               conf_make_operand(dtype[2], &out, DENSE)};
    operand[0].data = p->data;
    const keel_attribute attribute[] = {conf_make_int("axis", p->axis), conf_make_int("k", p->k),
                                        conf_make_int("largest", p->largest)};
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 2,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype[0], topk_tier(dtype[0], p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_topks(conf_list *list, const keel_op *op, const keel_dtype *dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(searches); i++) {
        add_topk(list, op, dtype, &searches[i]);
    }
    for (size_t i = 0; i < KEEL_COUNT(lengths); i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "length_%lld", (long long)lengths[i]);
        const conf_topk p = {.name = text,
                             .tier = i % 3 == 2 ? QUICK : FULL,
                             .shape = {2, {5, lengths[i]}},
                             .axis = 1,
                             .largest = (int32_t)(i % 2),
                             .k = (lengths[i] + 1) / 2,
                             .data = {.kind = CONF_DATA_INTEGER, .low = -40.0, .high = 40.0}};
        add_topk(list, op, dtype, &p);
    }
}

/* ---- nonzero --------------------------------------------------------------------------------- */

typedef struct conf_search {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int64_t capacity;
    int64_t fill;
    conf_data data;
} conf_search;

static const conf_search places[] = {
    {"sparse_33x129", SMOKE, DENSE, DENSE, {2, {33, 129}}, 33 * 129, -1, KIND(SPARSE)},
    {"room_too_small_9x65", SMOKE, DENSE, PADDED, {2, {9, 65}}, 100, -1, KIND(SPARSE)},
    {"special_5x7x9", SMOKE, OFFSET, DENSE, {3, {5, 7, 9}}, 400, 7, KIND(SPECIAL)},
    {"strided_5x33x17", QUICK, STEP, TRANSPOSED, {3, {5, 33, 17}}, 2805, -1, KIND(SPARSE)},
    {"transposed_63x41", QUICK, TRANSPOSED, DENSE, {2, {63, 41}}, 2000, 0, KIND(SPARSE)},
    {"vector_100003", QUICK, DENSE, DENSE, {1, {100003}}, 60000, -1, KIND(SPARSE)},
    {"rows_2049x17", QUICK, PADDED, DENSE, {2, {2049, 17}}, 20000, -1, KIND(SPARSE)},
    {"none_31x33", QUICK, DENSE, OFFSET, {2, {31, 33}}, 70, -9, UNIFORM(0.0, 0.0)},
    {"all_31x33", QUICK, DENSE, DENSE, {2, {31, 33}}, 31 * 33, -1, UNIFORM(1.0, 2.0)},
    {"no_room_31x33", QUICK, DENSE, DENSE, {2, {31, 33}}, 0, -1, KIND(SPARSE)},
    {"empty_0x5", QUICK, DENSE, DENSE, {2, {0, 5}}, 6, -1, {0}},
    {"scalar", QUICK, DENSE, DENSE, {0, {0}}, 1, -1, UNIFORM(1.0, 2.0)},
    {"one_1x1", QUICK, DENSE, DENSE, {2, {1, 1}}, 3, -1, UNIFORM(1.0, 2.0)},
    {"flush_33x65", QUICK, FLUSH, FLUSH, {2, {33, 65}}, 1000, -1, KIND(SPARSE)},
    {"bits_97x31", FULL, DENSE, DENSE, {2, {97, 31}}, 97 * 31, -1, KIND(BITS)},
    {"near_tiny_97x31", FULL, DENSE, DENSE, {2, {97, 31}}, 97 * 31, -1, KIND(NEAR_TINY)},
    {"rank8", FULL, STEP, PADDED, {8, {2, 3, 2, 3, 2, 3, 2, 5}}, 2160, -1, KIND(SPARSE)},
};

static void add_nonzero(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                        const conf_search *p)
{
    const conf_shape out = {2, {p->shape.rank, p->capacity}};
    conf_operand operand[3] = {conf_make_operand(dtype[0], &p->shape, p->in_layout),
                               conf_make_operand(dtype[1], &out, p->out_layout),
                               conf_make_operand(dtype[2], &(conf_shape){0, {0}}, DENSE)};
    operand[0].data = p->data;
    const keel_attribute fill = conf_make_int("fill", p->fill);
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 2,
                            .operand = operand,
                            .attribute = &fill,
                            .attributes = p->fill != -1 ? 1 : 0,
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS};
    const int smoke = p->tier == SMOKE && dtype[0] == KEEL_BOOL;
    const conf_name name =
        conf_make_name(op, dtype[0], smoke ? SMOKE : conf_tier_for(dtype[0], p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

void conf_cases_selection(conf_list *list)
{
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    const keel_op *topk = keel_op_find(conf_list_context(list), "keel.topk");
    for (uint32_t t = 0; topk != NULL && keel_op_tuple(topk, t, tuple); t++) {
        add_topks(list, topk, tuple);
    }
    const keel_op *nonzero = keel_op_find(conf_list_context(list), "keel.nonzero");
    for (uint32_t t = 0; nonzero != NULL && keel_op_tuple(nonzero, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(places); i++) {
            add_nonzero(list, nonzero, tuple, &places[i]);
        }
    }
}
