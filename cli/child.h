/* A worker process: "keel worker ..." in a process group of its own, with a pipe for its events. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <sys/types.h>

#include "keel/keel.h"

/* File number at which the worker finds the pipe. */
#define CLI_EVENTS_FD 3

typedef struct cli_child {
    pid_t pid;  /* 0: none */
    int events; /* read end, non-blocking */
} cli_child;

/*
 * Starts this program again (posix_spawn of /proc/self/exe).
 *
 * @param argv      ends with NULL; argv[0] is the program's name
 * @param log_path  file that its output is appended to; NULL: stdout is dropped, stderr shared
 */
keel_status cli_child_start(const char *const *argv, const char *log_path, cli_child *out_child,
                            keel_error *err);

/* Sends a signal to the whole process group. */
void cli_child_signal(const cli_child *child, int signal_number);

/* Stops the whole group (SIGSTOP): 0 if it does not stop within 0.1 s. SIGCONT goes on in any case.
 */
int cli_child_pause(const cli_child *child);

/*
 * Whether it has ended; then what is left of its group is killed, the pipe stays open to be read
 * to its end, and *out_status is as waitpid() gives it.
 */
int cli_child_reap(cli_child *child, int *out_status);

void cli_child_close(cli_child *child);

/* "exit code 3" or "signal 11 (Segmentation fault)". */
void cli_child_describe(int status, char *out, size_t capacity);

#endif
