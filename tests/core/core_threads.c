/*
 * Threads: contexts side by side, one context used by several threads with a queue each, buffers
 * released by another thread. The thread sanitizer preset is what gives this test its teeth.
 */
#include <pthread.h>
#include <stdlib.h>

#include "core_fixture.h"

#define THREADS 4
#define ROUNDS 50

/* What one thread works on, and whether it went well. */
typedef struct worker {
    keel_context *context; /* NULL: one of its own */
    int64_t size;
    int ok;
} worker;

/* Adds on a queue of its own, with new tensors each time. */
static int work_on(keel_context *context, int64_t size)
{
    core_fixture f = {.context = context, .err = KEEL_ERROR_INIT};
    (void)keel_device_open(context, "ref:0", &f.device, &f.err);
    (void)keel_queue_create(f.device, NULL, &f.queue, &f.err);
    int right = 1;
    for (int i = 0; i < ROUNDS && f.err.status == KEEL_OK; i++) {
        const int64_t shape = size + i % 7;
        float values[64];
        for (int64_t k = 0; k < shape; k++) {
            values[k] = (float)(k + i);
        }
        keel_tensor a = {0};
        keel_tensor out = {0};
        (void)keel_tensor_create(f.device, KEEL_F32, 1, &shape, &a, &f.err);
        (void)keel_tensor_create(f.device, KEEL_F32, 1, &shape, &out, &f.err);
        (void)keel_tensor_write(f.queue, &a, values, &f.err);
        (void)core_add(&f, &a, &a, &out);
        (void)keel_tensor_read(f.queue, &out, values, &f.err);
        right = right && values[shape - 1] == 2 * (float)(shape - 1 + i);
        keel_tensor_release(&a);
        keel_tensor_release(&out);
    }
    keel_queue_destroy(f.queue);
    keel_device_close(f.device);
    return right && f.err.status == KEEL_OK;
}

static void *run_worker(void *argument)
{
    worker *w = argument;
    keel_context *context = w->context;
    if (context != NULL || keel_context_create(NULL, &context, NULL) == KEEL_OK) {
        w->ok = work_on(context, w->size);
    }
    if (w->context == NULL) {
        keel_context_release(context);
    }
    return NULL;
}

static void run_workers(keel_context *shared)
{
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.context = shared, .size = 5 + i % 2};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
        assert_true(workers[i].ok);
    }
}

static void contexts_live_side_by_side(void **state)
{
    (void)state;
    run_workers(NULL);
}

static void threads_share_a_context(void **state)
{
    core_fixture *f = *state;
    run_workers(f->context);
    keel_memory_info info = {.struct_size = sizeof info};
    assert_ok(&f->err, keel_device_memory(f->device, &info, &f->err));
    assert_int_equal(info.live, 0);
}

/* A buffer on its way to the thread that releases it. */
static void *release_buffer(void *buffer)
{
    keel_buffer_release(buffer);
    return NULL;
}

static void another_thread_may_release_a_buffer_in_use(void **state)
{
    core_fixture *f = *state;
    for (int i = 0; i < ROUNDS; i++) {
        keel_buffer *buffer;
        pthread_t thread;
        assert_ok(&f->err, keel_buffer_create(f->device, 4096, &buffer, &f->err));
        assert_ok(&f->err, keel_buffer_fill(f->queue, buffer, 0, 4096, (uint8_t)i, &f->err));
        assert_int_equal(pthread_create(&thread, NULL, release_buffer, buffer), 0);
        keel_buffer *own;
        assert_ok(&f->err, keel_buffer_create(f->device, 4096, &own, &f->err));
        assert_ok(&f->err, keel_buffer_fill(f->queue, own, 0, 16, 0, &f->err));
        keel_buffer_release(own);
        (void)pthread_join(thread, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_live_side_by_side),
        CORE_TEST(threads_share_a_context),
        CORE_TEST(another_thread_may_release_a_buffer_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
