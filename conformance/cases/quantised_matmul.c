/*
 * keel.matmul_integer and keel.qlinear_matmul: shapes around the sizes of tiles, zero points and
 * scales of every form, layouts, sums that wrap.
 */
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define BATCH_MAX 3

/* How many zero points and scales an operand has. */
#define ONE 0   /* rank 0 */
#define LINES 1 /* a vector: one for each row of a, or column of b */
#define FULL_RANK 2

typedef struct conf_byte_product {
    const char *name;
    int32_t tier;
    int32_t batch;
    int64_t m, k, n;
    int64_t a_batch[BATCH_MAX], b_batch[BATCH_MAX];
    int32_t a_form, b_form;
    int32_t no_zeros; /* matmul_integer: none are given */
    int32_t a_layout, b_layout, y_layout;
    uint32_t repeat_a, repeat_b;
    conf_data data; /* of a and b; default: any value of the type */
    int32_t widest; /* every product is the largest in size that there is, and negative */
    uint32_t flags;
} conf_byte_product;

static const conf_byte_product products[] = {
    {.name = "odd_67x129x35", .tier = SMOKE, .m = 67, .k = 129, .n = 35},
    {.name = "lines_33x65x31/strided",
     .tier = SMOKE,
     .m = 33,
     .k = 65,
     .n = 31,
     .a_form = LINES,
     .b_form = LINES,
     .a_layout = STEP,
     .b_layout = PADDED,
     .y_layout = STEP},
    {.name = "batch_broadcast_4x1_1x3_9x20x31",
     .tier = SMOKE,
     .batch = 2,
     .m = 9,
     .k = 20,
     .n = 31,
     .a_batch = {4, 1},
     .b_batch = {1, 3},
     .a_form = FULL_RANK,
     .b_form = FULL_RANK},
    {.name = "transposed_memory_33x300x65",
     .tier = QUICK,
     .m = 33,
     .k = 300,
     .n = 65,
     .b_form = LINES,
     .a_layout = TRANSPOSED,
     .b_layout = TRANSPOSED,
     .y_layout = TRANSPOSED},
    {.name = "batch_repeat_5_8x9x8",
     .tier = QUICK,
     .batch = 1,
     .m = 8,
     .k = 9,
     .n = 8,
     .a_batch = {5},
     .b_batch = {5},
     .a_form = LINES,
     .repeat_a = 1,
     .repeat_b = 4},
    {.name = "no_zero_points_64x64x64",
     .tier = QUICK,
     .m = 64,
     .k = 64,
     .n = 64,
     .no_zeros = 1,
     .a_layout = FLUSH,
     .b_layout = FLUSH,
     .y_layout = FLUSH},
    {.name = "dot_1x1001x1", .tier = QUICK, .m = 1, .k = 1001, .n = 1, .flags = FEW},
    {.name = "row_1x257x129", .tier = QUICK, .m = 1, .k = 257, .n = 129, .b_form = LINES},
    {.name = "column_129x257x1", .tier = QUICK, .m = 129, .k = 257, .n = 1, .a_form = LINES},
    {.name = "rank_one_65x1x67", .tier = QUICK, .m = 65, .k = 1, .n = 67},
    {.name = "no_terms_16x0x17", .tier = QUICK, .m = 16, .n = 17, .flags = FEW},
    {.name = "empty_0x5x7", .tier = QUICK, .k = 5, .n = 7},
    {.name = "extremes_17x2048x19",
     .tier = QUICK,
     .m = 17,
     .k = 2048,
     .n = 19,
     .data = {.kind = CONF_DATA_SPECIAL},
     .flags = FEW},
    {.name = "wraps_2x70001x3", /* 255 * 255 * 70001 is above 2^32 */
     .tier = QUICK,
     .m = 2,
     .k = 70001,
     .n = 3,
     .no_zeros = 1,
     .data = {.kind = CONF_DATA_INTEGER, .low = 127.0, .high = 255.0},
     .flags = FEW},
    {.name = "widest_7x2047x17", /* 2047 * 255 * 255: no f32 holds what is summed */
     .tier = SMOKE,
     .m = 7,
     .k = 2047,
     .n = 17,
     .widest = 1,
     .flags = FEW},
    {.name = "widest_row_1x2047x300",
     .tier = QUICK,
     .m = 1,
     .k = 2047,
     .n = 300,
     .widest = 1,
     .flags = FEW},
    {.name = "square_256x256x256", .tier = QUICK, .m = 256, .k = 256, .n = 256},
    {.name = "tall_2049x33x17", .tier = FULL, .m = 2049, .k = 33, .n = 17},
    {.name = "wide_17x33x2049", .tier = FULL, .m = 17, .k = 33, .n = 2049, .b_form = LINES},
    {.name = "square_512x511x513", .tier = FULL, .m = 512, .k = 511, .n = 513},
};

