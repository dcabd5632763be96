/*
 * keel.attention: sizes around blocks of queries and keys, grouped heads, both forms of a head,
 * masks of all shapes, causality with and without a cache, layouts, and values that must not be
 * seen.
 */
#include <stdio.h>

#include "cases/short.h"
#include "keel/registry.h"

/* Masks: of BOOL, of values of -3 to 3, of zeros and minus infinities. */
#define NONE 0
#define BOOL 1
#define BIAS 2
#define NEVER 3

#define ALL_HEADS 1u   /* the mask has one plane for all heads */
#define ALL_BATCHES 2u /* for all batches */
#define ALL_QUERIES 4u /* one row for all queries */
#define ONE_COLUMN 8u  /* one column for all keys */

#define PLAIN KIND(UNIFORM)
#define LARGER UNIFORM(-4.0, 4.0)
#define UPWARD UNIFORM(1.0, 1.5)
#define SAME UNIFORM(1.0, 1.0)
#define RISING                                             \
    {                                                      \
        .kind = CONF_DATA_RAMP, .low = -4.0, .high = 0.007 \
    }

typedef struct conf_heads {
    const char *name;
    int32_t tier, rank;
    int64_t batch, q_heads, kv_heads, queries, keys, size, value;
    int32_t causal, mask;
    int32_t lengths; /* whether nonpad_kv_seqlen is given: from below 0 to beyond the keys */
    uint32_t flags;
    /* What the other tables vary. */
    uint32_t once; /* axes that the mask has once, by bits */
    int32_t mask_rank;
    int64_t mask_keys; /* 0: as many as there are */
    double scale, softcap;
    int32_t q_layout, kv_layout, out_layout;
    uint32_t repeat_kv; /* axes of k and v of stride 0, by bits */
    conf_data q_data, k_data, v_data;
} conf_heads;

static const conf_heads shapes[] = {
    {"plain_2x3x17x33x16", SMOKE, 4, 2, 3, 3, 17, 33, 16, 16, .flags = 0},
    {"causal_1x2x65x65x64", SMOKE, 4, 1, 2, 2, 65, 65, 64, 64, .causal = 1},
    {"grouped_three_axes_2x6x9x70x24", SMOKE, 3, 2, 6, 2, 9, 70, 24, 40, .flags = 0},
    {"decode_3x8x1x300x32", SMOKE, 4, 3, 8, 2, 1, 300, 32, 32, .lengths = 1},
    {"bool_mask_2x3x19x37x20", SMOKE, 4, 2, 3, 3, 19, 37, 20, 20, .mask = BOOL},
    {"bias_2x4x19x37x20", SMOKE, 4, 2, 4, 2, 19, 37, 20, 20, .mask = BIAS},
    {"cache_causal_2x4x5x67x16", SMOKE, 4, 2, 4, 2, 5, 67, 16, 16, .causal = 1, .lengths = 1},
    {"no_keys_2x2x7x0x16", SMOKE, 4, 2, 2, 2, 7, 0, 16, 16, .flags = FEW},
    {"no_queries_2x2x0x9x16", QUICK, 4, 2, 2, 2, 0, 9, 16, 16, .flags = 0},
    {"no_size_2x2x5x9x0", QUICK, 4, 2, 2, 2, 5, 9, 0, 16, .flags = FEW},
    {"no_heads_2x0x5x9x8", QUICK, 4, 2, 0, 0, 5, 9, 8, 8, .flags = 0},
    {"one_1x1x1x1x1", QUICK, 4, 1, 1, 1, 1, 1, 1, 1, .flags = FEW},
    {"never_2x2x9x40x16", QUICK, 4, 2, 2, 2, 9, 40, 16, 16, .mask = NEVER, .flags = FEW},
    {"more_queries_than_keys_1x2x70x9x16", QUICK, 4, 1, 2, 2, 70, 9, 16, 16, .causal = 1},
    {"long_1x2x3x5003x32", QUICK, 4, 1, 2, 1, 3, 5003, 32, 32, .flags = 0},
    {"decode_1x4x1x2049x128", QUICK, 4, 1, 4, 4, 1, 2049, 128, 128, .flags = 0},
    {"decode_grouped_2x6x1x1025x64", QUICK, 3, 2, 6, 1, 1, 1025, 64, 64, .lengths = 1},
    {"few_queries_1x4x3x777x80", QUICK, 4, 1, 4, 2, 3, 777, 80, 80, .causal = 1, .lengths = 1},
    {"wide_1x2x9x50x300", QUICK, 4, 1, 2, 2, 9, 50, 300, 270, .flags = 0},
    {"prefill_1x2x256x256x128", QUICK, 4, 1, 2, 2, 256, 256, 128, 128, .causal = 1},
    {"prefill_mask_1x2x130x200x64", QUICK, 4, 1, 2, 1, 130, 200, 64, 64, .mask = BOOL},
    {"all_at_once_2x6x23x90x40", QUICK, 3, 2, 6, 3, 23, 90, 40, 48, .causal = 1, .mask = BIAS,
     .lengths = 1, .flags = FEW, .scale = 0.3, .softcap = 5.0},
    {"prefill_1x4x513x513x64", FULL, 4, 1, 4, 2, 513, 513, 64, 64, .causal = 1},
};

