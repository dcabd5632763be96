/*
 * depth_to_space, space_to_depth: blocks of elements between channels and the last two axes.
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

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_rearrange(conf_list *list)
{
    static const struct {
        const char *op;
        void (*add)(conf_list *list, const keel_op *op, keel_dtype dtype);
    } ops[] = {
        {"keel.depth_to_space", add_depth_to_space},
        {"keel.space_to_depth", add_space_to_depth},
    };
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t i = 0; i < KEEL_COUNT(ops); i++) {
        const keel_op *op = keel_op_find(conf_list_context(list), ops[i].op);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            ops[i].add(list, op, tuple[0]);
        }
    }
}
