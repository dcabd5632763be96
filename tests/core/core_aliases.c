/* Aliases: one GPU that two backends show is said to be one, by its slot or its uuid. */
#include "core_fixture.h"

static keel_context *load(const char *const *fakes, size_t count)
{
    keel_context *context;
    keel_error err = KEEL_ERROR_INIT;
    assert_ok(&err, keel_context_create(NULL, &context, &err));
    for (size_t i = 0; i < count; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/keel_fake_%s.so", KEEL_FAKES, fakes[i]);
        assert_ok(&err, keel_backend_load(context, path, &err));
    }
    return context;
}

static void expect_alias(keel_context *context, const char *id, const char *alias)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_device_description device = {.struct_size = sizeof device};
    for (uint32_t i = 0; i < keel_device_count(context); i++) {
        assert_ok(&err, keel_device_describe(context, i, &device, &err));
        if (strcmp(device.id, id) == 0) {
            assert_string_equal(device.alias, alias);
            return;
        }
    }
    fail_msg("there is no device %s", id);
}

static void the_slot_tells(void **state)
{
    (void)state;
    static const char *const fakes[] = {"gpus_by_slot", "gpu_by_slot"};
    keel_context *context = load(fakes, KEEL_COUNT(fakes));
    expect_alias(context, "fake_gpus_by_slot:0", "");
    expect_alias(context, "fake_gpus_by_slot:1", "fake_gpu_by_slot:0");
    expect_alias(context, "fake_gpu_by_slot:0", "fake_gpus_by_slot:1");
    keel_context_release(context);
}

static void the_uuid_tells_where_one_of_two_knows_no_slot(void **state)
{
    (void)state;
    static const char *const fakes[] = {"gpu_by_both", "gpu_by_uuid", "gpu_by_slot"};
    keel_context *context = load(fakes, KEEL_COUNT(fakes));
    expect_alias(context, "fake_gpu_by_both:0", "fake_gpu_by_uuid:0");
    expect_alias(context, "fake_gpu_by_uuid:0", "fake_gpu_by_both:0");
    expect_alias(context, "fake_gpu_by_slot:0", "");
    keel_context_release(context);
}

static void devices_that_say_nothing_of_themselves_are_not_the_same(void **state)
{
    (void)state;
    static const char *const fakes[] = {"ok", "also", "gpu_by_slot"};
    keel_context *context = load(fakes, KEEL_COUNT(fakes));
    expect_alias(context, "fake_ok:0", "");
    expect_alias(context, "fake_also:0", "");
    expect_alias(context, "fake_gpu_by_slot:0", "");
    keel_context_release(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slot_tells),
        cmocka_unit_test(the_uuid_tells_where_one_of_two_knows_no_slot),
        cmocka_unit_test(devices_that_say_nothing_of_themselves_are_not_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
