/*
 * keel.matmul: shapes around the sizes of tiles, transposed, strided and broadcast operands, the
 * terms beside the product, and data whose exact result tells a narrower arithmetic.
 */
#include "cases/short.h"
#include "keel/registry.h"

#define OPERANDS 5 /* a, b, bias, c, out */
#define BATCH_MAX 3

/* Addends that a case gives. */
#define BIAS_ROW 1u  /* [N] */
#define BIAS_FULL 2u /* [M, 1] */
#define WITH_C 4u    /* [M, N] */

typedef struct conf_product {
    const char *name;
    int32_t tier;  /* for the main type; other floats one deeper */
    int32_t batch; /* axes before the matrix */
    int64_t m, k, n;
    int64_t a_batch[BATCH_MAX], b_batch[BATCH_MAX];
    int32_t transpose_a, transpose_b, allow_tf32;
    int32_t a_layout, b_layout, out_layout;
    uint32_t addends;
    uint32_t repeat_a, repeat_b; /* axes of stride 0, by bits */
    double alpha, beta;          /* alpha 0: the default */
    conf_data a_data, b_data;
    uint32_t flags;
} conf_product;

/* |q| <= 64: products of 129 terms stay below 2^24, and 16-bit types hold each q. */
#define WHOLE                                                 \
    {                                                         \
        .kind = CONF_DATA_INTEGER, .low = -64.0, .high = 64.0 \
    }
/* {-1, 0, 1}: picks and adds the other operand's digits unchanged. */
#define UNIT                                                \
    {                                                       \
        .kind = CONF_DATA_INTEGER, .low = -1.0, .high = 1.0 \
    }

