/* Cases from public bug reports: quantised values. Answers are written out. */
#include "cases/report_tables.h"

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

void conf_cases_reports_quantisation(conf_list *list)
{
    conf_reports_add(list, roundings, KEEL_COUNT(roundings));
}
