/* Ranges: what is given to a queue is named for a profiler where KEEL_RANGES says so. */
#define _GNU_SOURCE /* dlsym, setenv */
#include <dlfcn.h>
#include <stdlib.h>

#include "core_fixture.h"
#include "graph_backend.h"
#include "keel/graph.h"

static const char *plugin;
static char last_log[512];

static void take_log(void *user, int32_t level, const char *message)
{
    (void)user;
    (void)level;
    (void)snprintf(last_log, sizeof last_log, "%s", message);
}

typedef struct fixture {
    core_fixture f;
    void *library;
    graph_counts *counts;
} fixture;

static int set_up(void **state)
{
    static fixture self;
    self = (fixture){.f.err = KEEL_ERROR_INIT};
    last_log[0] = 0;
    self.library = dlopen(plugin, RTLD_NOW);
    assert_non_null(self.library);
    self.counts = dlsym(self.library, "graph_backend_counts");
    assert_non_null(self.counts);
    *self.counts = (graph_counts){0};
    *state = &self;
    return 0;
}

static int tear_down(void **state)
{
    fixture *self = *state;
    (void)dlclose(self->library);
    return unsetenv("KEEL_RANGES");
}

/* Adds, replays the same as a graph, and gives what the profiler heard. */
static const char *work(fixture *self, const char *ranges)
{
    core_fixture *f = &self->f;
    const keel_context_options options = {.struct_size = sizeof options, .log = take_log};
    const int64_t shape[] = {4};
    keel_graph *graph;
    assert_int_equal(setenv("KEEL_RANGES", ranges, 1), 0);
    assert_ok(&f->err, keel_context_create(&options, &f->context, &f->err));
    assert_ok(&f->err, keel_backend_load(f->context, plugin, &f->err));
    assert_ok(&f->err, keel_device_open(f->context, "recorder:0", &f->device, &f->err));
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
    keel_tensor x = core_counting(f, 1, shape);
    assert_ok(&f->err, core_add(f, &x, &x, &x));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, x.buffer, 0, 16, 0, &f->err));
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    keel_graph_release(graph);
    keel_tensor_release(&x);
    keel_queue_destroy(f->queue);
    keel_device_close(f->device);
    keel_context_release(f->context);
    return self->counts->ranges;
}

static void ops_and_graphs_are_named(void **state)
{
    assert_string_equal(work(*state, "on"), "+keel.add-+graph-");
}

static void there_are_none_unless_they_are_asked_for(void **state)
{
    assert_string_equal(work(*state, ""), "");
    assert_string_equal(work(*state, "off"), "");
}

static void work_goes_on_without_a_profiler(void **state)
{
    fixture *self = *state;
    self->counts->no_ranges = 1;
    assert_string_equal(work(self, "on"), "");
    assert_non_null(strstr(last_log, "recorder:0"));
    assert_non_null(strstr(last_log, "the profiler is not installed"));
}

static void another_value_is_an_error(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    assert_int_equal(setenv("KEEL_RANGES", "yes", 1), 0);
    assert_status(&f->err, keel_context_create(NULL, &f->context, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "KEEL_RANGES is yes, must be on or off");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ops_and_graphs_are_named),
        TEST(there_are_none_unless_they_are_asked_for),
        TEST(work_goes_on_without_a_profiler),
        TEST(another_value_is_an_error),
    };
    plugin = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
