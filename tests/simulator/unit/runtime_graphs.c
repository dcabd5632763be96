/* Stream capture and graphs. */
#include <stdio.h>

#include "runtime_fixture.h"

#define COUNT 16

typedef struct things {
    const runtime_api *api;
    void *a, *b, *fork, *join;
    char *x, *y, *z;
} things;

static things start(void **state, const char *options)
{
    const runtime_api *api = *state;
    things t = {.api = api};
    runtime_restart(options);
    assert_success(api->stream_create(&t.a, RUNTIME_NON_BLOCKING));
    assert_success(api->stream_create(&t.b, RUNTIME_NON_BLOCKING));
    assert_success(api->event_create(&t.fork, 0));
    assert_success(api->event_create(&t.join, 0));
    char **const blocks[] = {&t.x, &t.y, &t.z};
    for (size_t i = 0; i < 3; i++) {
        assert_success(api->alloc((void **)blocks[i], COUNT));
        assert_success(api->fill(*blocks[i], 1, COUNT, t.a));
    }
    assert_success(api->stream_synchronize(t.a));
    return t;
}

static int read_byte(const things *t, const char *device)
{
    char byte = 0;
    assert_success(t->api->copy(&byte, device, 1, RUNTIME_TO_HOST, t->a));
    return byte;
}

/* x = 2 on stream a; then y = x on a beside z = x on b, which joins a again. */
static void *capture(things *t)
{
    const runtime_api *api = t->api;
    void *graph = NULL;
    assert_success(api->capture_begin(t->a, 0));
    assert_success(api->fill(t->x, 2, COUNT, t->a));
    assert_success(api->event_record(t->fork, t->a));
    assert_success(api->stream_wait(t->b, t->fork, 0));
    assert_success(api->copy(t->y, t->x, COUNT, RUNTIME_ON_DEVICE, t->a));
    assert_success(api->copy(t->z, t->x, COUNT, RUNTIME_ON_DEVICE, t->b));
    assert_success(api->event_record(t->join, t->b));
    assert_success(api->stream_wait(t->a, t->join, 0));
    assert_success(api->capture_end(t->a, &graph));
    return graph;
}

static void a_graph_does_what_was_captured_as_often_as_it_is_launched(void **state)
{
    for (int seed = 1; seed <= 10; seed++) {
        char options[32];
        (void)snprintf(options, sizeof options, "seed=%d", seed);
        things t = start(state, options);
        void *exec = NULL;
        void *graph = capture(&t);
        assert_int_equal(read_byte(&t, t.x), 1); /* nothing has run */
        assert_success(t.api->instantiate(&exec, graph, 0));
        assert_success(t.api->graph_destroy(graph));
        for (int i = 0; i < 3; i++) {
            assert_success(t.api->fill(t.x, 7, COUNT, t.a));
            assert_success(t.api->graph_launch(exec, t.a));
            assert_int_equal(read_byte(&t, t.x), 2);
            assert_int_equal(read_byte(&t, t.y), 2);
            assert_int_equal(read_byte(&t, t.z), 2);
        }
        assert_success(t.api->exec_destroy(exec));
        assert_int_equal(runtime_findings(), 0);
    }
}

/* Without the fork's wait the copy to z depends on nothing, and comes before the fill now and then.
 */
static void a_dependency_that_was_not_captured_is_not_kept(void **state)
{
    int seen[3] = {0};
    for (int seed = 1; seed <= 30; seed++) {
        char options[32];
        (void)snprintf(options, sizeof options, "seed=%d", seed);
        things t = start(state, options);
        void *graph = NULL;
        void *exec = NULL;
        assert_success(t.api->capture_begin(t.a, 0));
        assert_success(t.api->event_record(t.fork, t.a));
        assert_success(t.api->fill(t.x, 2, COUNT, t.a));
        assert_success(t.api->stream_wait(t.b, t.fork, 0));
        assert_success(t.api->copy(t.z, t.x, COUNT, RUNTIME_ON_DEVICE, t.b));
        assert_success(t.api->event_record(t.join, t.b));
        assert_success(t.api->stream_wait(t.a, t.join, 0));
        assert_success(t.api->capture_end(t.a, &graph));
        assert_success(t.api->instantiate(&exec, graph, 0));
        assert_success(t.api->graph_launch(exec, t.a));
        seen[read_byte(&t, t.z)]++;
    }
    assert_true(seen[1] > 0);
    assert_true(seen[2] > 0);
}

