/*
 * Host memory that runs out: the n-th allocation fails, for every n until a whole life of a context
 * needs no more. Each time the failure must be reported as such and nothing may be left behind.
 */
#include <stdlib.h>

#include "core_fixture.h"
#include "keel/dlpack.h"

typedef struct failing_allocator {
    uint64_t count;   /* allocations so far */
    uint64_t fail_at; /* the one that fails; 0: none */
    int64_t live;
} failing_allocator;

static void *failing_alloc(void *user, uint64_t bytes)
{
    failing_allocator *a = user;
    if (++a->count == a->fail_at) {
        return NULL;
    }
    a->live++;
    return malloc(bytes);
}

static void failing_free(void *user, void *memory)
{
    ((failing_allocator *)user)->live--;
    free(memory);
}

/* Makes everything once: context, device, queue, event, tensors, an op, a plan, an exchange. */
static keel_status live_once(failing_allocator *allocator, keel_error *err)
{
    const keel_context_options options = {
        .struct_size = sizeof options,
        .allocator = {allocator, failing_alloc, failing_free},
        .backends = "ref",
        .cache_directory = "off",
    };
    const int64_t shape[] = {3, 4};
    const int64_t stride[] = {1, 3};
    const float values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    float back[12] = {0};
    core_fixture f = {.err = KEEL_ERROR_INIT};
    keel_tensor a = {0};
    keel_tensor out = {0};
    keel_tensor transposed = {0};
    keel_event *event = NULL;
    keel_plan *plan = NULL;
    keel_dl_managed *managed = NULL;
    (void)keel_context_create(&options, &f.context, &f.err);
    (void)keel_device_open(f.context, "ref:0", &f.device, &f.err);
    (void)keel_queue_create(f.device, NULL, &f.queue, &f.err);
    (void)keel_event_create(f.device, &event, &f.err);
    (void)keel_tensor_create(f.device, KEEL_F32, 2, shape, &a, &f.err);
    (void)keel_tensor_create(f.device, KEEL_F32, 2, shape, &out, &f.err);
    (void)keel_tensor_view(a.buffer, 0, KEEL_F32, 2, shape, stride, &transposed, &f.err);
    (void)keel_tensor_write(f.queue, &transposed, values, &f.err);
    (void)core_add(&f, &a, &a, &out);
    const keel_tensor *in[] = {&a, &a};
    const keel_tensor *to = &out;
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = in,
                                       .input_count = 2,
                                       .outputs = &to,
                                       .output_count = 1};
    (void)keel_plan_create(f.device, &request, &plan, &f.err);
    (void)keel_tensor_read(f.queue, &out, back, &f.err);
    (void)keel_dlpack_export(&out, &managed, &f.err);
    if (managed != NULL) {
        managed->deleter(managed);
    }
    keel_plan_release(plan);
    keel_tensor_release(&a);
    keel_tensor_release(&out);
    keel_event_release(event);
    keel_queue_destroy(f.queue);
    keel_device_close(f.device);
    keel_context_release(f.context);
    *err = f.err;
    return f.err.status;
}

static void every_failed_allocation_is_reported_and_undone(void **state)
{
    (void)state;
    keel_error err;
    failing_allocator counting = {0};
    assert_ok(&err, live_once(&counting, &err));
    assert_int_equal(counting.live, 0);
    assert_true(counting.count > 20);
    for (uint64_t n = 1; n <= counting.count; n++) {
        failing_allocator failing = {.fail_at = n};
        const keel_status status = live_once(&failing, &err);
        if (status != KEEL_OK && status != KEEL_ERR_OUT_OF_MEMORY) {
            print_error("allocation %llu of %llu: status %d: %s\n", (unsigned long long)n,
                        (unsigned long long)counting.count, status, err.message);
        }
        /* OK: a line of the load report was dropped */
        assert_true(status == KEEL_OK || status == KEEL_ERR_OUT_OF_MEMORY);
        assert_int_equal(failing.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