static const int64_t edges[] = {1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 127, 129, 257};

static conf_shape matrix(const conf_byte_product *p, const int64_t *batch, int64_t rows,
                         int64_t columns)
{
    conf_shape shape = {.rank = p->batch + 2};
    memcpy(shape.size, batch, (size_t)p->batch * sizeof *batch);
    shape.size[p->batch] = rows;
    shape.size[p->batch + 1] = columns;
    return shape;
}

static conf_shape lines(const conf_byte_product *p, int32_t form, int of_rows)
{
    if (form == FULL_RANK) {
        return of_rows ? matrix(p, p->a_batch, p->m, 1) : matrix(p, p->b_batch, 1, p->n);
    }
    return (conf_shape){form == LINES ? 1 : 0, {of_rows ? p->m : p->n}};
}

static conf_operand values(const conf_byte_product *p, keel_dtype dtype, const conf_shape *shape,
                           int32_t layout, uint32_t repeat)
{
    conf_operand operand = conf_make_operand(dtype, shape, layout);
    operand.repeat = repeat;
    operand.data = p->data;
    if (p->data.kind == CONF_DATA_UNIFORM) {
        operand.data.kind = CONF_DATA_BITS;
    }
    return operand;
}

static conf_operand zeros(keel_dtype dtype, const conf_shape *shape)
{
    conf_operand operand = conf_make_operand(dtype, shape, shape->rank == 1 ? STEP : DENSE);
    const int is_signed = dtype == KEEL_I8;
    operand.data = (conf_data){.kind = CONF_DATA_INTEGER,
                               .low = is_signed ? -20.0 : 100.0,
                               .high = is_signed ? 30.0 : 150.0};
    return operand;
}

static conf_operand scales(keel_dtype dtype, const conf_shape *shape, double low, double high)
{
    conf_operand operand = conf_make_operand(dtype, shape, shape->rank == 1 ? OFFSET : DENSE);
    operand.data = (conf_data){.low = low, .high = high};
    return operand;
}

/* One value for all: the least or the largest of the type. */
static conf_data extreme(keel_dtype dtype, int largest)
{
    static const double least[] = {-128.0, 0.0};
    static const double most[] = {127.0, 255.0};
    return conf_make_values((largest ? most : least) + (dtype == KEEL_U8), 1);
}

/* Differences from zero points become 255 of a and -255 of b. */
static void make_widest(const conf_byte_product *p, conf_operand *a, conf_operand *a_zero,
                        conf_operand *b, conf_operand *b_zero)
{
    if (p->widest) {
        a->data = extreme(a->dtype, 1);
        a_zero->data = extreme(a->dtype, 0);
        b->data = extreme(b->dtype, 0);
        b_zero->data = extreme(b->dtype, 1);
    }
}

static void add_case(conf_list *list, const keel_op *op, const conf_byte_product *p,
                     const conf_operand *operand, uint32_t inputs, const char *label, int32_t tier)
{
    const conf_op_case c = {.op = op->name,
                            .inputs = inputs,
                            .outputs = 1,
                            .operand = operand,
                            .flags = p->flags,
                            .alias = CONF_NO_ALIAS};
    const conf_name name = {.family = op->family, .op = op->name, .dtype = label, .tier = tier};
    conf_list_add_op(list, &name, &c, "%s", p->name);
}

static void add_integer(conf_list *list, const keel_op *op, const keel_dtype *types,
                        const conf_byte_product *p)
{
    const conf_shape a = matrix(p, p->a_batch, p->m, p->k);
    const conf_shape b = matrix(p, p->b_batch, p->k, p->n);
    const conf_shape a_lines = lines(p, p->a_form, 1);
    const conf_shape b_lines = lines(p, p->b_form, 0);
    int64_t batch[BATCH_MAX];
    for (int i = 0; i < BATCH_MAX; i++) {
        batch[i] = p->a_batch[i] > p->b_batch[i] ? p->a_batch[i] : p->b_batch[i];
    }
    const conf_shape y = matrix(p, batch, p->m, p->n);
    conf_operand operand[5] = {values(p, types[0], &a, p->a_layout, p->repeat_a),
                               values(p, types[1], &b, p->b_layout, p->repeat_b),
                               zeros(types[2], &a_lines), zeros(types[3], &b_lines),
                               conf_make_operand(types[4], &y, p->y_layout)};
    make_widest(p, &operand[0], &operand[2], &operand[1], &operand[3]);
    if (p->no_zeros) {
        operand[2].dtype = operand[3].dtype = KEEL_DTYPE_NONE;
    }
    /* Of the four combinations smoke takes the usual one, u8 by i8. */
    const int usual = types[0] == KEEL_U8 && types[1] == KEEL_I8;
    const int32_t tier = usual ? p->tier : p->tier == SMOKE ? QUICK : FULL;
    char label[32];
    (void)snprintf(label, sizeof label, "%s-%s", keel_dtype_name(types[0]),
                   keel_dtype_name(types[1]));
    add_case(list, op, p, operand, 4, label, tier);
}

