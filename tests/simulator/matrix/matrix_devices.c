/* Devices that fail while they work: the failure comes out, stays if it must, and others go on. */
#include <stdio.h>

#include "walk.h"

typedef struct code_row {
    int code;
    keel_status status;
    const char *name;
} code_row;

#define CUDA_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row cuda_codes[] = {
#include "cuda_numbers.inc"
};

#define HIP_CODE(value, status, real) {value, KEEL_ERR_##status, #real},
static const code_row hip_codes[] = {
#include "hip_numbers.inc"
};

typedef struct vendor {
    const char *name, *device, *sibling, *other; /* "cuda", "cuda:0", "cuda:1", "hip:0" */
    const code_row *codes;
    size_t code_count;
    const char *unknown; /* name of the code of a lost device */
} vendor;

static void expect_failure(const walk *got, walk_step step, keel_status status, const char *words)
{
    if (got->failed != step || got->err.status != status ||
        strstr(got->err.message, words) == NULL) {
        fail_msg("%s failed with %s: %s; wanted %s to fail with %s and \"%s\"",
                 walk_step_name(got->failed), keel_status_name(got->err.status), got->err.message,
                 walk_step_name(step), keel_status_name(status), words);
    }
}

/* The first launch of one device fails while it runs, with each code after which nothing works. */
static void a_launch_that_fails_later_loses_the_device_and_no_other(void **state)
{
    const vendor *self = *state;
    int seen = 0;
    for (size_t i = 0; i < self->code_count; i++) {
        const code_row *row = &self->codes[i];
        char options[256];
        if (row->status != KEEL_ERR_DEVICE_LOST) {
            continue;
        }
        seen++;
        (void)snprintf(options, sizeof options,
                       "devices=2,error_at=1,error=%d,fault_vendor=%s,fault_device=0", row->code,
                       self->name);
        keel_context *context = walk_start(options);
        walk got = walk_device(context, self->device);
        expect_failure(&got, WALK_SYNCHRONIZE, KEEL_ERR_DEVICE_LOST, row->name);
        assert_int_equal(got.err.vendor_code, row->code);
        walk_expect_done(context, self->sibling);
        walk_expect_done(context, self->other);
        got = walk_device(context, self->device); /* the vendor keeps the failure */
        assert_true(got.failed <= WALK_ALLOC);
        assert_int_equal(got.err.status, KEEL_ERR_DEVICE_LOST);
        keel_context_release(context);
    }
    assert_true(seen > 3);
}

/* Codes that no list knows, from a device that answers nothing else any more. */
static void a_device_that_is_gone_is_lost_whatever_it_answers(void **state)
{
    const vendor *self = *state;
    char options[256];
    (void)snprintf(options, sizeof options, "devices=2,lost_at=1,fault_vendor=%s,fault_device=0",
                   self->name);
    keel_context *context = walk_start(options);
    walk got = walk_device(context, self->device);
    expect_failure(&got, WALK_SYNCHRONIZE, KEEL_ERR_DEVICE, self->unknown);
    walk_expect_done(context, self->sibling);
    walk_expect_done(context, self->other);
    got = walk_device(context, self->device);
    assert_true(got.failed <= WALK_ALLOC);
    assert_true(got.err.status == KEEL_ERR_DEVICE || got.err.status == KEEL_ERR_DEVICE_LOST);
    keel_context_release(context);
}

/* One allocation that fails is tried again; where memory is short for good, the size is named. */
static void memory_that_is_short_is_told(void **state)
{
    const vendor *self = *state;
    for (int at = 1; at <= 2; at++) { /* a walk allocates twice */
        char options[64];
        (void)snprintf(options, sizeof options, "oom_at=%d,fault_vendor=%s", at, self->name);
        keel_context *context = walk_start(options);
        const walk got = walk_device(context, self->device);
        if (got.failed != WALK_DONE) {
            expect_failure(&got, WALK_ALLOC, KEEL_ERR_OUT_OF_MEMORY, "256 bytes");
        }
        walk_expect_done(context, self->device);
        walk_expect_done(context, self->other);
        keel_context_release(context);
    }
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_buffer *buffer = NULL;
    keel_context *context = walk_start("mem=1M");
    assert_ok(&err, keel_device_open(context, self->device, &device, &err));
    assert_status(&err, keel_buffer_create(device, 2u << 20, &buffer, &err),
                  KEEL_ERR_OUT_OF_MEMORY);
    assert_mentions(&err, "2097152");
    assert_null(buffer);
    keel_device_close(device);
    walk_expect_done(context, self->device);
    keel_context_release(context);
}

