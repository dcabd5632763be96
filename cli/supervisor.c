/* The supervisor's loop: signals, events of workers, deadlines. */
#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "held_signals.h"
#include "journal.h"
#include "lane.h"
#include "progress.h"

#define POLL_MS 200 /* the bar moves, and a child's end is seen, at least this often */

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Signals arrive through a descriptor, so that nothing runs in a handler. */
static int open_signals(void)
{
    sigset_t set;
    cli_signals_set(&set);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void read_signals(cli_run *run, int fd, int64_t now)
{
    struct signalfd_siginfo info;
    while (read(fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == (uint32_t)SIGCHLD) {
            continue; /* lanes look for themselves */
        }
        run->interrupted = 1;
        for (uint32_t i = 0; i < run->lane_count; ++i) {
            cli_lane_interrupt(&run->lanes[i], now);
        }
    }
}

/* Whether a lane has begun and is not done: it may be waiting for its next worker. */
static int is_busy(const cli_lane *lane)
{
    return lane->started && lane->state != CLI_LANE_FINISHED;
}

/* Starts lanes whose time has come, jobs at a time; returns how many have not finished. */
static uint32_t start_lanes(cli_run *run, int64_t now)
{
    uint64_t busy = 0;
    uint32_t unfinished = 0;
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        busy += is_busy(&run->lanes[i]) ? 1 : 0;
    }
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        cli_lane *lane = &run->lanes[i];
        const int fresh = !lane->started;
        if (lane->state == CLI_LANE_WAITING && now >= lane->wake_ns &&
            (!fresh || busy < run->options.jobs)) {
            cli_lane_start(lane, now);
            busy += fresh && is_busy(lane) ? 1 : 0;
        }
        unfinished += lane->state != CLI_LANE_FINISHED ? 1 : 0;
    }
    return unfinished;
}

static void wait_for_events(cli_run *run, int signals)
{
    struct pollfd wait[CLI_DEVICES_MAX + 1] = {{.fd = signals, .events = POLLIN}};
    nfds_t count = 1;
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        if (run->lanes[i].child.events >= 0) {
            wait[count++] = (struct pollfd){.fd = run->lanes[i].child.events, .events = POLLIN};
        }
    }
    (void)poll(wait, count, POLL_MS);
}

static cli_tally count(const cli_run *run)
{
    cli_tally sum = {0};
    for (uint32_t i = 0; i < run->lane_count; ++i) {
        sum.done += run->lanes[i].done;
        sum.failed += run->lanes[i].failed;
        sum.all += run->selection.count;
    }
    return sum;
}

keel_status cli_supervise(cli_run *run, keel_error *err)
{
    cli_progress progress;
    const int signals = open_signals();
    if (signals < 0) {
        return keel_fail(err, KEEL_ERR_IO, "no descriptor for signals: %s", strerror(errno));
    }
    cli_progress_start(&progress, run->options.quiet, count(run).done, now_ns());
    while (start_lanes(run, now_ns()) > 0) {
        wait_for_events(run, signals);
        const int64_t now = now_ns();
        read_signals(run, signals, now);
        for (uint32_t i = 0; i < run->lane_count; ++i) {
            cli_lane_read(&run->lanes[i], now);
            cli_lane_tick(&run->lanes[i], now);
        }
        cli_journal_sync(run->journal, 0);
        const cli_tally tally = count(run);
        cli_progress_show(&progress, &tally, now);
    }
    cli_progress_end(&progress);
    (void)close(signals);
    return KEEL_OK;
}
