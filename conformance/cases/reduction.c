/* Reductions over any axes, argmax and argmin: lengths, layouts, ties, empty axes, cancellation. */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define NO_AXES (-1)

typedef struct conf_folding {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int32_t count; /* entries of axes; 0: all axes; NO_AXES: none, by noop_with_empty_axes */
    int64_t axes[KEEL_MAX_RANK];
    int32_t keepdims;
    uint32_t flags;
    conf_data data;
} conf_folding;

#define WHOLE                                                 \
    {                                                         \
        .kind = CONF_DATA_INTEGER, .low = -15.0, .high = 15.0 \
    }

static const conf_folding foldings[] = {
    {"last_65x129", SMOKE, DENSE, DENSE, {2, {65, 129}}, 1, {-1}, 0, 0, {0}},
    {"first_129x65", SMOKE, DENSE, OFFSET, {2, {129, 65}}, 1, {0}, 0, 0, {0}},
    {"middle_5x33x40", SMOKE, OFFSET, DENSE, {3, {5, 33, 40}}, 1, {1}, 1, 0, {0}},
    {"outer_two_7x9x65", SMOKE, DENSE, DENSE, {3, {7, 9, 65}}, 2, {0, 1}, 0, 0, {0}},
    {"outside_5x70x9", SMOKE, DENSE, PADDED, {3, {5, 70, 9}}, 2, {0, 2}, 0, 0, {0}},
    {"all_31x33", SMOKE, DENSE, DENSE, {2, {31, 33}}, 0, {0}, 0, FEW, {0}},
    {"strided_9x7x31", SMOKE, STEP, PADDED, {3, {9, 7, 31}}, 1, {2}, 1, 0, {0}},
    {"transposed_63x41", SMOKE, TRANSPOSED, DENSE, {2, {63, 41}}, 1, {1}, 0, 0, {0}},
    {"no_terms_37x0", SMOKE, DENSE, DENSE, {2, {37, 0}}, 1, {1}, 0, FEW, {0}},
    {"empty_0x5", SMOKE, DENSE, DENSE, {2, {0, 5}}, 1, {1}, 0, 0, {0}},
    {"special_65x3", SMOKE, DENSE, DENSE, {2, {65, 3}}, 1, {1}, 0, FEW, KIND(SPECIAL)},
    {"whole_70x97", SMOKE, DENSE, DENSE, {2, {70, 97}}, 1, {1}, 0, FEW, WHOLE},
    {"one_term_40x1", QUICK, DENSE, DENSE, {2, {40, 1}}, 1, {1}, 0, 0, {0}},
    {"scalar", QUICK, DENSE, DENSE, {0, {0}}, 0, {0}, 0, FEW, {0}},
    {"vector_10007", QUICK, OFFSET, DENSE, {1, {10007}}, 0, {0}, 1, FEW, {0}},
    {"long_3x50021", QUICK, DENSE, DENSE, {2, {3, 50021}}, 1, {1}, 0, FEW, {0}},
    {"columns_50021x3", QUICK, DENSE, DENSE, {2, {50021, 3}}, 1, {0}, 0, FEW, {0}},
    {"many_2049x17", QUICK, DENSE, DENSE, {2, {2049, 17}}, 1, {1}, 0, 0, {0}},
    {"flush_33x65", QUICK, FLUSH, FLUSH, {2, {33, 65}}, 1, {1}, 0, 0, {0}},
    {"cancel_33x256", QUICK, DENSE, DENSE, {2, {33, 256}}, 1, {1}, 0, FEW, KIND(CANCEL)},
    {"large_first_1x2049", QUICK, DENSE, DENSE, {2, {1, 2049}}, 1, {1}, 0, FEW, KIND(LARGE_FIRST)},
    {"wide_33x64", QUICK, DENSE, DENSE, {2, {33, 64}}, 1, {1}, 0, FEW, KIND(WIDE)},
    {"near_max_33x5", QUICK, DENSE, DENSE, {2, {33, 5}}, 1, {1}, 0, FEW, KIND(NEAR_MAX)},
    {"near_tiny_33x16", QUICK, DENSE, DENSE, {2, {33, 16}}, 1, {1}, 0, FEW, KIND(NEAR_TINY)},
    {"sparse_33x64", QUICK, DENSE, DENSE, {2, {33, 64}}, 1, {1}, 0, FEW, KIND(SPARSE)},
    {"rank8", QUICK, STEP, PADDED, {8, {2, 3, 2, 3, 2, 3, 2, 5}}, 4, {1, 3, -1, 0}, 1, 0, {0}},
    {"no_axes_37x65", QUICK, DENSE, DENSE, {2, {37, 65}}, NO_AXES, {0}, 1, 0, {0}},
    {"no_axes_5x9x7", FULL, STEP, TRANSPOSED, {3, {5, 9, 7}}, NO_AXES, {0}, 0, 0, {0}},
    {"outer_40x1037", QUICK, DENSE, DENSE, {2, {40, 1037}}, 1, {0}, 0, 0, {0}},
    {"outer_of_three_3x50x260", FULL, OFFSET, DENSE, {3, {3, 50, 260}}, 1, {1}, 1, 0, {0}},
    {"outer_special_7x300", FULL, DENSE, DENSE, {2, {7, 300}}, 1, {0}, 0, FEW, KIND(SPECIAL)},
};

