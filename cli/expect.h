/*
 * Expectations: known failures of known devices, with a reason and a date on which they end. One
 * per line, fields separated by spaces, '#' begins a comment:
 *
 *   case-glob device-glob STATUS YYYY-MM-DD issue reason in words
 *
 * The device glob is held against the id, the backend and the architecture. A case that ends with
 * STATUS becomes XFAIL, one that passes XPASS; another verdict stays as it is.
 */
#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include <jansson.h>

#include "keel/keel.h"

typedef struct cli_expectation cli_expectation;

typedef struct cli_expectations {
    cli_expectation *entry;
    uint32_t count;
    uint32_t expired; /* entries whose date has passed; they are not applied */
} cli_expectations;

/*
 * Reads a file; path NULL: none are expected.
 * @param today  "YYYY-MM-DD"
 * @retval KEEL_ERR_INVALID_ARGUMENT  the message names the line and what is wrong with it
 */
keel_status cli_expect_read(const char *path, const char *today, cli_expectations *out,
                            keel_error *err);

/* Turns the verdict of a report's case into XFAIL or XPASS where an expectation says so. */
void cli_expect_apply(const cli_expectations *expectations, const json_t *device, json_t *entry);

void cli_expect_release(cli_expectations *expectations);

#endif
