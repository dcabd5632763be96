/* Copy, transpose and fill: all layouts on both sides, every type, any bits. */
#include <float.h>

#include "cases/short.h"
#include "keel/registry.h"

/* Copies of one type per element size run in smoke; the others move by the same kernels. */
static int32_t tier_for(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype)) {
        return tier;
    }
    const int other_size = (op->flags & KEEL_OP_COPY) != 0 &&
                           (dtype == KEEL_U8 || dtype == KEEL_F16 || dtype == KEEL_I64);
    if (other_size) {
        return tier == SMOKE ? SMOKE : FULL;
    }
    return tier == SMOKE ? QUICK : FULL;
}

static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return conf_make_name(op, dtype, tier_for(op, dtype, tier));
}

/* ---- copy ------------------------------------------------------------------------------------ */

typedef struct conf_copy {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    uint32_t repeat;
    conf_shape shape;
} conf_copy;

static const conf_copy copies[] = {
    {"flat_31x33", SMOKE, DENSE, OFFSET, 0, {2, {31, 33}}},
    {"transposed_17x31x5", SMOKE, TRANSPOSED, DENSE, 0, {3, {17, 31, 5}}},
    {"tile_3x70x45", SMOKE, TRANSPOSED, OFFSET, 0, {3, {3, 70, 45}}},
    {"strided_3x5x7x9", SMOKE, STEP, TRANSPOSED, 0, {4, {3, 5, 7, 9}}},
    {"empty_3x0", SMOKE, DENSE, DENSE, 0, {2, {3, 0}}},
    {"scalar", SMOKE, DENSE, OFFSET, 0, {0, {0}}},
    {"repeat_7x13", QUICK, DENSE, DENSE, 1, {2, {7, 13}}},
    {"repeat_inner_13x7", QUICK, DENSE, PADDED, 2, {2, {13, 7}}},
    {"out_transposed_61x67", QUICK, DENSE, TRANSPOSED, 0, {2, {61, 67}}},
    {"padded_both_9x33", QUICK, PADDED, PADDED, 0, {2, {9, 33}}},
    {"step_both_9x33", QUICK, STEP, STEP, 0, {2, {9, 33}}},
    {"flush_4099", QUICK, FLUSH, FLUSH, 0, {1, {4099}}},
    {"rank8", QUICK, PADDED, STEP, 0, {8, {2, 3, 2, 3, 2, 3, 2, 3}}},
    {"size_1", QUICK, DENSE, DENSE, 0, {1, {1}}},
    {"size_127", QUICK, OFFSET, DENSE, 0, {1, {127}}},
    {"size_129", QUICK, DENSE, OFFSET, 0, {1, {129}}},
    {"size_1048583", QUICK, OFFSET, DENSE, 0, {1, {1048583}}},
    {"tile_1025x1023", FULL, TRANSPOSED, DENSE, 0, {2, {1025, 1023}}},
    {"tile_33x32x31", FULL, TRANSPOSED, STEP, 0, {3, {33, 32, 31}}},
};