/* Rows of whole numbers: lengths that straddle the sizes of waves and groups. */
static const int64_t lengths[] = {1,  2,  31,  32,  33,  63,   64,   65,   95,
                                  96, 97, 127, 128, 129, 1023, 1024, 1025, 4097};

/* Two more types of sums run in smoke: a narrow float and an integer. */
static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    const int is_smoke_sum = tier == SMOKE && strcmp(op->name, "keel.reduce_sum") == 0 &&
                             (dtype == KEEL_F16 || dtype == KEEL_I32);
    return conf_make_name(op, dtype, is_smoke_sum ? SMOKE : conf_tier_for(dtype, tier));
}

static conf_shape reduced_shape(const conf_folding *p)
{
    if (p->count == NO_AXES) {
        return p->shape;
    }
    uint32_t reduced = p->count == 0 ? ~0U : 0U;
    conf_shape out = {.rank = 0};
    for (int32_t i = 0; i < p->count; i++) {
        reduced |= 1U << (p->axes[i] < 0 ? p->axes[i] + p->shape.rank : p->axes[i]);
    }
    for (int32_t a = 0; a < p->shape.rank && a < KEEL_MAX_RANK; a++) {
        if ((reduced >> a & 1) == 0) {
            out.size[out.rank++] = p->shape.size[a];
        } else if (p->keepdims) {
            out.size[out.rank++] = 1;
        }
    }
    return out;
}

/*
 * Main data under which results differ from row to row: products stay in range, and odd factors do
 * not end in 0; extremes of integers have the whole range; BOOL has few that decide.
 */
static conf_data data_for(const keel_op *op, keel_dtype dtype, const conf_folding *p)
{
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    if (p->data.kind != CONF_DATA_UNIFORM) {
        return p->data;
    }
    if (strcmp(op->name, "keel.reduce_prod") == 0) {
        return is_float ? (conf_data){.low = 0.9, .high = 1.1}
                        : (conf_data){.kind = CONF_DATA_WIDE_MANTISSA};
    }
    if (strcmp(op->name, "keel.reduce_log_sum") == 0) {
        return (conf_data){.low = 0.5, .high = 2.0};
    }
    if (strcmp(op->name, "keel.reduce_l2") == 0 && !is_float) {
        return (conf_data){.kind = CONF_DATA_INTEGER, .high = 9.0};
    }
    if (dtype == KEEL_BOOL) {
        const int finds_false = strcmp(op->name, "keel.reduce_min") == 0;
        return (conf_data){.kind = finds_false ? CONF_DATA_NEAR_MAX : CONF_DATA_SPARSE};
    }
    return is_float ? p->data : (conf_data){.kind = CONF_DATA_WIDE};
}

static void add_folding(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                        const conf_folding *p)
{
    const conf_shape out = reduced_shape(p);
    conf_operand operand[2] = {conf_make_operand(dtype[0], &p->shape, p->in_layout),
                               conf_make_operand(dtype[1], &out, p->out_layout)};
    operand[0].data = data_for(op, dtype[0], p);
    const keel_attribute attribute[] = {conf_make_int("keepdims", p->keepdims),
                                        p->count == NO_AXES
                                            ? conf_make_int("noop_with_empty_axes", 1)
                                            : conf_make_ints("axes", p->axes, p->count)};
    /* The extremes of many bytes are all but the same, and so are logarithms in 16 bits. */
    const int32_t size = keel_dtype_size(dtype[0]);
    const int is_logarithm = strncmp(op->name, "keel.reduce_log", 15) == 0;
    const uint32_t flags = p->flags | (size == 1 || (size == 2 && is_logarithm) ? FEW : 0U);
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = p->count != 0 ? 2 : 1,
                            .flags = flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = name_of(op, dtype[0], p->tier);
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_foldings(conf_list *list, const keel_op *op, const keel_dtype *dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(foldings); i++) {
        add_folding(list, op, dtype, &foldings[i]);
    }
    for (size_t i = 0; i < KEEL_COUNT(lengths); i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "length_%lld", (long long)lengths[i]);
        const conf_folding p = {.name = text,
                                .tier = i % 3 == 2 ? QUICK : FULL,
                                .shape = {2, {7, lengths[i]}},
                                .count = 1,
                                .axes = {1},
                                .flags = FEW,
                                .data = WHOLE};
        add_folding(list, op, dtype, &p);
    }
}

