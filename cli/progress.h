/* Progress on stderr: a bar on a terminal, a plain line every 10 seconds elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdint.h>

/* How far something is. */
typedef struct cli_tally {
    uint32_t done, failed, all;
} cli_tally;

typedef struct cli_progress {
    int terminal;
    int quiet;
    int shown; /* a bar is on the line now */
    int64_t start_ns;
    int64_t next_ns;
    uint32_t done_before; /* by an earlier run: not part of the speed */
} cli_progress;

void cli_progress_start(cli_progress *progress, int quiet, uint32_t done_before, int64_t now);

/* Shows the tally, if it is time. */
void cli_progress_show(cli_progress *progress, const cli_tally *tally, int64_t now);

/* Removes the bar. */
void cli_progress_end(cli_progress *progress);

#endif