static const conf_product products[] = {
    {.name = "square_128x128x128", .tier = SMOKE, .m = 128, .k = 128, .n = 128},
    {.name = "odd_67x129x35/offset",
     .tier = SMOKE,
     .m = 67,
     .k = 129,
     .n = 35,
     .a_layout = OFFSET,
     .b_layout = OFFSET,
     .out_layout = OFFSET},
    {.name = "odd_67x129x35/strided",
     .tier = SMOKE,
     .m = 67,
     .k = 129,
     .n = 35,
     .a_layout = STEP,
     .b_layout = PADDED,
     .out_layout = STEP},
    {.name = "odd_33x65x31/transposed_memory",
     .tier = SMOKE,
     .m = 33,
     .k = 65,
     .n = 31,
     .a_layout = TRANSPOSED,
     .b_layout = TRANSPOSED,
     .out_layout = TRANSPOSED},
    {.name = "transpose_b_33x300x65",
     .tier = SMOKE,
     .m = 33,
     .k = 300,
     .n = 65,
     .transpose_b = 1,
     .out_layout = PADDED},
    {.name = "transpose_a_33x300x65", .tier = SMOKE, .m = 33, .k = 300, .n = 65, .transpose_a = 1},
    {.name = "transpose_both_17x31x19",
     .tier = SMOKE,
     .m = 17,
     .k = 31,
     .n = 19,
     .transpose_a = 1,
     .transpose_b = 1,
     .a_layout = PADDED},
    {.name = "batch_3x2_17x31x18",
     .tier = SMOKE,
     .batch = 2,
     .m = 17,
     .k = 31,
     .n = 18,
     .a_batch = {3, 2},
     .b_batch = {3, 2},
     .a_layout = PADDED},
    {.name = "batch_broadcast_4x1_1x3_9x20x31",
     .tier = SMOKE,
     .batch = 2,
     .m = 9,
     .k = 20,
     .n = 31,
     .a_batch = {4, 1},
     .b_batch = {1, 3}},
    {.name = "batch_repeat_5_8x8x8",
     .tier = QUICK,
     .batch = 1,
     .m = 8,
     .k = 8,
     .n = 8,
     .a_batch = {5},
     .b_batch = {5},
     .repeat_a = 1,
     .repeat_b = 4},
    {.name = "dot_1x1000x1", .tier = SMOKE, .m = 1, .k = 1000, .n = 1},
    {.name = "row_1x257x129", .tier = SMOKE, .m = 1, .k = 257, .n = 129},
    {.name = "column_129x257x1", .tier = SMOKE, .m = 129, .k = 257, .n = 1},
    {.name = "rank_one_65x1x67", .tier = SMOKE, .m = 65, .k = 1, .n = 67},
    {.name = "no_terms_16x0x17", .tier = SMOKE, .m = 16, .n = 17, .flags = FEW | CONF_CASE_EXACT},
    {.name = "empty_0x5x7", .tier = SMOKE, .k = 5, .n = 7},
    {.name = "bias_row_33x40x65", .tier = SMOKE, .m = 33, .k = 40, .n = 65, .addends = BIAS_ROW},
    {.name = "bias_column_33x40x65",
     .tier = QUICK,
     .m = 33,
     .k = 40,
     .n = 65,
     .addends = BIAS_FULL},
    {.name = "alpha_beta_33x40x65",
     .tier = SMOKE,
     .m = 33,
     .k = 40,
     .n = 65,
     .addends = WITH_C,
     .alpha = 0.5,
     .beta = -2.0},
    {.name = "tf32_67x129x35", .tier = SMOKE, .m = 67, .k = 129, .n = 35, .allow_tf32 = 1},
    {.name = "tf32_1x1000x17/transpose_b",
     .tier = QUICK,
     .m = 1,
     .k = 1000,
     .n = 17,
     .transpose_b = 1,
     .allow_tf32 = 1},
    {.name = "tf32_alpha_beta_bias_65x33x66",
     .tier = QUICK,
     .m = 65,
     .k = 33,
     .n = 66,
     .addends = WITH_C | BIAS_ROW,
     .alpha = -1.5,
     .beta = 0.75,
     .allow_tf32 = 1},
    {.name = "tf32_whole_64x64x64", /* 11 bits hold each factor */
     .tier = QUICK,
     .m = 64,
     .k = 64,
     .n = 64,
     .allow_tf32 = 1,
     .a_data = WHOLE,
     .b_data = WHOLE,
     .flags = CONF_CASE_EXACT},
    {.name = "tf32_special_33x9x17",
     .tier = QUICK,
     .m = 33,
     .k = 9,
     .n = 17,
     .allow_tf32 = 1,
     .a_data = KIND(SPECIAL),
     .b_data = KIND(SPECIAL),
     .flags = FEW},
    {.name = "tf32_near_tiny_33x9x17",
     .tier = FULL,
     .m = 33,
     .k = 9,
     .n = 17,
     .allow_tf32 = 1,
     .a_data = KIND(NEAR_TINY),
     .flags = FEW},
    {.name = "tf32_near_max_33x9x17",
     .tier = FULL,
     .m = 33,
     .k = 9,
     .n = 17,
     .allow_tf32 = 1,
     .a_data = KIND(NEAR_MAX),
     .flags = FEW},
    {.name = "alpha_beta_bias_17x19x23",
     .tier = QUICK,
     .m = 17,
     .k = 19,
     .n = 23,
     .addends = WITH_C | BIAS_ROW,
     .alpha = -1.5,
     .beta = 0.75},
    {.name = "no_terms_beta_16x0x17",
     .tier = QUICK,
     .m = 16,
     .n = 17,
     .addends = WITH_C | BIAS_ROW,
     .beta = 0.5},
    {.name = "exact_whole_61x129x67",
     .tier = SMOKE,
     .m = 61,
     .k = 129,
     .n = 67,
     .a_data = WHOLE,
     .b_data = WHOLE,
     .flags = CONF_CASE_EXACT},
    {.name = "exact_wide_mantissa_64x67x65",
     .tier = SMOKE,
     .m = 64,
     .k = 67,
     .n = 65,
     .a_data = {.kind = CONF_DATA_WIDE_MANTISSA},
     .b_data = UNIT,
     .flags = CONF_CASE_EXACT},
    {.name = "exact_wide_mantissa_b_65x67x64",
     .tier = SMOKE,
     .m = 65,
     .k = 67,
     .n = 64,
     .a_data = UNIT,
     .b_data = {.kind = CONF_DATA_WIDE_MANTISSA},
     .flags = CONF_CASE_EXACT},
    {.name = "special_31x2x33",
     .tier = SMOKE,
     .m = 31,
     .k = 2,
     .n = 33,
     .a_data = {.kind = CONF_DATA_SPECIAL},
     .b_data = {.kind = CONF_DATA_SPECIAL},
     .flags = FEW},
    {.name = "cancel_33x256x35",
     .tier = QUICK,
     .m = 33,
     .k = 256,
     .n = 35,
     .a_data = {.kind = CONF_DATA_CANCEL},
     .b_data = {.kind = CONF_DATA_INTEGER, .low = 1.0, .high = 1.0},
     .flags = FEW},
    {.name = "large_first_33x256x35",
     .tier = QUICK,
     .m = 33,
     .k = 256,
     .n = 35,
     .a_data = {.kind = CONF_DATA_LARGE_FIRST, .high = 12.0}},
    {.name = "wide_33x128x35",
     .tier = QUICK,
     .m = 33,
     .k = 128,
     .n = 35,
     .a_data = {.kind = CONF_DATA_WIDE, .low = -6.0, .high = 6.0},
     .b_data = {.kind = CONF_DATA_WIDE, .low = -6.0, .high = 6.0}},
    {.name = "near_tiny_33x16x35",
     .tier = QUICK,
     .m = 33,
     .k = 16,
     .n = 35,
     .a_data = {.kind = CONF_DATA_NEAR_TINY},
     .flags = FEW},
    {.name = "near_max_33x3x35",
     .tier = QUICK,
     .m = 33,
     .k = 3,
     .n = 35,
     .a_data = {.kind = CONF_DATA_NEAR_MAX},
     .flags = FEW},
    {.name = "sparse_64x96x65",
     .tier = QUICK,
     .m = 64,
     .k = 96,
     .n = 65,
     .a_data = {.kind = CONF_DATA_SPARSE}},
    {.name = "flush_63x65x61",
     .tier = QUICK,
     .m = 63,
     .k = 65,
     .n = 61,
     .a_layout = FLUSH,
     .b_layout = FLUSH,
     .out_layout = FLUSH},
    {.name = "long_3x50021x5", .tier = QUICK, .m = 3, .k = 50021, .n = 5},
    {.name = "square_512x512x512", .tier = QUICK, .m = 512, .k = 512, .n = 512},
    {.name = "tall_2049x33x17", .tier = QUICK, .m = 2049, .k = 33, .n = 17},
    {.name = "wide_17x33x2049", .tier = QUICK, .m = 17, .k = 33, .n = 2049},
    {.name = "square_1024x1024x1024", .tier = FULL, .m = 1024, .k = 1024, .n = 1024},
};

