/*
 * keel.rotary_embedding: both pairings and both forms of a head, with and without position_ids,
 * partial rotation, layouts, positions that do not exist.
 */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/plan.h"
#include "keel/registry.h"
#include "keel/tensor.h"

#define OPERANDS 5 /* x, cos_cache, sin_cache, position_ids, out */

typedef struct conf_rotary {
    const char *name;
    int32_t tier;
    int32_t rank, interleaved;
    int64_t batch, heads, sequence, size;
    int64_t rotated;   /* 0: all */
    int64_t positions; /* 0: the caches are per token */
    int32_t x_layout, cache_layout, out_layout;
    int32_t in_place;
    uint32_t repeat_x; /* axes of stride 0, by bits */
    uint32_t flags;
    conf_data ids, data;
} conf_rotary;

#define PLAIN KIND(UNIFORM)

/* Positions of 0 to 16 or 40; with those below 0 and beyond the caches. */
#define INSIDE(last)                                          \
    {                                                         \
        .kind = CONF_DATA_INTEGER, .low = 0.0, .high = (last) \
    }
#define AROUND                                               \
    {                                                        \
        .kind = CONF_DATA_INTEGER, .low = -6.0, .high = 22.0 \
    }

static const conf_rotary rotations[] = {
    {"halves_2x3x5x64", SMOKE, 4, 0, 2, 3, 5, 64, 0, 17, .ids = INSIDE(16)},
    {"interleaved_2x3x5x64", SMOKE, 4, 1, 2, 3, 5, 64, 0, 17, .ids = INSIDE(16)},
    {"three_axes_2x5x4x32", SMOKE, 3, 0, 2, 4, 5, 32, 0, 41, .ids = INSIDE(40)},
    {"per_token_3x2x7x20", SMOKE, 4, 0, 3, 2, 7, 20, 0, 0, .flags = 0},
    {"partial_2x2x3x40_of_16", SMOKE, 4, 0, 2, 2, 3, 40, 16, 17, .ids = INSIDE(16)},
    {"outside_2x3x9x18", SMOKE, 4, 0, 2, 3, 9, 18, 0, 17, .flags = FEW, .ids = AROUND},
    {"three_axes_interleaved_2x5x3x22", QUICK, 3, 1, 2, 3, 5, 22, 0, 0, .flags = 0},
    {"partial_three_axes_2x5x3x26_of_10", QUICK, 3, 0, 2, 3, 5, 26, 10, 17, .ids = INSIDE(16)},
    {"partial_interleaved_1x5x7x33_of_30", QUICK, 4, 1, 1, 5, 7, 33, 30, 0, .flags = 0},
    {"in_place_halves_2x3x5x34", SMOKE, 4, 0, 2, 3, 5, 34, 0, 17, .in_place = 1, .ids = INSIDE(16)},
    {"in_place_interleaved_2x3x5x34_of_18", QUICK, 3, 1, 2, 3, 5, 34, 18, 0, .x_layout = PADDED,
     .in_place = 1},
    {"strided_2x3x5x34", QUICK, 4, 0, 2, 3, 5, 34, 0, 17, .x_layout = STEP, .cache_layout = STEP,
     .out_layout = PADDED, .ids = INSIDE(16)},
    {"strided_interleaved_2x3x5x34_of_20", QUICK, 3, 1, 2, 3, 5, 34, 20, 0, .x_layout = PADDED,
     .cache_layout = OFFSET, .out_layout = STEP},
    {"transposed_2x3x5x34", QUICK, 4, 0, 2, 3, 5, 34, 0, 17, .x_layout = TRANSPOSED,
     .cache_layout = TRANSPOSED, .out_layout = TRANSPOSED, .ids = INSIDE(16)},
    {"offset_1x2x3x66", QUICK, 4, 0, 1, 2, 3, 66, 0, 17, .x_layout = OFFSET, .cache_layout = OFFSET,
     .out_layout = OFFSET, .ids = INSIDE(16)},
    {"flush_1x2x3x62", QUICK, 4, 0, 1, 2, 3, 62, 0, 17, .x_layout = FLUSH, .cache_layout = FLUSH,
     .out_layout = FLUSH, .ids = INSIDE(16)},
    {"repeated_batch_4x2x3x16", QUICK, 4, 0, 4, 2, 3, 16, 0, 17, .repeat_x = 1, .ids = INSIDE(16)},
    {"one_position_2x2x3x8", QUICK, 4, 0, 2, 2, 3, 8, 0, 1, .ids = INSIDE(0)},
    {"one_pair_1x1x1x2", QUICK, 4, 0, 1, 1, 1, 2, 0, 0, .flags = FEW},
    {"empty_sequence_2x3x0x16", SMOKE, 4, 0, 2, 3, 0, 16, 0, 17, .flags = 0},
    {"empty_head_2x3x4x0", QUICK, 4, 0, 2, 3, 4, 0, 0, 17, .flags = 0},
    {"special_2x3x17x24", SMOKE, 4, 0, 2, 3, 17, 24, 0, 0, .flags = FEW, .data = KIND(SPECIAL)},
    {"special_interleaved_2x3x17x24", QUICK, 4, 1, 2, 3, 17, 24, 0, 0, .flags = FEW,
     .data = KIND(SPECIAL)},
    {"wide_2x3x5x64", QUICK, 4, 0, 2, 3, 5, 64, 0, 0, .flags = FEW, .data = KIND(WIDE)},
    {"near_tiny_2x3x5x64", QUICK, 4, 0, 2, 3, 5, 64, 0, 0, .flags = FEW, .data = KIND(NEAR_TINY)},
    {"large_1x32x128x128", QUICK, 4, 0, 1, 32, 128, 128, 0, 4096, .ids = INSIDE(4095)},
    {"tokens_1x2049x1x6", QUICK, 3, 0, 1, 1, 2049, 6, 0, 17, .ids = INSIDE(16)},
};

