/* Cases from public bug reports: quantised values. Answers are written out. */
#include "cases/report_tables.h"
#include "keel/registry.h"

#define ROUND_SOURCE "https://github.com/microsoft/onnxruntime/pull/32452"

/* KB-N054: 0.50030 is nearer to 1, also where the quotient is of 16 bits. */
static const conf_report roundings[] = {
    {"KB-N054",
     "rounds",
     ROUND_SOURCE,
     "keel.quantize_linear",
     SMOKE,
     3,
     EXACT,
     0,
     {{KEEL_F16, 1, {2}, 0, 0, VALUES(0.050018310546875, -0.050018310546875)},
      {KEEL_F16, 0, {0}, 0, 0, VALUES(0.0999755859375)},
      {KEEL_I8, 0, {0}, 0, 0, VALUES(0)},
      {KEEL_I8, 1, {2}, 0, 0, VALUES(1, -1)}},
     0,
     {{0}}},
    {"KB-N054",
     "rounds_beside_zero_point",
     ROUND_SOURCE,
     "keel.quantize_linear",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_F16, 1, {4}, 0, 0, VALUES(0.050018310546875, -0.050018310546875, 100, -100)},
      {KEEL_F32, 0, {0}, 0, 0, VALUES(0.0999755859375)},
      {KEEL_U8, 0, {0}, 0, 0, VALUES(200)},
      {KEEL_U8, 1, {4}, 0, 0, VALUES(201, 199, 255, 0)}},
     0,
     {{0}}},
    {"KB-N054",
     "rounds_bf16",
     ROUND_SOURCE,
     "keel.quantize_linear",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_BF16, 1, {4}, 0, 0, VALUES(0.625, -0.625, 0.375, 1.75)},
      {KEEL_BF16, 0, {0}, 0, 0, VALUES(1)},
      {KEEL_I8, 0, {0}, 0, 0, VALUES(0)},
      {KEEL_I8, 1, {4}, 0, 0, VALUES(1, -1, 0, 2)}},
     0,
     {{0}}},
};

/* ---- KB-N036: zero points are subtracted in more than 8 bits, products added in 32 ------------
 */

#define PRODUCT_SOURCE "https://github.com/microsoft/onnxruntime/issues/7524"

/* A case of an op with more operands than the tables of reports have. */
static void add_wide(conf_list *list, const char *op, const char *report, const char *source,
                     int32_t tier, const conf_operand *operand, uint32_t inputs)
{
    if (keel_op_find(conf_list_context(list), op) == NULL) {
        return;
    }
    char label[32];
    conf_name name = conf_report_name(op, operand, inputs, source, label);
    name.tier = tier;
    const conf_op_case c = {.op = op,
                            .inputs = inputs,
                            .outputs = 1,
                            .operand = operand,
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS,
                            .want = CONF_WANT_EXACT};
    conf_list_add_op(list, &name, &c, "report/%s", report);
}

static void add_products(conf_list *list)
{
    const conf_operand reported[] = {
        {KEEL_U8, 2, {3, 3}, 0, 0, VALUES(238, 115, 94, 245, 111, 102, 158, 225, 48)},
        {KEEL_I8, 2, {3, 3}, 0, 0, VALUES(25, 36, 125, 42, -123, 76, -81, -86, 35)},
        {KEEL_U8, 0, {0}, 0, 0, VALUES(42)},
        {KEEL_I8, 0, {0}, 0, 0, VALUES(-26)},
        {KEEL_I32,
         2,
         {3, 3},
         0,
         0,
         VALUES(12100, 1951, 40214, 11745, 2293, 41351, 18030, -10919, 36548)}};
    add_wide(list, "keel.matmul_integer", "KB-N036/zero_points", PRODUCT_SOURCE, SMOKE, reported,
             4);
    /* Where pairs of products are added in 16 bits, and saturated: 2 * 255 * 127 is above 2^15. */
    const conf_operand saturating[] = {{KEEL_U8, 2, {1, 4}, 0, 0, VALUES(255)},
                                       {KEEL_I8, 2, {4, 2}, 0, 0, VALUES(127, -128)},
                                       {KEEL_DTYPE_NONE, 0, {0}, 0, 0, {0}},
                                       {KEEL_DTYPE_NONE, 0, {0}, 0, 0, {0}},
                                       {KEEL_I32, 2, {1, 2}, 0, 0, VALUES(129540, -130560)}};
    add_wide(list, "keel.matmul_integer", "KB-N036/no_saturation_in_16_bits",
             "https://github.com/microsoft/onnxruntime/issues/6004", SMOKE, saturating, 4);
    /* The widest differences, of both signs: 255 * -255 and 255 * 255. */
    const conf_operand widest[] = {{KEEL_I8, 2, {1, 2}, 0, 0, VALUES(127, -128)},
                                   {KEEL_I8, 2, {2, 2}, 0, 0, VALUES(-128, 127, -128, 127)},
                                   {KEEL_I8, 1, {1}, 0, 0, VALUES(-128)},
                                   {KEEL_I8, 1, {2}, 0, 0, VALUES(127, -128)},
                                   {KEEL_I32, 2, {1, 2}, 0, 0, VALUES(-65025, 65025)}};
    add_wide(list, "keel.matmul_integer", "KB-N036/nine_bits", PRODUCT_SOURCE, SMOKE, widest, 4);
    /* The same in a convolution, whose padding is the zero point. */
    const conf_operand padded[] = {{KEEL_U8, 3, {1, 1, 2}, 0, 0, VALUES(255, 0)},
                                   {KEEL_I8, 3, {1, 1, 3}, 0, 0, VALUES(127, -128, 127)},
                                   {KEEL_U8, 0, {0}, 0, 0, VALUES(255)},
                                   {KEEL_I8, 1, {1}, 0, 0, VALUES(-128)},
                                   {KEEL_I32, 3, {1, 1, 2}, 0, 0, VALUES(-65025, 0)}};
    static const int64_t pads[] = {1, 1};
    const keel_attribute attribute = conf_make_ints("pads", pads, 2);
    const conf_op_case c = {.op = "keel.conv_integer",
                            .inputs = 4,
                            .outputs = 1,
                            .operand = padded,
                            .attribute = &attribute,
                            .attributes = 1,
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS,
                            .want = CONF_WANT_EXACT};
    char label[32];
    const conf_name name = conf_report_name(c.op, padded, 4, PRODUCT_SOURCE, label);
    if (keel_op_find(conf_list_context(list), c.op) != NULL) {
        conf_list_add_op(list, &name, &c, "report/KB-N036/padding");
    }
}

