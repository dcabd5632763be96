/* Events through a pipe: whole lines, cut ones, and what is no event. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "events.h"
#include "keel_test.h"

typedef struct wire {
    int read, write;
    cli_event_buffer buffer;
} wire;

static int make_wire(void **state)
{
    static wire self;
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) {
        return -1;
    }
    self = (wire){.read = ends[0], .write = ends[1]};
    *state = &self;
    return 0;
}

static int drop_wire(void **state)
{
    wire *self = *state;
    cli_event_buffer_release(&self->buffer);
    (void)close(self->read);
    (void)close(self->write);
    return 0;
}

static int receive(wire *self, json_t **out_event)
{
    return cli_event_receive(&self->buffer, self->read, out_event);
}

static void put(const wire *self, const char *text)
{
    assert_int_equal(write(self->write, text, strlen(text)), strlen(text));
}

static void what_is_sent_arrives_in_order(void **state)
{
    wire *self = *state;
    json_t *event;
    assert_true(cli_event_send(self->write, json_pack("{s:s, s:i}", "event", "begin", "case", 1)));
    assert_true(cli_event_send(self->write, json_pack("{s:s, s:i}", "event", "begin", "case", 2)));
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(receive(self, &event), CLI_RECEIVED_EVENT);
        assert_int_equal(json_integer_value(json_object_get(event, "case")), i);
        json_decref(event);
    }
    assert_int_equal(receive(self, &event), CLI_RECEIVED_NOTHING);
}

static void a_line_may_come_in_pieces(void **state)
{
    wire *self = *state;
    json_t *event;
    put(self, "{\"event\":");
    assert_int_equal(receive(self, &event), CLI_RECEIVED_NOTHING);
    put(self, "\"bye\"}\n");
    assert_int_equal(receive(self, &event), CLI_RECEIVED_EVENT);
    json_decref(event);
}

static void what_is_no_event_is_garbage(void **state)
{
    wire *self = *state;
    static const char *const lines[] = {
        "\n",         "hello\n", "[1]\n", "{\"event\":1}\n", "{\"event\":\"a\",\"event\":\"b\"}\n",
        "{\"a\":1}\n"};
    for (size_t i = 0; i < KEEL_COUNT(lines); i++) {
        json_t *event;
        put(self, lines[i]);
        assert_int_equal(receive(self, &event), CLI_RECEIVED_GARBAGE);
        assert_null(event);
    }
}

static void an_endless_line_is_garbage(void **state)
{
    wire *self = *state;
    static char piece[4096];
    json_t *event;
    int received = CLI_RECEIVED_NOTHING;
    memset(piece, 'x', sizeof piece);
    for (size_t sent = 0; received == CLI_RECEIVED_NOTHING; sent += sizeof piece) {
        assert_in_range(sent, 0, 2 * CLI_EVENT_MAX_BYTES);
        assert_int_equal(write(self->write, piece, sizeof piece), sizeof piece);
        received = receive(self, &event);
    }
    assert_int_equal(received, CLI_RECEIVED_GARBAGE);
}

static void the_end_is_told_after_the_last_line(void **state)
{
    wire *self = *state;
    json_t *event;
    put(self, "{\"event\":\"bye\"}\n{\"event\":\"cut");
    assert_int_equal(close(self->write), 0);
    self->write = -1;
    assert_int_equal(receive(self, &event), CLI_RECEIVED_EVENT);
    json_decref(event);
    assert_int_equal(receive(self, &event), CLI_RECEIVED_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_sent_arrives_in_order, make_wire, drop_wire),
        cmocka_unit_test_setup_teardown(a_line_may_come_in_pieces, make_wire, drop_wire),
        cmocka_unit_test_setup_teardown(what_is_no_event_is_garbage, make_wire, drop_wire),
        cmocka_unit_test_setup_teardown(an_endless_line_is_garbage, make_wire, drop_wire),
        cmocka_unit_test_setup_teardown(the_end_is_told_after_the_last_line, make_wire, drop_wire),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
