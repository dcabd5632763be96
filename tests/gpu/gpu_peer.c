/*
 * Copies between two simulated devices of one vendor: the plugin's extension, then the public API.
 */
#include <dlfcn.h>

#include "gpu_vendor_calls.h"
#include "keel/keel.h"
#include "keel/peer.h"

/* Starts the simulator afresh with options, two devices among them. Nothing of it may be in use. */
static void restart(const char *options)
{
    void *library = dlopen("libkeel_simulator.so", RTLD_NOW | RTLD_LOCAL);
    void (*call)(const char *options) = NULL;
    assert_non_null(library);
    void *address = dlsym(library, "rt_restart");
    assert_non_null(address);
    memcpy(&call, &address, sizeof call);
    call(options);
}

#define OPTIONS "devices=2,schedule=late"

/* Both devices of a plugin. */
typedef struct pair {
    plugin_fixture *f;
    const keel_peer_api *api;
    void *other; /* device 1 */
    void *other_queue;
    void *source; /* on it, 4096 bytes that count up */
    void *target; /* on device 0 */
} pair;

static pair open_pair(void **state, const char *options)
{
    pair p = {.f = plugin_need_device(state)};
    keel_error err = KEEL_ERROR_INIT;
    unsigned char host[4096];
    plugin_close_all(p.f);
    restart(options);
    assert_ok(&err, plugin_open_all(p.f, &err));
    p.api = p.f->backend->get_extension(p.f->state, KEEL_PEER_EXTENSION, KEEL_PEER_VERSION);
    assert_non_null(p.api);
    assert_ok(&err, p.f->backend->device_open(p.f->state, 1, &p.other, &err));
    assert_ok(&err, p.f->api->queue_create(p.other, 0, &p.other_queue, &err));
    assert_ok(&err,
              p.f->api->buffer_alloc(p.other, sizeof host, KEEL_MEMORY_DEVICE, &p.source, &err));
    for (size_t i = 0; i < sizeof host; i++) {
        host[i] = (unsigned char)(i * 3);
    }
    assert_ok(&err, p.f->api->write(p.other_queue, p.source, 0, host, sizeof host, 0, &err));
    p.target = plugin_buffer(p.f, sizeof host);
    assert_ok(&err, p.f->api->fill(p.f->queue, p.target, 0, sizeof host, 0, 4, &err));
    return p;
}

static void close_pair(pair *p)
{
    p->f->api->buffer_free(p->f->device, p->target);
    p->f->api->buffer_free(p->other, p->source);
    p->f->api->queue_destroy(p->other_queue);
    p->f->api->close(p->other);
    plugin_close_all(p->f);
    restart(OPTIONS);
}

static void expect_copy(pair *p)
{
    keel_error err = KEEL_ERROR_INIT;
    unsigned char host[200];
    const keel_operand source = {p->source, 7};
    const keel_operand target = {p->target, 100};
    assert_ok(&err, p->api->copy(p->f->queue, p->other, &source, &target, 200, &err));
    assert_ok(&err, p->f->api->read(p->f->queue, p->target, 100, host, 200, 0, &err));
    for (int i = 0; i < 200; i++) {
        assert_int_equal(host[i], (unsigned char)((i + 7) * 3));
    }
}

static void bytes_arrive_from_another_device(void **state)
{
    pair p = open_pair(state, OPTIONS);
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, p.api->check(p.f->device, p.other, &err));
    const int made = atomic_load(&p.f->host.made);
    assert_ok(&err, p.api->check(p.f->device, p.other, &err)); /* from memory */
    assert_int_equal(atomic_load(&p.f->host.made), made);
    expect_copy(&p);
    expect_copy(&p);
    close_pair(&p);
}

static void without_direct_access_the_driver_copies_over_the_host_and_the_log_says_so(void **state)
{
    pair p = open_pair(state, OPTIONS ",peer=0");
    expect_copy(&p);
    assert_non_null(strstr(p.f->host.last_log, "go over the host"));
    close_pair(&p);
}

static void a_way_that_damages_a_pattern_is_refused_from_then_on(void **state)
{
    pair p = open_pair(state, OPTIONS ",peer_corrupt=1");
    for (int i = 0; i < 2; i++) {
        keel_error err = KEEL_ERROR_INIT;
        unsigned char host[4] = {1, 1, 1, 1};
        const keel_operand source = {p.source, 0};
        const keel_operand target = {p.target, 0};
        assert_status(&err, p.api->copy(p.f->queue, p.other, &source, &target, 4, &err),
                      KEEL_ERR_UNSUPPORTED);
        assert_mentions(&err, "arrive damaged: byte");
        memset(&err, 0, sizeof err);
        assert_ok(&err, p.f->api->read(p.f->queue, p.target, 0, host, 4, 0, &err));
        assert_int_equal(host[0] | host[1] | host[2] | host[3], 0); /* nothing was copied */
    }
    close_pair(&p);
}

static void access_that_the_application_has_is_no_failure(void **state)
{
    pair p = open_pair(state, OPTIONS);
    void *library =
        dlopen(strcmp(p.f->backend->name, "cuda") == 0 ? "libcudart.so.13" : "libamdhip64.so.7",
               RTLD_NOW | RTLD_LOCAL);
    void *address =
        dlsym(library, strcmp(p.f->backend->name, "cuda") == 0 ? "cudaDeviceEnablePeerAccess"
                                                               : "hipDeviceEnablePeerAccess");
    int (*enable)(int peer, unsigned flags) = NULL;
    const gpu_vendor_calls calls = gpu_calls(p.f);
    memcpy(&enable, &address, sizeof enable);
    assert_int_equal(calls.device_set(0), 0);
    assert_int_equal(enable(1, 0), 0);
    expect_copy(&p);
    assert_int_equal(calls.last_error(), 0);
    close_pair(&p);
}

