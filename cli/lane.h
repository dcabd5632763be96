/*
 * A lane: the cases of one device, worked off by one worker process at a time. The lane decides
 * what a crash, a hang or a lost device means, and goes on.
 *
 * A case during which the worker dies or gives no sign of life is run twice more, alone, each time
 * in a fresh process: dead again is CRASH or TIMEOUT, right both times is FLAKE, anything else is
 * what it says. Then the lane goes on with the next case.
 */
#ifndef CLI_LANE_H
#define CLI_LANE_H

#include "child.h"
#include "events.h"
#include "run.h"

typedef enum cli_lane_state {
    CLI_LANE_WAITING,  /* start a worker, not before wake_ns */
    CLI_LANE_RUNNING,  /* a worker is at it; silent until wake_ns is too long */
    CLI_LANE_STOPPING, /* the worker was told to end; at wake_ns it is told again */
    CLI_LANE_FINISHED
} cli_lane_state;

typedef struct cli_lane {
    const cli_run *run;
    char device[96];  /* id */
    json_t **results; /* per position of the selection; NULL: none yet */
    json_t *limits;   /* of the device, once it was opened; or NULL */
    uint32_t done;
    uint32_t failed; /* of those, for the progress line */
    cli_lane_state state;
    int started; /* it has had a worker */
    int64_t wake_ns;
    int64_t log_seen_ns; /* when the length of its log was looked at */

    cli_child child;
    cli_event_buffer buffer;
    uint32_t first, last; /* positions that the worker was given */
    int64_t current;      /* position it is at; -1: between cases */
    int64_t begun_ns;     /* when it began that */
    int32_t blame;        /* verdict for the current case if the worker ends: CRASH or TIMEOUT */
    int signals;          /* sent to end it: 1 SIGTERM, 2 SIGKILL */
    int said_bye;         /* it did all it was given */
    int lost;             /* its last result was DEVICE_LOST */
    char complaint[512];  /* why there is no use in trying again; "": nothing known */
    const char *family;   /* of the case it is at */
    double longest;       /* seconds of the slowest case of that family so far */

    uint32_t attempt;        /* 0: first run; 1, 2: the case at `first`, alone */
    char first_end[160];     /* how the first run ended */
    uint32_t bad_streak;     /* crashes and hangs in a row */
    uint32_t lost_streak;    /* DEVICE_LOST in a row */
    uint32_t start_failures; /* workers in a row that finished no case */

    int stop_asked; /* by the user */
    int trouble;    /* work was left undone, or a worker ended badly: exit code 3 */
    char note[512]; /* what the trouble was */
} cli_lane;

keel_status cli_lane_init(cli_lane *lane, const cli_run *run, const char *device, keel_error *err);
void cli_lane_release(cli_lane *lane);

/* A result that an earlier run has found; the lane takes a reference. */
void cli_lane_restore(cli_lane *lane, uint32_t position, json_t *result);

/* WAITING and its time has come: starts a worker, or finishes. */
void cli_lane_start(cli_lane *lane, int64_t now);

/* Takes the events that are there. */
void cli_lane_read(cli_lane *lane, int64_t now);

/* Reaps the worker if it has ended, and acts on a deadline that has passed. */
void cli_lane_tick(cli_lane *lane, int64_t now);

/* The user wants to stop: ends the worker; what is not done stays so. */
void cli_lane_interrupt(cli_lane *lane, int64_t now);

#endif
