/*
 * depth_to_space, space_to_depth: blocks of elements between channels and the last two axes. tile:
 * repeats.
 */
#include "cases/short.h"
#include "keel/registry.h"

static conf_name name_of(const keel_op *op, keel_dtype dtype, int32_t tier)
{
    return conf_make_name(op, dtype, conf_tier_for(dtype, tier));
}

/* ---- depth_to_space, space_to_depth ---------------------------------------------------------- */

typedef struct conf_blocks {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape deep, wide; /* both written by hand: they are part of what is checked */
    int64_t blocksize;
    const char *mode; /* NULL: left out; of depth_to_space only */
} conf_blocks;

static const conf_blocks blocks[] = {
    {"two_2x12x5x7", SMOKE, DENSE, DENSE, {4, {2, 12, 5, 7}}, {4, {2, 3, 10, 14}}, 2, NULL},
    {"crd_2x12x5x7", SMOKE, DENSE, OFFSET, {4, {2, 12, 5, 7}}, {4, {2, 3, 10, 14}}, 2, "CRD"},
    {"three_1x18x3x11", SMOKE, STEP, PADDED, {4, {1, 18, 3, 11}}, {4, {1, 2, 9, 33}}, 3, "DCR"},
    {"crd_one_channel_3x16x2x9",
     SMOKE,
     OFFSET,
     DENSE,
     {4, {3, 16, 2, 9}},
     {4, {3, 1, 8, 36}},
     4,
     "CRD"},
    {"crd_channels_last_2x8x9x5",
     QUICK,
     TRANSPOSED,
     TRANSPOSED,
     {4, {2, 8, 9, 5}},
     {4, {2, 2, 18, 10}},
     2,
     "CRD"},
    {"crossed_2x4x33x17",
     QUICK,
     TRANSPOSED,
     STEP,
     {4, {2, 4, 33, 17}},
     {4, {2, 1, 66, 34}},
     2,
     NULL},
    {"flush_1x4x31x65", QUICK, FLUSH, FLUSH, {4, {1, 4, 31, 65}}, {4, {1, 1, 62, 130}}, 2, "CRD"},
    {"block_of_1_2x3x5x7", QUICK, DENSE, DENSE, {4, {2, 3, 5, 7}}, {4, {2, 3, 5, 7}}, 1, "CRD"},
    {"one_pixel_1x49x1x1", QUICK, DENSE, DENSE, {4, {1, 49, 1, 1}}, {4, {1, 1, 7, 7}}, 7, NULL},
    {"no_batch_0x4x5x7", QUICK, DENSE, DENSE, {4, {0, 4, 5, 7}}, {4, {0, 1, 10, 14}}, 2, NULL},
    {"no_channels_2x0x5x7", QUICK, DENSE, DENSE, {4, {2, 0, 5, 7}}, {4, {2, 0, 10, 14}}, 2, "CRD"},
    {"no_rows_2x4x0x7", QUICK, DENSE, DENSE, {4, {2, 4, 0, 7}}, {4, {2, 1, 0, 14}}, 2, NULL},
    {"crd_1x64x63x129",
     FULL,
     DENSE,
     DENSE,
     {4, {1, 64, 63, 129}},
     {4, {1, 16, 126, 258}},
     2,
     "CRD"},
    {"eight_1x128x32x31",
     FULL,
     PADDED,
     DENSE,
     {4, {1, 128, 32, 31}},
     {4, {1, 2, 256, 248}},
     8,
     NULL},
};

static void add_block(conf_list *list, const keel_op *op, keel_dtype dtype, const conf_blocks *p,
                      int to_depth)
{
    const conf_shape *in = to_depth ? &p->wide : &p->deep;
    const conf_shape *out = to_depth ? &p->deep : &p->wide;
    conf_operand operand[2] = {conf_make_operand(dtype, in, p->in_layout),
                               conf_make_operand(dtype, out, p->out_layout)};
    operand[0].data.kind = CONF_DATA_BITS;
    keel_attribute attribute[2] = {conf_make_int("blocksize", p->blocksize)};
    if (p->mode != NULL) {
        attribute[1] = conf_make_bytes("mode", p->mode);
    }
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = p->mode != NULL && !to_depth ? 2 : 1,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = name_of(op, dtype, p->tier);
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_depth_to_space(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(blocks); i++) {
        add_block(list, op, dtype, &blocks[i], 0);
    }
}

