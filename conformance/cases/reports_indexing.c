/*
 * Cases from public bug reports: gathers and scatters by elements and by tuples. Inputs are small
 * and the right answers written out: what they prove does not depend on the contracts' oracles.
 */
#include <stdio.h>
#include <string.h>

#include "cases/report_tables.h"

#define NEGATIVE "https://github.com/microsoft/onnxruntime/issues/1533"
#define OUTSIDE "https://github.com/microsoft/onnxruntime/issues/10234"
#define BY_SIZE "https://github.com/microsoft/onnxruntime/pull/29879"
#define WINNER "https://github.com/pytorch/pytorch/pull/88244"
#define WRAPPED "https://github.com/microsoft/onnxruntime/pull/32264"

#define NO_INDEX RAW(3, -4, INT64_C(1) << 31, INT64_MIN, -3, 2)

static const conf_report gathers[] = {
    {"KB-N017",
     "nd_i64",
     NEGATIVE,
     "keel.gather_nd",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_I64, 3, {2, 2, 2}, 0, 0, {.kind = CONF_DATA_RAMP, .high = 1}},
      {KEEL_I64, 3, {2, 1, 1}, 0, 0, VALUES(-1, 0)},
      {KEEL_I64, 4, {2, 1, 2, 2}, 0, 0, VALUES(4, 5, 6, 7, 0, 1, 2, 3)}},
     1,
     {INT("batch_dims", 0)}},
    {"KB-N017",
     "nd_i32",
     NEGATIVE,
     "keel.gather_nd",
     QUICK,
     2,
     EXACT,
     0,
     {{KEEL_F32, 3, {2, 2, 2}, 0, 0, {.kind = CONF_DATA_RAMP, .high = 1}},
      {KEEL_I32, 3, {2, 1, 1}, 0, 0, VALUES(-1, 0)},
      {KEEL_F32, 4, {2, 1, 2, 2}, 0, 0, VALUES(4, 5, 6, 7, 0, 1, 2, 3)}},
     0,
     {{0}}},
    {"KB-N017",
     "elements_i32",
     NEGATIVE,
     "keel.gather_elements",
     QUICK,
     2,
     EXACT,
     0,
     {{KEEL_F32, 2, {2, 3}, 0, 0, {.kind = CONF_DATA_RAMP, .high = 1}},
      {KEEL_I32, 2, {2, 2}, 0, 0, VALUES(-1, 0, -3, -2)},
      {KEEL_F32, 2, {2, 2}, 0, 0, VALUES(2, 0, 3, 4)}},
     1,
     {INT("axis", 1)}},
    {"KB-N017",
     "scatter_i32",
     NEGATIVE,
     "keel.scatter_elements",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, VALUES(1, 2, 3)},
      {KEEL_I32, 1, {2}, 0, 0, VALUES(-1, -3)},
      {KEEL_F32, 1, {2}, 0, 0, VALUES(10, 20)},
      {KEEL_F32, 1, {3}, 0, 0, VALUES(20, 2, 10)}},
     1,
     {INT("axis", 0)}},
    {"KB-N018",
     "elements",
     OUTSIDE,
     "keel.gather_elements",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, VALUES(1, 2, 3)},
      {KEEL_I64, 1, {6}, 0, 0, NO_INDEX},
      {KEEL_F32, 1, {6}, 0, 0, VALUES(0, 0, 0, 0, 1, 3)}},
     1,
     {INT("axis", 0)}},
    {"KB-N018",
     "nd",
     OUTSIDE,
     "keel.gather_nd",
     SMOKE,
     2,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, VALUES(1, 2, 3)},
      {KEEL_I64, 2, {6, 1}, 0, 0, NO_INDEX},
      {KEEL_F32, 1, {6}, 0, 0, VALUES(0, 0, 0, 0, 1, 3)}},
     1,
     {INT("batch_dims", 0)}},
    {"KB-N018",
     "nd_second",
     OUTSIDE,
     "keel.gather_nd",
     QUICK,
     2,
     EXACT,
     0,
     {{KEEL_F32, 2, {2, 2}, 0, 0, VALUES(1, 2, 3, 4)},
      {KEEL_I64, 2, {3, 2}, 0, 0, RAW(1, INT64_MAX, INT64_MIN, 0, -1, -2)},
      {KEEL_F32, 1, {3}, 0, 0, VALUES(0, 0, 3)}},
     1,
     {INT("batch_dims", 0)}},
    {"KB-N018",
     "scatter_elements",
     OUTSIDE,
     "keel.scatter_elements",
     SMOKE,
     3,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, VALUES(1, 2, 3)},
      {KEEL_I64, 1, {6}, 0, 0, NO_INDEX},
      {KEEL_F32, 1, {6}, 0, 0, VALUES(10, 20, 30, 40, 50, 60)},
      {KEEL_F32, 1, {3}, 0, 0, VALUES(50, 2, 60)}},
     1,
     {INT("axis", 0)}},
    {"KB-N018",
     "scatter_nd",
     OUTSIDE,
     "keel.scatter_nd",
     SMOKE,
     3,
     EXACT,
     0,
     {{KEEL_F32, 1, {3}, 0, 0, VALUES(1, 2, 3)},
      {KEEL_I64, 2, {6, 1}, 0, 0, NO_INDEX},
      {KEEL_F32, 1, {6}, 0, 0, VALUES(10, 20, 30, 40, 50, 60)},
      {KEEL_F32, 1, {3}, 0, 0, VALUES(50, 2, 60)}},
     0,
     {{0}}},
    /* Sibling: the sequence wraps within its batch entry, of which there are more than places. */
    {"KB-N018",
     "cache_wraps",
     WRAPPED,
     "keel.tensor_scatter",
     QUICK,
     3,
     EXACT,
     0,
     {{KEEL_F32, 2, {5, 4}, 0, 0, VALUES(0)},
      {KEEL_F32, 2, {5, 2}, 0, 0, {.kind = CONF_DATA_RAMP, .low = 1, .high = 1}},
      {KEEL_I64, 1, {5}, 0, 0, VALUES(3, 0, 7, -1, 2)},
      {KEEL_F32,
       2,
       {5, 4},
       0,
       0,
       VALUES(2, 0, 0, 1, 3, 4, 0, 0, 6, 0, 0, 5, 8, 0, 0, 7, 0, 0, 9, 10)}},
     2,
     {INT("axis", 1), {"mode", KEEL_ATTR_BYTES, 8, {.bytes = "circular"}}}},
};

