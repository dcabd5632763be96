/*
 * The report, "keel.report/1": one JSON file that is the source of every view. Its schema for
 * others is docs/report.schema.json; this is what the program itself holds it to.
 */
#ifndef CLI_REPORT_FORMAT_H
#define CLI_REPORT_FORMAT_H

#include <jansson.h>
#include <stdio.h>

#include "keel/keel.h"

#define CLI_REPORT_SCHEMA "keel.report/1"
#define CLI_REPORT_MAX_BYTES (UINT64_C(256) << 20)

/*
 * Checks every member of a report that was read: presence, type, range, and that the summary's
 * counts are those of the cases.
 * @retval KEEL_ERR_INVALID_ARGUMENT  the message names the member, its value and the bound
 */
keel_status cli_report_check(const json_t *root, keel_error *err);

/* The same for one entry of "cases" without what only the supervisor knows; used on workers. */
keel_status cli_report_check_result(const json_t *result, keel_error *err);

/*
 * Reads and checks a report.
 * @param out_root  json_decref() it
 */
keel_status cli_report_read(const char *path, json_t **out_root, keel_error *err);

/*
 * Counts verdicts: {"counts": {verdict: n}, "devices": [{"device", "counts", "families":
 * [{"family", "counts"}]}]}, in the order in which devices and families first appear.
 * @return NULL if memory is exhausted
 */
json_t *cli_report_count(const json_t *cases);

#endif
