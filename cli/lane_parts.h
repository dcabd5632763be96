/* What the files of a lane share: lane.c (processes), lane_judge.c (verdicts), lane_events.c. */
#ifndef CLI_LANE_PARTS_H
#define CLI_LANE_PARTS_H

#include "lane.h"

#define CLI_SECOND_NS INT64_C(1000000000)
#define CLI_START_SECONDS 120 /* to open a device, and between cases */

/* Takes the result as the case's verdict. */
void cli_lane_record(cli_lane *lane, uint32_t position, json_t *result);

/* Ends the lane. What has no result yet is NOT_RUN; the journal does not hold that. */
void cli_lane_finish(cli_lane *lane, const char *reason);

/* Ends the lane because of the machine, not of the user. */
void cli_lane_give_up(cli_lane *lane, const char *reason);

/* The next worker is started not before wake_ns. */
void cli_lane_wait(cli_lane *lane, int64_t wake_ns);

/* Tells the worker to end. */
void cli_lane_stop(cli_lane *lane, int64_t now);

/* The worker has ended: decides what that means and what comes next. */
void cli_lane_judge(cli_lane *lane, int status, int64_t now);

/* The case crashed or hung at first and has now ended when run alone. */
void cli_lane_take_second_result(cli_lane *lane, uint32_t position, json_t *result);

#endif