static void a_stream_that_was_not_joined_is_refused(void **state)
{
    things t = start(state, "");
    void *graph = &graph;
    assert_success(t.api->capture_begin(t.a, 0));
    assert_success(t.api->event_record(t.fork, t.a));
    assert_success(t.api->stream_wait(t.b, t.fork, 0));
    assert_success(t.api->fill(t.x, 2, COUNT, t.b));
    assert_int_equal(t.api->capture_end(t.a, &graph), 904);
    assert_null(graph);
    assert_success(t.api->fill(t.x, 3, COUNT, t.a)); /* both streams are out of the capture */
    assert_success(t.api->stream_synchronize(t.a));
    assert_success(t.api->stream_synchronize(t.b));
}

static void waiting_for_a_captured_stream_makes_the_capture_invalid(void **state)
{
    things t = start(state, "");
    void *graph = NULL;
    assert_success(t.api->capture_begin(t.a, 0));
    assert_int_equal(t.api->stream_synchronize(t.a), 900);
    assert_int_equal(t.api->fill(t.x, 2, COUNT, t.a), 901);
    assert_int_equal(t.api->capture_end(t.a, &graph), 901);
    assert_success(t.api->stream_synchronize(t.a));
}

static void allocating_beside_a_global_capture_is_refused(void **state)
{
    things t = start(state, "");
    void *graph = NULL;
    void *memory = NULL;
    assert_success(t.api->capture_begin(t.a, 0));
    assert_int_equal(t.api->alloc(&memory, COUNT), 900);
    assert_int_equal(t.api->capture_end(t.a, &graph), 901);
    assert_success(t.api->capture_begin(t.a, 2)); /* relaxed */
    assert_success(t.api->alloc(&memory, COUNT));
    assert_success(t.api->capture_end(t.a, &graph));
}

static void the_default_stream_is_not_captured(void **state)
{
    things t = start(state, "");
    void *stream = NULL;
    void *graph = NULL;
    assert_int_equal(t.api->capture_begin(NULL, 0), 900);
    assert_success(t.api->stream_create(&stream, 0));
    assert_success(t.api->capture_begin(stream, 0));
    assert_int_equal(t.api->fill(t.x, 2, COUNT, NULL), 906);
    assert_int_equal(t.api->capture_end(stream, &graph), 901);
}

static void events_of_outside_do_not_get_into_a_capture(void **state)
{
    things t = start(state, "");
    void *graph = NULL;
    assert_success(t.api->event_record(t.fork, t.b));
    assert_success(t.api->capture_begin(t.a, 0));
    assert_int_equal(t.api->stream_wait(t.a, t.fork, 0), 905);
    assert_success(t.api->event_record(t.join, t.a));
    assert_int_equal(t.api->event_query(t.join), 907);
    assert_success(t.api->capture_end(t.a, &graph));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(a_graph_does_what_was_captured_as_often_as_it_is_launched),
        RUNTIME_TEST(a_dependency_that_was_not_captured_is_not_kept),
        RUNTIME_TEST(a_stream_that_was_not_joined_is_refused),
        RUNTIME_TEST(waiting_for_a_captured_stream_makes_the_capture_invalid),
        RUNTIME_TEST(allocating_beside_a_global_capture_is_refused),
        RUNTIME_TEST(the_default_stream_is_not_captured),
        RUNTIME_TEST(events_of_outside_do_not_get_into_a_capture),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
