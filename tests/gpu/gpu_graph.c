/* Graphs through libkeel: what is captured gives the same bits as what is enqueued. */
#include <stdlib.h>

#include "keel/graph.h"
#include "keel/keel.h"
#include "keel_test.h"

#define ROWS 24
#define INNER 40
#define COLUMNS 36

static const char *plugin;

typedef struct fixture {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_tensor x, w, y, z;
    keel_error err;
} fixture;

static keel_tensor make(fixture *f, int64_t rows, int64_t columns)
{
    keel_tensor tensor;
    const int64_t shape[] = {rows, columns};
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, 2, shape, &tensor, &f->err));
    return tensor;
}

/* Fills a tensor with values that depend on the seed. */
static void set_values(fixture *f, const keel_tensor *tensor, int seed)
{
    const int64_t count = tensor->shape[0] * tensor->shape[1];
    float *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        values[i] = (float)((i * 37 + seed * 11) % 101) / 64.0f - 0.75f;
    }
    assert_ok(&f->err, keel_tensor_write(f->queue, tensor, values, &f->err));
    free(values);
}

static int set_up(void **state)
{
    static fixture self;
    self = (fixture){.err = KEEL_ERROR_INIT};
    fixture *f = &self;
    assert_ok(&f->err, keel_context_create(NULL, &f->context, &f->err));
    assert_ok(&f->err, keel_backend_load(f->context, plugin, &f->err));
    const char *id = strstr(plugin, "cuda") != NULL ? "cuda:0" : "hip:0";
    assert_ok(&f->err, keel_device_open(f->context, id, &f->device, &f->err));
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &f->queue, &f->err));
    f->x = make(f, ROWS, INNER);
    f->w = make(f, INNER, COLUMNS);
    f->y = make(f, ROWS, COLUMNS);
    f->z = make(f, ROWS, COLUMNS);
    set_values(f, &f->x, 1);
    set_values(f, &f->w, 2);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    keel_tensor_release(&f->x);
    keel_tensor_release(&f->w);
    keel_tensor_release(&f->y);
    keel_tensor_release(&f->z);
    keel_queue_destroy(f->queue);
    keel_device_close(f->device);
    keel_context_release(f->context);
    return 0;
}

/* y = x w; z = softmax(y) + y; x is set to zeros at the end. */
static void enqueue(fixture *f)
{
    assert_ok(&f->err, keel_matmul(f->queue, &f->x, &f->w, NULL, NULL, &f->y, NULL, &f->err));
    assert_ok(&f->err, keel_softmax(f->queue, &f->y, &f->z, NULL, &f->err));
    assert_ok(&f->err, keel_add(f->queue, &f->z, &f->y, &f->z, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, f->x.buffer, 0, ROWS * INNER * 4, 0, &f->err));
}

static keel_graph *capture(fixture *f)
{
    keel_graph *graph;
    enqueue(f);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    enqueue(f);
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    return graph;
}

static void read_result(fixture *f, float out[ROWS * COLUMNS])
{
    assert_ok(&f->err, keel_tensor_read(f->queue, &f->z, out, &f->err));
}

static void a_graph_gives_the_bits_of_what_it_captured(void **state)
{
    fixture *f = *state;
    float want[ROWS * COLUMNS];
    float got[ROWS * COLUMNS];
    float inputs[ROWS * INNER];
    keel_graph *graph = capture(f);
    for (int seed = 3; seed < 6; seed++) {
        set_values(f, &f->x, seed);
        enqueue(f);
        read_result(f, want);
        set_values(f, &f->x, seed);
        assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
        read_result(f, got);
        assert_memory_equal(got, want, sizeof want);
        assert_ok(&f->err, keel_tensor_read(f->queue, &f->x, inputs, &f->err));
        assert_true(inputs[0] == 0 && inputs[ROWS * INNER - 1] == 0);
    }
    keel_graph_release(graph);
}

static void a_graph_may_be_let_go_under_way(void **state)
{
    fixture *f = *state;
    float want[ROWS * COLUMNS];
    float got[ROWS * COLUMNS];
    keel_graph *graph = capture(f);
    set_values(f, &f->x, 7);
    enqueue(f);
    read_result(f, want);
    set_values(f, &f->x, 7);
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    keel_graph_release(graph);
    read_result(f, got);
    assert_memory_equal(got, want, sizeof want);
}

static void kernels_may_be_compiled_during_a_capture(void **state)
{
    fixture *f = *state;
    float values[ROWS * COLUMNS];
    keel_graph *graph;
    set_values(f, &f->y, 8);
    assert_ok(&f->err, keel_graph_capture_begin(f->queue, &f->err));
    assert_ok(&f->err, keel_neg(f->queue, &f->y, &f->z, &f->err));
    assert_ok(&f->err, keel_graph_capture_end(f->queue, &graph, &f->err));
    assert_ok(&f->err, keel_graph_launch(graph, f->queue, &f->err));
    keel_graph_release(graph);
    read_result(f, values);
    assert_true(values[0] == -((float)(88 % 101) / 64.0f - 0.75f));
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_graph_gives_the_bits_of_what_it_captured),
        TEST(a_graph_may_be_let_go_under_way),
        TEST(kernels_may_be_compiled_during_a_capture),
    };
    plugin = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
