/*
 * Pooling: windows in one to three dimensions, steps, dilations, pads of all kinds, last windows
 * that are not whole, layouts, rows around vector sizes and beyond the buffers of kernels. The
 * shapes of results are written by hand: they are part of what is checked.
 */
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

#define AXES 3
#define OPERANDS 3 /* x, y, indices */
#define ATTRIBUTES 7

typedef struct conf_pool {
    const char *name;
    int32_t tier;
    int32_t in_layout, out_layout;
    conf_shape shape;  /* of x */
    int64_t out[AXES]; /* spatial sizes of y */
    int64_t kernel[AXES];
    int64_t stride[AXES]; /* 0: the attribute is left out */
    int64_t dilation[AXES];
    int64_t pad[2 * AXES];
    const char *auto_pad;
    int32_t ceil_mode;
    uint32_t flags;
    conf_data data;
} conf_pool;

static const conf_pool pools[] = {
    {.name = "3x3_step_2",
     .tier = SMOKE,
     .shape = {4, {2, 3, 17, 19}},
     .out = {9, 10},
     .kernel = {3, 3},
     .stride = {2, 2},
     .pad = {1, 1, 1, 1}},
    {.name = "5x5_strided",
     .tier = SMOKE,
     .in_layout = STEP,
     .out_layout = PADDED,
     .shape = {4, {1, 2, 9, 37}},
     .out = {9, 37},
     .kernel = {5, 5},
     .pad = {2, 2, 2, 2}},
    {.name = "3d",
     .tier = SMOKE,
     .in_layout = OFFSET,
     .shape = {5, {1, 2, 5, 6, 7}},
     .out = {5, 3, 7},
     .kernel = {2, 3, 2},
     .stride = {1, 2, 1},
     .pad = {1, 1, 0, 0, 1, 1}},
    {.name = "special_1d",
     .tier = SMOKE,
     .shape = {3, {2, 3, 65}},
     .out = {63},
     .kernel = {3},
     .flags = FEW,
     .data = KIND(SPECIAL)},
    {.name = "2x2_step_2_offset",
     .tier = QUICK,
     .in_layout = OFFSET,
     .out_layout = OFFSET,
     .shape = {4, {1, 5, 12, 34}},
     .out = {6, 17},
     .kernel = {2, 2},
     .stride = {2, 2}},
    {.name = "ceil",
     .tier = QUICK,
     .shape = {4, {1, 2, 10, 11}},
     .out = {5, 5},
     .kernel = {3, 3},
     .stride = {2, 2},
     .ceil_mode = 1},
    {.name = "ceil_and_pads",
     .tier = QUICK,
     .shape = {3, {1, 3, 9}},
     .out = {3},
     .kernel = {7},
     .stride = {3},
     .pad = {0, 3},
     .ceil_mode = 1,
     .flags = FEW},
    /* A sixth window would begin in the padding at the end. */
    {.name = "ceil_leaves_out_the_last",
     .tier = QUICK,
     .shape = {3, {2, 3, 13}},
     .out = {5},
     .kernel = {2},
     .stride = {3},
     .pad = {1, 1},
     .ceil_mode = 1,
     .flags = FEW},
    {.name = "dilated",
     .tier = QUICK,
     .shape = {4, {1, 2, 13, 20}},
     .out = {9, 17},
     .kernel = {3, 2},
     .dilation = {2, 3}},
    {.name = "dilated_step_and_pads",
     .tier = QUICK,
     .in_layout = PADDED,
     .shape = {4, {2, 2, 11, 9}},
     .out = {5, 9},
     .kernel = {2, 3},
     .stride = {2, 1},
     .dilation = {3, 2},
     .pad = {1, 2, 1, 2}},
    {.name = "dilated_ceil",
     .tier = QUICK,
     .shape = {4, {1, 2, 12, 40}},
     .out = {5, 14},
     .kernel = {3, 2},
     .stride = {2, 3},
     .dilation = {2, 2},
     .pad = {0, 1, 0, 1},
     .ceil_mode = 1},
    {.name = "same_upper",
     .tier = QUICK,
     .shape = {4, {1, 2, 11, 13}},
     .out = {6, 5},
     .kernel = {3, 4},
     .stride = {2, 3},
     .auto_pad = "SAME_UPPER"},
    {.name = "same_lower",
     .tier = QUICK,
     .shape = {4, {1, 2, 11, 13}},
     .out = {11, 7},
     .kernel = {2, 3},
     .stride = {1, 2},
     .auto_pad = "SAME_LOWER"},
    {.name = "valid",
     .tier = QUICK,
     .shape = {4, {1, 2, 11, 14}},
     .out = {5, 6},
     .kernel = {3, 3},
     .stride = {2, 2},
     .auto_pad = "VALID"},
    {.name = "uneven_pads",
     .tier = QUICK,
     .shape = {4, {2, 1, 8, 33}},
     .out = {9, 35},
     .kernel = {3, 4},
     .pad = {2, 3, 1, 2},
     .auto_pad = "NOTSET"},
    {.name = "steps_4_3",
     .tier = QUICK,
     .shape = {4, {1, 2, 20, 50}},
     .out = {5, 16},
     .kernel = {3, 3},
     .stride = {4, 3}},
    {.name = "steps_beyond_the_window",
     .tier = QUICK,
     .shape = {4, {1, 3, 9, 100}},
     .out = {3, 20},
     .kernel = {1, 2},
     .stride = {4, 5}},
    {.name = "rows_2500",
     .tier = QUICK,
     .shape = {4, {1, 1, 2, 2500}},
     .out = {2, 2496},
     .kernel = {1, 5}},
    {.name = "rows_4500_step_2",
     .tier = QUICK,
     .shape = {4, {1, 1, 3, 4500}},
     .out = {2, 2250},
     .kernel = {3, 3},
     .stride = {2, 2},
     .pad = {1, 1, 1, 1}},
    {.name = "whole_plane",
     .tier = QUICK,
     .shape = {4, {5, 7, 7, 7}},
     .out = {1, 1},
     .kernel = {7, 7}},
    {.name = "whole_row_of_3000",
     .tier = QUICK,
     .shape = {4, {2, 5, 2, 3000}},
     .out = {1, 1},
     .kernel = {2, 3000},
     .flags = FEW},
    {.name = "wide_step_200",
     .tier = QUICK,
     .shape = {3, {1, 2, 3001}},
     .out = {15},
     .kernel = {201},
     .stride = {200}},
    {.name = "column",
     .tier = QUICK,
     .shape = {4, {2, 3, 65, 1}},
     .out = {63, 1},
     .kernel = {3, 1}},
    {.name = "channels_last",
     .tier = QUICK,
     .in_layout = TRANSPOSED,
     .out_layout = TRANSPOSED,
     .shape = {4, {3, 4, 9, 8}},
     .out = {8, 7},
     .kernel = {2, 2}},
    {.name = "flush",
     .tier = QUICK,
     .in_layout = FLUSH,
     .out_layout = FLUSH,
     .shape = {4, {1, 3, 8, 33}},
     .out = {8, 33},
     .kernel = {3, 3},
     .pad = {1, 1, 1, 1}},
    {.name = "empty_batch",
     .tier = QUICK,
     .shape = {4, {0, 3, 8, 8}},
     .out = {4, 4},
     .kernel = {2, 2},
     .stride = {2, 2}},
    {.name = "special_2d",
     .tier = QUICK,
     .shape = {4, {2, 3, 18, 41}},
     .out = {18, 41},
     .kernel = {3, 3},
     .pad = {1, 1, 1, 1},
     .flags = FEW,
     .data = KIND(SPECIAL)},
    {.name = "special_step_2",
     .tier = QUICK,
     .out_layout = STEP,
     .shape = {4, {2, 3, 18, 41}},
     .out = {9, 21},
     .kernel = {3, 3},
     .stride = {2, 2},
     .pad = {1, 1, 1, 1},
     .flags = FEW,
     .data = KIND(SPECIAL)},
    {.name = "near_max",
     .tier = QUICK,
     .shape = {4, {1, 3, 9, 33}},
     .out = {8, 32},
     .kernel = {2, 2},
     .flags = FEW,
     .data = KIND(NEAR_MAX)},
    {.name = "near_tiny",
     .tier = QUICK,
     .shape = {4, {1, 3, 9, 33}},
     .out = {8, 32},
     .kernel = {2, 2},
     .flags = FEW,
     .data = KIND(NEAR_TINY)},
    {.name = "sparse",
     .tier = QUICK,
     .shape = {4, {1, 3, 9, 33}},
     .out = {8, 32},
     .kernel = {2, 2},
     .flags = FEW,
     .data = KIND(SPARSE)},
    {.name = "3d_channels_last",
     .tier = FULL,
     .in_layout = TRANSPOSED,
     .out_layout = PADDED,
     .shape = {5, {2, 3, 6, 7, 8}},
     .out = {3, 7, 4},
     .kernel = {3, 3, 3},
     .stride = {2, 1, 2},
     .pad = {1, 1, 1, 1, 1, 1}},
    {.name = "3d_dilated_ceil",
     .tier = FULL,
     .shape = {5, {1, 2, 7, 9, 20}},
     .out = {3, 4, 10},
     .kernel = {2, 3, 2},
     .stride = {2, 2, 2},
     .dilation = {2, 1, 2},
     .ceil_mode = 1},
};

