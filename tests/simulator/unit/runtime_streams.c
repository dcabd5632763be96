/* Streams and events: what is ordered, and that nothing else is. */
#include <pthread.h>
#include <stdio.h>

#include "runtime_fixture.h"

#define COUNT 16

/* Two streams, an event, two blocks of device memory and a pinned one, each of COUNT bytes. */
typedef struct things {
    const runtime_api *api;
    void *a, *b, *event;
    char *x, *y, *pinned;
} things;

static things start(void **state, const char *options, unsigned flags)
{
    const runtime_api *api = *state;
    things t = {.api = api};
    runtime_restart(options);
    assert_success(api->stream_create(&t.a, flags));
    assert_success(api->stream_create(&t.b, flags));
    assert_success(api->event_create(&t.event, 0));
    assert_success(api->alloc((void **)&t.x, COUNT));
    assert_success(api->alloc((void **)&t.y, COUNT));
    assert_success(api->host_alloc((void **)&t.pinned, COUNT, 0));
    memset(t.pinned, 9, COUNT);
    assert_success(api->fill(t.x, 1, COUNT, t.a));
    assert_success(api->fill(t.y, 1, COUNT, t.a));
    assert_success(api->stream_synchronize(t.a));
    return t;
}

static void end(things *t)
{
    const runtime_api *api = t->api;
    assert_success(api->stream_synchronize(t->a));
    assert_success(api->stream_synchronize(t->b));
    assert_success(api->free(t->x));
    assert_success(api->free(t->y));
    assert_success(api->host_free(t->pinned));
    assert_success(api->event_destroy(t->event));
    assert_success(api->stream_destroy(t->a));
    assert_success(api->stream_destroy(t->b));
    assert_int_equal(runtime_findings(), 0);
}

/* The first byte of device memory, in a stream's order. */
static int read_byte(const things *t, const char *device, void *stream)
{
    char byte = 0;
    assert_success(t->api->copy(&byte, device, 1, RUNTIME_TO_HOST, stream));
    return byte;
}

static void nothing_runs_before_it_must(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    assert_success(t.api->copy(t.pinned, t.x, COUNT, RUNTIME_TO_HOST, t.a));
    assert_int_equal(t.pinned[0], 9);
    assert_int_equal(t.api->stream_query(t.b), 0);
    assert_success(t.api->stream_synchronize(t.a));
    assert_int_equal(t.pinned[0], 1);
    end(&t);
}

static void early_work_runs_when_it_is_submitted(void **state)
{
    things t = start(state, "schedule=early", RUNTIME_NON_BLOCKING);
    assert_success(t.api->copy(t.pinned, t.x, COUNT, RUNTIME_TO_HOST, t.a));
    assert_int_equal(t.pinned[0], 1);
    end(&t);
}

static void pinned_memory_is_read_when_the_copy_runs(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    t.pinned[0] = 5;
    assert_success(t.api->copy(t.x, t.pinned, COUNT, RUNTIME_TO_DEVICE, t.a));
    t.pinned[0] = 6; /* too early: the copy has not run */
    assert_int_equal(read_byte(&t, t.x, t.a), 6);
    end(&t);
}

static void pageable_memory_is_read_when_the_copy_is_submitted(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    char pageable[COUNT] = {5};
    assert_success(t.api->copy(t.x, pageable, COUNT, RUNTIME_TO_DEVICE, t.a));
    pageable[0] = 6;
    assert_int_equal(read_byte(&t, t.x, t.a), 5);
    end(&t);
}

static void work_of_a_stream_is_in_order(void **state)
{
    for (int seed = 1; seed <= 20; seed++) {
        char options[32];
        (void)snprintf(options, sizeof options, "seed=%d", seed);
        things t = start(state, options, RUNTIME_NON_BLOCKING);
        for (int i = 0; i < 8; i++) {
            assert_success(t.api->fill(t.x, i, COUNT, t.a));
            assert_success(t.api->copy(t.y, t.x, COUNT, RUNTIME_ON_DEVICE, t.a));
        }
        assert_int_equal(read_byte(&t, t.y, t.a), 7);
        end(&t);
    }
}

/* Stream a writes x, stream b copies it to y; what arrives? */
static int pass_on(things *t, int with_event)
{
    assert_success(t->api->fill(t->x, 2, COUNT, t->a));
    if (with_event) {
        assert_success(t->api->event_record(t->event, t->a));
        assert_success(t->api->stream_wait(t->b, t->event, 0));
    }
    assert_success(t->api->copy(t->y, t->x, COUNT, RUNTIME_ON_DEVICE, t->b));
    const int arrived = read_byte(t, t->y, t->b);
    end(t);
    return arrived;
}