/* Sizes on both sides of every tile edge. */
static const int64_t edges[] = {1,  2,  3,  7,  8,  9,  15,  16,  17,
                                31, 32, 33, 63, 64, 65, 127, 128, 129};

/* What smoke runs with the shorter floats too, since it costs one program per type. */
static int is_smoke_half(keel_dtype dtype)
{
    return dtype == KEEL_F16 || dtype == KEEL_BF16;
}

static int32_t tier_for(keel_dtype dtype, int32_t tier)
{
    if (conf_is_main_dtype(dtype) || (is_smoke_half(dtype) && tier == SMOKE)) {
        return tier;
    }
    return tier == SMOKE ? QUICK : FULL;
}

/* [batch..., rows, columns], swapped if it is to be transposed. */
static conf_shape matrix_shape(const conf_product *p, const int64_t *batch, int64_t rows,
                               int64_t columns, int32_t transposed)
{
    conf_shape shape = {.rank = p->batch + 2};
    for (int32_t a = 0; a < p->batch; a++) {
        shape.size[a] = batch[a];
    }
    shape.size[p->batch] = transposed ? columns : rows;
    shape.size[p->batch + 1] = transposed ? rows : columns;
    return shape;
}

static void make_addends(const conf_product *p, keel_dtype dtype, conf_operand *operand)
{
    const conf_shape row = {1, {p->n}};
    const conf_shape column = {2, {p->m, 1}};
    const conf_shape full = {2, {p->m, p->n}};
    if ((p->addends & (BIAS_ROW | BIAS_FULL)) != 0) {
        operand[2] = conf_make_operand(dtype, (p->addends & BIAS_ROW) != 0 ? &row : &column, 0);
    }
    if ((p->addends & WITH_C) != 0) {
        operand[3] = conf_make_operand(dtype, &full, OFFSET);
    }
}

static void make_operands(const conf_product *p, keel_dtype dtype, conf_operand *operand)
{
    int64_t batch[BATCH_MAX] = {0};
    for (int32_t a = 0; a < p->batch; a++) {
        batch[a] = p->a_batch[a] > p->b_batch[a] ? p->a_batch[a] : p->b_batch[a];
    }
    const conf_shape a = matrix_shape(p, p->a_batch, p->m, p->k, p->transpose_a);
    const conf_shape b = matrix_shape(p, p->b_batch, p->k, p->n, p->transpose_b);
    const conf_shape out = matrix_shape(p, batch, p->m, p->n, 0);
    operand[0] = conf_make_operand(dtype, &a, p->a_layout);
    operand[1] = conf_make_operand(dtype, &b, p->b_layout);
    operand[4] = conf_make_operand(dtype, &out, p->out_layout);
    operand[0].data = p->a_data;
    operand[1].data = p->b_data;
    operand[0].repeat = p->repeat_a;
    operand[1].repeat = p->repeat_b;
    make_addends(p, dtype, operand);
}

