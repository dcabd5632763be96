/* Verdicts from statuses and conditions. */
#include "env.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int32_t conf_env_is_oracle(const conf_env *env)
{
    return (keel_device_get_info(env->device)->flags & KEEL_DEVICE_ORACLE) != 0;
}

void conf_env_heartbeat(const conf_env *env)
{
    if (env->heartbeat != NULL) {
        env->heartbeat(env->heartbeat_user);
    }
}

static void say(conf_result *result, int32_t verdict, const char *format, va_list args)
{
    if (result->verdict == CONF_PASS) {
        result->verdict = verdict;
        (void)vsnprintf(result->detail, sizeof result->detail, format, args);
    }
}

int32_t conf_say(conf_result *result, int32_t verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(result, verdict, format, args);
    va_end(args);
    return 0;
}

int32_t conf_expect(conf_result *result, int32_t condition, const char *format, ...)
{
    if (!condition) {
        va_list args;
        va_start(args, format);
        say(result, CONF_FAIL, format, args);
        va_end(args);
    }
    return condition;
}

static int32_t say_unsupported(const conf_env *env, const conf_demand *demand,
                               const keel_error *err, conf_result *result)
{
    const keel_limits *limits = keel_device_get_limits(env->device);
    if (env->variant != NULL) {
        return conf_say(result, CONF_UNSUPPORTED_DECLARED, "asked for %s: %s", env->variant,
                        err->message);
    }
    if (demand->fp64 && (limits->flags & KEEL_LIMIT_FP64) == 0) {
        return conf_say(result, CONF_UNSUPPORTED_DECLARED, "the device has no fp64");
    }
    if (demand->buffer_bytes > limits->max_buffer_bytes) {
        return conf_say(result, CONF_UNSUPPORTED_DECLARED,
                        "needs a buffer of %llu bytes; the device allows %llu",
                        (unsigned long long)demand->buffer_bytes,
                        (unsigned long long)limits->max_buffer_bytes);
    }
    return conf_say(result, CONF_UNSUPPORTED_UNDECLARED,
                    "refused without a legal cause (no fp64, an allocation limit): %s",
                    err->message);
}

int32_t conf_check_status(const conf_env *env, const conf_demand *demand, const keel_error *err,
                          conf_result *result)
{
    const keel_limits *limits = keel_device_get_limits(env->device);
    switch (err->status) {
    case KEEL_OK:
        return 1;
    case KEEL_ERR_UNSUPPORTED:
        return say_unsupported(env, demand, err, result);
    case KEEL_ERR_OUT_OF_MEMORY:
        if (demand->buffer_bytes > limits->max_buffer_bytes) {
            return conf_say(result, CONF_NOT_RUN,
                            "needs a buffer of %llu bytes; the device allows %llu",
                            (unsigned long long)demand->buffer_bytes,
                            (unsigned long long)limits->max_buffer_bytes);
        }
        return conf_say(result, CONF_OOM, "%s", err->message);
    case KEEL_ERR_DEVICE_LOST:
        return conf_say(result, CONF_DEVICE_LOST, "%s", err->message);
    default:
        return conf_say(result, CONF_FAIL, "status %s: %s", keel_status_name(err->status),
                        err->message);
    }
}

int32_t conf_expect_refusal(conf_result *result, keel_status got, keel_status want,
                            const keel_error *err, const char *what)
{
    if (!conf_expect(result, got == want, "%s: status %s instead of %s%s%s", what,
                     keel_status_name(got), keel_status_name(want),
                     err->message[0] != '\0' ? ": " : "", err->message)) {
        return 0;
    }
    const size_t length = strlen(err->message);
    return conf_expect(result, err->status == got, "%s: returns %s but the error holds %s", what,
                       keel_status_name(got), keel_status_name(err->status)) &&
           conf_expect(result, length > 0, "%s: refused without a message", what) &&
           conf_expect(result, err->message[length - 1] != '.',
                       "%s: message ends in a full stop: %s", what, err->message) &&
           conf_expect(result,
                       !isupper((unsigned char)err->message[0]) ||
                           isupper((unsigned char)err->message[1]),
                       "%s: message starts with a capital: %s", what, err->message);
}
