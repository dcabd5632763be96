/*
 * What all commands of the program share: exit codes, the table of commands, and how a failure is
 * told. Data goes to stdout; everything else goes to stderr, one line each.
 */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <stdint.h>

#include "keel/keel.h"

/* Exit codes; docs/command-line.md is their documentation. */
#define CLI_EXIT_OK 0
#define CLI_EXIT_FAILED 1         /* a conformance case failed */
#define CLI_EXIT_USAGE 2          /* unknown option, bad value, unreadable input */
#define CLI_EXIT_INFRASTRUCTURE 3 /* the machine failed, or the device was lost */
#define CLI_EXIT_NOTHING 4        /* nothing was run */
#define CLI_EXIT_FLAKES 6         /* flakes only, under --strict */
#define CLI_EXIT_INTERRUPTED 130

/* One command: its run() gets argv[0] = its name and returns an exit code. */
typedef struct cli_command {
    const char *name;
    const char *summary; /* one line for "keel --help"; NULL: hidden */
    int (*run)(int argc, char **argv);
} cli_command;

int cli_cmd_bench(int argc, char **argv);
int cli_cmd_conformance(int argc, char **argv);
int cli_cmd_devices(int argc, char **argv);
int cli_cmd_info(int argc, char **argv);
int cli_cmd_kernel(int argc, char **argv);
int cli_cmd_op(int argc, char **argv);
int cli_cmd_ops(int argc, char **argv);
int cli_cmd_report(int argc, char **argv);
int cli_cmd_worker(int argc, char **argv);

/* Prints "keel: " and the message as one line on stderr; returns code. */
__attribute__((format(printf, 2, 3))) int cli_fail(int code, const char *format, ...);

/* Exit code that a failed library call maps to. */
int cli_exit_code(keel_status status);

/* Prints the error's message; returns its exit code. */
int cli_fail_error(const keel_error *err);

/* Creates a context whose messages of level KEEL_LOG go to stderr; prints the failure itself. */
int cli_context_create(const char *backends, keel_context **out_context);

/*
 * Opens a device (NULL: the default). On failure prints the reason, and for an accelerator that is
 * missing where to look; returns the exit code.
 */
int cli_device_open(keel_context *context, const char *id, keel_device **out_device);

#endif