static void add_copies(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(copies); i++) {
        const conf_copy *p = &copies[i];
        conf_operand operand[2] = {conf_make_operand(dtype, &p->shape, p->in_layout),
                                   conf_make_operand(dtype, &p->shape, p->out_layout)};
        operand[0].repeat = p->repeat;
        operand[0].data.kind = CONF_DATA_BITS;
        const conf_op_case c = {
            .op = op->name, .inputs = 1, .outputs = 1, .operand = operand, .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- transpose ------------------------------------------------------------------------------- */

typedef struct conf_permutation {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    int32_t count; /* entries of perm; 0: left out */
    conf_shape shape;
    int64_t perm[KEEL_MAX_RANK];
} conf_permutation;

static const conf_permutation permutations[] = {
    {"matrix_33x65", SMOKE, DENSE, DENSE, 2, {2, {33, 65}}, {1, 0}},
    {"default_5x7x11", SMOKE, DENSE, OFFSET, 0, {3, {5, 7, 11}}, {0}},
    {"heads_2x9x3x16", SMOKE, DENSE, DENSE, 4, {4, {2, 9, 3, 16}}, {0, 2, 1, 3}},
    {"rotate_6x5x7/strided", SMOKE, STEP, PADDED, 3, {3, {6, 5, 7}}, {2, 0, 1}},
    {"identity_9x31", QUICK, OFFSET, DENSE, 2, {2, {9, 31}}, {0, 1}},
    {"channels_last_2x3x17x19", QUICK, DENSE, DENSE, 4, {4, {2, 3, 17, 19}}, {0, 2, 3, 1}},
    {"channels_first_2x17x19x3", QUICK, DENSE, DENSE, 4, {4, {2, 17, 19, 3}}, {0, 3, 1, 2}},
    {"matrix_1x97", QUICK, DENSE, DENSE, 2, {2, {1, 97}}, {1, 0}},
    {"empty_0x3", QUICK, DENSE, DENSE, 2, {2, {0, 3}}, {1, 0}},
    {"scalar", QUICK, DENSE, DENSE, 0, {0, {0}}, {0}},
    {"rank8", QUICK, PADDED, DENSE, 8, {8, {2, 3, 2, 3, 2, 3, 2, 3}}, {7, 2, 5, 0, 3, 6, 1, 4}},
    {"matrix_513x257", FULL, DENSE, DENSE, 2, {2, {513, 257}}, {1, 0}},
};

static void add_permutations(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(permutations); i++) {
        const conf_permutation *p = &permutations[i];
        conf_shape out = {.rank = p->shape.rank};
        for (int32_t a = 0; a < out.rank; a++) {
            out.size[a] = p->shape.size[p->count != 0 ? p->perm[a] : out.rank - 1 - a];
        }
        conf_operand operand[2] = {conf_make_operand(dtype, &p->shape, p->in_layout),
                                   conf_make_operand(dtype, &out, p->out_layout)};
        operand[0].data.kind = CONF_DATA_BITS;
        const keel_attribute perm = conf_make_ints("perm", p->perm, p->count);
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = &perm,
                                .attributes = p->count != 0,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- fill ------------------------------------------------------------------------------------ */

typedef struct conf_filling {
    const char *name;
    int32_t tier;
    int32_t layout;
    conf_shape shape;
    double value;      /* floats */
    int64_t int_value; /* other types; made to fit them */
} conf_filling;

static const conf_filling fillings[] = {
    {"flat_1000", SMOKE, DENSE, {1, {1000}}, 1.5, 1},
    {"strided_7x9", SMOKE, STEP, {2, {7, 9}}, -2.0, 1},
    {"transposed_7x9", SMOKE, TRANSPOSED, {2, {7, 9}}, 3.0, 1},
    {"minus_zero_33", SMOKE, OFFSET, {1, {33}}, -0.0, 0},
    {"nan_33", QUICK, OFFSET, {1, {33}}, __builtin_nan(""), 1},
    {"infinity_33", QUICK, DENSE, {1, {33}}, __builtin_inf(), 0},
    {"third_33", QUICK, DENSE, {1, {33}}, 1.0 / 3.0, 1},
    {"beyond_33", QUICK, DENSE, {1, {33}}, DBL_MAX, 1},
    {"empty_0", QUICK, DENSE, {1, {0}}, 1.0, 1},
    {"scalar", QUICK, OFFSET, {0, {0}}, 7.0, 1},
    {"padded_1025x3", QUICK, PADDED, {2, {1025, 3}}, 0.5, 1},
};

static void add_fillings(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
    for (size_t i = 0; i < KEEL_COUNT(fillings); i++) {
        const conf_filling *p = &fillings[i];
        const conf_operand out = conf_make_operand(dtype, &p->shape, p->layout);
        const keel_attribute value = is_float ? conf_make_float("value", p->value)
                                              : conf_make_int("int_value", p->int_value);
        const conf_op_case c = {.op = op->name,
                                .outputs = 1,
                                .operand = &out,
                                .attribute = &value,
                                .attributes = 1,
                                .flags = FEW,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_movement(conf_list *list)
{
    static const struct {
        const char *op;
        void (*add)(conf_list *list, const keel_op *op, keel_dtype dtype);
    } ops[] = {
        {"keel.copy", add_copies},          {"keel.transpose", add_permutations},
        {"keel.fill", add_fillings},        {"keel.slice", conf_cases_slice},
        {"keel.concat", conf_cases_concat}, {"keel.gather", conf_cases_gather},
    };
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t i = 0; i < KEEL_COUNT(ops); i++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[i].op);
        uint64_t seen = 0; /* gather has a tuple per type of indices */
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            if (!keel_dtype_in(tuple[0], seen)) {
                ops[i].add(list, op, tuple[0]);
            }
            seen |= KEEL_DTYPE_BIT(tuple[0]);
        }
    }
}
