/*
 * Cases from public bug reports: elementwise ops, cast and matmul. Inputs are small and the right
 * answers written out: what they prove does not depend on the contracts' oracles.
 */
#include <limits.h>

#include "cases/report_tables.h"

/* ---- elementwise ----------------------------------------------------------------------------- */

static const conf_report elementwise[] = {
    {"KB-N059",
     "by_zero_and_overflow",
     "https://github.com/microsoft/onnxruntime/issues/32494",
     "keel.div",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_I32, 1, {4}, 0, 0, VALUES(-3, 4, 7, INT_MIN)},
      {KEEL_I32, 1, {4}, 0, 0, VALUES(0, 2, 3, -1)},
      {KEEL_I32, 1, {4}, 0, 0, VALUES(0, 2, 2, INT_MIN)}},
     0,
     {{0}}},
    {"KB-N101",
     "near_one",
     "https://github.com/arrayfire/arrayfire/issues/3121",
     "keel.exp",
     SMOKE,
     1,
     ULP,
     2,
     {{KEEL_F32, 1, {8}, 0, 0, VALUES(0.001, 0.0001, 1e-5, 1e-6, 1e-7, 1e-8, 0, 1)},
      {KEEL_F32,
       1,
       {8},
       0,
       0,
       VALUES(1.0010005235671997, 1.000100016593933, 1.0000100135803223, 1.0000009536743164,
              1.0000001192092896, 1, 1, 2.7182817459106445)}},
     0,
     {{0}}},
    {"KB-N102",
     "correctly_rounded",
     "https://github.com/pytorch/pytorch/issues/186618",
     "keel.div",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 1, {4}, 0, 0, VALUES(49.5, 1, 10, 7)},
      {KEEL_F32, 1, {4}, 0, 0, VALUES(50, 3, 3, 49)},
      {KEEL_F32, 1, {4}, 0, 0, RAW(0x3F7D70A4, 0x3EAAAAAB, 0x40555555, 0x3E124925)}},
     0,
     {{0}}},
    {"KB-N104",
     "subnormals_are_kept",
     "https://github.com/cupy/cupy/issues/1686",
     "keel.mul",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32,
       1,
       {3},
       0,
       0,
       VALUES(9.999999350456404e-39, 1.1754943508222875e-38, 1.401298464324817e-45)},
      {KEEL_F32, 0, {0}, 0, 0, VALUES(0.1)},
      {KEEL_F32, 1, {3}, 0, 0, VALUES(1.0000002153053333e-39, 1.1754946310819804e-39, 0)}},
     0,
     {{0}}},
    {"KB-N104",
     "sums_of_subnormals",
     "https://github.com/cupy/cupy/issues/1686",
     "keel.add",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, RAW(0x00000001, 0x80000003, 0x00400000)},
      {KEEL_F32, 1, {3}, 0, 0, RAW(0x00000001, 0x00000001, 0x00400000)},
      {KEEL_F32, 1, {3}, 0, 0, RAW(0x00000002, 0x80000002, 0x00800000)}},
     0,
     {{0}}},
    {"KB-N104",
     "larger_of_subnormals",
     "https://github.com/cupy/cupy/issues/1686",
     "keel.max",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, RAW(0x00000001, 0x80000003, 0x80000001)},
      {KEEL_F32, 1, {3}, 0, 0, RAW(0x00000002, 0x80000001, 0x00000000)},
      {KEEL_F32, 1, {3}, 0, 0, RAW(0x00000002, 0x80000001, 0x00000000)}},
     0,
     {{0}}},
};

/* KB-N062: NaN wins over any number, in every type, beside one number or many. */
static void add_nans(conf_list *list, keel_dtype dtype)
{
    static const char source[] = "https://github.com/microsoft/onnxruntime/issues/21455";
    static const struct {
        const char *op, *name;
        int64_t size; /* of b */
        double b[4], want[4];
    } calls[] = {
        {"keel.max", "max_with_0", 1, {0}, {NAN_VALUE, 1, 2, NAN_VALUE}},
        {"keel.max", "max_with_nan", 1, {NAN_VALUE}, {NAN_VALUE, NAN_VALUE, NAN_VALUE, NAN_VALUE}},
        {"keel.min", "min", 4, {NAN_VALUE, 5, NAN_VALUE, 5}, {NAN_VALUE, 1, NAN_VALUE, NAN_VALUE}},
    };
    static const double a[] = {NAN_VALUE, 1, 2, NAN_VALUE};
    const conf_shape four = {1, {4}};
    for (size_t i = 0; i < KEEL_COUNT(calls); i++) {
        const conf_shape other = {1, {calls[i].size}};
        conf_report report = {"KB-N062",
                              calls[i].name,
                              source,
                              calls[i].op,
                              dtype == KEEL_F32 ? SMOKE : QUICK,
                              2,
                              EXACT,
                              0.0,
                              {conf_make_operand(dtype, &four, 0),
                               conf_make_operand(dtype, &other, 0),
                               conf_make_operand(dtype, &four, 0)},
                              0,
                              {{0}}};
        report.operand[0].data = conf_make_values(a, 4);
        report.operand[1].data = conf_make_values(calls[i].b, (int32_t)calls[i].size);
        report.operand[2].data = conf_make_values(calls[i].want, 4);
        conf_reports_add(list, &report, 1);
    }
}

