/* What a running case works with, and how it says what it found. */
#ifndef CONF_ENV_H
#define CONF_ENV_H

#include "suite.h"

typedef struct conf_env {
    const conf_case *info;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    uint64_t seed;
    const char *variant; /* NULL: the best */
    void (*heartbeat)(void *user);
    void *heartbeat_user;
} conf_env;

/* Whether the device computes the contracts' truth itself. */
int32_t conf_env_is_oracle(const conf_env *env);

void conf_env_heartbeat(const conf_env *env);

/*
 * Sets the verdict and the detail, unless a verdict that is no PASS was set before: the first cause
 * is the one to report. Gives 0, so that "return conf_say(...)" ends a check.
 */
__attribute__((format(printf, 3, 4))) int32_t conf_say(conf_result *result, int32_t verdict,
                                                       const char *format, ...);

/* FAIL with the detail unless condition holds; gives the condition. */
__attribute__((format(printf, 3, 4))) int32_t conf_expect(conf_result *result, int32_t condition,
                                                          const char *format, ...);

/* What a call needs of a device, to tell legal refusals from others. */
typedef struct conf_demand {
    int32_t fp64; /* an operand is F64 */
    int32_t pad;
    uint64_t buffer_bytes; /* largest allocation */
} conf_demand;

/*
 * Turns a failed call into a verdict: UNSUPPORTED is declared if the device lacks fp64 or such
 * buffers and the call needs them, and undeclared otherwise; exhausted memory is OOM, or NOT_RUN if
 * the device said that it has no such buffers. Anything else is a FAIL. Gives 0 if err holds a
 * failure, 1 if not.
 */
int32_t conf_check_status(const conf_env *env, const conf_demand *demand, const keel_error *err,
                          conf_result *result);

/*
 * A call that must be refused: with this status, and a message that is one sentence without a full
 * stop. Gives 1 if it was.
 */
int32_t conf_expect_refusal(conf_result *result, keel_status got, keel_status want,
                            const keel_error *err, const char *what);

#endif