static void add_quantised(conf_list *list, const keel_op *op, const keel_dtype *types,
                          const conf_byte_product *p)
{
    const conf_shape a = matrix(p, p->a_batch, p->m, p->k);
    const conf_shape b = matrix(p, p->b_batch, p->k, p->n);
    const conf_shape a_lines = lines(p, p->a_form, 1);
    const conf_shape b_lines = lines(p, p->b_form, 0);
    const conf_shape one = {0, {0}};
    int64_t batch[BATCH_MAX];
    for (int i = 0; i < BATCH_MAX; i++) {
        batch[i] = p->a_batch[i] > p->b_batch[i] ? p->a_batch[i] : p->b_batch[i];
    }
    const conf_shape y = matrix(p, batch, p->m, p->n);
    const conf_shape y_lines = p->a_form == LINES ? a_lines : one;
    conf_operand operand[9] = {values(p, types[0], &a, p->a_layout, p->repeat_a),
                               scales(types[1], &a_lines, 0.01, 0.02),
                               zeros(types[2], &a_lines),
                               values(p, types[3], &b, p->b_layout, p->repeat_b),
                               scales(types[4], &b_lines, 0.01, 0.02),
                               zeros(types[5], &b_lines),
                               scales(types[6], &y_lines, 0.2, 0.5),
                               zeros(types[7], &y_lines),
                               conf_make_operand(types[8], &y, p->y_layout)};
    make_widest(p, &operand[0], &operand[2], &operand[3], &operand[5]);
    /* u8 by i8 to u8 with f32 scales is the usual one; the others with f32 belong to quick. */
    const int usual = types[0] == KEEL_U8 && types[3] == KEEL_I8 && types[8] == KEEL_U8;
    const int main_scale = types[1] == KEEL_F32;
    const int32_t tier = usual && main_scale              ? p->tier
                         : main_scale && p->tier == SMOKE ? QUICK
                         : usual && p->tier == SMOKE      ? QUICK
                                                          : FULL;
    char label[48];
    (void)snprintf(label, sizeof label, "%s-%s-%s-to-%s", keel_dtype_name(types[1]),
                   keel_dtype_name(types[0]), keel_dtype_name(types[3]), keel_dtype_name(types[8]));
    if (!main_scale && p->tier != SMOKE) {
        return;
    }
    add_case(list, op, p, operand, 8, label, tier);
}

/* Sizes on both sides of every tile edge. */
static void add_edges(conf_list *list, const keel_op *op, const keel_dtype *types, int quantised)
{
    const int32_t count = (int32_t)KEEL_COUNT(edges);
    for (int32_t i = 0; i < count * count; i += 3) {
        const int32_t row = i / count;
        const int32_t column = i % count;
        char text[64];
        conf_byte_product p = {.tier = i % 21 == 0 ? QUICK : FULL,
                               .m = edges[row],
                               .n = edges[column],
                               .k = edges[(7 * row + 11 * column + 3) % count],
                               .a_form = i & 1,
                               .b_form = i >> 1 & 1};
        (void)snprintf(text, sizeof text, "edges/%lldx%lldx%lld", (long long)p.m, (long long)p.k,
                       (long long)p.n);
        p.name = text;
        p.flags = p.m * p.n < 64 || p.k < 8 ? FEW : 0U;
        (quantised ? add_quantised : add_integer)(list, op, types, &p);
    }
}

void conf_cases_quantised_matmul(conf_list *list)
{
    static const char *const names[] = {"keel.matmul_integer", "keel.qlinear_matmul"};
    for (int quantised = 0; quantised < 2; quantised++) {
        const keel_op *op = keel_op_find(conf_list_context(list), names[quantised]);
        keel_dtype tuple[KEEL_MAX_OPERANDS];
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            for (size_t i = 0; i < KEEL_COUNT(products); i++) {
                if (!quantised || !products[i].no_zeros) {
                    (quantised ? add_quantised : add_integer)(list, op, tuple, &products[i]);
                }
            }
            const int usual = tuple[0] == KEEL_U8 && tuple[quantised ? 3 : 1] == KEEL_I8;
            if (usual && (!quantised || (tuple[1] == KEEL_F32 && tuple[8] == KEEL_I8))) {
                add_edges(list, op, tuple, quantised);
            }
        }
    }
}
