/* Sending and receiving events, one JSON object per line. */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)

static int write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t done = write(fd, data, bytes);
        if (done < 0 && errno != EINTR) {
            return 0;
        }
        if (done > 0) {
            data += done;
            bytes -= (size_t)done;
        }
    }
    return 1;
}

int cli_event_send(int fd, json_t *event)
{
    char *text = event != NULL ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(event);
    if (text == NULL) {
        return 0;
    }
    const size_t length = strlen(text);
    text[length] = '\n'; /* in place of the final 0: the line goes out in one write */
    const int good = write_all(fd, text, length + 1);
    free(text);
    return good;
}

/* The first whole line as an event; NOTHING if there is none yet. */
static int take_line(cli_event_buffer *buffer, json_t **out_event)
{
    char *end = buffer->used > 0 ? memchr(buffer->data, '\n', buffer->used) : NULL;
    if (end == NULL) {
        return buffer->used < CLI_EVENT_MAX_BYTES ? CLI_RECEIVED_NOTHING : CLI_RECEIVED_GARBAGE;
    }
    const size_t length = (size_t)(end - buffer->data);
    *out_event = json_loadb(buffer->data, length, JSON_REJECT_DUPLICATES, NULL);
    buffer->used -= length + 1;
    memmove(buffer->data, end + 1, buffer->used);
    if (!json_is_string(json_object_get(*out_event, "event"))) {
        json_decref(*out_event);
        *out_event = NULL;
        return CLI_RECEIVED_GARBAGE;
    }
    return CLI_RECEIVED_EVENT;
}

static int make_room(cli_event_buffer *buffer)
{
    if (buffer->capacity - buffer->used >= READ_BYTES) {
        return 1;
    }
    const size_t capacity = buffer->capacity * 2 + READ_BYTES;
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        return 0;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return 1;
}

int cli_event_receive(cli_event_buffer *buffer, int fd, json_t **out_event)
{
    *out_event = NULL;
    for (;;) {
        const int taken = take_line(buffer, out_event);
        if (taken != CLI_RECEIVED_NOTHING) {
            return taken;
        }
        if (!make_room(buffer)) {
            return CLI_RECEIVED_GARBAGE;
        }
        const ssize_t got = read(fd, buffer->data + buffer->used, READ_BYTES);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 && errno == EAGAIN ? CLI_RECEIVED_NOTHING : CLI_RECEIVED_END;
        }
        buffer->used += (size_t)got;
    }
}

void cli_event_buffer_release(cli_event_buffer *buffer)
{
    free(buffer->data);
    *buffer = (cli_event_buffer){0};
}