/* Masks for [2, 4, 9, 40]. */
typedef struct conf_mask {
    const char *name;
    int32_t mask;
    uint32_t once;
    int32_t rank;
    int64_t keys;
    int32_t causal, lengths;
    uint32_t flags;
} conf_mask;

static const conf_mask masks[] = {
    {"mask_for_all_heads", BOOL, ALL_HEADS, .flags = 0},
    {"mask_for_all_batches", BIAS, ALL_BATCHES, .flags = 0},
    {"mask_for_all_queries", BOOL, ALL_HEADS | ALL_QUERIES, .flags = 0},
    {"mask_of_one_column", BOOL, ONE_COLUMN, .flags = FEW},
    {"mask_of_rank_2", BIAS, 0, .rank = 2},
    {"mask_of_rank_2_causal", BOOL, 0, .rank = 2, .causal = 1, .flags = FEW},
    {"short_mask_of_29", BOOL, 0, .keys = 29, .causal = 1, .lengths = 1, .flags = FEW},
    {"short_bias_of_13", BIAS, 0, .keys = 13},
    {"short_bias_of_rank_2_of_1", BIAS, 0, .rank = 2, .keys = 1, .lengths = 1},
};

typedef struct conf_lie {
    const char *name;
    int32_t rank, q, kv, out, mask;
    uint32_t repeat_kv;
} conf_lie;

static const conf_lie layouts[] = {
    {"strided", 4, STEP, STEP, STEP, BIAS, 0},
    {"padded_three_axes", 3, PADDED, PADDED, PADDED, NONE, 0},
    {"transposed", 4, TRANSPOSED, TRANSPOSED, TRANSPOSED, BOOL, 0},
    {"transposed_three_axes", 3, TRANSPOSED, TRANSPOSED, DENSE, NONE, 0},
    {"offset", 4, OFFSET, OFFSET, OFFSET, NONE, 0},
    {"flush", 4, FLUSH, FLUSH, FLUSH, BOOL, 0},
    {"repeated_batch", 4, DENSE, DENSE, DENSE, NONE, 1},
    {"repeated_head", 4, DENSE, PADDED, DENSE, NONE, 2},
    {"repeated_key", 4, PADDED, DENSE, PADDED, NONE, 4},
};

/* Contents for [1, 2, 33, 70, 16], or with a size of 2: q, k and v. */
typedef struct conf_contents {
    const char *name;
    int32_t causal, mask;
    int64_t size;
    double scale, softcap;
    uint32_t flags;
    conf_data q, k, v;
} conf_contents;