/* Sizes of heads on both sides of vectors and waves. */
static const int64_t sizes[] = {4,  6,  14, 16, 18,  30,  32,  34,  62,
                                64, 66, 96, 98, 126, 128, 130, 256, 258};

static conf_shape heads_shape(const conf_rotary *p)
{
    if (p->rank == 4) {
        return (conf_shape){4, {p->batch, p->heads, p->sequence, p->size}};
    }
    return (conf_shape){3, {p->batch, p->sequence, p->heads * p->size}};
}

static void make_operands(const conf_rotary *p, keel_dtype dtype, conf_operand *operand)
{
    const int64_t half = (p->rotated != 0 ? p->rotated : p->size) / 2;
    const conf_shape x = heads_shape(p);
    const conf_shape rows = {2, {p->positions, half}};
    const conf_shape tokens = {3, {p->batch, p->sequence, half}};
    const conf_shape ids = {2, {p->batch, p->sequence}};
    operand[0] = conf_make_operand(dtype, &x, p->x_layout);
    operand[0].data = p->data;
    operand[0].repeat = p->repeat_x;
    for (int slot = 1; slot <= 2; slot++) {
        operand[slot] =
            conf_make_operand(dtype, p->positions > 0 ? &rows : &tokens, p->cache_layout);
        operand[slot].data = p->data;
    }
    if (p->positions > 0) {
        operand[3] = conf_make_operand(KEEL_I64, &ids, p->cache_layout == STEP ? STEP : OFFSET);
        operand[3].data = p->ids;
    }
    operand[4] = conf_make_operand(dtype, &x, p->out_layout);
}

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype) || tier == FULL) {
        return tier;
    }
    if (tier == SMOKE) {
        return dtype == KEEL_F16 ? SMOKE : QUICK;
    }
    return dtype == KEEL_F16 ? QUICK : FULL;
}