/* Rows on both sides of every vector size. */
static const int64_t widths[] = {1,  2,  3,  7,  8,  9,  15,  16,  17,  31,  32,
                                 33, 47, 48, 63, 64, 65, 127, 128, 129, 255, 1025};

/* The types whose rows are all looked at, and how many windows further options of other types get.
 */
#define WIDTH_TYPES (KEEL_DTYPE_BIT(KEEL_F32) | KEEL_DTYPE_BIT(KEEL_F16) | KEEL_DTYPE_BIT(KEEL_I8))
#define FEWER_POOLS 12

/* An attribute of the op's own, and how the case that sets it is called. */
typedef struct conf_pool_option {
    const char *op;
    const char *attribute;
    int64_t value;
    int32_t indices;
    const char *suffix;
} conf_pool_option;

static const conf_pool_option options[] = {
    {"keel.max_pool", "storage_order", 0, 0, ""},
    {"keel.max_pool", "storage_order", 0, 1, "/indices"},
    {"keel.max_pool", "storage_order", 1, 1, "/indices_columns"},
    {"keel.average_pool", "count_include_pad", 0, 0, ""},
    {"keel.average_pool", "count_include_pad", 1, 0, "/padding_counts"},
    {"keel.lp_pool", "p", 2, 0, ""},
    {"keel.lp_pool", "p", 1, 0, "/p_1"},
    {"keel.lp_pool", "p", 3, 0, "/p_3"},
};

