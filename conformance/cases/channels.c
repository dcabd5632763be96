/*
 * Norms of tensors with channels: batch_norm, instance_norm, group_norm and lrn. Planes around
 * vector and group sizes, groups of one channel and of all, layouts, types that differ.
 */
#include <stdio.h>

#include "cases/short.h"
#include "keel/registry.h"

#define SLOTS 6 /* x, scale, bias, mean, var, y: the most that an op here has */
#define VAR 4   /* of batch_norm, the only op with so many inputs */

typedef struct conf_channels {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;
    int64_t groups; /* of group_norm; lrn: channels of its window */
    int32_t in_place;
    uint32_t flags;
    conf_data data;
} conf_channels;

static const conf_channels rows[] = {
    {"2x6x5x7", SMOKE, DENSE, DENSE, {4, {2, 6, 5, 7}}, 3, 0, 0, UNIFORM(-3.0, 3.0)},
    {"3x4x33/offset", SMOKE, OFFSET, OFFSET, {3, {3, 4, 33}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x6x9x5/strided", SMOKE, STEP, PADDED, {4, {2, 6, 9, 5}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x4x17x9/in_place", SMOKE, DENSE, DENSE, {4, {2, 4, 17, 9}}, 2, 1, 0, UNIFORM(-3.0, 3.0)},
    {"3x6x5/special", SMOKE, DENSE, DENSE, {3, {3, 6, 5}}, 6, 0, FEW, KIND(SPECIAL)},
    {"2x8x6x7/transposed",
     QUICK,
     TRANSPOSED,
     TRANSPOSED,
     {4, {2, 8, 6, 7}},
     4,
     0,
     0,
     UNIFORM(-3.0, 3.0)},
    {"0x4x5/empty", QUICK, DENSE, DENSE, {3, {0, 4, 5}}, 2, 0, 0, {0}},
    {"2x4x0/empty", QUICK, DENSE, DENSE, {3, {2, 4, 0}}, 4, 0, 0, {0}},
    {"65x12/no_plane", QUICK, DENSE, DENSE, {2, {65, 12}}, 3, 0, FEW, UNIFORM(-3.0, 3.0)},
    {"33x65/no_plane_padded", QUICK, PADDED, OFFSET, {2, {33, 65}}, 5, 0, FEW, UNIFORM(-3.0, 3.0)},
    {"1x32x8x8/no_batch", QUICK, DENSE, DENSE, {4, {1, 32, 8, 8}}, 8, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x9x31/all_channels", QUICK, DENSE, DENSE, {3, {2, 9, 31}}, 1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"1x2x127x129/plane", QUICK, DENSE, DENSE, {4, {1, 2, 127, 129}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x4x16x17/shifted", QUICK, DENSE, DENSE, {4, {2, 4, 16, 17}}, 2, 0, 0, UNIFORM(90.0, 93.0)},
    {"1x2x50021/long", QUICK, OFFSET, DENSE, {3, {1, 2, 50021}}, 1, 0, FEW, UNIFORM(-9.0, 9.0)},
    {"3x5x1x1/single", QUICK, DENSE, DENSE, {4, {3, 5, 1, 1}}, 5, 0, FEW, UNIFORM(-3.0, 3.0)},
    {"2x4x129/flush", QUICK, FLUSH, FLUSH, {3, {2, 4, 129}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x4x3x5x7/volume", QUICK, PADDED, STEP, {5, {2, 4, 3, 5, 7}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
    {"2x6x31/near_max", QUICK, DENSE, DENSE, {3, {2, 6, 31}}, 2, 0, FEW, KIND(NEAR_MAX)},
    {"2x6x31/near_tiny", QUICK, DENSE, DENSE, {3, {2, 6, 31}}, 2, 0, FEW, KIND(NEAR_TINY)},
    {"2x6x31/wide_range", QUICK, DENSE, DENSE, {3, {2, 6, 31}}, 2, 0, FEW, KIND(WIDE)},
    {"2x6x65/sparse", QUICK, DENSE, DENSE, {3, {2, 6, 65}}, 3, 0, FEW, KIND(SPARSE)},
    {"513x3x17/many", QUICK, DENSE, DENSE, {3, {513, 3, 17}}, 1, 0, 0, UNIFORM(-3.0, 3.0)},
    {"rank8", FULL, STEP, PADDED, {8, {2, 4, 2, 1, 3, 2, 2, 5}}, 2, 0, 0, UNIFORM(-3.0, 3.0)},
};

/* Planes on both sides of every vector and wave size. */
static const int64_t planes[] = {2,  3,  7,  8,   9,   15,  16,  17,  31,   32,   33,
                                 63, 64, 65, 127, 128, 129, 255, 257, 1023, 1025, 4097};

/* What differs between the ops: an attribute that takes conf_channels.groups. */
typedef struct conf_channel_op {
    const char *op;
    const char *attribute;
} conf_channel_op;

static const conf_channel_op ops[] = {
    {"keel.batch_norm", NULL},
    {"keel.instance_norm", NULL},
    {"keel.group_norm", "num_groups"},
    {"keel.lrn", "size"},
};

static int32_t tier_for(const keel_dtype *dtype, const keel_op *op, int32_t tier)
{
    const int mixed = op->inputs > 1 && dtype[1] != dtype[0];
    const int useful = dtype[0] == KEEL_F16 && dtype[1] == KEEL_F32;
    if (mixed) { /* f16 with parameters in f32 is what models have */
        return tier == SMOKE && useful ? QUICK : FULL;
    }
    return conf_tier_for(dtype[0], tier);
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

/* terms: of the inputs behind x, so many are given. */
static void add_row(conf_list *list, const keel_op *op, const char *attribute_name,
                    const keel_dtype *dtype, const conf_channels *p, uint32_t terms)
{
    conf_operand operand[SLOTS] = {0};
    const conf_shape vector = {1, {p->shape.size[1]}};
    operand[0] = conf_make_operand(dtype[0], &p->shape, p->in_layout);
    operand[0].data = widen(p->data, dtype[0]);
    for (uint32_t slot = 1; slot <= terms; slot++) {
        operand[slot] = conf_make_operand(dtype[slot], &vector, slot % 2 == 0 ? STEP : OFFSET);
        operand[slot].data = slot == 1 || slot == VAR ? (conf_data){.low = 0.5, .high = 2.0}
                                                      : (conf_data){.low = -1.0, .high = 1.0};
    }
    operand[op->inputs] = conf_make_operand(dtype[op->inputs], &p->shape, p->out_layout);
    const keel_attribute attribute =
        conf_make_int(attribute_name != NULL ? attribute_name : "", p->groups);
    const conf_op_case c = {.op = op->name,
                            .inputs = op->inputs,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = &attribute,
                            .attributes = attribute_name != NULL,
                            .flags = p->flags,
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    char label[32];
    conf_make_dtype_label(dtype, op->inputs, label, sizeof label);
    const int plain = terms + 1 < op->inputs;
    const int32_t tier = plain && p->tier == SMOKE ? QUICK : p->tier;
    const conf_name name = {
        .family = op->family, .op = op->name, .dtype = label, .tier = tier_for(dtype, op, tier)};
    conf_list_add_op(list, &name, &c, "%s%s", p->name, plain ? "/plain" : "");
}

static void add_planes(conf_list *list, const keel_op *op, const char *attribute,
                       const keel_dtype *dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(planes); i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "plane_%lld", (long long)planes[i]);
        const conf_channels p = {.name = text,
                                 .tier = i % 7 == 3 ? QUICK : FULL,
                                 .shape = {3, {2, 6, planes[i]}},
                                 .groups = 3,
                                 .flags = FEW,
                                 .data = {.low = -3.0, .high = 3.0}};
        add_row(list, op, attribute, dtype, &p, op->inputs - 1);
    }
}

/* Windows of lrn: even and odd, of one channel and of more than there are; other exponents. */
static void add_windows(conf_list *list, const keel_op *op, const keel_dtype *dtype)
{
    static const int64_t sizes[] = {1, 2, 4, 5, 7, 40};
    static const double betas[] = {0.75, 0.5, 1.0, 0.0, -0.75};
    const conf_shape shape = {4, {2, 11, 5, 33}};
    for (size_t i = 0; i < KEEL_COUNT(sizes) * KEEL_COUNT(betas); i++) {
        const int64_t size = sizes[i % KEEL_COUNT(sizes)];
        const double beta = betas[i / KEEL_COUNT(sizes)];
        const conf_operand operand[] = {conf_make_operand(dtype[0], &shape, DENSE),
                                        conf_make_operand(dtype[1], &shape, DENSE)};
        const keel_attribute attribute[] = {
            conf_make_int("size", size), conf_make_float("beta", beta),
            conf_make_float("alpha", 0.5), conf_make_float("bias", 2.0)};
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = attribute,
                                .attributes = KEEL_COUNT(attribute),
                                .alias = CONF_NO_ALIAS};
        const int32_t tier = i < KEEL_COUNT(sizes) || size == 5 ? QUICK : FULL;
        const conf_name name = conf_make_name(op, dtype[0], conf_tier_for(dtype[0], tier));
        conf_list_add_op(list, &name, &c, "window_%lld_beta_%g", (long long)size, beta);
    }
}

void conf_cases_channels(conf_list *list)
{
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[k].op);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            const int mixed = op->inputs > 1 && tuple[1] != tuple[0];
            for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
                if ((rows[i].in_place && (op->flags & KEEL_OP_IN_PLACE) == 0) ||
                    (mixed && rows[i].tier != SMOKE)) {
                    continue;
                }
                add_row(list, op, ops[k].attribute, tuple, &rows[i], op->inputs - 1);
                if (op->inputs_required < op->inputs) { /* scale and bias are optional */
                    add_row(list, op, ops[k].attribute, tuple, &rows[i], 0);
                }
            }
            if (!mixed) {
                add_planes(list, op, ops[k].attribute, tuple);
            }
            if (op->inputs == 1) {
                add_windows(list, op, tuple);
            }
        }
    }
}
