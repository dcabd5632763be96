/*
 * Events between a worker and the supervisor: one JSON object per line. The supervisor trusts
 * nothing that arrives: a worker may have been overwritten by what it tests.
 *
 *   {"event":"hello","list_hash":"...","limits":{...}}   the device is open
 *   {"event":"begin","case":3}                           position in the selection
 *   {"event":"heartbeat"}
 *   {"event":"end","case":3,"result":{...}}
 *   {"event":"bye"}                                      all cases that were asked for are done
 *   {"event":"error","status":"UNAVAILABLE","message":"..."}
 *   {"event":"probe","probe":{...}}
 */
#ifndef CLI_EVENTS_H
#define CLI_EVENTS_H

#include <jansson.h>
#include <stddef.h>

/* Longest line: a result with 64 worst elements takes about 20 KiB, a load report more. */
#define CLI_EVENT_MAX_BYTES ((size_t)4 << 20)

/* Sends an event (its reference is taken); 0 if the other side is gone. */
int cli_event_send(int fd, json_t *event);

/* Lines received so far. Start with {0}. */
typedef struct cli_event_buffer {
    char *data;
    size_t used;
    size_t capacity;
} cli_event_buffer;

#define CLI_RECEIVED_NOTHING 0 /* for now */
#define CLI_RECEIVED_EVENT 1   /* *out_event holds it; json_decref() it */
#define CLI_RECEIVED_END 2     /* the other side has closed */
#define CLI_RECEIVED_GARBAGE 3 /* a line that is no event */

/* Takes the next event, reading from the non-blocking fd as needed. */
int cli_event_receive(cli_event_buffer *buffer, int fd, json_t **out_event);

void cli_event_buffer_release(cli_event_buffer *buffer);

#endif