static uint32_t add_list(keel_attribute *attribute, uint32_t count, const char *name,
                         const int64_t *values, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        if (values[i] != 0) {
            attribute[count] = conf_make_ints(name, values, n);
            return count + 1;
        }
    }
    return count;
}

static uint32_t make_attributes(const conf_pool *p, const conf_pool_option *option,
                                keel_attribute *out)
{
    const int32_t axes = p->shape.rank - 2;
    uint32_t count = add_list(out, 0, "kernel_shape", p->kernel, axes);
    count = add_list(out, count, "strides", p->stride, axes);
    count = add_list(out, count, "dilations", p->dilation, axes);
    count = add_list(out, count, "pads", p->pad, 2 * axes);
    if (p->auto_pad != NULL) {
        out[count++] = conf_make_bytes("auto_pad", p->auto_pad);
    }
    if (p->ceil_mode) {
        out[count++] = conf_make_int("ceil_mode", 1);
    }
    out[count++] = conf_make_int(option->attribute, option->value);
    return count;
}

static void add_pool(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                     const conf_pool *p, const conf_pool_option *option)
{
    conf_operand operand[OPERANDS] = {0};
    keel_attribute attribute[ATTRIBUTES];
    conf_shape out = p->shape;
    memcpy(out.size + 2, p->out, (size_t)(out.rank - 2) * sizeof p->out[0]);
    operand[0] = conf_make_operand(dtype[0], &p->shape, p->in_layout);
    operand[0].data = p->data;
    if (option->indices && p->data.kind == CONF_DATA_UNIFORM) { /* equals, of which one is named */
        operand[0].data = (conf_data){.kind = CONF_DATA_INTEGER, .low = 0, .high = 9};
    }
    operand[1] = conf_make_operand(dtype[1], &out, p->out_layout);
    if (option->indices) {
        operand[2] = conf_make_operand(dtype[2], &out, p->in_layout);
    }
    const conf_op_case c = {.op = op->name,
                            .inputs = 1,
                            .outputs = option->indices ? 2 : 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = make_attributes(p, option, attribute),
                            .flags = p->flags | (option->indices ? FEW : 0),
                            .alias = CONF_NO_ALIAS};
    const int further = option->suffix[0] != '\0';
    const int32_t tier = !further ? p->tier : p->tier == SMOKE ? QUICK : FULL;
    const conf_name name = conf_make_name(op, dtype[0], conf_tier_for(dtype[0], tier));
    conf_list_add_op(list, &name, &c, "%s%s", p->name, option->suffix);
}