static void a_missing_wait_shows_as_wrong_data(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    assert_int_equal(pass_on(&t, 0), 1);
    t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    assert_int_equal(pass_on(&t, 1), 2);
}

static void waits_that_are_ignored_show_as_wrong_data(void **state)
{
    things t = start(state, "schedule=late,ignore_waits=1", RUNTIME_NON_BLOCKING);
    assert_int_equal(pass_on(&t, 1), 1);
}

static void the_random_schedule_tries_both_orders_and_keeps_to_events(void **state)
{
    int seen[3] = {0};
    for (int seed = 1; seed <= 40; seed++) {
        char options[32];
        (void)snprintf(options, sizeof options, "seed=%d", seed);
        things t = start(state, options, RUNTIME_NON_BLOCKING);
        seen[pass_on(&t, 0)]++;
        t = start(state, options, RUNTIME_NON_BLOCKING);
        assert_int_equal(pass_on(&t, 1), 2);
    }
    assert_true(seen[1] >= 5);
    assert_true(seen[2] >= 5);
}

static void the_same_seed_gives_the_same_order(void **state)
{
    for (int seed = 1; seed <= 10; seed++) {
        char options[32];
        (void)snprintf(options, sizeof options, "seed=%d", seed);
        things t = start(state, options, RUNTIME_NON_BLOCKING);
        const int first = pass_on(&t, 0);
        t = start(state, options, RUNTIME_NON_BLOCKING);
        assert_int_equal(pass_on(&t, 0), first);
    }
}

static void a_wait_is_for_the_recording_before_it(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    assert_success(t.api->fill(t.x, 2, COUNT, t.a));
    assert_success(t.api->event_record(t.event, t.a));
    assert_success(t.api->stream_wait(t.b, t.event, 0));
    assert_success(t.api->fill(t.x, 3, COUNT, t.a));
    assert_success(t.api->event_record(t.event, t.a)); /* the wait is not for this one */
    assert_int_equal(read_byte(&t, t.x, t.b), 2);
    assert_int_equal(t.api->event_query(t.event), RUNTIME_NOT_READY);
    assert_success(t.api->event_synchronize(t.event));
    assert_int_equal(read_byte(&t, t.x, t.b), 3);
    end(&t);
}

/* The legacy default stream waits for blocking streams, and they for it. */
static void the_default_stream_is_ordered_with_blocking_streams(void **state)
{
    things t = start(state, "schedule=late", 0);
    assert_success(t.api->fill(t.x, 2, COUNT, t.a));
    assert_success(t.api->copy(t.y, t.x, COUNT, RUNTIME_ON_DEVICE, NULL));
    assert_int_equal(read_byte(&t, t.y, t.b), 2);
    end(&t);
    t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    assert_success(t.api->fill(t.x, 2, COUNT, t.a));
    assert_success(t.api->copy(t.y, t.x, COUNT, RUNTIME_ON_DEVICE, NULL));
    assert_int_equal(read_byte(&t, t.y, NULL), 1);
    end(&t);
}

static void polling_comes_to_an_end(void **state)
{
    static const char *const options[] = {"schedule=late", "seed=3", "seed=4"};
    for (size_t i = 0; i < 3; i++) {
        things t = start(state, options[i], RUNTIME_NON_BLOCKING);
        for (int j = 0; j < 5; j++) {
            assert_success(t.api->fill(t.x, j, COUNT, t.a));
        }
        assert_success(t.api->event_record(t.event, t.a));
        int polls = 0;
        int code = t.api->event_query(t.event);
        while (code == RUNTIME_NOT_READY && polls < 1000) {
            code = t.api->event_query(t.event);
            polls++;
        }
        assert_success(code);
        assert_true(polls > 0 || i > 0);
        assert_success(t.api->stream_query(t.a));
        end(&t);
    }
}

static void events_measure_time(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    void *later = NULL;
    void *untimed = NULL;
    float ms = -1;
    assert_success(t.api->event_create(&later, 0));
    assert_success(t.api->event_create(&untimed, RUNTIME_NO_TIMING));
    assert_int_equal(t.api->event_elapsed(&ms, t.event, later), 400); /* never recorded */
    assert_success(t.api->event_query(later));
    assert_success(t.api->event_synchronize(later));
    assert_success(t.api->event_record(t.event, t.a));
    assert_success(t.api->fill(t.x, 2, COUNT, t.a));
    assert_success(t.api->event_record(later, t.a));
    assert_success(t.api->event_record(untimed, t.a));
    assert_int_equal(t.api->event_elapsed(&ms, t.event, later), RUNTIME_NOT_READY);
    assert_success(t.api->stream_synchronize(t.a));
    assert_success(t.api->event_elapsed(&ms, t.event, later));
    assert_true(ms > 0 && ms < 1);
    assert_int_equal(t.api->event_elapsed(&ms, t.event, untimed), 400);
    assert_success(t.api->event_destroy(later));
    assert_success(t.api->event_destroy(untimed));
    end(&t);
}

