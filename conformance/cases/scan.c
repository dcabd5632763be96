/* Running sums and products: lengths around blocks, tiles and parts, directions, layouts, in place.
 */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

typedef struct conf_scan {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int32_t axis;
    int32_t exclusive, reverse;
    int32_t in_place;
    uint32_t flags;
    conf_data data;
} conf_scan;

#define WHOLE                                                 \
    {                                                         \
        .kind = CONF_DATA_INTEGER, .low = -15.0, .high = 15.0 \
    }

static const conf_scan scans[] = {
    {"last_33x129", SMOKE, DENSE, DENSE, {2, {33, 129}}, -1, 0, 0, 0, 0, {0}},
    {"first_129x65/exclusive", SMOKE, DENSE, OFFSET, {2, {129, 65}}, 0, 1, 0, 0, 0, {0}},
    {"middle_5x33x40/reverse", SMOKE, OFFSET, PADDED, {3, {5, 33, 40}}, 1, 0, 1, 0, 0, {0}},
    {"strided_9x7x63/both", SMOKE, STEP, TRANSPOSED, {3, {9, 7, 63}}, 2, 1, 1, 0, 0, {0}},
    {"long_2x20011", SMOKE, DENSE, DENSE, {2, {2, 20011}}, 1, 0, 0, 0, FEW, {0}},
    {"whole_33x97", SMOKE, DENSE, DENSE, {2, {33, 97}}, 1, 0, 0, 0, FEW, WHOLE},
    {"one_9x1/exclusive", QUICK, DENSE, DENSE, {2, {9, 1}}, 1, 1, 0, 0, FEW, {0}},
    {"one_9x1/reverse", QUICK, DENSE, DENSE, {2, {9, 1}}, -1, 0, 1, 0, 0, {0}},
    {"empty_0x5", QUICK, DENSE, DENSE, {2, {0, 5}}, 1, 0, 0, 0, 0, {0}},
    {"empty_5x0", QUICK, DENSE, DENSE, {2, {5, 0}}, 1, 0, 0, 0, 0, {0}},
    {"in_place_33x65", QUICK, DENSE, DENSE, {2, {33, 65}}, 1, 0, 0, 1, 0, {0}},
    {"in_place_65x33/both", QUICK, DENSE, DENSE, {2, {65, 33}}, 0, 1, 1, 1, 0, {0}},
    {"in_place_50021/exclusive", QUICK, DENSE, DENSE, {1, {50021}}, 0, 1, 0, 1, FEW, {0}},
    {"vector_100003", QUICK, OFFSET, DENSE, {1, {100003}}, 0, 0, 0, 0, FEW, {0}},
    {"vector_100003/both", QUICK, DENSE, FLUSH, {1, {100003}}, 0, 1, 1, 0, FEW, {0}},
    {"columns_20011x3", QUICK, DENSE, DENSE, {2, {20011, 3}}, 0, 0, 0, 0, FEW, {0}},
    {"columns_3001x19/reverse", QUICK, DENSE, DENSE, {2, {3001, 19}}, 0, 0, 1, 0, FEW, {0}},
    {"columns_70x531", QUICK, DENSE, DENSE, {2, {70, 531}}, 0, 0, 0, 0, 0, {0}},
    {"columns_out_70x67", QUICK, DENSE, TRANSPOSED, {2, {70, 67}}, 0, 1, 0, 0, 0, {0}},
    {"transposed_63x41", QUICK, TRANSPOSED, DENSE, {2, {63, 41}}, 1, 0, 0, 0, 0, {0}},
    {"many_2049x17", QUICK, DENSE, DENSE, {2, {2049, 17}}, 1, 1, 0, 0, 0, {0}},
    {"flush_33x65", QUICK, FLUSH, FLUSH, {2, {33, 65}}, 1, 0, 0, 0, 0, {0}},
    {"special_65x5", QUICK, DENSE, DENSE, {2, {65, 5}}, 1, 0, 0, 0, FEW, KIND(SPECIAL)},
    {"special_5x65/both", QUICK, DENSE, DENSE, {2, {5, 65}}, 0, 1, 1, 0, FEW, KIND(SPECIAL)},
    {"cancel_9x256", QUICK, DENSE, DENSE, {2, {9, 256}}, 1, 0, 0, 0, FEW, KIND(CANCEL)},
    {"large_first_1x2049", QUICK, DENSE, DENSE, {2, {1, 2049}}, 1, 0, 0, 0, FEW, KIND(LARGE_FIRST)},
    {"wide_9x64", FULL, DENSE, DENSE, {2, {9, 64}}, 1, 0, 0, 0, FEW, KIND(WIDE)},
    {"near_max_33x5", FULL, DENSE, DENSE, {2, {33, 5}}, 1, 0, 0, 0, FEW, KIND(NEAR_MAX)},
    {"near_tiny_33x16", FULL, DENSE, DENSE, {2, {33, 16}}, 1, 0, 0, 0, FEW, KIND(NEAR_TINY)},
    {"sparse_33x64", FULL, DENSE, DENSE, {2, {33, 64}}, 1, 0, 0, 0, FEW, KIND(SPARSE)},
    {"same_sign_1x30011",
     FULL,
     DENSE,
     DENSE,
     {2, {1, 30011}},
     1,
     0,
     0,
     0,
     FEW,
     UNIFORM(0.1, 0.1001)},
    {"rank8", FULL, STEP, PADDED, {8, {2, 3, 2, 3, 2, 3, 2, 5}}, 3, 1, 0, 0, FEW, {0}},
};

