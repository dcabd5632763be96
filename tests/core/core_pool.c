/*
 * The caching allocator, on a device whose events pass only when its queue is synchronised and
 * whose memory is 1 MiB: what is reused when, what memory that runs out does, a lost device, and a
 * device that is closed while another thread drops its plan.
 */
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

#include "keel/keel.h"
#include "keel_test.h"

static const char *plugin;

typedef struct pool_fixture {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_error err;
} pool_fixture;

static int set_up(void **state)
{
    static pool_fixture fixture;
    fixture = (pool_fixture){.err = KEEL_ERROR_INIT};
    pool_fixture *f = &fixture;
    (void)keel_context_create(NULL, &f->context, &f->err);
    (void)keel_backend_load(f->context, plugin, &f->err);
    (void)keel_device_open(f->context, "slow:1", &f->device, &f->err);
    (void)keel_queue_create(f->device, NULL, &f->queue, &f->err);
    *state = f;
    if (f->err.status != KEEL_OK) {
        print_error("%s\n", f->err.message);
    }
    return f->err.status == KEEL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    pool_fixture *f = *state;
    keel_queue_destroy(f->queue);
    keel_device_close(f->device);
    keel_context_release(f->context);
    return 0;
}

static keel_buffer *make(pool_fixture *f, uint64_t bytes)
{
    keel_buffer *buffer;
    assert_ok(&f->err, keel_buffer_create(f->device, bytes, &buffer, &f->err));
    return buffer;
}

static keel_memory_info ledger(pool_fixture *f)
{
    keel_memory_info info = {.struct_size = sizeof info};
    assert_ok(&f->err, keel_device_memory(f->device, &info, &f->err));
    return info;
}

static uint64_t reuses(pool_fixture *f)
{
    keel_context_statistics s = {.struct_size = sizeof s};
    keel_context_get_statistics(f->context, &s);
    return s.device_reuses;
}

static void idle_memory_is_reused_at_once(void **state)
{
    pool_fixture *f = *state;
    keel_buffer_release(make(f, 1000));
    assert_int_equal(ledger(f).pooled, 1024);
    keel_buffer *again = make(f, 1020); /* of the same size class */
    assert_int_equal(reuses(f), 1);
    assert_int_equal(ledger(f).live, 1024);
    assert_int_equal(ledger(f).pooled, 0);
    keel_buffer_release(again);
}

static void memory_in_flight_waits_for_its_queue(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *buffer = make(f, 4096);
    assert_ok(&f->err, keel_buffer_fill(f->queue, buffer, 0, 4096, 1, &f->err));
    keel_buffer_release(buffer);
    assert_int_equal(ledger(f).pending, 4096);
    keel_buffer *other = make(f, 4096);
    assert_int_equal(reuses(f), 0);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    keel_buffer *third = make(f, 4096);
    assert_int_equal(reuses(f), 1);
    assert_int_equal(ledger(f).pending, 0);
    assert_int_equal(ledger(f).peak, 8192);
    keel_buffer_release(other);
    keel_buffer_release(third);
}

static void a_fence_frees_memory_without_a_synchronisation_by_the_user(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *buffer = make(f, 4096);
    keel_buffer *work = make(f, 64);
    keel_event *event;
    assert_ok(&f->err, keel_event_create(f->device, &event, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, buffer, 0, 4096, 1, &f->err));
    keel_buffer_release(buffer); /* asks the queue for a fence */
    assert_ok(&f->err, keel_buffer_fill(f->queue, work, 0, 64, 1, &f->err)); /* records it */
    keel_buffer_release(make(f, 4096));
    assert_int_equal(reuses(f), 0);
    assert_ok(&f->err, keel_queue_synchronize(f->queue, &f->err));
    assert_ok(&f->err, keel_buffer_fill(f->queue, work, 0, 64, 1, &f->err));
    keel_buffer_release(make(f, 4096));
    assert_int_equal(reuses(f), 1);
    keel_event_release(event);
    keel_buffer_release(work);
}

