/* What a lane makes of the events of its worker. */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "lane_parts.h"
#include "report_format.h"

#define SLOWER_MAX 20 /* times the slowest case of the family so far */

/* Longest silence that is accepted now. */
static int64_t limit_ns(const cli_lane *lane)
{
    if (lane->current < 0) {
        return CLI_START_SECONDS * CLI_SECOND_NS;
    }
    const double least = (double)lane->run->options.limit_seconds;
    const double slower = SLOWER_MAX * lane->longest;
    return (int64_t)((slower > least ? slower : least) * 1e9);
}

static const conf_case *case_at(const cli_lane *lane, int64_t position)
{
    return conf_suite_at(lane->run->suite, lane->run->selection.index[position]);
}

static int take_begin(cli_lane *lane, int64_t position, int64_t now)
{
    if (lane->current >= 0 || position < lane->first || position > lane->last) {
        return 0;
    }
    const char *family = case_at(lane, position)->family;
    if (lane->family == NULL || strcmp(lane->family, family) != 0) {
        lane->family = family;
        lane->longest = 0;
    }
    lane->current = position;
    lane->begun_ns = now;
    return 1;
}

static int take_end(cli_lane *lane, int64_t position, json_t *result)
{
    if (position < 0 || position != lane->current ||
        cli_report_check_result(result, NULL) != KEEL_OK) {
        return 0;
    }
    const double seconds = cli_json_double(result, "seconds");
    lane->longest = seconds > lane->longest ? seconds : lane->longest;
    lane->current = -1;
    lane->lost = cli_result_verdict(result) == CONF_DEVICE_LOST;
    lane->start_failures = 0;
    lane->bad_streak = lane->attempt == 0 ? 0 : lane->bad_streak;
    lane->lost_streak = lane->lost ? lane->lost_streak : 0;
    if (lane->attempt == 0) {
        cli_lane_record(lane, (uint32_t)position, result);
    } else {
        cli_lane_take_second_result(lane, (uint32_t)position, result);
    }
    return 1;
}

static int take_hello(cli_lane *lane, const json_t *event)
{
    json_t *hash = cli_json_hash(conf_suite_list_hash(lane->run->suite));
    const int same = json_equal(hash, json_object_get(event, "list_hash"));
    json_decref(hash);
    json_t *limits = json_object_get(event, "limits");
    if (lane->limits == NULL && json_is_object(limits)) {
        lane->limits = json_incref(limits);
    }
    return same;
}

/* 0 if the event makes no sense. */
static int take_event(cli_lane *lane, const json_t *event, int64_t now)
{
    const char *name = cli_json_text(event, "event");
    const json_t *position = json_object_get(event, "case");
    const int64_t at = json_is_integer(position) ? json_integer_value(position) : -1;
    if (strcmp(name, "hello") == 0) {
        return take_hello(lane, event);
    }
    if (strcmp(name, "begin") == 0) {
        return take_begin(lane, at, now);
    }
    if (strcmp(name, "end") == 0) {
        return take_end(lane, at, json_object_get(event, "result"));
    }
    if (strcmp(name, "bye") == 0) {
        lane->said_bye = 1;
        return 1;
    }
    if (strcmp(name, "error") == 0) {
        (void)snprintf(lane->complaint, sizeof lane->complaint, "%s: %s",
                       cli_json_text(event, "status"), cli_json_text(event, "message"));
        return 1;
    }
    return strcmp(name, "heartbeat") == 0;
}

void cli_lane_read(cli_lane *lane, int64_t now)
{
    while (lane->child.events >= 0) {
        json_t *event = NULL;
        const int received = cli_event_receive(&lane->buffer, lane->child.events, &event);
        if (received == CLI_RECEIVED_NOTHING) {
            return;
        }
        if (received == CLI_RECEIVED_END) {
            const pid_t pid = lane->child.pid; /* its end is seen when it is reaped */
            lane->child.pid = 0;
            cli_child_close(&lane->child);
            lane->child.pid = pid;
            return;
        }
        /* A worker that was told to end is not believed any more. */
        const int running = lane->state == CLI_LANE_RUNNING;
        const int good = running && received == CLI_RECEIVED_EVENT && take_event(lane, event, now);
        json_decref(event);
        if (good) {
            lane->wake_ns = now + limit_ns(lane);
        } else if (running) {
            (void)snprintf(lane->complaint, sizeof lane->complaint,
                           "the worker sent what is no event of this run");
            cli_lane_stop(lane, now);
        }
    }
}