/* Rows of whole numbers: lengths that straddle blocks, waves, tiles. */
static const int64_t lengths[] = {1,   2,   31,  32,  33,   63,   64,   65,   96,
                                  127, 128, 129, 255, 1023, 1024, 1025, 2049, 4097};

/* Running products must stay in range, and sums have the whole range of integers. */
static conf_data data_for(const keel_op *op, keel_dtype dtype, const conf_scan *p)
{
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    const int is_product = strcmp(op->name, "keel.cumprod") == 0;
    if (is_product && p->data.kind == CONF_DATA_INTEGER && is_float) {
        static const double signs[] = {1, -1, 2, 0.5, -2, -0.5, 1, -1, -0.25, 4, 0.25, -4};
        return conf_make_values(signs, KEEL_COUNT(signs));
    }
    if (p->data.kind != CONF_DATA_UNIFORM) {
        return p->data;
    }
    if (is_product) {
        return is_float ? (conf_data){.low = 0.9, .high = 1.1}
                        : (conf_data){.kind = CONF_DATA_WIDE_MANTISSA};
    }
    return is_float ? p->data : (conf_data){.kind = CONF_DATA_WIDE};
}

static void add_scan(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                     const conf_scan *p)
{
    conf_operand operand[2] = {conf_make_operand(dtype[0], &p->shape, p->in_layout),
                               conf_make_operand(dtype[1], &p->shape, p->out_layout)};
    operand[0].data = data_for(op, dtype[0], p);
    const keel_attribute attribute[] = {conf_make_int("axis", p->axis),
                                        conf_make_int("exclusive", p->exclusive),
                                        conf_make_int("reverse", p->reverse)};
    const int is_sum = strcmp(op->name, "keel.cumsum") == 0;
    const int exact = p->data.kind == CONF_DATA_INTEGER && is_sum && dtype[0] != KEEL_F16 &&
                      dtype[0] != KEEL_BF16;
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = p->flags | (exact ? CONF_CASE_EXACT : 0U),
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    const int smoke = p->tier == SMOKE && is_sum && (dtype[0] == KEEL_F16 || dtype[0] == KEEL_I32);
    const conf_name name =
        conf_make_name(op, dtype[0], smoke ? SMOKE : conf_tier_for(dtype[0], p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

void conf_cases_scan(conf_list *list)
{
    static const char *const ops[] = {"keel.cumsum", "keel.cumprod"};
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[k]);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            for (size_t i = 0; i < KEEL_COUNT(scans); i++) {
                add_scan(list, op, tuple, &scans[i]);
            }
            for (size_t i = 0; i < KEEL_COUNT(lengths); i++) {
                char text[32];
                (void)snprintf(text, sizeof text, "length_%lld", (long long)lengths[i]);
                const conf_scan p = {.name = text,
                                     .tier = i % 3 == 2 ? QUICK : FULL,
                                     .shape = {2, {7, lengths[i]}},
                                     .axis = 1,
                                     .flags = FEW,
                                     .data = WHOLE};
                add_scan(list, op, tuple, &p);
            }
        }
    }
}
