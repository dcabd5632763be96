/* A context, a device and a queue, for tests of the core. */
#ifndef CORE_FIXTURE_H
#define CORE_FIXTURE_H

#include "keel/keel.h"
#include "keel_test.h"

typedef struct core_fixture {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_error err; /* fresh for every test */
} core_fixture;

#define CORE_TEST(name) cmocka_unit_test_setup_teardown(name, core_set_up, core_tear_down)

/* Opens ref:0. */
int core_set_up(void **state);
/* Opens the default device; device stays NULL where there is none. */
int core_set_up_default(void **state);
int core_tear_down(void **state);

/* An F32 tensor of 1, 2, 3, ... */
keel_tensor core_counting(core_fixture *f, int32_t rank, const int64_t *shape);
/* An F32 tensor without values. */
keel_tensor core_blank(core_fixture *f, int32_t rank, const int64_t *shape);

/* keel.add through keel_op_run. */
keel_status core_add(core_fixture *f, const keel_tensor *a, const keel_tensor *b,
                     const keel_tensor *out);

/* Forgets a failure that a test has looked at. */
void core_forget(core_fixture *f);

#endif