static void add_space_to_depth(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(blocks); i++) {
        add_block(list, op, dtype, &blocks[i], 1);
    }
}

/* ---- tile ------------------------------------------------------------------------------------ */

typedef struct conf_tiling {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape in;
    conf_shape out; /* written by hand: it is part of what is checked */
    int64_t repeats[KEEL_MAX_RANK];
} conf_tiling;

static const conf_tiling tilings[] = {
    {"both_7x9", SMOKE, DENSE, DENSE, {2, {7, 9}}, {2, {21, 18}}, {3, 2}},
    {"rows_5x33", SMOKE, STEP, OFFSET, {2, {5, 33}}, {2, {65, 33}}, {13, 1}},
    {"columns_5x31", SMOKE, OFFSET, PADDED, {2, {5, 31}}, {2, {5, 217}}, {1, 7}},
    {"rank8",
     SMOKE,
     DENSE,
     STEP,
     {8, {2, 3, 2, 1, 2, 3, 2, 3}},
     {8, {4, 6, 4, 3, 4, 3, 4, 6}},
     {2, 2, 2, 3, 2, 1, 2, 2}},
    {"ones_1x1", QUICK, DENSE, DENSE, {2, {1, 1}}, {2, {31, 65}}, {31, 65}},
    {"vector_127", QUICK, DENSE, FLUSH, {1, {127}}, {1, {1143}}, {9}},
    {"transposed_17x31", QUICK, TRANSPOSED, DENSE, {2, {17, 31}}, {2, {34, 62}}, {2, 2}},
    {"out_transposed_3x17x31",
     QUICK,
     PADDED,
     TRANSPOSED,
     {3, {3, 17, 31}},
     {3, {6, 17, 93}},
     {2, 1, 3}},
    {"copy_7x9", QUICK, DENSE, DENSE, {2, {7, 9}}, {2, {7, 9}}, {1, 1}},
    {"none_7x9", QUICK, DENSE, DENSE, {2, {7, 9}}, {2, {0, 18}}, {0, 2}},
    {"empty_0x9", QUICK, DENSE, DENSE, {2, {0, 9}}, {2, {0, 18}}, {5, 2}},
    {"scalar", QUICK, OFFSET, DENSE, {0, {0}}, {0, {0}}, {0}},
    {"eight_loops_late",
     QUICK,
     PADDED,
     OFFSET,
     {8, {2, 2, 2, 2, 2, 2, 2, 2}},
     {8, {4, 4, 4, 4, 4, 4, 4, 4}},
     {2, 2, 2, 2, 2, 2, 2, 2}},
    {"rows_129x257", FULL, DENSE, DENSE, {2, {129, 257}}, {2, {645, 771}}, {5, 3}},
};

/* Whether there is one element, so that the result has one value. */
static int is_one(const conf_shape *shape)
{
    for (int32_t a = 0; a < shape->rank; a++) {
        if (shape->size[a] != 1) {
            return 0;
        }
    }
    return 1;
}

static void add_tilings(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(tilings); i++) {
        const conf_tiling *p = &tilings[i];
        conf_operand operand[2] = {conf_make_operand(dtype, &p->in, p->in_layout),
                                   conf_make_operand(dtype, &p->out, p->out_layout)};
        operand[0].data.kind = CONF_DATA_BITS;
        const keel_attribute repeats = conf_make_ints("repeats", p->repeats, p->in.rank);
        const conf_op_case c = {.op = op->name,
                                .inputs = 1,
                                .outputs = 1,
                                .operand = operand,
                                .attribute = &repeats,
                                .attributes = 1,
                                .flags = is_one(&p->in) ? FEW : 0,
                                .alias = CONF_NO_ALIAS};
        const conf_name name = name_of(op, dtype, p->tier);
        conf_list_add_op(list, &name, &c, "%s", p->name);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_rearrange(conf_list *list)
{
    static const struct {
        const char *op;
        void (*add)(conf_list *list, const keel_op *op, keel_dtype dtype);
    } ops[] = {
        {"keel.depth_to_space", add_depth_to_space},
        {"keel.space_to_depth", add_space_to_depth},
        {"keel.tile", add_tilings},
        {"keel.pad", conf_cases_pad},
    };
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t i = 0; i < KEEL_COUNT(ops); i++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[i].op);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            ops[i].add(list, op, tuple[0]);
        }
    }
}
