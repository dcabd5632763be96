/*
 * Everything at once: threads open and close a device, run and plan ops, hand buffers to each
 * other, share memory by DLPack, in an order that a seed decides. The address and thread sanitizer
 * presets are what gives this test its teeth.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core_fixture.h"
#include "keel/dlpack.h"

#define THREADS 4
#define ROUNDS 120
#define SLOTS 8

/* What all threads share. Slots hold buffers that whoever finds them releases. */
typedef struct arena {
    keel_context *context;
    _Atomic(keel_buffer *) slot[SLOTS];
    atomic_int imported, deleted; /* foreign tensors taken, and given back */
} arena;

/* One thread: its random numbers, and what it holds while a round lasts. */
typedef struct worker {
    arena *shared;
    uint64_t random;
    keel_error err;
    keel_device *device;
    keel_queue *queue;
    keel_plan *plan; /* of an earlier round: its device may be closed otherwise */
    int right;
} worker;

static uint32_t pick(worker *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)(w->random >> 33) % below;
}

/* ---- foreign memory -------------------------------------------------------------------------- */

typedef struct foreign {
    keel_dl_managed managed;
    atomic_int *deleted;
    int64_t shape;
    float data[16];
} foreign;

static void delete_foreign(keel_dl_managed *self)
{
    foreign *owner = self->manager_ctx;
    atomic_fetch_add(owner->deleted, 1);
    free(owner);
}

static void import_foreign(worker *w, keel_tensor *out)
{
    foreign *owner = calloc(1, sizeof *owner);
    owner->deleted = &w->shared->deleted;
    owner->shape = 16;
    owner->managed = (keel_dl_managed){.major = KEEL_DLPACK_MAJOR,
                                       .manager_ctx = owner,
                                       .deleter = delete_foreign,
                                       .tensor = {.data = owner->data,
                                                  .device_type = 1,
                                                  .ndim = 1,
                                                  .dtype_code = 2,
                                                  .dtype_bits = 32,
                                                  .dtype_lanes = 1,
                                                  .shape = &owner->shape}};
    if (keel_dlpack_import(w->device, &owner->managed, out, &w->err) == KEEL_OK) {
        atomic_fetch_add(&w->shared->imported, 1);
    } else {
        free(owner);
    }
}

/* Takes foreign memory, exports it, and takes the export: each holds the one before. */
static void pass_foreign_memory_around(worker *w)
{
    keel_tensor first = {0};
    keel_tensor second = {0};
    keel_dl_managed *managed = NULL;
    import_foreign(w, &first);
    (void)keel_dlpack_export(&first, &managed, &w->err);
    if (managed != NULL && keel_dlpack_import(w->device, managed, &second, &w->err) != KEEL_OK) {
        managed->deleter(managed);
    }
    keel_tensor_release(&first);
    const float back[16] = {0};
    (void)keel_tensor_write(w->queue, &second, back, &w->err);
    keel_tensor_release(&second);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Adds a vector to itself and looks at the result. */
static void run_op(worker *w)
{
    const int64_t size = 1 + pick(w, 12);
    float values[16];
    keel_tensor in = {0};
    keel_tensor out = {0};
    const keel_tensor *inputs[] = {&in, &in};
    const keel_tensor *output = &out;
    for (int64_t i = 0; i < size; i++) {
        values[i] = (float)i + 1;
    }
    (void)keel_tensor_create(w->device, KEEL_F32, 1, &size, &in, &w->err);
    (void)keel_tensor_create(w->device, KEEL_F32, 1, &size, &out, &w->err);
    (void)keel_tensor_write(w->queue, &in, values, &w->err);
    (void)keel_op_run(w->queue, "keel.add", inputs, 2, &output, 1, NULL, 0, &w->err);
    (void)keel_tensor_read(w->queue, &out, values, &w->err);
    w->right = w->right && values[size - 1] == 2 * (float)size;
    keel_tensor_release(&in);
    keel_tensor_release(&out);
}

/* Keeps a plan beyond the round, and with it the device. */
static void plan_op(worker *w)
{
    const int64_t size = 1 + pick(w, 12);
    keel_tensor tensor = {0};
    const keel_tensor *operands[] = {&tensor, &tensor, &tensor};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.mul",
                                       .inputs = operands,
                                       .input_count = 2,
                                       .outputs = operands + 2,
                                       .output_count = 1};
    keel_plan_release(w->plan);
    (void)keel_tensor_create(w->device, KEEL_F32, 1, &size, &tensor, &w->err);
    (void)keel_buffer_fill(w->queue, tensor.buffer, 0, (uint64_t)size * 4, 0, &w->err);
    (void)keel_plan_create(w->device, &request, &w->plan, &w->err);
    (void)keel_plan_enqueue(w->plan, w->queue, operands, 3, &w->err);
    keel_tensor_release(&tensor);
    if (pick(w, 2) == 0) {
        keel_plan_release(w->plan);
        w->plan = NULL;
    }
}

/* Leaves a buffer in use for another thread, and releases what was left there. */
static void hand_buffer_over(worker *w)
{
    keel_buffer *buffer;
    (void)keel_buffer_create(w->device, 64 + pick(w, 4096), &buffer, &w->err);
    (void)keel_buffer_fill(w->queue, buffer, 0, 64, 1, &w->err);
    keel_buffer_release(atomic_exchange(&w->shared->slot[pick(w, SLOTS)], buffer));
}

/* ---- threads --------------------------------------------------------------------------------- */

static void run_round(worker *w)
{
    (void)keel_device_open(w->shared->context, "ref:0", &w->device, &w->err);
    (void)keel_queue_create(w->device, NULL, &w->queue, &w->err);
    static void (*const actions[])(worker *) = {run_op, plan_op, hand_buffer_over,
                                                pass_foreign_memory_around};
    for (uint32_t i = pick(w, 4) + 1; i > 0; i--) {
        actions[pick(w, KEEL_COUNT(actions))](w);
    }
    if (pick(w, 4) == 0) {
        (void)keel_device_trim(w->device, &w->err);
    }
    keel_device_close(w->device);
    keel_queue_destroy(w->queue); /* may hold the last reference */
}

static void *run_worker(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < ROUNDS && w->err.status == KEEL_OK; i++) {
        run_round(w);
    }
    keel_plan_release(w->plan);
    return NULL;
}

static void threads_may_do_everything_at_once(void **state)
{
    (void)state;
    static arena shared;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    keel_error err = KEEL_ERROR_INIT;
    const keel_context_options options = {.struct_size = sizeof options, .plan_limit = 1};
    assert_ok(&err, keel_context_create(&options, &shared.context, &err));
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.shared = &shared,
                              .random = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1),
                              .err = KEEL_ERROR_INIT,
                              .right = 1};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < SLOTS; i++) {
        keel_buffer_release(atomic_exchange(&shared.slot[i], NULL));
    }
    keel_context_release(shared.context);
    for (int i = 0; i < THREADS; i++) {
        assert_ok(&workers[i].err, workers[i].err.status);
        assert_true(workers[i].right);
    }
    assert_int_not_equal(shared.imported, 0);
    assert_int_equal(shared.imported, shared.deleted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_may_do_everything_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