/* ---- argmax and argmin ----------------------------------------------------------------------- */

typedef struct conf_search {
    const char *name;
    int32_t tier;
    int32_t layout;
    conf_shape shape;
    int32_t axis;
    int32_t keepdims;
    int32_t last_wins;
    conf_data data;
} conf_search;

#define TIES                                                \
    {                                                       \
        .kind = CONF_DATA_INTEGER, .low = -3.0, .high = 3.0 \
    }

static const conf_search searches[] = {
    {"last_65x129", SMOKE, DENSE, {2, {65, 129}}, -1, 0, 0, {0}},
    {"first_129x65", SMOKE, OFFSET, {2, {129, 65}}, 0, 1, 0, {0}},
    {"middle_5x33x40/strided", SMOKE, STEP, {3, {5, 33, 40}}, 1, 0, 0, {0}},
    {"ties_65x97", SMOKE, DENSE, {2, {65, 97}}, 1, 0, 0, TIES},
    {"special_130x9", SMOKE, DENSE, {2, {130, 9}}, 1, 0, 0, KIND(SPECIAL)},
    {"transposed_63x41", SMOKE, TRANSPOSED, {2, {63, 41}}, 1, 0, 0, {0}},
    {"one_9x1", QUICK, DENSE, {2, {9, 1}}, 1, 1, 0, {0}},
    {"empty_0x5", QUICK, DENSE, {2, {0, 5}}, 1, 0, 0, {0}},
    {"vector_10007", QUICK, OFFSET, {1, {10007}}, 0, 0, 0, {0}},
    {"long_3x50021", QUICK, DENSE, {2, {3, 50021}}, 1, 0, 0, {0}},
    {"sparse_33x64", QUICK, PADDED, {2, {33, 64}}, 1, 0, 0, KIND(SPARSE)},
    {"flush_33x65", QUICK, FLUSH, {2, {33, 65}}, 1, 0, 0, {0}},
    {"rank8", QUICK, STEP, {8, {2, 3, 2, 3, 2, 3, 2, 5}}, 3, 0, 0, {0}},
    {"last_wins_65x97", SMOKE, DENSE, {2, {65, 97}}, 1, 0, 1, TIES},
    {"last_wins_97x65", QUICK, DENSE, {2, {97, 65}}, 0, 0, 1, TIES},
    {"last_wins_special_130x9", QUICK, OFFSET, {2, {130, 9}}, 1, 0, 1, KIND(SPECIAL)},
};

static void add_search(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                       const conf_search *p)
{
    const conf_folding folding = {
        .shape = p->shape, .count = 1, .axes = {p->axis}, .keepdims = p->keepdims};
    const conf_shape out = reduced_shape(&folding);
    conf_operand operand[2] = {conf_make_operand(dtype[0], &p->shape, p->layout),
                               conf_make_operand(dtype[1], &out, DENSE)};
    operand[0].data = p->data;
    const keel_attribute attribute[] = {conf_make_int("axis", p->axis),
                                        conf_make_int("keepdims", p->keepdims),
                                        conf_make_int("select_last_index", p->last_wins)};
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = name_of(op, dtype[0], p->tier);
    conf_list_add_op(list, &name, &c, "%s%s", p->name, dtype[1] == KEEL_I64 ? "" : "/short_index");
}

void conf_cases_reduction(conf_list *list)
{
    keel_context *context = conf_list_context(list);
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    const keel_op *op = NULL;
    for (uint32_t i = 0; (op = keel_op_at(context, i)) != NULL; i++) {
        const int folds = strncmp(op->name, "keel.reduce_", 12) == 0;
        const int searches_axis =
            strcmp(op->name, "keel.argmax") == 0 || strcmp(op->name, "keel.argmin") == 0;
        for (uint32_t t = 0; (folds || searches_axis) && keel_op_tuple(op, t, tuple); t++) {
            if (folds) {
                add_foldings(list, op, tuple);
                continue;
            }
            for (size_t k = 0; k < KEEL_COUNT(searches); k++) {
                add_search(list, op, tuple, &searches[k]);
            }
        }
    }
}
