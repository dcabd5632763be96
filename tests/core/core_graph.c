/* Graphs: what is captured runs again and again, what it needs stays, and what may not be, is not.
 */
#define _GNU_SOURCE /* dlsym */
#include <dlfcn.h>

#include "core_fixture.h"
#include "graph_backend.h"
#include "keel/graph.h"

static const char *plugin;

typedef struct fixture {
    core_fixture f;
    graph_counts *counts;
    keel_tensor x, y, z;
} fixture;

static const int64_t shape[] = {8};

static int set_up(void **state)
{
    static fixture self;
    self = (fixture){.f.err = KEEL_ERROR_INIT};
    core_fixture *f = &self.f;
    assert_ok(&f->err, keel_context_create(NULL, &f->context, &f->err));
    assert_ok(&f->err, keel_backend_load(f->context, plugin, &f->err));
    assert_ok(&f->err, keel_device_open(f->context, "recorder:0", &f->device, &f->err));
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
    void *library = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(library);
    self.counts = dlsym(library, "graph_backend_counts");
    assert_non_null(self.counts);
    *self.counts = (graph_counts){0};
    (void)dlclose(library);
    self.x = core_counting(f, 1, shape);
    self.y = core_counting(f, 1, shape);
    self.z = core_blank(f, 1, shape);
    *state = &self;
    return 0;
}

static int tear_down(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_tensor_release(&self->x);
    keel_tensor_release(&self->y);
    keel_tensor_release(&self->z);
    keel_queue_destroy(f->queue);
    assert_int_equal(self->counts->graphs, 0);
    keel_device_close(f->device);
    keel_context_release(f->context);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static keel_status run_unary(fixture *self, const char *op, const keel_tensor *in,
                             const keel_tensor *out)
{
    return keel_op_run(self->f.queue, op, &in, 1, &out, 1, NULL, 0, &self->f.err);
}

static float first_of(fixture *self, const keel_tensor *tensor)
{
    float values[8];
    assert_ok(&self->f.err, keel_tensor_read(self->f.queue, tensor, values, &self->f.err));
    return values[0];
}

/* z = x + y, once, so that the workspace is there; then the same as a graph. */
static keel_graph *capture_sum(fixture *self)
{
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    return graph;
}

static void forget(fixture *self)
{
    core_forget(&self->f);
}

/* ---- what a graph does ----------------------------------------------------------------------- */

static void a_graph_runs_when_it_is_launched_on_what_memory_holds_then(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph = capture_sum(self);
    assert_int_equal(self->counts->runs, 1);
    for (float value = 1; value < 4; value++) {
        const float values[8] = {value, value, value, value, value, value, value, value};
        assert_ok(&f->err, keel_tensor_write(f->queue, &self->x, values, &f->err));
        assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
        assert_true(first_of(self, &self->z) == value + 1);
    }
    assert_int_equal(self->counts->runs, 4);
    keel_graph_release(graph);
}

static void copies_and_fills_are_captured_in_order(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, self->x.buffer, 0, 32, 0, &f->err));
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err,
              keel_buffer_copy(f->queue, self->z.buffer, 0, self->y.buffer, 0, 32, &f->err));
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    assert_true(first_of(self, &self->x) == 1);
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    assert_true(first_of(self, &self->x) == 0);
    assert_true(first_of(self, &self->z) == 1);
    assert_true(first_of(self, &self->y) == 1);
    keel_graph_release(graph);
}

static void a_graph_keeps_what_it_was_captured_with(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_tensor in = core_counting(f, 1, shape);
    keel_tensor out = core_blank(f, 1, shape);
    const keel_tensor *const inputs[] = {&in, &self->y};
    const keel_tensor *const outputs[] = {&out};
    const keel_tensor *const operands[] = {&in, &self->y, &out};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = inputs,
                                       .input_count = 2,
                                       .outputs = outputs,
                                       .output_count = 1};
    keel_plan *plan;
    keel_graph *graph;
    assert_ok(&f->err, keel_plan_create(f->device, &request, &plan, &f->err));
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, operands, 3, &f->err));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, keel_plan_enqueue(plan, f->queue, operands, 3, &f->err));
    assert_ok(&f->err, keel_buffer_copy(f->queue, out.buffer, 0, self->z.buffer, 0, 32, &f->err));
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    keel_plan_release(plan);
    assert_int_equal(self->counts->plans, 1);
    keel_tensor_release(&in);
    keel_tensor_release(&out);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    keel_tensor others[4];
    for (int i = 0; i < 4; i++) { /* would be given the same memory, were it free */
        others[i] = core_blank(f, 1, shape);
        assert_ok(&f->err, keel_buffer_fill(f->queue, others[i].buffer, 0, 32, 0xff, &f->err));
    }
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    assert_true(first_of(self, &self->z) == 2);
    for (int i = 0; i < 4; i++) {
        keel_tensor_release(&others[i]);
    }
    keel_graph_release(graph);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_int_equal(self->counts->plans, 0);
}

static void a_graph_keeps_its_workspace_when_the_queue_gets_more(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph = capture_sum(self);
    assert_ok(&f->err, run_unary(self, "keel.neg", &self->x, &self->x)); /* wants more */
    keel_tensor other = core_counting(f, 1, (const int64_t[]){GRAPH_WORKSPACE / 4});
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    assert_true(first_of(self, &self->z) == 0);
    float values[GRAPH_WORKSPACE / 4];
    assert_ok(&f->err, keel_tensor_read(f->queue, &other, values, &f->err));
    assert_true(values[0] == 1 && values[1] == 2);
    keel_tensor_release(&other);
    keel_graph_release(graph);
}

