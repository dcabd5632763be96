/*
 * Which native row runs an op, on a GPU whose backend has three of them for keel.abs: one for
 * CPUs, one whose library turns out to have no kernel, and one that works.
 */
#include "keel/keel.h"
#include "keel_test.h"

static const char *plugin;

typedef struct choice_fixture {
    keel_context *context;
    keel_device *device;
    keel_error err;
    keel_tensor x;
} choice_fixture;

static int set_up(void **state)
{
    static choice_fixture f;
    f = (choice_fixture){.err = KEEL_ERROR_INIT};
    (void)keel_context_create(NULL, &f.context, &f.err);
    (void)keel_backend_load(f.context, plugin, &f.err);
    (void)keel_device_open(f.context, "slow:1", &f.device, &f.err);
    (void)keel_tensor_create(f.device, KEEL_F32, 1, (int64_t[]){4}, &f.x, &f.err);
    *state = &f;
    return f.err.status == KEEL_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    choice_fixture *f = *state;
    keel_tensor_release(&f->x);
    keel_device_close(f->device);
    keel_context_release(f->context);
    return 0;
}

/* Plans keel.abs by that variant and tells what was chosen. */
static keel_status plan_abs(choice_fixture *f, const char *variant, keel_plan_info *out_info)
{
    const keel_tensor *x[] = {&f->x};
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .op = "keel.abs",
                                       .inputs = x,
                                       .input_count = 1,
                                       .outputs = x,
                                       .output_count = 1,
                                       .variant = variant};
    keel_plan *plan;
    *out_info = (keel_plan_info){.struct_size = sizeof *out_info};
    const keel_status status = keel_plan_create(f->device, &request, &plan, &f->err);
    if (status == KEEL_OK) {
        keel_plan_get_info(plan, out_info);
    }
    keel_plan_release(plan);
    return status;
}

static void the_next_row_follows_one_without_a_kernel(void **state)
{
    choice_fixture *f = *state;
    keel_plan_info info;
    assert_ok(&f->err, plan_abs(f, NULL, &info));
    assert_string_equal(info.variant, "plain");
    assert_int_equal(info.determinism, KEEL_DETERMINISM_REPEAT);
}

static void a_row_for_other_devices_runs_by_name(void **state)
{
    choice_fixture *f = *state;
    keel_plan_info info;
    assert_ok(&f->err, plan_abs(f, "cpu", &info));
    assert_string_equal(info.variant, "cpu");
    assert_int_equal(info.determinism, KEEL_DETERMINISM_NONE);
}

static void nothing_follows_a_row_that_was_asked_for(void **state)
{
    choice_fixture *f = *state;
    keel_plan_info info;
    assert_status(&f->err, plan_abs(f, "boastful", &info), KEEL_ERR_UNSUPPORTED);
    assert_mentions(&f->err, "no kernel after all");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_next_row_follows_one_without_a_kernel, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_row_for_other_devices_runs_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_follows_a_row_that_was_asked_for, set_up,
                                        tear_down),
    };
    if (argc != 2) {
        return 2;
    }
    plugin = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
