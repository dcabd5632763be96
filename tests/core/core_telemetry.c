/* Telemetry: what a backend offers arrives, and nothing else does. */
#include "core_fixture.h"
#include "keel/telemetry.h"

typedef struct fixture {
    keel_context *context;
    keel_device *device;
} fixture;

/* The device of the fake of that name. */
static fixture open_fake(const char *name)
{
    fixture self = {0};
    keel_error err = KEEL_ERROR_INIT;
    char path[512];
    char id[64];
    (void)snprintf(path, sizeof path, "%s/keel_fake_%s.so", KEEL_FAKES, name);
    (void)snprintf(id, sizeof id, "fake_%s:0", name);
    assert_ok(&err, keel_context_create(NULL, &self.context, &err));
    assert_ok(&err, keel_backend_load(self.context, path, &err));
    assert_ok(&err, keel_device_open(self.context, id, &self.device, &err));
    return self;
}

static void close_fake(fixture *self)
{
    keel_device_close(self->device);
    keel_context_release(self->context);
}

/* Every value but those of two readings is "not offered". */
static void expect(const int64_t *values, uint32_t count, int64_t clock, int64_t links)
{
    for (uint32_t i = 0; i < count; i++) {
        const int64_t want = i == KEEL_READING_CLOCK   ? clock
                             : i == KEEL_READING_LINKS ? links
                                                       : KEEL_READING_NOT_OFFERED;
        assert_true(values[i] == want);
    }
}

static void what_is_not_offered_is_said_to_be_so(void **state)
{
    (void)state;
    fixture self = open_fake("telemetry");
    keel_error err = KEEL_ERROR_INIT;
    int64_t values[KEEL_READINGS + 3] = {0};
    assert_ok(&err, keel_telemetry_read(self.device, values, KEEL_READINGS, &err));
    expect(values, KEEL_READINGS, 1410, 18);
    assert_true(values[KEEL_READINGS] == 0);
    close_fake(&self);
}

static void an_application_may_know_fewer_readings_or_more(void **state)
{
    (void)state;
    fixture self = open_fake("telemetry");
    keel_error err = KEEL_ERROR_INIT;
    int64_t values[KEEL_READINGS + 3] = {0};
    assert_ok(&err, keel_telemetry_read(self.device, values, KEEL_READINGS + 3, &err));
    expect(values, KEEL_READINGS + 3, 1410, 18);
    memset(values, 0, sizeof values);
    assert_ok(&err, keel_telemetry_read(self.device, values, 2, &err));
    expect(values, 2, 1410, 0);
    assert_true(values[KEEL_READING_LINKS] == 0);
    close_fake(&self);
}

static void a_failure_offers_nothing(void **state)
{
    (void)state;
    fixture self = open_fake("telemetry_mute");
    keel_error err = KEEL_ERROR_INIT;
    int64_t values[KEEL_READINGS];
    assert_status(&err, keel_telemetry_read(self.device, values, KEEL_READINGS, &err),
                  KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "it does not say");
    expect(values, KEEL_READINGS, KEEL_READING_NOT_OFFERED, KEEL_READING_NOT_OFFERED);
    close_fake(&self);
}

static void a_backend_without_it_is_named(void **state)
{
    (void)state;
    fixture self = open_fake("ok");
    keel_error err = KEEL_ERROR_INIT;
    int64_t values[KEEL_READINGS];
    assert_status(&err, keel_telemetry_read(self.device, values, KEEL_READINGS, &err),
                  KEEL_ERR_UNSUPPORTED);
    assert_mentions(&err, "fake_ok");
    expect(values, KEEL_READINGS, KEEL_READING_NOT_OFFERED, KEEL_READING_NOT_OFFERED);
    close_fake(&self);
}

static void every_reading_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        const keel_reading_info *info = keel_reading_describe(i);
        assert_non_null(info);
        assert_true(info->struct_size == sizeof *info);
        assert_true(info->name != NULL && info->name[0] != 0 && info->unit != NULL);
        for (uint32_t j = 0; j < i; j++) {
            assert_string_not_equal(keel_reading_describe(j)->name, info->name);
        }
    }
    assert_null(keel_reading_describe(KEEL_READINGS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_offered_is_said_to_be_so),
        cmocka_unit_test(an_application_may_know_fewer_readings_or_more),
        cmocka_unit_test(a_failure_offers_nothing),
        cmocka_unit_test(a_backend_without_it_is_named),
        cmocka_unit_test(every_reading_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