static void a_graph_is_let_go_when_its_launch_has_passed(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph = capture_sum(self);
    keel_graph_retain(graph);
    keel_graph_release(graph);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    keel_graph_release(graph);
    assert_int_equal(self->counts->graphs, 1);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_int_equal(self->counts->graphs, 0);
}

static void a_graph_may_outlive_its_queue_and_is_of_no_use_then(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph = capture_sum(self);
    keel_queue_destroy(f->queue);
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
    assert_status(&f->err, keel_graph_launch(graph, f->queue, &f->err), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "another queue");
    forget(self);
    keel_graph_release(graph);
    assert_int_equal(self->counts->graphs, 0);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void a_capturing_queue_does_nothing_else(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    float values[8] = {0};
    keel_event *event;
    assert_ok(&f->err, keel_event_create(f->device, &event, &f->err));
    assert_ok(&f->err, keel_event_record(event, f->queue, &f->err));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    for (int what = 0; what < 8; what++) {
        const keel_status status =
            what == 0   ? keel_graph_capture_begin(f->queue, &f->err)
            : what == 1 ? keel_queue_synchronize(f->queue, &f->err)
            : what == 2 ? keel_tensor_read(f->queue, &self->x, values, &f->err)
            : what == 3 ? keel_tensor_write(f->queue, &self->x, values, &f->err)
            : what == 4 ? keel_buffer_write_async(f->queue, self->x.buffer, 0, values, 4, &f->err)
            : what == 5 ? keel_buffer_read_async(f->queue, self->x.buffer, 0, values, 4, &f->err)
            : what == 6 ? keel_event_record(event, f->queue, &f->err)
                        : keel_queue_wait(f->queue, event, &f->err);
        assert_status(&f->err, status, KEEL_ERR_INVALID_ARGUMENT);
        assert_mentions(&f->err, "capturing");
        forget(self);
    }
    assert_ok(&f->err, keel_graph_capture_end(f->queue, NULL, &f->err));
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    keel_event_release(event);
}

static void a_capture_makes_no_workspace(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_status(&f->err, core_add(f, &self->x, &self->y, &self->z), KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "4096 bytes of workspace");
    forget(self);
    assert_status(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "keel.add failed during the capture");
    assert_null(graph);
    forget(self);
    graph = capture_sum(self);
    keel_graph_release(graph);
}

static void a_capture_with_a_failure_in_it_is_no_graph(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_status(&f->err, run_unary(self, "keel.sqrt", &self->x, &self->z), KEEL_ERR_DEVICE);
    forget(self);
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_status(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "keel.sqrt");
    assert_null(graph);
    forget(self);
}

static void a_capture_ends_also_with_an_error_that_holds_one(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    (void)keel_fail(&f->err, KEEL_ERR_IO, "something else");
    assert_status(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err), KEEL_ERR_IO);
    assert_null(graph);
    forget(self);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
}

static void the_vendors_failure_is_passed_on(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    self->counts->fail_end = 1;
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_status(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err), KEEL_ERR_DEVICE);
    assert_mentions(&f->err, "the vendor cannot make it");
    assert_null(graph);
    forget(self);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
}

static void an_end_needs_a_beginning(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_graph *graph;
    assert_status(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&f->err, "not capturing");
    forget(self);
}

static void a_queue_may_go_while_it_captures(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, core_add(f, &self->x, &self->y, &self->z));
    keel_queue_destroy(f->queue);
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
}

static void a_backend_without_graphs_says_so(void **state)
{
    fixture *self = *state;
    core_fixture *f = &self->f;
    keel_device *device;
    keel_queue *queue;
    assert_ok(&f->err, keel_device_open(f->context, "ref:0", &device, &f->err));
    assert_ok(&f->err, keel_queue_create(device, NULL, &queue, &f->err));
    assert_status(&f->err, keel_graph_capture_begin(queue, &f->err), KEEL_ERR_UNSUPPORTED);
    assert_mentions(&f->err, "backend ref has no keel.graph");
    forget(self);
    keel_queue_destroy(queue);
    keel_device_close(device);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_graph_runs_when_it_is_launched_on_what_memory_holds_then),
        TEST(copies_and_fills_are_captured_in_order),
        TEST(a_graph_keeps_what_it_was_captured_with),
        TEST(a_graph_keeps_its_workspace_when_the_queue_gets_more),
        TEST(a_graph_is_let_go_when_its_launch_has_passed),
        TEST(a_graph_may_outlive_its_queue_and_is_of_no_use_then),
        TEST(a_capturing_queue_does_nothing_else),
        TEST(a_capture_makes_no_workspace),
        TEST(a_capture_with_a_failure_in_it_is_no_graph),
        TEST(a_capture_ends_also_with_an_error_that_holds_one),
        TEST(the_vendors_failure_is_passed_on),
        TEST(an_end_needs_a_beginning),
        TEST(a_queue_may_go_while_it_captures),
        TEST(a_backend_without_graphs_says_so),
    };
    plugin = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
