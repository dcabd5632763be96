/* What all commands share: telling failures, contexts, devices. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_fail(int code, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *at = message; *at != '\0'; ++at) { /* one line, and no terminal escapes */
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = ' ';
        }
    }
    (void)fprintf(stderr, "keel: %s\n", message);
    return code;
}

int cli_exit_code(keel_status status)
{
    switch (status) {
    case KEEL_OK:
        return CLI_EXIT_OK;
    case KEEL_ERR_INVALID_ARGUMENT:
        return CLI_EXIT_USAGE;
    default:
        return CLI_EXIT_INFRASTRUCTURE;
    }
}

int cli_fail_error(const keel_error *err)
{
    return cli_fail(cli_exit_code(err->status), "%s", err->message);
}

static void print_log(void *user, int32_t level, const char *message)
{
    static const char *const names[] = {"", "error", "warning", "info", "debug"};
    (void)user;
    const int known = level > 0 && level < (int32_t)KEEL_COUNT(names);
    (void)fprintf(stderr, "keel: %s: %s\n", known ? names[level] : "log", message);
}

int cli_context_create(const char *backends, keel_context **out_context)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_context_options options = {
        .struct_size = sizeof options, .log = print_log, .backends = backends};
    if (keel_context_create(&options, out_context, &err) != KEEL_OK) {
        return cli_fail_error(&err);
    }
    return CLI_EXIT_OK;
}

int cli_device_open(keel_context *context, const char *id, keel_device **out_device)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_status status = keel_device_open(context, id, out_device, &err);
    if (status == KEEL_ERR_UNAVAILABLE) {
        return cli_fail(CLI_EXIT_INFRASTRUCTURE, "%s (see keel devices --why)", err.message);
    }
    return status == KEEL_OK ? CLI_EXIT_OK : cli_fail_error(&err);
}
