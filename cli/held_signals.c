/* Blocking signals while a run is under way. */
#include "held_signals.h"

#include <stddef.h>

void cli_signals_set(sigset_t *out_set)
{
    (void)sigemptyset(out_set);
    (void)sigaddset(out_set, SIGCHLD);
    (void)sigaddset(out_set, SIGINT);
    (void)sigaddset(out_set, SIGTERM);
    (void)sigaddset(out_set, SIGHUP);
}

void cli_signals_hold(cli_held_signals *out_held)
{
    sigset_t set;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    cli_signals_set(&set);
    (void)sigprocmask(SIG_BLOCK, &set, &out_held->before);
    (void)sigaction(SIGPIPE, &ignore, &out_held->pipe_before);
}

void cli_signals_release(const cli_held_signals *held)
{
    (void)sigaction(SIGPIPE, &held->pipe_before, NULL);
    (void)sigprocmask(SIG_SETMASK, &held->before, NULL);
}
