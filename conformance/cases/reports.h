/* Cases from public bug reports: the form that they are written in. */
#ifndef CONF_CASES_REPORTS_H
#define CONF_CASES_REPORTS_H

#include "cases/make.h"

#define CONF_REPORT_OPERANDS 4
#define CONF_REPORT_ATTRIBUTES 6

typedef struct conf_report {
    const char *report; /* our name of the report: "KB-N006" */
    const char *name;
    const char *source; /* where it was reported */
    const char *op;
    int32_t tier;
    uint32_t inputs; /* the operand after them is the output, with the wanted values */
    int32_t want;    /* CONF_WANT_* */
    double want_bound;
    conf_operand operand[CONF_REPORT_OPERANDS];
    uint32_t attributes;
    keel_attribute attribute[CONF_REPORT_ATTRIBUTES];
} conf_report;

/* Adds a case for each report, where there is such an op. */
void conf_reports_add(conf_list *list, const conf_report *reports, size_t count);

/* Name of a case of a report: family "reports". label: 32 bytes that outlive the name's use. */
conf_name conf_report_name(const char *op, const conf_operand *operand, uint32_t inputs,
                           const char *source, char *label);

/* The cases whose inputs and answers are written out. */
void conf_cases_reports_convolution(conf_list *list);
void conf_cases_reports_indexing(conf_list *list);
void conf_cases_reports_movement(conf_list *list);
void conf_cases_reports_quantisation(conf_list *list);
void conf_cases_reports_remainders(conf_list *list);
void conf_cases_reports_pooling(conf_list *list);
void conf_cases_reports_rows(conf_list *list);
void conf_cases_reports_scan(conf_list *list);
void conf_cases_reports_topk(conf_list *list);
void conf_cases_reports_values(conf_list *list);

/* The cases of more memory than most. */
void conf_cases_reports_large(conf_list *list);

/* The cases that take more than one call. */
void conf_cases_reports_sequences(conf_list *list);

#endif
