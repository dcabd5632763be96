/* Views of a report. Each takes a report that cli_report_check() accepted and only prints. */
#ifndef CLI_VIEWS_H
#define CLI_VIEWS_H

#include <jansson.h>
#include <stdio.h>

typedef struct cli_view {
    const char *name;                              /* value of --format */
    int (*write)(const json_t *report, FILE *out); /* 1, or 0 if memory is exhausted */
} cli_view;

/* The view of that name, or NULL. */
const cli_view *cli_view_find(const char *name);

int cli_view_csv(const json_t *report, FILE *out);
int cli_view_junit(const json_t *report, FILE *out);
int cli_view_markdown(const json_t *report, FILE *out);
int cli_view_text(const json_t *report, FILE *out);

/*
 * Prints UTF-8 text for a terminal or a file: control characters (of a hostile device name, say)
 * and what XML 1.0 forbids become '?'.
 */
void cli_print_clean(FILE *out, const char *text);

/* The same; escape prints a character its own way and returns 1, or returns 0. */
typedef int (*cli_escape)(FILE *out, char character);
void cli_print_escaped(FILE *out, const char *text, cli_escape escape);

/* Whether the device of that id is a simulated one. */
int cli_view_is_simulated(const json_t *report, const char *device);

/* How a case counts for a reader. */
#define CLI_CLASS_GOOD 0   /* PASS and SELF */
#define CLI_CLASS_FAILED 1 /* the run fails for it */
#define CLI_CLASS_DOUBT 2  /* warnings, flakes, lost devices, exhausted memory */
#define CLI_CLASS_QUIET 3  /* declared, expected, skipped or not run */
int cli_verdict_class(const char *verdict);

/* Verdicts in the order in which tables show them; ends with NULL. */
extern const char *const cli_verdict_order[];

#endif
