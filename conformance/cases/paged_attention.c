/*
 * keel.paged_attention: sizes of blocks and of heads, groups, tables that name blocks twice or none
 * that there is, lengths from below 0 to beyond the table, layouts.
 */
#include <stdio.h>

#include "cases/short.h"
#include "keel/registry.h"

#define OPERANDS 6 /* q, k, v, block_table, lengths, out */

typedef struct conf_paged {
    const char *name;
    int32_t tier;
    int64_t batch, q_heads, kv_heads, size, value;
    int64_t blocks, block_size, entries; /* of the cache; of a sequence */
    int32_t outside;                     /* the table names blocks that there are not, too */
    int32_t cache_layout, layout;
    uint32_t flags;
    double scale, softcap;
    conf_data q_data, v_data;
} conf_paged;

static const conf_paged cases[] = {
    {"plain_3x4_of_2x16", SMOKE, 3, 4, 2, 16, 16, 9, 8, 5, .flags = 0},
    {"outside_5x2_of_2x20", SMOKE, 5, 2, 2, 20, 12, 4, 16, 6, .outside = 1},
    {"blocks_of_1_4x4_of_1x32", SMOKE, 4, 4, 1, 32, 32, 50, 1, 40, .outside = 1},
    {"long_2x8_of_2x64", SMOKE, 2, 8, 2, 64, 64, 70, 16, 64, .flags = 0},
    {"blocks_of_3_3x3_of_3x7", QUICK, 3, 3, 3, 7, 9, 12, 3, 30, .outside = 1},
    {"blocks_of_100_2x2_of_1x40", QUICK, 2, 2, 1, 40, 40, 4, 100, 3, .flags = 0},
    {"size_128_1x8_of_8x128", QUICK, 1, 8, 8, 128, 128, 40, 32, 33, .flags = 0},
    {"size_600_2x2_of_2x600", QUICK, 2, 2, 2, 600, 300, 5, 8, 4, .outside = 1},
    {"many_heads_1x24_of_1x48", QUICK, 1, 24, 1, 48, 48, 9, 16, 8, .flags = 0},
    {"one_of_each", QUICK, 1, 1, 1, 1, 1, 1, 1, 1, .flags = FEW},
    {"no_entries_2x2_of_2x8", QUICK, 2, 2, 2, 8, 8, 3, 4, 0, .flags = FEW},
    {"no_blocks_2x2_of_2x8", QUICK, 2, 2, 2, 8, 8, 0, 4, 3, .outside = 1, .flags = FEW},
    {"no_places_2x2_of_2x8", QUICK, 2, 2, 2, 8, 8, 3, 0, 3, .flags = FEW},
    {"no_sequences", QUICK, 0, 2, 2, 8, 8, 3, 4, 3, .flags = 0},
    {"strided_3x4_of_2x24", QUICK, 3, 4, 2, 24, 16, 6, 5, 7, .cache_layout = STEP, .layout = STEP},
    {"padded_3x4_of_2x24", QUICK, 3, 4, 2, 24, 24, 6, 8, 7, 1, .cache_layout = PADDED,
     .layout = OFFSET},
    {"transposed_3x4_of_2x24", QUICK, 3, 4, 2, 24, 16, 6, 5, 7, 1, .cache_layout = TRANSPOSED,
     .layout = TRANSPOSED},
    {"flush_3x4_of_2x23", QUICK, 3, 4, 2, 23, 25, 6, 5, 7, 1, .cache_layout = FLUSH,
     .layout = FLUSH},
    {"softcap_2x2_of_2x16", QUICK, 2, 2, 2, 16, 16, 9, 8, 9, .scale = -0.7, .softcap = 1.5},
    {"special_values_4x2_of_1x8", QUICK, 4, 2, 1, 8, 8, 9, 8, 5, 1, .flags = FEW,
     .v_data = KIND(SPECIAL)},
    {"special_queries_9x2_of_1x2", QUICK, 9, 2, 1, 2, 8, 9, 8, 5, 1, .flags = FEW,
     .q_data = KIND(SPECIAL)},
    {"decode_4x32_of_8x128", FULL, 4, 32, 8, 128, 128, 130, 16, 64, .flags = 0},
};

static void make_operands(const conf_paged *p, keel_dtype dtype, conf_operand *operand)
{
    const conf_shape q = {3, {p->batch, p->q_heads, p->size}};
    const conf_shape k = {4, {p->blocks, p->block_size, p->kv_heads, p->size}};
    const conf_shape v = {4, {p->blocks, p->block_size, p->kv_heads, p->value}};
    const conf_shape table = {2, {p->batch, p->entries}};
    const conf_shape batch = {1, {p->batch}};
    const conf_shape out = {3, {p->batch, p->q_heads, p->value}};
    const double keys = (double)(p->entries * p->block_size);
    operand[0] = conf_make_operand(dtype, &q, p->layout);
    operand[1] = conf_make_operand(dtype, &k, p->cache_layout);
    operand[2] = conf_make_operand(dtype, &v, p->cache_layout);
    operand[3] = conf_make_operand(KEEL_I32, &table, p->layout);
    operand[4] = conf_make_operand(KEEL_I32, &batch, p->layout);
    operand[5] = conf_make_operand(dtype, &out, p->layout);
    operand[0].data = p->q_data;
    operand[2].data = p->v_data;
    operand[3].data = (conf_data){.kind = CONF_DATA_INTEGER,
                                  .low = p->outside ? -2.0 : 0.0,
                                  .high = (double)p->blocks + (p->outside ? 2.0 : -1.0)};
    operand[4].data =
        (conf_data){.kind = CONF_DATA_INTEGER, .low = keys / 2.0 - 1.0, .high = keys + 2.0};
    if (p->outside) {
        operand[4].data.low = -1.0;
    }
}

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype) || tier == FULL) {
        return tier;
    }
    return tier == SMOKE && dtype == KEEL_F16 ? SMOKE : QUICK;
}

void conf_cases_paged_attention(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.paged_attention");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
            conf_operand operand[OPERANDS] = {0};
            make_operands(&cases[i], tuple[0], operand);
            const keel_attribute attribute[] = {conf_make_float("scale", cases[i].scale),
                                                conf_make_float("softcap", cases[i].softcap)};
            const conf_op_case c = {.op = op->name,
                                    .inputs = OPERANDS - 1,
                                    .outputs = 1,
                                    .operand = operand,
                                    .attribute = attribute,
                                    .attributes = KEEL_COUNT(attribute),
                                    .flags = cases[i].flags | (cases[i].outside ? FEW : 0),
                                    .alias = CONF_NO_ALIAS};
            const conf_name name = conf_make_name(op, tuple[0], tier_for(tuple[0], cases[i].tier));
            conf_list_add_op(list, &name, &c, "%s", cases[i].name);
        }
    }
}