/*
 * Quantised ops give what dequantize_linear, the op on f32, and quantize_linear give, wherever the
 * latter are exact: scales are powers of two. Ties among the results go to even.
 */
static void add_unfused(conf_list *list)
{
    /* a: (1 3; -5 7) * 0.5; b: (2 -1; 4 9) * 0.25; products 14 26; 18 68 in units of 1/8. */
    const conf_operand matrices[] = {{KEEL_U8, 2, {2, 2}, 0, 0, VALUES(129, 131, 123, 135)},
                                     {KEEL_F32, 0, {0}, 0, 0, VALUES(0.5)},
                                     {KEEL_U8, 0, {0}, 0, 0, VALUES(128)},
                                     {KEEL_I8, 2, {2, 2}, 0, 0, VALUES(2, -1, 4, 9)},
                                     {KEEL_F32, 0, {0}, 0, 0, VALUES(0.25)},
                                     {KEEL_I8, 0, {0}, 0, 0, VALUES(0)},
                                     {KEEL_F32, 0, {0}, 0, 0, VALUES(1)},
                                     {KEEL_U8, 0, {0}, 0, 0, VALUES(10)},
                                     /* 1.75 3.25; 2.25 8.5, and the tie goes to 8 */
                                     {KEEL_U8, 2, {2, 2}, 0, 0, VALUES(12, 13, 12, 18)}};
    add_wide(list, "keel.qlinear_matmul", "unfused/matmul",
             "https://github.com/microsoft/onnxruntime/issues/24711", SMOKE, matrices, 8);
    /* A scale for each channel, a bias, and results that saturate. */
    const conf_operand channels[] = {
        {KEEL_U8, 3, {1, 1, 3}, 0, 0, VALUES(128, 130, 255)},
        {KEEL_F32, 0, {0}, 0, 0, VALUES(0.5)},
        {KEEL_U8, 0, {0}, 0, 0, VALUES(128)},
        {KEEL_I8, 3, {2, 1, 1}, 0, 0, VALUES(3, -100)},
        {KEEL_F32, 1, {2}, 0, 0, VALUES(0.25, 2)},
        {KEEL_I8, 1, {2}, 0, 0, VALUES(0, 0)},
        {KEEL_F32, 0, {0}, 0, 0, VALUES(1)},
        {KEEL_U8, 0, {0}, 0, 0, VALUES(100)},
        {KEEL_I32, 1, {2}, 0, 0, VALUES(4, -7)},
        /* (0 6 381) + 4 over 8: 0.5 to 0, 1.25, 48.125; (0 -200 -12700) - 7, too low but one */
        {KEEL_U8, 3, {1, 2, 3}, 0, 0, VALUES(100, 101, 148, 93, 0, 0)}};
    add_wide(list, "keel.qlinear_conv", "unfused/conv",
             "https://github.com/microsoft/onnxruntime/issues/11576", SMOKE, channels, 9);
}

/* The example of ONNX's page, and a tensor of zeros, whose range ONNX leaves open. */
static void add_dynamic(conf_list *list)
{
    static const char op[] = "keel.dynamic_quantize_linear";
    static const char source[] = "https://onnx.ai/onnx/operators/onnx__DynamicQuantizeLinear.html";
    const conf_operand operand[2][4] = {{{KEEL_F32, 1, {5}, 0, 0, VALUES(0, 2, -3, -2.5, 1.34)},
                                         {KEEL_U8, 1, {5}, 0, 0, VALUES(153, 255, 0, 26, 221)},
                                         {KEEL_F32, 0, {0}, 0, 0, VALUES(5.0 / 255.0)},
                                         {KEEL_U8, 0, {0}, 0, 0, VALUES(153)}},
                                        {{KEEL_F32, 1, {3}, 0, 0, VALUES(0, -0.0, 0)},
                                         {KEEL_U8, 1, {3}, 0, 0, VALUES(0)},
                                         {KEEL_F32, 0, {0}, 0, 0, VALUES(1)},
                                         {KEEL_U8, 0, {0}, 0, 0, VALUES(0)}}};
    for (int i = 0; keel_op_find(conf_list_context(list), op) != NULL && i < 2; i++) {
        const conf_op_case c = {.op = op,
                                .inputs = 1,
                                .outputs = 3,
                                .operand = operand[i],
                                .flags = FEW,
                                .alias = CONF_NO_ALIAS,
                                .want = CONF_WANT_EXACT};
        const conf_name name = {
            .family = "reports", .op = op, .dtype = "f32", .source = source, .tier = SMOKE};
        conf_list_add_op(list, &name, &c, "report/%s", i == 0 ? "onnx_example" : "zeros");
    }
}

void conf_cases_reports_quantisation(conf_list *list)
{
    conf_reports_add(list, roundings, KEEL_COUNT(roundings));
    add_products(list);
    add_unfused(list);
    add_dynamic(list);
}
