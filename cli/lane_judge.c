/* A lane's verdicts on how workers end. */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "lane_parts.h"

#define LOST_PAUSE_SECONDS 5
#define LOST_MAX 3           /* DEVICE_LOST in a row */
#define START_FAILURES_MAX 3 /* workers in a row that finish nothing */
#define BAD_STREAK_MAX 16    /* crashes and hangs in a row */

/* The worker ended during a case: run it again alone, or take that as its verdict. */
static void judge_end(cli_lane *lane, const char *how, int64_t now)
{
    static const char *const between[] = {"", "", "alone once right, "};
    const uint32_t position = (uint32_t)lane->current;
    if (lane->attempt == 0) {
        (void)snprintf(lane->first_end, sizeof lane->first_end, "%s", how);
        lane->attempt = 1;
        lane->first = position;
        lane->last = position;
        cli_lane_wait(lane, now);
        return;
    }
    char detail[512];
    (void)snprintf(detail, sizeof detail, "first run: %s; alone: %s%s", lane->first_end,
                   between[lane->attempt], how);
    const double seconds = (double)(now - lane->begun_ns) * 1e-9;
    json_t *result = cli_result_bare(lane->blame, detail, seconds);
    cli_lane_record(lane, position, result);
    json_decref(result);
    if (++lane->bad_streak < BAD_STREAK_MAX) {
        cli_lane_wait(lane, now);
    } else {
        cli_lane_give_up(lane, "the device was given up after 16 crashes or hangs in a row");
    }
}

/* The worker ended between cases, and not because it was done. */
static void judge_stray_end(cli_lane *lane, const char *how, int64_t now)
{
    char reason[256];
    if (lane->lost) {
        if (++lane->lost_streak < LOST_MAX) {
            cli_lane_wait(lane, now + LOST_PAUSE_SECONDS * CLI_SECOND_NS);
        } else {
            cli_lane_give_up(lane, "the device was given up after it was lost 3 times in a row");
        }
        return;
    }
    ++lane->start_failures;
    if (lane->complaint[0] == '\0' && lane->start_failures < START_FAILURES_MAX) {
        cli_lane_wait(lane, now);
        return;
    }
    if (lane->complaint[0] != '\0') {
        cli_lane_give_up(lane, lane->complaint);
        return;
    }
    (void)snprintf(reason, sizeof reason, "the worker ended outside of any case with %s", how);
    cli_lane_give_up(lane, reason);
}

void cli_lane_judge(cli_lane *lane, int status, int64_t now)
{
    char how[128];
    cli_child_describe(status, how, sizeof how);
    if (lane->complaint[0] != '\0') {
        (void)snprintf(how, sizeof how, "%.120s", lane->complaint);
    } else if (lane->blame == CONF_TIMEOUT) {
        (void)snprintf(how, sizeof how, "no sign of life for %.0f s",
                       (double)(now - lane->begun_ns) * 1e-9);
    }
    if (lane->stop_asked) {
        cli_lane_finish(lane, "the run was interrupted");
    } else if (lane->current >= 0) {
        judge_end(lane, how, now);
    } else if (lane->said_bye) {
        if (status != 0) { /* all cases are done, yet something is wrong */
            lane->trouble = 1;
            (void)snprintf(lane->note, sizeof lane->note,
                           "a worker ended with %s after its last case", how);
        }
        cli_lane_wait(lane, now);
    } else {
        judge_stray_end(lane, how, now);
    }
}

void cli_lane_take_second_result(cli_lane *lane, uint32_t position, json_t *result)
{
    const int32_t verdict = cli_result_verdict(result);
    char detail[1024];
    const int right =
        !conf_verdict_fails(verdict, 0) && verdict != CONF_DEVICE_LOST && verdict != CONF_OOM;
    if (right && lane->attempt == 1) {
        lane->attempt = 2;
        return;
    }
    (void)snprintf(detail, sizeof detail, "first run: %s; alone%s: %s %.400s", lane->first_end,
                   right ? ", twice" : "", conf_verdict_name(verdict),
                   cli_json_text(result, "detail"));
    (void)json_object_set_new(result, "detail", cli_json_string(detail));
    if (right) {
        (void)json_object_set_new(result, "verdict", json_string(conf_verdict_name(CONF_FLAKE)));
    }
    cli_lane_record(lane, position, result);
}
