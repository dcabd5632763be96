/* What the files that write the load report share. */
#ifndef KEELI_LOAD_REPORT_H
#define KEELI_LOAD_REPORT_H

#include "context.h"
#include "keel/load_report.h"

/* 1 if there is a line of that kind about that subject. */
int keeli_report_has(keel_context *context, int32_t kind, const char *subject);

/* Frees all lines. The lock need not be held: nobody uses the context any more. */
void keeli_report_free(keel_context *context);

#endif