/* ---- KB-N019: a reduction computes in the type of its elements ------------------------------- */

typedef struct conf_reducing {
    const char *reduction;
    double start, update, want;
} conf_reducing;

static const conf_reducing reducings[] = {
    {"add", 2, 3, 5}, {"mul", 2, 3, 6}, {"min", 2, 3, 2}, {"max", 2, 3, 3}};

static const conf_reducing unsigned_reducings[] = {{"min", 4294967295.0, 1, 1},
                                                   {"max", 4294967295.0, 1, 4294967295.0},
                                                   {"add", 4294967295.0, 1, 0}};

static void add_reducing(conf_list *list, const char *op, keel_dtype dtype,
                         const conf_reducing *reducing, const char *suffix)
{
    const int nd = strcmp(op, "keel.scatter_nd") == 0;
    const int is_first = dtype == KEEL_I32 && reducing == reducings;
    const int is_common = dtype == KEEL_I32 || dtype == KEEL_U32 || dtype == KEEL_F16;
    const int32_t tier = is_first ? SMOKE : is_common ? QUICK : FULL;
    conf_report report = {"KB-N019",
                          "",
                          BY_SIZE,
                          op,
                          tier,
                          3,
                          EXACT,
                          0,
                          {{dtype, 1, {1}, 0, 0, {0}},
                           {KEEL_I64, nd ? 2 : 1, {1, 1}, 0, 0, VALUES(0)},
                           {dtype, 1, {1}, 0, 0, {0}},
                           {dtype, 1, {1}, 0, 0, {0}}},
                          1,
                          {conf_make_bytes("reduction", reducing->reduction)}};
    char name[32];
    (void)snprintf(name, sizeof name, "%s%s", reducing->reduction, suffix);
    report.name = name;
    report.operand[0].data = conf_make_values(&reducing->start, 1);
    report.operand[2].data = conf_make_values(&reducing->update, 1);
    report.operand[3].data = conf_make_values(&reducing->want, 1);
    conf_reports_add(list, &report, 1);
}

static void add_reducings(conf_list *list)
{
    static const char *const ops[] = {"keel.scatter_elements", "keel.scatter_nd"};
    static const keel_dtype dtypes[] = {KEEL_I32, KEEL_U32, KEEL_I64,  KEEL_U8,
                                        KEEL_F16, KEEL_F32, KEEL_BF16, KEEL_I8};
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        for (size_t d = 0; d < KEEL_COUNT(dtypes); d++) {
            for (size_t r = 0; r < KEEL_COUNT(reducings); r++) {
                add_reducing(list, ops[k], dtypes[d], &reducings[r], "");
            }
        }
        for (size_t r = 0; r < KEEL_COUNT(unsigned_reducings); r++) {
            add_reducing(list, ops[k], KEEL_U32, &unsigned_reducings[r], "_top");
        }
    }
}

/* ---- KB-N021: of updates that meet the last one wins, on every run --------------------------- */

#define MEETING 256

static void add_winner(conf_list *list, const char *op, const char *reduction, double winner)
{
    const int nd = strcmp(op, "keel.scatter_nd") == 0;
    const conf_data one = VALUES(1);
    const conf_data counting = {.kind = CONF_DATA_RAMP, .high = 1};
    double want[MEETING];
    want[0] = winner;
    for (int i = 1; i < MEETING; i++) {
        want[i] = 1;
    }
    const conf_report report = {"KB-N021",
                                reduction,
                                WINNER,
                                op,
                                QUICK,
                                3,
                                EXACT,
                                0,
                                {{KEEL_I64, 1, {MEETING}, 0, 0, one},
                                 {KEEL_I64, nd ? 2 : 1, {MEETING, 1}, 0, 0, VALUES(0)},
                                 {KEEL_I64, 1, {MEETING}, 0, 0, counting},
                                 {KEEL_I64, 1, {MEETING}, 0, 0, conf_make_values(want, MEETING)}},
                                1,
                                {conf_make_bytes("reduction", reduction)}};
    conf_reports_add(list, &report, 1);
}

void conf_cases_reports_indexing(conf_list *list)
{
    static const char *const ops[] = {"keel.scatter_elements", "keel.scatter_nd"};
    conf_reports_add(list, gathers, KEEL_COUNT(gathers));
    add_reducings(list);
    for (size_t k = 0; k < KEEL_COUNT(ops); k++) {
        add_winner(list, ops[k], "none", MEETING - 1);
        add_winner(list, ops[k], "add", 1 + MEETING * (MEETING - 1) * 0.5);
        add_winner(list, ops[k], "max", MEETING - 1);
    }
}