static void a_destroyed_queue_holds_no_memory(void **state)
{
    pool_fixture *f = *state;
    keel_queue *queue;
    keel_buffer *buffer = make(f, 4096);
    assert_ok(&f->err, keel_queue_create(f->device, NULL, &queue, &f->err));
    assert_ok(&f->err, keel_buffer_fill(queue, buffer, 0, 4096, 1, &f->err));
    keel_buffer_release(buffer);
    assert_int_equal(ledger(f).pending, 4096);
    keel_queue_destroy(queue);
    keel_buffer_release(make(f, 4096));
    assert_int_equal(reuses(f), 1);
}

/* KB-R018, as reported of another system: https://github.com/ggml-org/llama.cpp/pull/7376 */
static void exhausted_memory_empties_the_pool_first(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *small = make(f, 300000);
    keel_buffer_release(make(f, 400000)); /* pooled */
    keel_buffer *busy = make(f, 200000);
    assert_ok(&f->err, keel_buffer_fill(f->queue, busy, 0, 16, 1, &f->err));
    keel_buffer_release(busy); /* pending */
    keel_buffer *large = make(f, 700000);
    assert_int_equal(ledger(f).pooled, 0);
    assert_int_equal(ledger(f).pending, 0);
    keel_buffer *none = (keel_buffer *)(uintptr_t)1;
    assert_status(&f->err, keel_buffer_create(f->device, 500000, &none, &f->err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_null(none);
    assert_mentions(&f->err, "no memory for 500000 bytes");
    assert_mentions(&f->err, "1027680 bytes are held by live buffers (buffer 1027680 bytes in 2)");
    f->err = (keel_error)KEEL_ERROR_INIT;
    keel_buffer *modest = make(f, 1000); /* the failure does not stick */
    assert_ok(&f->err, keel_buffer_fill(f->queue, modest, 0, 1000, 1, &f->err));
    keel_buffer_release(modest);
    keel_buffer_release(small);
    keel_buffer_release(large);
}

static keel_memory_holder holder(pool_fixture *f, uint32_t index)
{
    keel_memory_holder out = {.struct_size = sizeof out};
    assert_ok(&f->err, keel_device_memory_holder(f->device, index, &out, &f->err));
    return out;
}

static void expect_holder(pool_fixture *f, uint32_t index, const char *tag, uint64_t bytes,
                          uint32_t buffers)
{
    const keel_memory_holder got = holder(f, index);
    assert_string_equal(got.tag, tag);
    assert_int_equal(got.bytes, bytes);
    assert_int_equal(got.buffers, buffers);
}

static void the_ledger_says_who_holds_what(void **state)
{
    pool_fixture *f = *state;
    const int64_t shape[] = {1024};
    keel_tensor x;
    keel_tensor y;
    expect_holder(f, 0, "", 0, 0);
    keel_buffer *plain = make(f, 1024);
    keel_buffer *weights = make(f, 262144);
    keel_buffer *empty = make(f, 0);
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, 1, shape, &x, &f->err));
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, 1, shape, &y, &f->err));
    keel_buffer_set_tag(weights, "weights");
    keel_buffer_set_tag(empty, "nothing");
    expect_holder(f, 0, "weights", 262144, 1);
    expect_holder(f, 1, "tensor", 8192, 2);
    expect_holder(f, 2, "buffer", 1024, 1);
    expect_holder(f, 3, "", 0, 0);
    keel_buffer *none;
    assert_status(&f->err, keel_buffer_create(f->device, 1 << 20, &none, &f->err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_mentions(&f->err, "(weights 262144 bytes in 1, tensor 8192 bytes in 2, buffer 1024 ");
    f->err = (keel_error)KEEL_ERROR_INIT;
    keel_buffer_set_tag(weights, NULL); /* as if it had none */
    expect_holder(f, 0, "buffer", 263168, 2);
    keel_buffer_release(weights);
    keel_tensor_release(&x);
    expect_holder(f, 0, "tensor", 4096, 1);
    keel_buffer_release(plain);
    keel_buffer_release(empty);
    keel_tensor_release(&y);
    expect_holder(f, 0, "", 0, 0);
}

static void a_reused_block_forgets_its_tag(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *first = make(f, 4096);
    keel_buffer_set_tag(first, "first");
    keel_buffer_release(first);
    keel_buffer *second = make(f, 4096);
    assert_int_equal(reuses(f), 1);
    expect_holder(f, 0, "buffer", 4096, 1);
    keel_buffer_release(second);
}

static void long_tags_are_cut_and_many_are_added_up(void **state)
{
    pool_fixture *f = *state;
    enum { MANY = 40 };
    keel_buffer *buffers[MANY];
    static const char longest[] = "a tag of exactly forty-seven bytes, the last of which is X";
    for (int i = 0; i < MANY; i++) {
        char tag[16];
        (void)snprintf(tag, sizeof tag, "tag %d", i);
        buffers[i] = make(f, 256);
        keel_buffer_set_tag(buffers[i], i == 0 ? longest : tag);
    }
    expect_holder(f, 0, "(others)", 9 * 256, 9);
    expect_holder(f, 31, holder(f, 31).tag, 256, 1);
    expect_holder(f, 32, "", 0, 0);
    for (int i = 1; i < MANY; i++) {
        keel_buffer_release(buffers[i]);
    }
    assert_int_equal(strlen(holder(f, 0).tag), KEEL_TAG_CAPACITY - 1);
    assert_memory_equal(holder(f, 0).tag, longest, KEEL_TAG_CAPACITY - 1);
    keel_buffer_release(buffers[0]);
}

static void memory_smaller_than_its_class_is_not_reused_for_more(void **state)
{
    pool_fixture *f = *state;
    const uint64_t asked = 262144 + 64; /* of the class of 327,680 bytes, more than are left */
    const uint64_t larger = 262144 + 4096;
    keel_buffer *large = make(f, 524288);
    keel_buffer *rest = make(f, 196608);
    keel_buffer *last = make(f, 256);
    keel_buffer_release(make(f, asked));
    assert_int_equal(ledger(f).pooled, asked);
    keel_buffer_release(large);
    keel_buffer *buffer = make(f, larger);
    assert_int_equal(reuses(f), 0);
    assert_ok(&f->err, keel_buffer_fill(f->queue, buffer, 0, larger, 1, &f->err));
    keel_buffer_release(buffer);
    keel_buffer_release(rest);
    keel_buffer_release(last);
}

static void trim_gives_pooled_memory_back(void **state)
{
    pool_fixture *f = *state;
    keel_buffer_release(make(f, 5000));
    assert_int_not_equal(ledger(f).pooled, 0);
    assert_ok(&f->err, keel_device_trim(f->device, &f->err));
    assert_int_equal(ledger(f).pooled, 0);
}

/* KB-R021, as reported of another system: https://github.com/pytorch/pytorch/issues/74079 */
static void a_lost_device_can_only_be_closed(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *buffer = make(f, 64);
    keel_buffer *other;
    char bytes[13] = {0};
    assert_status(&f->err, keel_buffer_write(f->queue, buffer, 0, bytes, 13, &f->err),
                  KEEL_ERR_DEVICE_LOST);
    assert_mentions(&f->err, "fell off the bus");
    assert_string_equal(f->err.device, "slow:1");
    f->err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&f->err, keel_buffer_create(f->device, 64, &other, &f->err),
                  KEEL_ERR_DEVICE_LOST);
    assert_mentions(&f->err, "only closing it is allowed");
    f->err = (keel_error)KEEL_ERROR_INIT;
    keel_device *oracle;
    assert_ok(&f->err, keel_device_open(f->context, "ref:0", &oracle, &f->err)); /* others go on */
    keel_device_close(oracle);
    keel_buffer_release(buffer);
}

