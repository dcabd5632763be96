/*
 * A walk through all that an application does with a device, by libkeel's public functions, over
 * the simulated runtimes; and where it failed.
 */
#ifndef WALK_H
#define WALK_H

#include "keel/keel.h"
#include "keel_test.h"

/* In the order in which they are walked. */
typedef enum walk_step {
    WALK_OPEN,
    WALK_QUEUE,
    WALK_ALLOC,
    WALK_WRITE,
    WALK_FILL,
    WALK_BUILD,
    WALK_LAUNCH,
    WALK_SYNCHRONIZE,
    WALK_EVENT,
    WALK_READ,
    WALK_DONE, /* nothing failed, and the results are right */
} walk_step;

const char *walk_step_name(walk_step step);

typedef struct walk {
    walk_step failed;
    keel_error err;
} walk;

/*
 * Walks through a device of a context until something fails, and gives everything back in any case.
 * Wrong results fail the test.
 */
walk walk_device(keel_context *context, const char *device);

/* Starts the simulated runtimes afresh, and a context on them. */
keel_context *walk_start(const char *options);

/* Messages that the context has logged since it was made, one after another. */
const char *walk_log(void);

/* Whether the load report has a line about a subject whose reason contains words. */
int walk_report_mentions(keel_context *context, const char *subject, const char *words);

/* The device walks to its end; says why if it does not. */
void walk_expect_done(keel_context *context, const char *device);

#endif
