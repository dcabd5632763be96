/*
 * Cases taken from public bug reports of comparable systems whose data is computed: rows of many
 * lengths, an identity, masked rows. The other files reports_*.c are called from here.
 */
#include "cases/reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases/short.h"
#include "keel/registry.h"

conf_name conf_report_name(const char *op, const conf_operand *operand, uint32_t inputs,
                           const char *source, char *label)
{
    const char *to = keel_dtype_name(operand[inputs].dtype);
    const char *from = keel_dtype_name(operand[0].dtype);
    const int converts = strcmp(op, "keel.cast") == 0;
    (void)snprintf(label, 32, converts ? "%s-to-%s" : "%s", from, to);
    return (conf_name){
        .family = "reports", .op = op, .dtype = label, .source = source, .tier = SMOKE};
}

static void add_report(conf_list *list, const conf_report *report)
{
    if (keel_op_find(conf_list_context(list), report->op) == NULL) {
        return;
    }
    char label[32];
    conf_name name =
        conf_report_name(report->op, report->operand, report->inputs, report->source, label);
    name.tier = report->tier;
    const conf_op_case c = {.op = report->op,
                            .inputs = report->inputs,
                            .outputs = 1,
                            .operand = report->operand,
                            .attribute = report->attribute,
                            .attributes = report->attributes,
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS,
                            .want = report->want,
                            .want_bound = report->want_bound};
    conf_list_add_op(list, &name, &c, "report/%s/%s", report->report, report->name);
}

void conf_reports_add(conf_list *list, const conf_report *reports, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_report(list, &reports[i]);
    }
}

/* ---- KB-N028: row lengths on both sides of 32 and 64 lanes ----------------------------------- */

#define WAVE_SOURCE "https://github.com/ggml-org/llama.cpp/issues/3630"

typedef struct conf_wave_op {
    const char *op;
    keel_dtype out;
    int32_t reduces; /* the row to one element */
    uint32_t inputs;
    uint32_t flags;
} conf_wave_op;

static const conf_wave_op wave_ops[] = {
    {"keel.reduce_sum", KEEL_F32, 1, 1, CONF_CASE_EXACT},
    {"keel.reduce_max", KEEL_F32, 1, 1, 0},
    {"keel.argmax", KEEL_I64, 1, 1, 0},
    {"keel.argmin", KEEL_I64, 1, 1, 0},
    {"keel.softmax", KEEL_F32, 0, 1, 0},
    {"keel.cumsum", KEEL_F32, 0, 1, CONF_CASE_EXACT},
    {"keel.layer_norm", KEEL_F32, 0, 3, 0},
};

static const int64_t wave_lengths[] = {1,  2,   31,  32,  33,   63,   64,   65,  95,
                                       96, 127, 128, 129, 1023, 1024, 1025, 4097};
static const int64_t wave_rows[] = {1, 7, 64};

static void add_wave(conf_list *list, const conf_wave_op *op, int64_t rows, int64_t length)
{
    double whole[31];
    for (int i = 0; i < 31; i++) {
        whole[i] = (i * 7) % 31 - 15;
    }
    conf_operand operand[4] = {0};
    operand[0] = conf_make_operand(KEEL_F32, &(conf_shape){2, {rows, length}}, 0);
    operand[0].data = conf_make_values(whole, 31);
    operand[op->inputs] = conf_make_operand(
        op->out, op->reduces ? &(conf_shape){1, {rows}} : &(conf_shape){2, {rows, length}}, 0);
    static const int64_t last[] = {1};
    const int folds = strncmp(op->op, "keel.reduce_", 12) == 0;
    const keel_attribute attribute[] = {folds ? conf_make_ints("axes", last, 1)
                                              : conf_make_int("axis", 1),
                                        conf_make_int("keepdims", 0)};
    const conf_op_case c = {.op = op->op,
                            .inputs = op->inputs,
                            .outputs = 1,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = op->reduces ? 2 : 1,
                            .flags = FEW | op->flags,
                            .alias = CONF_NO_ALIAS};
    char label[32];
    conf_name name = conf_report_name(op->op, operand, op->inputs, WAVE_SOURCE, label);
    name.dtype = "f32";
    name.tier = rows == 7 && (length == 33 || length == 65 || length == 1025) ? SMOKE : QUICK;
    conf_list_add_op(list, &name, &c, "report/KB-N028/%lldx%lld", (long long)rows,
                     (long long)length);
}

static void add_waves(conf_list *list)
{
    for (size_t i = 0; i < KEEL_COUNT(wave_ops); i++) {
        if (keel_op_find(conf_list_context(list), wave_ops[i].op) == NULL) {
            continue;
        }
        for (size_t r = 0; r < KEEL_COUNT(wave_rows); r++) {
            for (size_t n = 0; n < KEEL_COUNT(wave_lengths); n++) {
                add_wave(list, &wave_ops[i], wave_rows[r], wave_lengths[n]);
            }
        }
    }
}

/* ---- KB-N011: a row of -inf ------------------------------------------------------------------ */

