#include "core_fixture.h"

#include <stdlib.h>

static int set_up(void **state, const char *id)
{
    core_fixture *f = calloc(1, sizeof *f);
    f->err = (keel_error)KEEL_ERROR_INIT;
    if (keel_context_create(NULL, &f->context, &f->err) != KEEL_OK) {
        print_error("%s\n", f->err.message);
        return -1;
    }
    if (keel_device_open(f->context, id, &f->device, &f->err) == KEEL_OK) {
        (void)keel_queue_create(f->device, NULL, &f->queue, &f->err);
    } else if (id == NULL) {
        core_forget(f);
    }
    *state = f;
    return f->err.status == KEEL_OK ? 0 : -1;
}

int core_set_up(void **state)
{
    return set_up(state, "ref:0");
}

int core_set_up_default(void **state)
{
    return set_up(state, NULL);
}

int core_tear_down(void **state)
{
    core_fixture *f = *state;
    keel_queue_destroy(f->queue);
    keel_device_close(f->device);
    keel_context_release(f->context);
    free(f);
    return 0;
}

void core_forget(core_fixture *f)
{
    f->err = (keel_error)KEEL_ERROR_INIT;
}

keel_tensor core_blank(core_fixture *f, int32_t rank, const int64_t *shape)
{
    keel_tensor tensor;
    assert_ok(&f->err, keel_tensor_create(f->device, KEEL_F32, rank, shape, &tensor, &f->err));
    return tensor;
}

keel_tensor core_counting(core_fixture *f, int32_t rank, const int64_t *shape)
{
    keel_tensor tensor = core_blank(f, rank, shape);
    const int64_t count = keel_tensor_elements(&tensor);
    float *values = calloc((size_t)count + 1, sizeof *values);
    for (int64_t i = 0; i < count; i++) {
        values[i] = (float)(i + 1);
    }
    assert_ok(&f->err, keel_tensor_write(f->queue, &tensor, values, &f->err));
    free(values);
    return tensor;
}

keel_status core_add(core_fixture *f, const keel_tensor *a, const keel_tensor *b,
                     const keel_tensor *out)
{
    const keel_tensor *inputs[] = {a, b};
    return keel_op_run(f->queue, "keel.add", inputs, 2, &out, 1, NULL, 0, &f->err);
}
