/* A lane: its results, starting workers, ending them in time. */
#include "lane.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"
#include "json.h"
#include "lane_parts.h"
#include "worker_log.h"

#define TERM_SECONDS 2  /* from SIGTERM to SIGKILL */
#define KILL_SECONDS 10 /* from SIGKILL to giving the device up */

keel_status cli_lane_init(cli_lane *lane, const cli_run *run, const char *device, keel_error *err)
{
    *lane = (cli_lane){.run = run, .child = {.events = -1}, .current = -1};
    (void)snprintf(lane->device, sizeof lane->device, "%s", device);
    lane->results = calloc((size_t)run->selection.count + 1, sizeof(json_t *));
    return lane->results != NULL
               ? KEEL_OK
               : keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory for the results of %u cases",
                           run->selection.count);
}

void cli_lane_release(cli_lane *lane)
{
    for (uint32_t i = 0; lane->results != NULL && i < lane->run->selection.count; ++i) {
        json_decref(lane->results[i]);
    }
    free(lane->results);
    json_decref(lane->limits);
    cli_child_close(&lane->child);
    cli_event_buffer_release(&lane->buffer);
    *lane = (cli_lane){.child = {.events = -1}};
}

void cli_lane_restore(cli_lane *lane, uint32_t position, json_t *result)
{
    if (lane->results[position] == NULL) {
        lane->results[position] = json_incref(result);
        ++lane->done;
        lane->failed += conf_verdict_fails(cli_result_verdict(result), 0) ? 1 : 0;
    }
}

void cli_lane_record(cli_lane *lane, uint32_t position, json_t *result)
{
    cli_lane_restore(lane, position, result);
    cli_journal_add(lane->run->journal, lane->device, position, result);
    lane->attempt = 0;
}

void cli_lane_finish(cli_lane *lane, const char *reason)
{
    for (uint32_t i = 0; i < lane->run->selection.count; ++i) {
        if (lane->results[i] == NULL) {
            lane->results[i] = cli_result_bare(CONF_NOT_RUN, reason, 0);
        }
    }
    lane->state = CLI_LANE_FINISHED;
}

void cli_lane_give_up(cli_lane *lane, const char *reason)
{
    lane->trouble = 1;
    (void)snprintf(lane->note, sizeof lane->note, "%s", reason);
    cli_lane_finish(lane, reason);
}

void cli_lane_wait(cli_lane *lane, int64_t wake_ns)
{
    lane->state = CLI_LANE_WAITING;
    lane->wake_ns = wake_ns;
}

/* The first positions in a row without a result; 0 if there are none. */
static int find_work(cli_lane *lane)
{
    const uint32_t count = lane->run->selection.count;
    uint32_t first = 0;
    while (first < count && lane->results[first] != NULL) {
        ++first;
    }
    uint32_t end = first;
    while (end < count && lane->results[end] == NULL) {
        ++end;
    }
    lane->first = first;
    lane->last = end - 1;
    return end > first;
}

static keel_status start_worker(cli_lane *lane, keel_error *err)
{
    const cli_run_options *options = &lane->run->options;
    char seed[24];
    char shard[48];
    char cases[32];
    char log[4096];
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
    (void)snprintf(shard, sizeof shard, "%llu/%llu", (unsigned long long)options->shard,
                   (unsigned long long)options->shards);
    (void)snprintf(cases, sizeof cases, "%u-%u", lane->first, lane->last);
    cli_worker_log_path(options->out, lane->device, log, sizeof log);
    const char *const argv[] = {"keel",
                                "worker",
                                "--device",
                                lane->device,
                                "--tier",
                                conf_tier_name(options->tier),
                                "--seed",
                                seed,
                                "--shard",
                                shard,
                                "--cases",
                                cases,
                                "--filter",
                                options->filter != NULL ? options->filter : "*",
                                options->variant != NULL ? "--variant" : NULL,
                                options->variant,
                                NULL};
    return cli_child_start(argv, log, &lane->child, err);
}

void cli_lane_start(cli_lane *lane, int64_t now)
{
    keel_error err = KEEL_ERROR_INIT;
    lane->started = 1;
    if (lane->attempt == 0 && !find_work(lane)) {
        cli_lane_finish(lane, "");
        return;
    }
    if (start_worker(lane, &err) != KEEL_OK) {
        cli_lane_give_up(lane, err.message);
        return;
    }
    lane->state = CLI_LANE_RUNNING;
    lane->wake_ns = now + CLI_START_SECONDS * CLI_SECOND_NS;
    lane->current = -1;
    lane->said_bye = 0;
    lane->lost = 0;
    lane->signals = 0;
    lane->blame = CONF_CRASH;
    lane->complaint[0] = '\0';
}

void cli_lane_stop(cli_lane *lane, int64_t now)
{
    cli_child_signal(&lane->child, SIGTERM);
    lane->state = CLI_LANE_STOPPING;
    lane->signals = 1;
    lane->wake_ns = now + TERM_SECONDS * CLI_SECOND_NS;
}

static void act_on_deadline(cli_lane *lane, int64_t now)
{
    if (lane->state == CLI_LANE_RUNNING) {
        if (lane->current >= 0) {
            lane->blame = CONF_TIMEOUT;
        } else {
            (void)snprintf(lane->complaint, sizeof lane->complaint,
                           "the worker gave no sign of life for %d s outside of any case",
                           CLI_START_SECONDS);
        }
        cli_lane_stop(lane, now);
    } else if (lane->signals == 1) {
        cli_child_signal(&lane->child, SIGKILL);
        lane->signals = 2;
        lane->wake_ns = now + KILL_SECONDS * CLI_SECOND_NS;
    } else {
        lane->child.pid = 0; /* in the kernel, beyond any signal: it stays behind */
        cli_child_close(&lane->child);
        cli_lane_give_up(lane, "the device was given up: its worker cannot be killed");
    }
}

/*
 * Looks after the log once a second, and when the worker has ended. A worker that goes on waits
 * meanwhile: what it printed between the reading and the cut would be lost.
 */
static void trim_log(cli_lane *lane, int64_t now, int ended)
{
    char log[4096];
    if (!ended && now - lane->log_seen_ns <= CLI_SECOND_NS) {
        return;
    }
    lane->log_seen_ns = now;
    cli_worker_log_path(lane->run->options.out, lane->device, log, sizeof log);
    if (!cli_worker_log_is_long(log)) {
        return;
    }
    if (ended || cli_child_pause(&lane->child)) {
        cli_worker_log_trim(log);
    }
    cli_child_signal(&lane->child, SIGCONT);
}

void cli_lane_tick(cli_lane *lane, int64_t now)
{
    int status = 0;
    if (lane->state != CLI_LANE_RUNNING && lane->state != CLI_LANE_STOPPING) {
        return;
    }
    const int ended = cli_child_reap(&lane->child, &status);
    trim_log(lane, now, ended);
    if (ended) {
        cli_lane_read(lane, now); /* what it sent before it ended */
        cli_child_close(&lane->child);
        cli_event_buffer_release(&lane->buffer);
        cli_lane_judge(lane, status, now);
    } else if (now >= lane->wake_ns) {
        act_on_deadline(lane, now);
    }
}

void cli_lane_interrupt(cli_lane *lane, int64_t now)
{
    lane->stop_asked = 1;
    if (lane->state == CLI_LANE_WAITING) {
        cli_lane_finish(lane, "the run was interrupted");
    } else if (lane->state == CLI_LANE_RUNNING) {
        cli_lane_stop(lane, now);
    }
}