/* Windows of 3 x 3 that keep the size, and windows of 2 x 2 side by side. */
static void add_widths(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                       const conf_pool_option *option)
{
    for (size_t i = 0; i < 2 * KEEL_COUNT(widths); i++) {
        const int64_t width = widths[i / 2];
        char text[32];
        (void)snprintf(text, sizeof text, "width_%lld_step_%d", (long long)width, (int)(i % 2) + 1);
        conf_pool p = {.name = text,
                       .tier = i % 8 == 5 ? QUICK : FULL,
                       .shape = {4, {1, 2, 5, width}},
                       .out = {5, width},
                       .kernel = {3, 3},
                       .pad = {1, 1, 1, 1},
                       .flags = FEW};
        if (i % 2 == 1) {
            p.stride[0] = 1;
            p.stride[1] = 2;
            p.out[1] = (width - 1) / 2 + 1;
        }
        add_pool(list, op, dtype, &p, option);
    }
}

/* Sums of whole numbers over four elements: exact in every type and order. */
static void add_exact(conf_list *list, const keel_op *op, const keel_dtype *dtype,
                      const conf_pool_option *option)
{
    const conf_pool p = {.name = "whole_numbers",
                         .tier = QUICK,
                         .shape = {4, {2, 2, 9, 70}},
                         .out = {8, 69},
                         .kernel = {2, 2},
                         .flags = CONF_CASE_EXACT,
                         .data = {.kind = CONF_DATA_INTEGER, .low = -16, .high = 16}};
    add_pool(list, op, dtype, &p, option);
}

void conf_cases_pooling(conf_list *list)
{
    keel_dtype tuple[KEEL_MAX_OPERANDS];
    for (size_t k = 0; k < KEEL_COUNT(options); k++) {
        const keel_op *op = keel_op_find(conf_list_context(list), options[k].op);
        for (uint32_t t = 0; op != NULL && keel_op_tuple(op, t, tuple); t++) {
            const int main_type = conf_is_main_dtype(tuple[0]);
            const int further = options[k].suffix[0] != '\0';
            const size_t count = main_type || !further ? KEEL_COUNT(pools) : FEWER_POOLS;
            for (size_t i = 0; i < count; i++) {
                add_pool(list, op, tuple, &pools[i], &options[k]);
            }
            if (keel_dtype_in(tuple[0], WIDTH_TYPES)) {
                add_widths(list, op, tuple, &options[k]);
            }
            if (strcmp(options[k].attribute, "p") != 0 || options[k].value == 1) {
                add_exact(list, op, tuple, &options[k]);
            }
        }
    }
    conf_cases_pooling_far(list);
}
