/* Keeping signals from ending the program between two points. */
#ifndef CLI_HELD_SIGNALS_H
#define CLI_HELD_SIGNALS_H

#include <signal.h>

typedef struct cli_held_signals {
    sigset_t before;
    struct sigaction pipe_before;
} cli_held_signals;

/*
 * Blocks SIGCHLD, SIGINT, SIGTERM and SIGHUP, which can then be read from a descriptor, and ignores
 * SIGPIPE: a run goes on to its report when nobody reads its progress any more.
 */
void cli_signals_hold(cli_held_signals *out_held);

/* Back to what it was; a signal that nobody read takes effect now. */
void cli_signals_release(const cli_held_signals *held);

/* The signals that are blocked. */
void cli_signals_set(sigset_t *out_set);

#endif