/* Runs keel.neg on a new queue, which is then destroyed: only the context's table has the plan. */
static void run_neg(keel_device *device, keel_error *err)
{
    const int64_t size = 4;
    keel_queue *queue;
    keel_tensor in = {0};
    keel_tensor out = {0};
    const keel_tensor *input = &in;
    const keel_tensor *output = &out;
    (void)keel_queue_create(device, NULL, &queue, err);
    (void)keel_tensor_create(device, KEEL_F32, 1, &size, &in, err);
    (void)keel_tensor_create(device, KEEL_F32, 1, &size, &out, err);
    (void)keel_buffer_fill(queue, in.buffer, 0, 16, 0, err);
    (void)keel_op_run(queue, "keel.neg", &input, 1, &output, 1, NULL, 0, err);
    keel_tensor_release(&in);
    keel_tensor_release(&out);
    keel_queue_destroy(queue);
}

/* A plan of the oracle drives the slow device's plan out of a table of one. */
static void *drive_plan_out(void *context)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device *oracle;
    (void)keel_device_open(context, "ref:0", &oracle, &err);
    run_neg(oracle, &err);
    keel_device_close(oracle);
    return NULL;
}

static void a_device_closes_after_a_plan_that_another_thread_drops(void **state)
{
    (void)state;
    const keel_context_options options = {.struct_size = sizeof options, .plan_limit = 1};
    const struct timespec moment = {.tv_nsec = 20000000};
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    keel_device *device;
    pthread_t thread;
    (void)keel_context_create(&options, &context, &err);
    (void)keel_backend_load(context, plugin, &err);
    (void)keel_device_open(context, "slow:1", &device, &err);
    run_neg(device, &err);
    assert_ok(&err, err.status);
    assert_int_equal(pthread_create(&thread, NULL, drive_plan_out, context), 0);
    (void)thrd_sleep(&moment, NULL);
    keel_device_close(device); /* the backend aborts if a plan is alive when it is asked to close */
    (void)pthread_join(thread, NULL);
    keel_context_release(context);
}

