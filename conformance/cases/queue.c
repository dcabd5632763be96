/* Queues and events: order within a queue, order between queues by events, documented refusals. */
#include <string.h>

#include "cases/make.h"
#include "keel/buffer.h"
#include "keel/plan.h"

#define WORDS 4096

/* ---- events ---------------------------------------------------------------------------------- */

static void run_empty_queue(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_queue *queue = NULL;
    (void)keel_queue_create(env->device, NULL, &queue, &err);
    (void)keel_queue_synchronize(queue, &err);
    (void)keel_queue_synchronize(queue, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        (void)conf_expect(result, keel_queue_device(queue) == env->device,
                          "keel_queue_device gives another device");
    }
    keel_queue_destroy(queue);
    keel_queue_destroy(NULL);
}

static void run_event_passes(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_event *start = NULL;
    keel_event *end = NULL;
    keel_buffer *buffer = NULL;
    int64_t ns = -1;
    int32_t done = 0;
    (void)keel_event_create(env->device, &start, &err);
    (void)keel_event_create(env->device, &end, &err);
    (void)keel_buffer_create(env->device, 1 << 20, &buffer, &err);
    (void)keel_event_record(start, env->queue, &err);
    (void)keel_buffer_fill(env->queue, buffer, 0, 1 << 20, 3, &err);
    (void)keel_event_record(end, env->queue, &err);
    (void)keel_event_synchronize(end, &err);
    (void)keel_event_query(end, &done, &err);
    (void)keel_event_elapsed(start, end, &ns, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        (void)conf_expect(result, done == 1, "an event that was waited for has not passed");
        (void)conf_expect(result, ns >= 0 && ns < INT64_C(60000000000),
                          "filling 1 MiB took %lld ns of device time", (long long)ns);
    }
    /* An event may be recorded again. */
    (void)keel_event_record(start, env->queue, &err);
    (void)keel_event_synchronize(start, &err);
    (void)conf_check_status(env, &(conf_demand){0}, &err, result);
    keel_buffer_release(buffer);
    keel_event_release(start);
    keel_event_release(end);
    keel_event_release(NULL);
}

static void run_event_never_recorded(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_event *event = NULL;
    (void)keel_event_create(env->device, &event, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        const keel_status status = keel_event_synchronize(event, &err);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &err,
                                  "waiting for an event that was never recorded");
    }
    keel_event_release(event);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Fills on one queue overtake nothing: the last one wins. */
static void run_in_order(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *buffer = NULL;
    static const uint8_t last = 200;
    unsigned char host[256] = {0};
    (void)keel_buffer_create(env->device, sizeof host, &buffer, &err);
    for (int i = 0; i <= last; i++) {
        (void)keel_buffer_fill(env->queue, buffer, 0, sizeof host, (uint8_t)i, &err);
    }
    (void)keel_buffer_read(env->queue, buffer, 0, host, sizeof host, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        for (size_t i = 0; i < sizeof host; i++) {
            (void)conf_expect(result, host[i] == last, "byte %zu is %d after fills up to %d", i,
                              host[i], last);
        }
    }
    keel_buffer_release(buffer);
}

/* Work of a second queue that waits for an event sees what the first queue did before it. */
static void run_across_queues(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_queue *other = NULL;
    keel_event *event = NULL;
    keel_buffer *source = NULL;
    keel_buffer *target = NULL;
    uint32_t sent[WORDS];
    uint32_t received[WORDS];
    (void)keel_queue_create(env->device, NULL, &other, &err);
    (void)keel_event_create(env->device, &event, &err);
    (void)keel_buffer_create(env->device, sizeof sent, &source, &err);
    (void)keel_buffer_create(env->device, sizeof sent, &target, &err);
    for (uint32_t round = 0; round < 20 && err.status == KEEL_OK; round++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            sent[i] = round * 65599U + i;
        }
        (void)keel_buffer_write_async(env->queue, source, 0, sent, sizeof sent, &err);
        (void)keel_event_record(event, env->queue, &err);
        (void)keel_queue_wait(other, event, &err);
        (void)keel_buffer_copy(other, source, 0, target, 0, sizeof sent, &err);
        (void)keel_buffer_read(other, target, 0, received, sizeof received, &err);
        (void)conf_expect(result, err.status != KEEL_OK || memcmp(sent, received, sizeof sent) == 0,
                          "round %u: the second queue did not see the first one's writes", round);
    }
    (void)conf_check_status(env, &(conf_demand){0}, &err, result);
    keel_buffer_release(source);
    keel_buffer_release(target);
    keel_event_release(event);
    keel_queue_destroy(other);
}