/* Released memory that queued work still uses goes back to the vendor only after that work. */
static void short_memory_takes_none_from_queued_work(void **state)
{
    const vendor *self = *state;
    keel_error err = KEEL_ERROR_INIT;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    keel_buffer *used = NULL;
    keel_buffer *large = NULL;
    keel_context *context = walk_start("mem=1M,schedule=late,fatal=1");
    (void)keel_device_open(context, self->device, &device, &err);
    (void)keel_queue_create(device, NULL, &queue, &err);
    (void)keel_buffer_create(device, 600u << 10, &used, &err);
    (void)keel_buffer_fill(queue, used, 0, 600u << 10, 1, &err);
    keel_buffer_release(used);
    (void)keel_buffer_create(device, 700u << 10, &large, &err);
    assert_ok(&err, keel_queue_synchronize(queue, &err));
    keel_buffer_release(large);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
}

static void a_program_that_does_not_compile_says_so(void **state)
{
    const vendor *self = *state;
    char options[64];
    (void)snprintf(options, sizeof options, "compile_fail=1,fault_vendor=%s", self->name);
    keel_context *context = walk_start(options);
    const walk got = walk_device(context, self->device);
    expect_failure(&got, WALK_BUILD, KEEL_ERR_BUILD, "simulated failure of the compiler");
    walk_expect_done(context, self->other);
    keel_context_release(context);
}

static void a_slow_device_is_only_slow(void **state)
{
    const vendor *self = *state;
    keel_context *context = walk_start("slow_ms=5");
    walk_expect_done(context, self->device);
    keel_context_release(context);
}

/* Every order of ready work gives the same results, and a finding would fail a wait. */
static void the_order_of_streams_changes_nothing(void **state)
{
    const vendor *self = *state;
    static const char *const options[] = {"fatal=1,schedule=late", "fatal=1,schedule=early",
                                          "fatal=1,seed=7", "fatal=1,seed=8"};
    for (size_t i = 0; i < KEEL_COUNT(options); i++) {
        keel_context *context = walk_start(options[i]);
        walk_expect_done(context, self->device);
        keel_context_release(context);
    }
}

/* An architecture that nobody knows runs portable kernels; wave 32 and 64. */
static void any_architecture_works(void **state)
{
    const vendor *self = *state;
    static const char *const options[] = {"cuda_arch=sm_75,hip_arch=gfx1100",
                                          "cuda_arch=sm_120,hip_arch=gfx90a",
                                          "cuda_arch=sm_999,hip_arch=gfx9999"};
    for (size_t i = 0; i < KEEL_COUNT(options); i++) {
        keel_context *context = walk_start(options[i]);
        walk_expect_done(context, self->device);
        keel_context_release(context);
    }
}

#define VENDOR_TEST(name)                      \
    {#name ": cuda", name, NULL, NULL, &cuda}, \
    {                                          \
#name ": hip", name, NULL, NULL, &hip  \
    }

int main(void)
{
    static vendor cuda = {"cuda",
                          "cuda:0",
                          "cuda:1",
                          "hip:0",
                          cuda_codes,
                          KEEL_COUNT(cuda_codes),
                          "cudaErrorUnknown"};
    static vendor hip = {
        "hip", "hip:0", "hip:1", "cuda:0", hip_codes, KEEL_COUNT(hip_codes), "hipErrorUnknown"};
    const struct CMUnitTest tests[] = {
        VENDOR_TEST(a_launch_that_fails_later_loses_the_device_and_no_other),
        VENDOR_TEST(a_device_that_is_gone_is_lost_whatever_it_answers),
        VENDOR_TEST(memory_that_is_short_is_told),
        VENDOR_TEST(short_memory_takes_none_from_queued_work),
        VENDOR_TEST(a_program_that_does_not_compile_says_so),
        VENDOR_TEST(a_slow_device_is_only_slow),
        VENDOR_TEST(the_order_of_streams_changes_nothing),
        VENDOR_TEST(any_architecture_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