static void a_failure_asks_whether_the_device_is_lost(void **state)
{
    pool_fixture *f = *state;
    keel_buffer *buffer = make(f, 64);
    keel_buffer *other;
    char bytes[14] = {0};
    assert_status(&f->err, keel_buffer_write(f->queue, buffer, 0, bytes, 14, &f->err),
                  KEEL_ERR_DEVICE);
    f->err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&f->err, keel_buffer_create(f->device, 64, &other, &f->err),
                  KEEL_ERR_DEVICE_LOST);
    f->err = (keel_error)KEEL_ERROR_INIT;
    keel_buffer_release(buffer);
}

static void a_device_that_cannot_be_described_is_never_the_default(void **state)
{
    pool_fixture *f = *state;
    keel_device *device;
    keel_device_description described = {.struct_size = sizeof described};
    assert_ok(&f->err, keel_device_open(f->context, NULL, &device, &f->err));
    assert_string_equal(keel_device_id(device), "slow:1");
    keel_device_close(device);
    assert_ok(&f->err, keel_device_describe(f->context, 1, &described, &f->err)); /* 0 is ref:0 */
    assert_string_equal(described.id, "slow:0");
    assert_int_equal(described.is_default, 0);
    assert_non_null(strstr(described.info.name, "the firmware is silent"));
    assert_non_null(strstr(described.default_reason, "cannot describe"));
}

#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        POOL_TEST(idle_memory_is_reused_at_once),
        POOL_TEST(memory_in_flight_waits_for_its_queue),
        POOL_TEST(a_fence_frees_memory_without_a_synchronisation_by_the_user),
        POOL_TEST(a_destroyed_queue_holds_no_memory),
        POOL_TEST(exhausted_memory_empties_the_pool_first),
        POOL_TEST(the_ledger_says_who_holds_what),
        POOL_TEST(a_reused_block_forgets_its_tag),
        POOL_TEST(long_tags_are_cut_and_many_are_added_up),
        POOL_TEST(memory_smaller_than_its_class_is_not_reused_for_more),
        POOL_TEST(trim_gives_pooled_memory_back),
        POOL_TEST(a_lost_device_can_only_be_closed),
        POOL_TEST(a_failure_asks_whether_the_device_is_lost),
        POOL_TEST(a_device_that_cannot_be_described_is_never_the_default),
        cmocka_unit_test(a_device_closes_after_a_plan_that_another_thread_drops),
    };
    if (argc != 2) {
        print_error("usage: core_pool PLUGIN\n");
        return 2;
    }
    plugin = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