typedef struct called {
    things *t;
    int value, code;
} called;

static void note(void *user)
{
    called *self = user;
    self->value = self->t->pinned[0];
    self->code = self->t->api->stream_query(self->t->b);
}

static void host_functions_run_in_order_and_may_call_nothing(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    called call = {.t = &t};
    assert_success(t.api->copy(t.pinned, t.x, COUNT, RUNTIME_TO_HOST, t.a));
    assert_success(t.api->host_function(t.a, note, &call));
    assert_int_equal(call.value, 0);
    assert_int_equal(t.api->stream_synchronize(t.a), 999); /* the finding */
    assert_int_equal(call.value, 1);
    assert_int_not_equal(call.code, 0);
    runtime_assert_found("kind=callback");
    runtime_restart("");
}

static void a_destroyed_stream_finishes_its_work(void **state)
{
    things t = start(state, "schedule=late", RUNTIME_NON_BLOCKING);
    void *stream = NULL;
    assert_success(t.api->stream_create(&stream, RUNTIME_NON_BLOCKING));
    assert_success(t.api->fill(t.x, 4, COUNT, stream));
    assert_success(t.api->event_record(t.event, stream));
    assert_success(t.api->stream_destroy(stream));
    assert_success(t.api->event_synchronize(t.event));
    assert_int_equal(read_byte(&t, t.x, t.b), 4);
    end(&t);
}

#define THREADS 4
#define ROUNDS 100

typedef struct worker {
    const runtime_api *api;
    pthread_t thread;
    void *other_event; /* waited for in each round; recorded once, before */
    int wrong;
} worker;

static void count_calls(void *user)
{
    ++*(int *)user;
}

/* A stream of its own: fills, copies, host functions, events; all in order, whatever others do. */
static void *work(void *user)
{
    worker *self = user;
    const runtime_api *api = self->api;
    void *stream = NULL;
    void *event = NULL;
    char *memory = NULL;
    int calls = 0;
    int code = api->stream_create(&stream, RUNTIME_NON_BLOCKING) | api->event_create(&event, 0) |
               api->alloc((void **)&memory, COUNT);
    for (int i = 0; i < ROUNDS && code == 0; i++) {
        char byte = -1;
        code |= api->fill(memory, i, COUNT, stream);
        code |= api->stream_wait(stream, self->other_event, 0);
        code |= api->host_function(stream, count_calls, &calls);
        code |= api->event_record(event, stream);
        code |= i % 3 == 0 ? api->event_synchronize(event) : 0;
        code |= api->copy(&byte, memory, 1, RUNTIME_TO_HOST, stream);
        self->wrong |= byte != (char)i || calls != i + 1;
    }
    code |= api->free(memory) | api->event_destroy(event) | api->stream_destroy(stream);
    self->wrong |= code != 0;
    return NULL;
}

static void threads_work_beside_each_other(void **state)
{
    things t = start(state, "", RUNTIME_NON_BLOCKING);
    worker workers[THREADS];
    assert_success(t.api->event_record(t.event, t.a));
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.api = t.api, .other_event = t.event};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_false(workers[i].wrong);
    }
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(nothing_runs_before_it_must),
        RUNTIME_TEST(early_work_runs_when_it_is_submitted),
        RUNTIME_TEST(pinned_memory_is_read_when_the_copy_runs),
        RUNTIME_TEST(pageable_memory_is_read_when_the_copy_is_submitted),
        RUNTIME_TEST(work_of_a_stream_is_in_order),
        RUNTIME_TEST(a_missing_wait_shows_as_wrong_data),
        RUNTIME_TEST(waits_that_are_ignored_show_as_wrong_data),
        RUNTIME_TEST(the_random_schedule_tries_both_orders_and_keeps_to_events),
        RUNTIME_TEST(the_same_seed_gives_the_same_order),
        RUNTIME_TEST(a_wait_is_for_the_recording_before_it),
        RUNTIME_TEST(the_default_stream_is_ordered_with_blocking_streams),
        RUNTIME_TEST(polling_comes_to_an_end),
        RUNTIME_TEST(events_measure_time),
        RUNTIME_TEST(host_functions_run_in_order_and_may_call_nothing),
        RUNTIME_TEST(a_destroyed_stream_finishes_its_work),
        RUNTIME_TEST(threads_work_beside_each_other),
    };
    return cmocka_run_group_tests(tests, runtime_open, NULL);
}