/* ---- cast ------------------------------------------------------------------------------------ */

#define CAST_SOURCE "https://github.com/microsoft/onnxruntime/issues/25207"
#define CAST_INPUT VALUES(NAN_VALUE, INF, -INF, -1, 3000000000.0, -3000000000.0, 1.9, -1.9, 255.5)

static const conf_report casts[] = {
    {"KB-N072",
     "saturates",
     CAST_SOURCE,
     "keel.cast",
     QUICK,
     1,
     EXACT,
     0,
     {{KEEL_F32, 1, {9}, 0, 0, CAST_INPUT},
      {KEEL_I32, 1, {9}, 0, 0, RAW(0, INT_MAX, INT_MIN, -1, INT_MAX, INT_MIN, 1, -1, 255)}},
     0,
     {{0}}},
    {"KB-N072",
     "saturates",
     CAST_SOURCE,
     "keel.cast",
     QUICK,
     1,
     EXACT,
     0,
     {{KEEL_F32, 1, {9}, 0, 0, CAST_INPUT},
      {KEEL_U32, 1, {9}, 0, 0, RAW(0, 4294967295, 0, 0, 3000000000, 0, 1, 0, 255)}},
     0,
     {{0}}},
    {"KB-N072",
     "saturates",
     CAST_SOURCE,
     "keel.cast",
     QUICK,
     1,
     EXACT,
     0,
     {{KEEL_F32, 1, {9}, 0, 0, CAST_INPUT},
      {KEEL_I64,
       1,
       {9},
       0,
       0,
       RAW(0, INT64_MAX, INT64_MIN, -1, 3000000000, -3000000000, 1, -1, 255)}},
     0,
     {{0}}},
    {"KB-N072",
     "saturates",
     CAST_SOURCE,
     "keel.cast",
     QUICK,
     1,
     EXACT,
     0,
     {{KEEL_F32, 1, {9}, 0, 0, CAST_INPUT},
      {KEEL_U8, 1, {9}, 0, 0, RAW(0, 255, 0, 0, 255, 0, 1, 0, 255)}},
     0,
     {{0}}},
    {"KB-N072",
     "saturates",
     CAST_SOURCE,
     "keel.cast",
     SMOKE,
     1,
     EXACT,
     0,
     {{KEEL_F32, 1, {9}, 0, 0, CAST_INPUT},
      {KEEL_I8, 1, {9}, 0, 0, RAW(0, 127, -128, -1, 127, -128, 1, -1, 127)}},
     0,
     {{0}}},
    {"KB-N073",
     "rounds_to_even",
     "https://github.com/dotnet/runtime/pull/130583",
     "keel.cast",
     SMOKE,
     1,
     EXACT,
     0,
     {{KEEL_F32,
       1,
       {7},
       0,
       0,
       RAW(0x3E89CCD5, 0x3F808000, 0x3F818000, 0x7F800001, 0x7F7FFFFF, 0xFF7FFFFF, 0x00000001)},
      {KEEL_BF16, 1, {7}, 0, 0, RAW(0x3E8A, 0x3F80, 0x3F82, 0x7FC0, 0x7F80, 0xFF80, 0x0000)}},
     0,
     {{0}}},
    {"KB-N104",
     "f16_subnormals",
     "https://github.com/KhronosGroup/OpenCL-CTS/pull/1881",
     "keel.cast",
     SMOKE,
     1,
     EXACT,
     0,
     {{KEEL_F16, 1, {5}, 0, 0, RAW(0x0001, 0x0002, 0x0200, 0x03FF, 0x8001)},
      {KEEL_F32, 1, {5}, 0, 0, VALUES(0x1p-24, 0x1p-23, 0x1p-15, 0x1.FF8p-15, -0x1p-24)}},
     0,
     {{0}}},
};

/* ---- matmul ---------------------------------------------------------------------------------- */

#define NO_TERMS_SOURCE "https://github.com/microsoft/onnxruntime/issues/21483"

static const conf_report products[] = {
    {"KB-N029",
     "no_terms",
     NO_TERMS_SOURCE,
     "keel.matmul",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 2, {16, 0}, 0, 0, {0}},
      {KEEL_F32, 2, {0, 16}, 0, 0, {0}},
      {KEEL_F32, 2, {16, 16}, 0, 0, VALUES(0)}},
     0,
     {{0}}},
    {"KB-N029",
     "no_terms_batched",
     NO_TERMS_SOURCE,
     "keel.matmul",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 3, {10, 1, 0}, 0, 0, {0}},
      {KEEL_F32, 3, {10, 0, 43200}, 0, 0, {0}},
      {KEEL_F32, 3, {10, 1, 43200}, 0, 0, VALUES(0)}},
     0,
     {{0}}},
};

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_reports_values(conf_list *list)
{
    conf_reports_add(list, elementwise, KEEL_COUNT(elementwise));
    add_nans(list, KEEL_F32);
    add_nans(list, KEEL_F16);
    add_nans(list, KEEL_F64);
    conf_reports_add(list, casts, KEEL_COUNT(casts));
    conf_reports_add(list, products, KEEL_COUNT(products));
}