static const conf_contents contents[] = {
    {"hidden_special", 1, NONE, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(SPECIAL)},
    {"hidden_special_mask", 0, BOOL, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(SPECIAL)},
    {"hidden_special_bias", 1, NEVER, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(SPECIAL)},
    {"special_keys", 1, NONE, 2, 0, 0, FEW, PLAIN, KIND(SPECIAL), PLAIN},
    {"special_queries", 0, NONE, 2, 0, 0, FEW, KIND(SPECIAL), PLAIN, PLAIN},
    {"special_softcap", 0, NONE, 2, 0, 3.0, FEW, KIND(SPECIAL), PLAIN, PLAIN},
    {"softcap_scale", 0, NONE, 17, 0.75, 2.5, 0, PLAIN, PLAIN, PLAIN},
    {"negative_scale", 1, BIAS, 16, -2.0, 0, 0, PLAIN, PLAIN, PLAIN},
    {"peaked", 0, NONE, 32, 1.0, 0, FEW, LARGER, LARGER, PLAIN},
    {"rising", 0, NONE, 8, 1.0, 0, 0, UPWARD, RISING, PLAIN},
    {"falling", 0, NONE, 8, -1.0, 0, 0, UPWARD, RISING, PLAIN},
    {"large_values", 0, NONE, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(NEAR_MAX)},
    {"tiny_values", 0, NONE, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(NEAR_TINY)},
    {"cancelling_values", 0, NONE, 16, 0, 0, FEW, PLAIN, PLAIN, KIND(CANCEL)},
    {"same_values", 1, BOOL, 16, 0, 0, FEW, LARGER, LARGER, SAME},
};

/* Around blocks and tiles of queries and keys, and sizes of heads. */
static const int64_t edges[] = {1,  2,  7,  8,  15, 16, 17,  31,  32,
                                33, 47, 48, 63, 64, 65, 127, 128, 129};

static conf_shape heads_shape(const conf_heads *p, int64_t heads, int64_t sequence, int64_t size)
{
    if (p->rank == 3) {
        return (conf_shape){3, {p->batch, sequence, heads * size}};
    }
    return (conf_shape){4, {p->batch, heads, sequence, size}};
}

static void make_mask(const conf_heads *p, keel_dtype dtype, conf_operand *operand)
{
    static const double never[] = {0.0, -__builtin_inf(), 0.5, -__builtin_inf(), -__builtin_inf()};
    const int64_t keys = p->mask_keys > 0 ? p->mask_keys : p->keys;
    const conf_shape full = {
        4,
        {(p->once & ALL_BATCHES) != 0 ? 1 : p->batch, (p->once & ALL_HEADS) != 0 ? 1 : p->q_heads,
         (p->once & ALL_QUERIES) != 0 ? 1 : p->queries, (p->once & ONE_COLUMN) != 0 ? 1 : keys}};
    const conf_shape flat = {2, {p->queries, keys}};
    const conf_shape *shape = p->mask_rank == 2 ? &flat : &full;
    if (p->mask == BOOL) {
        operand[3] = conf_make_operand(KEEL_BOOL, shape, p->kv_layout);
    } else if (p->mask != NONE) {
        operand[4] = conf_make_operand(dtype, shape, p->kv_layout);
        operand[4].data = (conf_data){.low = -3.0, .high = 3.0};
        if (p->mask == NEVER) {
            operand[4].data = conf_make_values(never, KEEL_COUNT(never));
        }
    }
}

static void make_operands(const conf_heads *p, keel_dtype dtype, conf_operand *operand)
{
    const conf_shape q = heads_shape(p, p->q_heads, p->queries, p->size);
    const conf_shape k = heads_shape(p, p->kv_heads, p->keys, p->size);
    const conf_shape v = heads_shape(p, p->kv_heads, p->keys, p->value);
    const conf_shape out = heads_shape(p, p->q_heads, p->queries, p->value);
    const conf_shape batch = {1, {p->batch}};
    operand[0] = conf_make_operand(dtype, &q, p->q_layout);
    operand[1] = conf_make_operand(dtype, &k, p->kv_layout);
    operand[2] = conf_make_operand(dtype, &v, p->kv_layout);
    operand[0].data = p->q_data;
    operand[1].data = p->k_data;
    operand[2].data = p->v_data;
    operand[1].repeat = operand[2].repeat = p->repeat_kv;
    make_mask(p, dtype, operand);
    if (p->lengths) {
        operand[5] = conf_make_operand(KEEL_I64, &batch, OFFSET);
        operand[5].data =
            (conf_data){.kind = CONF_DATA_INTEGER, .low = -2.0, .high = (double)p->keys + 2.0};
    }
    operand[6] = conf_make_operand(dtype, &out, p->out_layout);
}

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype) || tier == FULL) {
        return tier;
    }
    if (tier == SMOKE) {
        return dtype == KEEL_F16 ? SMOKE : QUICK;
    }
    return dtype == KEEL_F64 ? FULL : QUICK;
}

