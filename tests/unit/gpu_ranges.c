/* Ranges of the GPU backends, over doubles of the vendor's functions. */
#include <stdlib.h>

#include "gpu_objects.h"
#include "keel_test.h"
#include "plugin_host.h"

static char heard[128];

static int double_push(const char *name)
{
    (void)strcat(strcat(heard, "+"), name);
    return 0;
}

static int double_pop(void)
{
    (void)strcat(heard, "-");
    return 0;
}

static const gpu_symbol rows[] = {{"push", offsetof(gpu_ranges, push), 0, 0, 0},
                                  {"pop", offsetof(gpu_ranges, pop), 0, 0, 0}};
static const gpu_symbols symbols = {rows, KEEL_COUNT(rows)};

static const keel_vendor_spec libraries[] = {
    {.struct_size = sizeof(keel_vendor_spec), .stem = "libfirst"},
    {.struct_size = sizeof(keel_vendor_spec), .stem = "libsecond"},
};

static const gpu_vendor vendor = {.range_libraries = libraries,
                                  .range_library_count = KEEL_COUNT(libraries),
                                  .range_symbols = &symbols};

typedef struct fixture {
    plugin_host host;
    gpu_runtime runtime;
    gpu_device device;
    keel_error err;
} fixture;

static int make_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    heard[0] = 0;
    plugin_host_init(&f->host);
    f->host.fake_library = 1;
    f->runtime.vendor = &vendor;
    f->runtime.host = &f->host.table;
    f->device.runtime = &f->runtime;
    f->err = (keel_error)KEEL_ERROR_INIT;
    *state = f;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *f = *state;
    gpu_free(&f->runtime, atomic_load(&f->runtime.ranges));
    assert_int_equal(atomic_load(&f->host.live), 0);
    free(f);
    return 0;
}

static void ranges_reach_the_vendors_library(void **state)
{
    fixture *f = *state;
    const plugin_override overrides[] = {{"push", (void *)(uintptr_t)double_push},
                                         {"pop", (void *)(uintptr_t)double_pop},
                                         {NULL, NULL}};
    f->host.overrides = overrides;
    assert_ok(&f->err, gpu_ranges_api.start(&f->device, &f->err));
    assert_ok(&f->err, gpu_ranges_api.start(&f->device, &f->err));
    assert_int_equal(atomic_load(&f->host.live), 1);
    gpu_ranges_api.push(&f->device, "keel.add");
    gpu_ranges_api.push(&f->device, "inner");
    gpu_ranges_api.pop(&f->device);
    gpu_ranges_api.pop(&f->device);
    assert_string_equal(heard, "+keel.add+inner--");
}

static void a_missing_library_is_named(void **state)
{
    fixture *f = *state;
    f->host.fake_library = 0;
    f->host.no_library = 1;
    assert_status(&f->err, gpu_ranges_api.start(&f->device, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "libsecond");
}

static void a_library_without_ranges_is_refused(void **state)
{
    fixture *f = *state;
    const plugin_override overrides[] = {{"pop", NULL}, {NULL, NULL}};
    f->host.overrides = overrides;
    assert_status(&f->err, gpu_ranges_api.start(&f->device, &f->err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "pop");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)
    const struct CMUnitTest tests[] = {
        TEST(ranges_reach_the_vendors_library),
        TEST(a_missing_library_is_named),
        TEST(a_library_without_ranges_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