/* 3 times a value, as the second queue computes it from what the first one has computed. */
static void run_op_across_queues(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    enum { X, TWICE, THRICE, TENSORS };
    static const int64_t shape[] = {WORDS};
    keel_error err = KEEL_ERROR_INIT;
    keel_queue *other = NULL;
    keel_event *event = NULL;
    keel_tensor tensor[TENSORS] = {0};
    const keel_tensor *const first[] = {&tensor[X], &tensor[X], &tensor[TWICE]};
    const keel_tensor *const second[] = {&tensor[TWICE], &tensor[X], &tensor[THRICE]};
    float host[WORDS];
    for (int i = 0; i < WORDS; i++) {
        host[i] = (float)i;
    }
    (void)keel_queue_create(env->device, NULL, &other, &err);
    (void)keel_event_create(env->device, &event, &err);
    for (int i = 0; i < TENSORS; i++) {
        (void)keel_tensor_create(env->device, KEEL_F32, 1, shape, &tensor[i], &err);
    }
    (void)keel_tensor_write(env->queue, &tensor[X], host, &err);
    (void)keel_op_run(env->queue, "keel.add", first, 2, first + 2, 1, NULL, 0, &err);
    (void)keel_event_record(event, env->queue, &err);
    (void)keel_queue_wait(other, event, &err);
    (void)keel_op_run(other, "keel.add", second, 2, second + 2, 1, NULL, 0, &err);
    (void)keel_tensor_read(other, &tensor[THRICE], host, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        for (int i = 0; i < WORDS; i++) {
            (void)conf_expect(result, host[i] == (float)(3 * i),
                              "element %d is %g on the second queue, not %d", i, (double)host[i],
                              3 * i);
        }
    }
    keel_queue_destroy(other);
    for (int i = 0; i < TENSORS; i++) {
        keel_tensor_release(&tensor[i]);
    }
    keel_event_release(event);
}

/* A buffer is released while a copy from it is in flight. */
static void run_release_in_flight(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_buffer *kept = NULL;
    uint32_t host[WORDS];
    (void)keel_buffer_create(env->device, sizeof host, &kept, &err);
    for (uint32_t round = 0; round < 20 && err.status == KEEL_OK; round++) {
        keel_buffer *passing = NULL;
        (void)keel_buffer_create(env->device, sizeof host, &passing, &err);
        (void)keel_buffer_fill(env->queue, passing, 0, sizeof host, (uint8_t)(round + 1), &err);
        (void)keel_buffer_copy(env->queue, passing, 0, kept, 0, sizeof host, &err);
        keel_buffer_release(passing);
        /* A new buffer may get the same memory, but only after the copy. */
        keel_buffer *next = NULL;
        (void)keel_buffer_create(env->device, sizeof host, &next, &err);
        (void)keel_buffer_fill(env->queue, next, 0, sizeof host, 0xEE, &err);
        (void)keel_buffer_read(env->queue, kept, 0, host, sizeof host, &err);
        keel_buffer_release(next);
        const uint32_t want = (round + 1) * UINT32_C(0x01010101);
        (void)conf_expect(result,
                          err.status != KEEL_OK || (host[0] == want && host[WORDS - 1] == want),
                          "round %u: memory was reused before a copy from it had passed", round);
    }
    (void)conf_check_status(env, &(conf_demand){0}, &err, result);
    keel_buffer_release(kept);
}

/* Destroying a queue waits for its work. */
static void run_destroy_drains(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    keel_queue *queue = NULL;
    keel_buffer *buffer = NULL;
    unsigned char host[512] = {0};
    (void)keel_queue_create(env->device, NULL, &queue, &err);
    (void)keel_buffer_create(env->device, sizeof host, &buffer, &err);
    (void)keel_buffer_fill(queue, buffer, 0, sizeof host, 0x42, &err);
    keel_queue_destroy(queue);
    (void)keel_buffer_read(env->queue, buffer, 0, host, sizeof host, &err);
    if (conf_check_status(env, &(conf_demand){0}, &err, result)) {
        (void)conf_expect(result, host[0] == 0x42 && host[sizeof host - 1] == 0x42,
                          "work of a destroyed queue is missing");
    }
    keel_buffer_release(buffer);
}

void conf_cases_queue(conf_list *list)
{
    static const struct {
        const char *name;
        conf_run_fn run;
    } cases[] = {{"empty", run_empty_queue},
                 {"event_passes", run_event_passes},
                 {"event_never_recorded", run_event_never_recorded},
                 {"in_order", run_in_order},
                 {"across_queues", run_across_queues},
                 {"op_across_queues", run_op_across_queues},
                 {"release_in_flight", run_release_in_flight},
                 {"destroy_drains", run_destroy_drains}};
    const conf_name name = {.family = "queue", .op = "", .dtype = "", .tier = CONF_TIER_SMOKE};
    for (size_t i = 0; i < KEEL_COUNT(cases); i++) {
        conf_list_add(list, &name, cases[i].run, NULL, 0, "%s", cases[i].name);
    }
}
