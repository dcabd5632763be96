/*
 * Cases from public bug reports: topk, with its two outputs. The right answers are written out or
 * follow from a formula: what they prove does not depend on the contract's oracle.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/reports.h"
#include "cases/short.h"
#include "keel/registry.h"

#define NAN_SOURCE "https://github.com/openvinotoolkit/openvino/issues/35898"
#define TIES_SOURCE "https://github.com/microsoft/onnxruntime/issues/9843"
#define SMALL_SOURCE "https://github.com/onnx/onnx/pull/6593"
#define WAVE_SOURCE "https://github.com/ggml-org/llama.cpp/issues/3630"

typedef struct conf_topk_report {
    const char *name;
    const char *source;
    int32_t tier;
    conf_shape shape; /* along the last axis */
    conf_data data;
    int64_t k;
    int32_t largest;
    int32_t want; /* CONF_WANT_EXACT: values and indices, of one row */
    const double *values, *indices;
} conf_topk_report;

static void add(conf_list *list, const conf_topk_report *p)
{
    conf_shape out = p->shape;
    out.size[out.rank - 1] = p->k;
    conf_operand operand[3] = {conf_make_operand(KEEL_F32, &p->shape, DENSE),
                               conf_make_operand(KEEL_F32, &out, DENSE),
                               conf_make_operand(KEEL_I64, &out, DENSE)};
    operand[0].data = p->data;
    if (p->want != CONF_WANT_NOTHING) {
        operand[1].data = conf_make_values(p->values, (int32_t)p->k);
        operand[2].data = conf_make_values(p->indices, (int32_t)p->k);
    }
    const keel_attribute attribute[] = {conf_make_int("k", p->k),
                                        conf_make_int("largest", p->largest)};
    const conf_op_case c = {.op = "keel.topk",
                            .inputs = 1,
                            .outputs = 2,
                            .operand = operand,
                            .attribute = attribute,
                            .attributes = KEEL_COUNT(attribute),
                            .flags = FEW,
                            .alias = CONF_NO_ALIAS,
                            .want = p->want};
    char label[32];
    conf_name name = conf_report_name("keel.topk", operand, 1, p->source, label);
    name.tier = p->tier;
    conf_list_add_op(list, &name, &c, "report/%s", p->name);
}

/* KB-N066: NaN ranks above everything, and indices stay inside the row. */
static void add_nans(conf_list *list)
{
    static const double x[] = {1, NAN, 3, -INFINITY, INFINITY, 2};
    static const double greatest[] = {NAN, INFINITY, 3};
    static const double greatest_at[] = {1, 4, 2};
    static const double least[] = {-INFINITY, 1, 2};
    static const double least_at[] = {3, 0, 5};
    static const double nans[] = {NAN, NAN, NAN};
    static const double first[] = {0, 1, 2};
    static const int64_t lengths[] = {6, 1000, 151936};
    add(list, &(conf_topk_report){.name = "KB-N066/largest",
                                  .source = NAN_SOURCE,
                                  .tier = SMOKE,
                                  .shape = {1, {6}},
                                  .data = conf_make_values(x, 6),
                                  .k = 3,
                                  .largest = 1,
                                  .want = CONF_WANT_EXACT,
                                  .values = greatest,
                                  .indices = greatest_at});
    add(list, &(conf_topk_report){.name = "KB-N066/smallest",
                                  .source = NAN_SOURCE,
                                  .tier = SMOKE,
                                  .shape = {1, {6}},
                                  .data = conf_make_values(x, 6),
                                  .k = 3,
                                  .want = CONF_WANT_EXACT,
                                  .values = least,
                                  .indices = least_at});
    for (size_t i = 0; i < 2 * KEEL_COUNT(lengths); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "KB-N066/all_nan_%lld_%s", (long long)lengths[i / 2],
                       i % 2 ? "largest" : "smallest");
        add(list, &(conf_topk_report){.name = name,
                                      .source = NAN_SOURCE,
                                      .tier = i / 2 == 2 ? FULL : SMOKE,
                                      .shape = {1, {lengths[i / 2]}},
                                      .data = conf_make_values(nans, 1),
                                      .k = 3,
                                      .largest = (int32_t)(i % 2),
                                      .want = CONF_WANT_EXACT,
                                      .values = nans,
                                      .indices = first});
    }
}

/* KB-N067: every tenth element is inf, the others are i mod 7: 1,000 infinities, then sixes. */
static void add_infinities(conf_list *list)
{
    static const int64_t ks[] = {5, 1000, 1500};
    static double values[1500];
    static double indices[1500];
    double x[70];
    for (int i = 0; i < 70; i++) {
        x[i] = i % 10 == 0 ? (double)INFINITY : i % 7;
    }
    for (int i = 0; i < 1000; i++) {
        values[i] = (double)INFINITY;
        indices[i] = 10.0 * i;
    }
    int at = -1;
    for (int i = 1000; i < 1500; i++) {
        do {
            at++;
        } while (at % 10 == 0 || at % 7 != 6);
        values[i] = 6;
        indices[i] = at;
    }
    for (size_t i = 0; i < KEEL_COUNT(ks); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "KB-N067/infinities_%lld", (long long)ks[i]);
        add(list, &(conf_topk_report){.name = name,
                                      .source = TIES_SOURCE,
                                      .tier = SMOKE,
                                      .shape = {1, {10000}},
                                      .data = conf_make_values(x, 70),
                                      .k = ks[i],
                                      .largest = 1,
                                      .want = CONF_WANT_EXACT,
                                      .values = values,
                                      .indices = indices});
    }
    static const double greatest[] = {0.45, 0.3, 0.1};
    static const double greatest_at[] = {3, 1, 0};
    static double mostly_zero[1000] = {0.1, 0.3, 0.02, 0.45, 0.08, 0.05};
    add(list, &(conf_topk_report){.name = "KB-N067/zeros_behind",
                                  .source = SMALL_SOURCE,
                                  .tier = SMOKE,
                                  .shape = {1, {1000}},
                                  .data = conf_make_values(mostly_zero, 1000),
                                  .k = 3,
                                  .largest = 1,
                                  .want = CONF_WANT_EXACT,
                                  .values = greatest,
                                  .indices = greatest_at});
}

/* KB-N028: row lengths on both sides of 32 and 64 lanes. */
static void add_waves(conf_list *list)
{
    static const int64_t lengths[] = {1,  2,   31,  32,  33,   63,   64,   65,  95,
                                      96, 127, 128, 129, 1023, 1024, 1025, 4097};
    static const int64_t rows[] = {1, 7, 64};
    double whole[31];
    for (int i = 0; i < 31; i++) {
        whole[i] = (i * 7) % 31 - 15;
    }
    for (size_t i = 0; i < KEEL_COUNT(rows) * KEEL_COUNT(lengths); i++) {
        const int64_t length = lengths[i / KEEL_COUNT(rows)];
        const int64_t count = rows[i % KEEL_COUNT(rows)];
        char name[64];
        (void)snprintf(name, sizeof name, "KB-N028/%lldx%lld", (long long)count, (long long)length);
        add(list, &(conf_topk_report){.name = name,
                                      .source = WAVE_SOURCE,
                                      .tier = count == 7 && length == 65 ? SMOKE : QUICK,
                                      .shape = {2, {count, length}},
                                      .data = conf_make_values(whole, 31),
                                      .k = length < 40 ? length : 40,
                                      .largest = 1});
    }
}

void conf_cases_reports_topk(conf_list *list)
{
    if (keel_op_find(conf_list_context(list), "keel.topk") != NULL) {
        add_nans(list);
        add_infinities(list);
        add_waves(list);
    }
}