static void add_rotation(conf_list *list, const keel_op *op, keel_dtype dtype, const conf_rotary *p)
{
    conf_operand operand[OPERANDS] = {0};
    make_operands(p, dtype, operand);
    const keel_attribute attribute[] = {
        conf_make_int("interleaved", p->interleaved),
        conf_make_int("rotary_embedding_dim", p->rotated),
        conf_make_int("num_heads", p->rank == 3 ? p->heads : 0),
    };
    const conf_op_case c = {.op = op->name,
                            .inputs = OPERANDS - 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = p->flags,
                            .alias = p->in_place ? 0 : CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype, tier_for(dtype, p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_sizes(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    for (size_t i = 0; i < KEEL_COUNT(sizes); i++) {
        char text[48];
        (void)snprintf(text, sizeof text, "size_%lld", (long long)sizes[i]);
        const conf_rotary p = {.name = text,
                               .tier = i % 4 == 1 ? QUICK : FULL,
                               .batch = 2,
                               .heads = 3,
                               .sequence = 4,
                               .size = sizes[i],
                               .rotated = i % 3 == 2 ? 2 * (sizes[i] / 4) : 0,
                               .rank = i % 2 == 0 ? 4 : 3,
                               .interleaved = (int32_t)(i / 2 % 2),
                               .positions = 17,
                               .ids = INSIDE(16)};
        add_rotation(list, op, dtype, &p);
    }
}

/* ---- caches that 32 bits cannot count -------------------------------------------------------- */

#define FAR_TOKENS 6
#define FAR_SIZE 8
#define FAR_ROWS ((INT64_C(1) << 32) + 7)

/* Rotates FAR_TOKENS tokens by caches of one row, or of so many at stride 0. */
static keel_status rotate(const conf_env *env, const int64_t *ids, int64_t rows, float *out,
                          keel_error *err)
{
    static const float x[FAR_TOKENS * FAR_SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2,
                                                   1, 3, 5, 7, 9, 2, 4, 6, 8, 6, 4, 2, 9, 7, 5, 3,
                                                   2, 2, 4, 4, 6, 6, 8, 8, 1, 1, 3, 3, 5, 5, 7, 7};
    static const float angles[2][FAR_SIZE / 2] = {{1, 0.5F, -0.5F, 2}, {0, 3, -1, 0.25F}};
    const int64_t shape[] = {1, 1, FAR_TOKENS, FAR_SIZE};
    const int64_t cache[] = {rows, FAR_SIZE / 2};
    const int64_t stride[] = {0, 1};
    keel_tensor tensor[OPERANDS] = {0};
    keel_tensor row[2] = {0};
    (void)keel_tensor_create(env->device, KEEL_F32, 4, shape, &tensor[0], err);
    (void)keel_tensor_create(env->device, KEEL_F32, 4, shape, &tensor[4], err);
    (void)keel_tensor_create(env->device, KEEL_I64, 2, (const int64_t[]){1, FAR_TOKENS}, &tensor[3],
                             err);
    (void)keel_tensor_write(env->queue, &tensor[0], x, err);
    (void)keel_tensor_write(env->queue, &tensor[3], ids, err);
    for (int k = 0; k < 2; k++) {
        (void)keel_tensor_create(env->device, KEEL_F32, 1, (const int64_t[]){FAR_SIZE / 2}, &row[k],
                                 err);
        (void)keel_tensor_write(env->queue, &row[k], angles[k], err);
        (void)keel_tensor_view(row[k].buffer, 0, KEEL_F32, 2, cache, stride, &tensor[1 + k], err);
    }
    const keel_tensor *const inputs[] = {&tensor[0], &tensor[1], &tensor[2], &tensor[3]};
    const keel_tensor *const outputs[] = {&tensor[4]};
    (void)keel_op_run(env->queue, "keel.rotary_embedding", inputs, 4, outputs, 1, NULL, 0, err);
    (void)keel_tensor_read(env->queue, &tensor[4], out, err);
    keel_tensor_release(&tensor[0]);
    keel_tensor_release(&tensor[3]);
    keel_tensor_release(&tensor[4]);
    keel_tensor_release(&row[0]);
    keel_tensor_release(&row[1]);
    return err->status;
}

/* Positions that lost their upper bits would be inside, or outside, where they are not. */
static void run_far(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    static const int64_t near_ids[FAR_TOKENS] = {0, 0, 0, 1, -1, 0};
    static const int64_t far_ids[FAR_TOKENS] = {FAR_ROWS - 1,        INT64_C(1) << 31, 0, FAR_ROWS,
                                                -(INT64_C(1) << 32), INT64_C(1) << 32};
    float near[FAR_TOKENS * FAR_SIZE];
    float far[FAR_TOKENS * FAR_SIZE];
    keel_error err = KEEL_ERROR_INIT;
    (void)rotate(env, near_ids, 1, near, &err);
    (void)rotate(env, far_ids, FAR_ROWS, far, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        int equal = near[0] != 0.0F;
        for (int i = 0; i < FAR_TOKENS * FAR_SIZE; i++) {
            equal &= near[i] == far[i];
        }
        (void)conf_expect(result, equal,
                          "caches of 2^32 + 7 equal rows give another result than one row");
    }
}

void conf_cases_rotary(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.rotary_embedding");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(rotations); i++) {
            add_rotation(list, op, tuple[0], &rotations[i]);
        }
        add_sizes(list, op, tuple[0]);
    }
    if (op != NULL) {
        const conf_name name = conf_make_name(op, KEEL_F32, QUICK);
        conf_list_add(list, &name, run_far, NULL, 0, "far_positions");
    }
}