static uint32_t make_attributes(const conf_product *p, keel_attribute *attribute)
{
    uint32_t count = 0;
    attribute[count++] = conf_make_int("transpose_a", p->transpose_a);
    attribute[count++] = conf_make_int("transpose_b", p->transpose_b);
    if (p->allow_tf32) {
        attribute[count++] = conf_make_int("allow_tf32", 1);
    }
    if (p->alpha != 0.0) {
        attribute[count++] = conf_make_float("alpha", p->alpha);
    }
    if (p->beta != 0.0) {
        attribute[count++] = conf_make_float("beta", p->beta);
    }
    return count;
}

static void add_product(conf_list *list, const keel_op *op, keel_dtype dtype, const conf_product *p)
{
    const int is_float = keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    const int fraction =
        p->alpha != (double)(int64_t)p->alpha || p->beta != (double)(int64_t)p->beta;
    if ((!is_float && fraction) || (p->allow_tf32 && dtype != KEEL_F32)) {
        return;
    }
    conf_operand operand[OPERANDS] = {0};
    keel_attribute attribute[5];
    make_operands(p, dtype, operand);
    const conf_op_case c = {.op = op->name,
                            .inputs = OPERANDS - 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = make_attributes(p, attribute),
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype, tier_for(dtype, p->tier));
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

/* Pairs of edge sizes, with a third size and transpositions that vary with them. */
static void add_edges(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    const int32_t count = (int32_t)KEEL_COUNT(edges);
    for (int32_t i = 0; i < count * count; i++) {
        const int32_t row = i / count;
        const int32_t column = i % count;
        conf_product p = {.tier = (row * 5 + column * 3) % 7 == 0 ? QUICK : FULL,
                          .m = edges[row],
                          .n = edges[column],
                          .k = edges[(7 * row + 11 * column + 3) % count],
                          .transpose_a = i & 1,
                          .transpose_b = i >> 1 & 1,
                          .flags = CONF_CASE_EXACT,
                          .a_data = WHOLE,
                          .b_data = WHOLE};
        if (dtype == KEEL_F16) {
            p.a_data = (conf_data)UNIT; /* results stay in range */
        }
        char text[64];
        (void)snprintf(text, sizeof text, "edges/%lldx%lldx%lld%s%s", (long long)p.m,
                       (long long)p.k, (long long)p.n, p.transpose_a ? "/ta" : "",
                       p.transpose_b ? "/tb" : "");
        p.name = text;
        p.flags |= p.m * p.n < 64 || p.k < 8 ? FEW : 0U;
        add_product(list, op, dtype, &p);
    }
}

/* NaN in c must not be seen when beta is 0. */
static void add_hidden_nan(conf_list *list, const keel_op *op, keel_dtype dtype)
{
    static const double nan_values[] = {__builtin_nan("")};
    const conf_product p = {.m = 19, .k = 23, .n = 29, .addends = WITH_C};
    conf_operand operand[OPERANDS] = {0};
    make_operands(&p, dtype, operand);
    operand[3].data = conf_make_values(nan_values, 1);
    const keel_attribute attribute = conf_make_float("beta", 0.0);
    const conf_op_case c = {.op = op->name,
                            .inputs = OPERANDS - 1,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = &attribute,
                            .attributes = 1,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = conf_make_name(op, dtype, tier_for(dtype, SMOKE));
    conf_list_add_op(list, &name, &c, "beta_zero_hides_nan");
}

void conf_cases_matmul(conf_list *list)
{
    const keel_op *op = keel_op_find(conf_list_context(list), "keel.matmul");
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
        for (size_t i = 0; i < KEEL_COUNT(products); i++) {
            add_product(list, op, tuple[0], &products[i]);
        }
        add_edges(list, op, tuple[0]);
        if (keel_dtype_in(tuple[0], KEEL_DTYPES_FLOAT)) {
            add_hidden_nan(list, op, tuple[0]);
        }
    }
}