static void a_failed_try_is_a_failure_and_tried_again(void **state)
{
    pair p = open_pair(state, OPTIONS);
    keel_error err = KEEL_ERROR_INIT;
    atomic_store(&p.f->host.fail_at, atomic_load(&p.f->host.made) + 1);
    assert_status(&err, p.api->check(p.f->device, p.other, &err), KEEL_ERR_OUT_OF_MEMORY);
    atomic_store(&p.f->host.fail_at, 0);
    expect_copy(&p);
    close_pair(&p);
}

/* ---- the public API --------------------------------------------------------------------------
 */

/* A device of the plugin's backend with a queue and a tensor of 1000 floats. */
typedef struct place {
    keel_device *device;
    keel_queue *queue;
    keel_buffer *buffer;
} place;

static place open_place(keel_context *context, const char *backend, int index)
{
    keel_error err = KEEL_ERROR_INIT;
    char id[32];
    place at = {0};
    (void)snprintf(id, sizeof id, "%s:%d", backend, index);
    keel_device_open(context, id, &at.device, &err);
    keel_queue_create(at.device, NULL, &at.queue, &err);
    keel_buffer_create(at.device, 4000, &at.buffer, &err);
    assert_ok(&err, err.status);
    return at;
}

static void close_place(place *at)
{
    keel_buffer_release(at->buffer);
    keel_queue_destroy(at->queue);
    keel_device_close(at->device);
}

/* The context loads the plugin by itself: the fixture's own must be closed. */
static const char *free_backend(void **state)
{
    plugin_fixture *f = plugin_need_device(state);
    plugin_close_all(f);
    restart(OPTIONS);
    return f->backend->name;
}

static void buffers_are_copied_between_devices_of_a_context(void **state)
{
    const char *backend = free_backend(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    float data[1000];
    float back[1000] = {0};
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    place to = open_place(context, backend, 0);
    place from = open_place(context, backend, 1);
    for (int i = 0; i < 1000; i++) {
        data[i] = (float)i;
    }
    assert_ok(&err, keel_peer_check(to.device, from.device, &err));
    assert_ok(&err, keel_peer_check(to.device, to.device, &err));
    assert_ok(&err, keel_buffer_write(from.queue, from.buffer, 0, data, sizeof data, &err));
    assert_ok(&err, keel_peer_copy(to.queue, from.buffer, 0, to.buffer, 0, sizeof data, &err));
    assert_ok(&err, keel_queue_synchronize(from.queue, &err));
    keel_buffer_release(from.buffer); /* its own queue is done, the copy is not */
    assert_ok(&err, keel_buffer_create(from.device, 4000, &from.buffer, &err));
    assert_ok(&err, keel_buffer_fill(from.queue, from.buffer, 0, 4000, 255, &err));
    assert_ok(&err, keel_queue_synchronize(from.queue, &err));
    assert_ok(&err, keel_buffer_read(to.queue, to.buffer, 0, back, sizeof back, &err));
    assert_memory_equal(back, data, sizeof data);
    /* On one device it is an ordinary copy. */
    assert_ok(&err, keel_peer_copy(to.queue, to.buffer, 0, to.buffer, 2000, 400, &err));
    assert_ok(&err, keel_peer_copy(to.queue, from.buffer, 4000, to.buffer, 4000, 0, &err));
    close_place(&from);
    close_place(&to);
    keel_context_release(context);
}

static void what_cannot_be_copied_is_refused_with_the_reason(void **state)
{
    const char *backend = free_backend(state);
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    place to = open_place(context, backend, 0);
    place from = open_place(context, backend, 1);
    place host = open_place(context, "ref", 0);
    assert_status(&err, keel_peer_copy(to.queue, from.buffer, 3999, to.buffer, 0, 2, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "copy source");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_peer_copy(to.queue, from.buffer, 0, to.buffer, 1, 4000, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "copy target");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_peer_copy(from.queue, from.buffer, 0, to.buffer, 0, 4, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    assert_mentions(&err, "belongs to device");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_peer_copy(to.queue, host.buffer, 0, to.buffer, 0, 4, &err),
                  KEEL_ERR_UNSUPPORTED);
    assert_mentions(&err, "two backends");
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_peer_check(to.device, NULL, &err), KEEL_ERR_INVALID_ARGUMENT);
    err = (keel_error)KEEL_ERROR_INIT;
    assert_status(&err, keel_peer_copy(NULL, from.buffer, 0, to.buffer, 0, 4, &err),
                  KEEL_ERR_INVALID_ARGUMENT);
    close_place(&host);
    close_place(&from);
    close_place(&to);
    keel_context_release(context);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        PLUGIN_TEST(bytes_arrive_from_another_device),
        PLUGIN_TEST(without_direct_access_the_driver_copies_over_the_host_and_the_log_says_so),
        PLUGIN_TEST(a_way_that_damages_a_pattern_is_refused_from_then_on),
        PLUGIN_TEST(access_that_the_application_has_is_no_failure),
        PLUGIN_TEST(a_failed_try_is_a_failure_and_tried_again),
        PLUGIN_TEST(buffers_are_copied_between_devices_of_a_context),
        PLUGIN_TEST(what_cannot_be_copied_is_refused_with_the_reason),
    };
    return plugin_arguments(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