static void add_case(conf_list *list, const keel_op *op, keel_dtype dtype, const conf_heads *p)
{
    conf_operand operand[7] = {0};
    make_operands(p, dtype, operand);
    keel_attribute attribute[5];
    uint32_t count = 0;
    attribute[count++] = conf_make_int("is_causal", p->causal);
    if (p->rank == 3) {
        attribute[count++] = conf_make_int("q_num_heads", p->q_heads);
        attribute[count++] = conf_make_int("kv_num_heads", p->kv_heads);
    }
    if (p->scale != 0.0) {
        attribute[count++] = conf_make_float("scale", p->scale);
    }
    if (p->softcap != 0.0) {
        attribute[count++] = conf_make_float("softcap", p->softcap);
    }
    const conf_op_case c = {.op = op->name,
                            .inputs = 6,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = count,
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype, tier_for(dtype, p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

/* Pairs of queries and keys, with sizes of heads and masks that vary with them. */
static void add_edges(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const int32_t count = (int32_t)KEEL_COUNT(edges);
    for (int32_t i = 0; i < count * count; i++) {
        if (dtype != KEEL_F32 && i % 3 != 0) {
            continue;
        }
        const int32_t row = i / count;
        const int32_t column = i % count;
        conf_heads p = {.tier = (row * 5 + column * 3) % 23 == 0 ? QUICK : FULL,
                        .batch = 1,
                        .q_heads = 1 + i % 2,
                        .kv_heads = 1,
                        .queries = edges[row],
                        .keys = edges[column],
                        .size = edges[(7 * row + 11 * column + 3) % count],
                        .value = edges[(5 * row + 3 * column + 7) % count],
                        .causal = i / 2 % 2,
                        .mask = i % 5 == 0 ? BOOL : NONE,
                        .flags = FEW};
        char text[64];
        (void)snprintf(text, sizeof text, "edges/%lldx%lldx%lldx%lld%s%s", (long long)p.queries,
                       (long long)p.keys, (long long)p.size, (long long)p.value,
                       p.causal ? "/causal" : "", p.mask != NONE ? "/mask" : "");
        p.name = text;
        add_case(list, op, dtype, &p);
    }
}

static void add_masks(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(masks); i++) {
        const conf_mask *m = &masks[i];
        conf_heads p = {m->name, QUICK, 4, 2, 4, 2, 9, 40, 16, 16, .flags = m->flags};
        p.causal = m->causal;
        p.mask = m->mask;
        p.lengths = m->lengths;
        p.once = m->once;
        p.mask_rank = m->rank;
        p.mask_keys = m->keys;
        add_case(list, op, dtype, &p);
    }
}

static void add_layouts(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(layouts); i++) {
        const conf_lie *l = &layouts[i];
        conf_heads p = {l->name, QUICK, l->rank, 2, 4, 2, 33, 70, 20, 24, .mask = l->mask};
        p.q_layout = l->q;
        p.kv_layout = l->kv;
        p.out_layout = l->out;
        p.repeat_kv = l->repeat_kv;
        p.flags = l->repeat_kv == 4 ? FEW : 0;
        add_case(list, op, dtype, &p);
    }
}

static void add_contents(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(contents); i++) {
        const conf_contents *c = &contents[i];
        conf_heads p = {c->name, QUICK, 4, 1, 2, 2, 33, 70, c->size, 16, .flags = c->flags};
        p.tier = i == 0 ? SMOKE : QUICK;
        p.causal = c->causal;
        p.mask = c->mask;
        p.scale = c->scale;
        p.softcap = c->softcap;
        p.q_data = c->q;
        p.k_data = c->k;
        p.v_data = c->v;
        add_case(list, op, dtype, &p);
    }
}

void conf_cases_attention(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.attention");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(shapes); i++) {
            add_case(list, op, tuple[0], &shapes[i]);
        }
        add_masks(list, op, tuple[0]);
        add_layouts(list, op, tuple[0]);
        add_contents(list, op, tuple[0]);
        add_edges(list, op, tuple[0]);
    }
}
