/* Progress of a run. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define TERMINAL_PERIOD_NS INT64_C(200000000)
#define PLAIN_PERIOD_NS INT64_C(10000000000)

void cli_progress_start(cli_progress *progress, int quiet, uint32_t done_before, int64_t now)
{
    *progress = (cli_progress){.terminal = isatty(STDERR_FILENO),
                               .quiet = quiet,
                               .start_ns = now,
                               .done_before = done_before};
    progress->next_ns = progress->terminal ? now : now + PLAIN_PERIOD_NS;
}

/* "12 s" or "3 min 20 s"; "?" while nothing is done yet. */
static void format_eta(const cli_progress *progress, const cli_tally *tally, int64_t now,
                       char out[32])
{
    const uint32_t done = tally->done - progress->done_before;
    if (done == 0) {
        (void)snprintf(out, 32, "?");
        return;
    }
    const double elapsed = (double)(now - progress->start_ns) * 1e-9;
    const long left = (long)(elapsed / done * (tally->all - tally->done) + 0.5);
    if (left < 60) {
        (void)snprintf(out, 32, "%ld s", left);
    } else {
        (void)snprintf(out, 32, "%ld min %ld s", left / 60, left % 60);
    }
}

void cli_progress_show(cli_progress *progress, const cli_tally *tally, int64_t now)
{
    if (progress->quiet || now < progress->next_ns) {
        return;
    }
    char eta[32];
    format_eta(progress, tally, now, eta);
    if (progress->terminal) {
        char bar[BAR_WIDTH + 1];
        const uint32_t filled =
            tally->all > 0 ? (uint32_t)((uint64_t)tally->done * BAR_WIDTH / tally->all) : 0;
        memset(bar, '.', BAR_WIDTH);
        memset(bar, '#', filled);
        bar[BAR_WIDTH] = '\0';
        (void)fprintf(stderr, "\r[%s] %u/%u done, %u failed, ETA %s\033[K", bar, tally->done,
                      tally->all, tally->failed, eta);
        (void)fflush(stderr);
        progress->shown = 1;
        progress->next_ns = now + TERMINAL_PERIOD_NS;
    } else {
        (void)fprintf(stderr, "%u/%u done, %u failed, ETA %s\n", tally->done, tally->all,
                      tally->failed, eta);
        progress->next_ns = now + PLAIN_PERIOD_NS;
    }
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        progress->shown = 0;
    }
}
