/* What every CMocka test includes: CMocka with the headers it needs first, and status assertions.
 */
#ifndef KEEL_TEST_H
#define KEEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "keel/status.h"

/* Exit code of a test program that cannot run here; print why before. */
#define KEEL_TEST_SKIP 77

/* The expression gives the expected status; Keel's own words are shown when it does not. */
#define assert_status(err, expression, expected)                                  \
    do {                                                                          \
        const keel_status got_status_ = (expression);                             \
        if (got_status_ != (expected)) {                                          \
            print_error("got status %d: %s\n", (int)got_status_, (err)->message); \
        }                                                                         \
        assert_int_equal(got_status_, (expected));                                \
    } while (0)

#define assert_ok(err, expression) assert_status(err, expression, KEEL_OK)

/* The message of an error contains the text; both are shown when it does not. */
#define assert_mentions(err, text)                                         \
    do {                                                                   \
        if (strstr((err)->message, (text)) == NULL) {                      \
            print_error("\"%s\" is not in: %s\n", (text), (err)->message); \
        }                                                                  \
        assert_non_null(strstr((err)->message, (text)));                   \
    } while (0)

#endif
