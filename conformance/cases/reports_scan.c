/*
 * Cases from public bug reports: running sums. Inputs are small and the right answers written out:
 * what they prove does not depend on the contracts' oracles.
 */
#include "cases/report_tables.h"

#define SOURCE_ORT "https://github.com/microsoft/onnxruntime/pull/13174"
#define SOURCE_TENSORRT "https://github.com/NVIDIA/TensorRT/issues/4513"
#define SOURCE_TVM "https://github.com/apache/tvm/issues/19692"

#define CUMSUM_AT(name, source, type, at, e, r, n, in, want)           \
    {                                                                  \
        "KB-N092", name, source, "keel.cumsum", SMOKE, 1, EXACT, 0,    \
            {{type, 1, {n}, 0, 0, in}, {type, 1, {n}, 0, 0, want}}, 3, \
        {                                                              \
            INT("axis", at), INT("exclusive", e), INT("reverse", r)    \
        }                                                              \
    }

static const conf_report scans[] = {
    CUMSUM_AT("plain", SOURCE_ORT, KEEL_F32, 0, 0, 0, 3, VALUES(1, 2, 3), VALUES(1, 3, 6)),
    CUMSUM_AT("exclusive", SOURCE_ORT, KEEL_F32, -1, 1, 0, 3, VALUES(1, 2, 3), VALUES(0, 1, 3)),
    CUMSUM_AT("reverse", SOURCE_TENSORRT, KEEL_F32, 0, 0, 1, 3, VALUES(1, 2, 3), VALUES(6, 5, 3)),
    CUMSUM_AT("both", SOURCE_TVM, KEEL_F32, -1, 1, 1, 3, VALUES(1, 2, 3), VALUES(5, 3, 0)),
    CUMSUM_AT("one", SOURCE_ORT, KEEL_F32, 0, 0, 0, 1, VALUES(5), VALUES(5)),
    CUMSUM_AT("one_exclusive", SOURCE_ORT, KEEL_F32, 0, 1, 0, 1, VALUES(5), VALUES(0)),
    CUMSUM_AT("one_exclusive_reverse", SOURCE_ORT, KEEL_F32, -1, 1, 1, 1, VALUES(5), VALUES(0)),
    CUMSUM_AT("i64_both", SOURCE_TVM, KEEL_I64, 0, 1, 1, 3, VALUES(1, 2, 3), VALUES(5, 3, 0)),
    {"KB-N092",
     "product_both",
     SOURCE_TVM,
     "keel.cumprod",
     SMOKE,
     1,
     EXACT,
     0,
     {{KEEL_F32, 2, {2, 3}, 0, 0, VALUES(1, 2, 3, 4, 5, 6)},
      {KEEL_F32, 2, {2, 3}, 0, 0, VALUES(6, 3, 1, 30, 6, 1)}},
     3,
     {INT("axis", 1), INT("exclusive", 1), INT("reverse", 1)}},
    /* A sum kept in f16 would stand still. */
    CUMSUM_AT("f16_beyond_2048", SOURCE_ORT, KEEL_F16, 0, 0, 0, 4, VALUES(2048, 1, 1, 1),
              VALUES(2048, 2048, 2050, 2052)),
};

void conf_cases_reports_scan(conf_list *list)
{
    conf_reports_add(list, scans, KEEL_COUNT(scans));
}
