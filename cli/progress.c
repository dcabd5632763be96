/* Progress of a run. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lane.h"

#define BAR_WIDTH 30
#define TERMINAL_PERIOD_NS INT64_C(200000000)
#define PLAIN_PERIOD_NS INT64_C(10000000000)

typedef struct tally {
    uint32_t done, failed, all;
} tally;

static tally count(const cli_run *run)
{
    tally sum = {0};
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        sum.done += run->lanes[i].done;
        sum.failed += run->lanes[i].failed;
        sum.all += run->selection.count;
    }
    return sum;
}

void cli_progress_start(cli_progress *progress, const cli_run *run, int64_t now)
{
    *progress = (cli_progress){.terminal = isatty(STDERR_FILENO),
                               .quiet = run->options.quiet,
                               .start_ns = now,
                               .done_before = count(run).done};
    progress->next_ns = progress->terminal ? now : now + PLAIN_PERIOD_NS;
}

/* "12 s" or "3 min 20 s"; "?" while nothing is done yet. */
static void format_eta(const cli_progress *progress, tally sum, int64_t now, char out[32])
{
    const uint32_t done = sum.done - progress->done_before;
    if (done == 0) {
        (void)snprintf(out, 32, "?");
        return;
    }
    const double elapsed = (double)(now - progress->start_ns) * 1e-9;
    const long left = (long)(elapsed / done * (sum.all - sum.done) + 0.5);
    if (left < 60) {
        (void)snprintf(out, 32, "%ld s", left);
    } else {
        (void)snprintf(out, 32, "%ld min %ld s", left / 60, left % 60);
    }
}

void cli_progress_show(cli_progress *progress, const cli_run *run, int64_t now)
{
    if (progress->quiet || now < progress->next_ns) {
        return;
    }
    const tally sum = count(run);
    char eta[32];
    format_eta(progress, sum, now, eta);
    if (progress->terminal) {
        char bar[BAR_WIDTH + 1];
        const uint32_t filled =
            sum.all > 0 ? (uint32_t)((uint64_t)sum.done * BAR_WIDTH / sum.all) : 0;
        memset(bar, '.', BAR_WIDTH);
        memset(bar, '#', filled);
        bar[BAR_WIDTH] = '\0';
        (void)fprintf(stderr, "\r[%s] %u/%u done, %u failed, ETA %s\033[K", bar, sum.done, sum.all,
                      sum.failed, eta);
        (void)fflush(stderr);
        progress->shown = 1;
        progress->next_ns = now + TERMINAL_PERIOD_NS;
    } else {
        (void)fprintf(stderr, "%u/%u done, %u failed, ETA %s\n", sum.done, sum.all, sum.failed,
                      eta);
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
