/* Drives the lanes of a run until all have finished. */
#ifndef CLI_SUPERVISOR_H
#define CLI_SUPERVISOR_H

#include "run.h"

/*
 * Works the lanes off, options.jobs at a time. SIGINT, SIGTERM and SIGHUP end the run early: it is
 * then marked as interrupted, and every case has a result all the same. The caller holds signals
 * (held_signals.h), until the report is written.
 */
keel_status cli_supervise(cli_run *run, keel_error *err);

#endif
