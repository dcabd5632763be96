/* Assertions on the load report. */
#ifndef KEEL_TEST_REPORT_H
#define KEEL_TEST_REPORT_H

#include "keel/load_report.h"

/* The last line whose path ends with tail; fails the test, with the whole report, if none does. */
keel_load_entry report_line(keel_context *context, const char *tail);

/* Number of lines whose path ends with tail. */
uint32_t report_count(keel_context *context, const char *tail);

/* That line has the decision and its reason contains the words. */
void report_expect(keel_context *context, const char *tail, int32_t decision, const char *words);

#endif
