#include "walk.h"

#include <dlfcn.h>
#include <stdio.h>

#define COUNT 64

static char logged[16384];
static size_t log_length;

static const char *const step_names[] = {"open",  "queue", "alloc",  "write",
                                         "fill",  "build", "launch", "synchronize",
                                         "event", "read",  "nothing"};

const char *walk_step_name(walk_step step)
{
    return step_names[step];
}

/* What a walk holds. */
typedef struct holdings {
    keel_device *device;
    keel_queue *queue, *other;
    keel_tensor a, b;
    keel_plan *plan;
    keel_event *event;
} holdings;

static void enqueue(holdings *h, keel_error *err)
{
    const keel_tensor *const operands[] = {&h->a, &h->a, &h->b};
    (void)keel_plan_enqueue(h->plan, h->queue, operands, 3, err);
}

/* One step; does nothing once err holds a failure. */
static void take(holdings *h, walk_step step, keel_context *context, const char *id,
                 float host[COUNT], keel_error *err)
{
    const keel_tensor *const inputs[] = {&h->a, &h->a};
    const keel_tensor *const outputs[] = {&h->b};
    const int64_t shape[] = {COUNT};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.add",
                                       .inputs = inputs,
                                       .input_count = 2,
                                       .outputs = outputs,
                                       .output_count = 1};
    switch (step) {
    case WALK_OPEN:
        (void)keel_device_open(context, id, &h->device, err);
        break;
    case WALK_QUEUE:
        (void)keel_queue_create(h->device, NULL, &h->queue, err);
        (void)keel_queue_create(h->device, NULL, &h->other, err);
        break;
    case WALK_ALLOC:
        (void)keel_tensor_create(h->device, KEEL_F32, 1, shape, &h->a, err);
        (void)keel_tensor_create(h->device, KEEL_F32, 1, shape, &h->b, err);
        break;
    case WALK_WRITE:
        (void)keel_tensor_write(h->queue, &h->a, host, err);
        break;
    case WALK_FILL:
        (void)keel_buffer_fill(h->queue, h->b.buffer, 0, sizeof(float) * COUNT, 0, err);
        break;
    case WALK_BUILD:
        (void)keel_plan_create(h->device, &request, &h->plan, err);
        break;
    case WALK_LAUNCH:
        enqueue(h, err);
        break;
    case WALK_SYNCHRONIZE:
        (void)keel_queue_synchronize(h->queue, err);
        break;
    case WALK_EVENT:
        (void)keel_event_create(h->device, &h->event, err);
        (void)keel_event_record(h->event, h->queue, err);
        (void)keel_queue_wait(h->other, h->event, err);
        (void)keel_event_synchronize(h->event, err);
        break;
    case WALK_READ:
        (void)keel_tensor_read(h->queue, &h->b, host, err);
        break;
    case WALK_DONE:
        break;
    }
}

walk walk_device(keel_context *context, const char *device)
{
    walk result = {.failed = WALK_OPEN, .err = KEEL_ERROR_INIT};
    holdings h = {0};
    float host[COUNT];
    for (int i = 0; i < COUNT; i++) {
        host[i] = (float)i;
    }
    while (result.failed < WALK_DONE) {
        take(&h, result.failed, context, device, host, &result.err);
        if (result.err.status != KEEL_OK) {
            break;
        }
        result.failed++;
    }
    keel_event_release(h.event);
    keel_plan_release(h.plan);
    keel_tensor_release(&h.a);
    keel_tensor_release(&h.b);
    keel_queue_destroy(h.queue);
    keel_queue_destroy(h.other);
    keel_device_close(h.device);
    for (int i = 0; i < COUNT && result.failed == WALK_DONE; i++) {
        assert_true(host[i] == 2.0f * (float)i);
    }
    return result;
}

static void keep(void *user, int32_t level, const char *message)
{
    (void)user;
    (void)level;
    const int length = snprintf(logged + log_length, sizeof logged - log_length, "%s\n", message);
    log_length += (size_t)length < sizeof logged - log_length ? (size_t)length : 0;
}

keel_context *walk_start(const char *options)
{
    static void (*restart)(const char *options);
    char all[1024];
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    const keel_context_options wanted = {
        .struct_size = sizeof wanted, .log = keep, .cache_directory = "off"};
    if (restart == NULL) {
        void *library = dlopen(SIMULATOR "/libkeel_simulator.so", RTLD_NOW | RTLD_LOCAL);
        assert_non_null(library);
        void *address = dlsym(library, "rt_restart");
        assert_non_null(address);
        memcpy(&restart, &address, sizeof restart);
    }
    /* Calls that fail before they do anything leave work behind: no findings on that account. */
    (void)snprintf(all, sizeof all, "leaks=0,fatal=0,cache=%s,%s", CACHE, options);
    restart(all);
    log_length = 0;
    logged[0] = '\0';
    assert_ok(&err, keel_context_create(&wanted, &context, &err));
    return context;
}

const char *walk_log(void)
{
    return logged;
}

int walk_report_mentions(keel_context *context, const char *subject, const char *words)
{
    int found = 0;
    for (uint32_t i = 0; i < keel_load_report_count(context); i++) {
        keel_error err = KEEL_ERROR_INIT;
        keel_load_entry entry = {.struct_size = sizeof entry};
        assert_ok(&err, keel_load_report_get(context, i, &entry, &err));
        found |= strcmp(entry.subject, subject) == 0 && strstr(entry.reason, words) != NULL;
    }
    return found;
}

void walk_expect_done(keel_context *context, const char *device)
{
    const walk result = walk_device(context, device);
    if (result.failed != WALK_DONE) {
        fail_msg("%s: %s failed: %s", device, walk_step_name(result.failed), result.err.message);
    }
}