static void add_masked_row(conf_list *list, keel_dtype dtype, int32_t tier)
{
    double x[128];
    double want[128];
    double sum = 0.0;
    for (int i = 0; i < 64; i++) {
        x[i] = -(double)INFINITY;
        want[i] = (double)NAN;
        x[64 + i] = i;
        sum += exp(i - 63.0);
    }
    for (int i = 0; i < 64; i++) {
        want[64 + i] = exp(i - 63.0) / sum;
    }
    conf_report report = {"KB-N011",
                          "masked_row",
                          "https://github.com/pytorch/pytorch/issues/25110",
                          "keel.softmax",
                          tier,
                          1,
                          CONF_WANT_ABSOLUTE,
                          dtype == KEEL_F16 ? 1e-3 : 1e-6,
                          {conf_make_operand(dtype, &(conf_shape){2, {2, 64}}, 0),
                           conf_make_operand(dtype, &(conf_shape){2, {2, 64}}, 0)},
                          1,
                          {conf_make_int("axis", -1)}};
    report.operand[0].data = conf_make_values(x, 128);
    report.operand[1].data = conf_make_values(want, 128);
    add_report(list, &report);
}

/* ---- matmul ---------------------------------------------------------------------------------- */

/* KB-N033: the identity returns every bit, unless products are made of fewer. */
static void add_identity(conf_list *list)
{
    enum { SIZE = 64 };
    static const char source[] = "https://github.com/pytorch/pytorch/issues/53635";
    double a[SIZE * SIZE];
    double identity[SIZE * SIZE] = {0};
    for (int i = 0; i < SIZE; i++) {
        identity[i * SIZE + i] = 1.0;
        for (int j = 0; j < SIZE; j++) {
            a[i * SIZE + j] = 1024.5 + i + j / 1024.0;
        }
    }
    const conf_shape shape = {2, {SIZE, SIZE}};
    conf_report report = {"KB-N033", "identity", source, "keel.matmul", SMOKE, 2, CONF_WANT_EXACT,
                          0.0,       {{0}},      0,      {{0}}};
    for (int i = 0; i < 3; i++) {
        report.operand[i] = conf_make_operand(KEEL_F32, &shape, 0);
        report.operand[i].data = conf_make_values(i == 1 ? identity : a, SIZE * SIZE);
    }
    add_report(list, &report);
}

/* A product of whole numbers, which the oracle decides without any distance. */
static void add_whole_product(conf_list *list, const char *name, const char *source, int32_t tier,
                              conf_operand *operand)
{
    const char *op = "keel.matmul";
    if (keel_op_find(conf_list_context(list), op) == NULL) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        operand[i].data = (conf_data){.kind = CONF_DATA_INTEGER, .low = -9.0, .high = 9.0};
    }
    const conf_op_case c = {.op = op,
                            .inputs = 2,
                            .outputs = 1,
                            .operand = operand,
                            .flags = CONF_CASE_EXACT,
                            .alias = CONF_NO_ALIAS};
    char label[32];
    conf_name id = conf_report_name(op, operand, 2, source, label);
    id.tier = tier;
    conf_list_add_op(list, &id, &c, "report/%s", name);
}

static void add_products(conf_list *list)
{
    conf_operand repeated[3] = {
        conf_make_operand(KEEL_F32, &(conf_shape){3, {32, 8, 8}}, 0),
        conf_make_operand(KEEL_F32, &(conf_shape){3, {32, 8, 5}}, 0),
        conf_make_operand(KEEL_F32, &(conf_shape){3, {32, 8, 5}}, 0),
    };
    repeated[0].repeat = 1;
    repeated[1].repeat = 4;
    add_whole_product(list, "KB-N040/stride_0", "https://github.com/pytorch/pytorch/issues/2022",
                      SMOKE, repeated);
    /* As many columns as reported; fewer rows, which do not matter to the launch. */
    conf_operand wide[3] = {
        conf_make_operand(KEEL_F32, &(conf_shape){2, {1, 2}}, 0),
        conf_make_operand(KEEL_F32, &(conf_shape){2, {2, 2097153}}, 0),
        conf_make_operand(KEEL_F32, &(conf_shape){2, {1, 2097153}}, 0),
    };
    add_whole_product(list, "KB-N041/wide_launch",
                      "https://github.com/ROCm/rocm-libraries/pull/9184", FULL, wide);
}

void conf_cases_reports(conf_list *list)
{
    conf_cases_reports_convolution(list);
    conf_cases_reports_indexing(list);
    conf_cases_reports_movement(list);
    conf_cases_reports_pooling(list);
    conf_cases_reports_quantisation(list);
    conf_cases_reports_remainders(list);
    conf_cases_reports_rows(list);
    conf_cases_reports_scan(list);
    conf_cases_reports_topk(list);
    conf_cases_reports_values(list);
    add_waves(list);
    add_masked_row(list, KEEL_F32, SMOKE);
    add_masked_row(list, KEEL_F16, SMOKE);
    add_identity(list);
    add_products(list);
    conf_cases_reports_sequences(list);
    conf_cases_reports_large(list);
}
