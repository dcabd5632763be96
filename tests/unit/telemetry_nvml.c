/* Readings by NVML, over doubles of its functions: units, and what is not offered. */
#include <limits.h>
#include <stdlib.h>

#include "cuda_nvml.h"
#include "keel_test.h"
#include "nvml_types.h"
#include "plugin_host.h"

#define NOT_SUPPORTED 3

/* What the doubles answer. */
static struct {
    int code;  /* of every reading */
    int start; /* of init */
    int starts, ends;
    int simulated;
    unsigned links; /* how many there are; two of them are up */
    unsigned long long reasons;
    char place[32];
} library;

static int device; /* its address is the handle */

static int double_init(void)
{
    library.starts++;
    return library.start;
}

static int double_shutdown(void)
{
    library.ends++;
    return 0;
}

static const char *double_error_string(int code)
{
    return code == 9 ? "Driver Not Loaded" : "Not Found";
}

static int double_device(const char *pci, void **out)
{
    *out = &device;
    return strcmp(pci, library.place) == 0 ? 0 : 6;
}

static int double_clock(void *handle, int which, unsigned *out)
{
    *out = handle == &device ? 1000u + (unsigned)which : 0;
    return library.code;
}

static int double_word(void *handle, unsigned *out)
{
    *out = handle == &device ? 70 : 0;
    return library.code;
}

static int double_wide(void *handle, unsigned long long *out)
{
    *out = handle == &device ? 5000000000 : 0;
    return library.code;
}

static int double_temperature(void *handle, int sensor, unsigned *out)
{
    *out = handle == &device && sensor == 0 ? 41 : 0;
    return library.code;
}

static int double_throttle(void *handle, unsigned long long *out)
{
    (void)handle;
    *out = library.reasons;
    return library.code;
}

static int double_ecc(void *handle, int kind, int span, unsigned long long *out)
{
    (void)handle;
    *out = kind == 0 ? 3 : 1;
    return span == 0 ? library.code : NOT_SUPPORTED;
}

static int double_link_state(void *handle, unsigned link, int *out)
{
    (void)handle;
    *out = link < 2;
    return link < library.links ? library.code : 2;
}

static int double_link_errors(void *handle, unsigned link, int counter, unsigned long long *out)
{
    (void)handle;
    *out = 10ull * link + (unsigned)counter; /* 0 1 2 3 and 10 11 12 13 */
    return library.code;
}

static int double_fields(void *handle, int count, nvml_field *fields)
{
    (void)handle;
    for (int i = 0; i < count; i++) {
        fields[i].result = fields[i].field == 82 || fields[i].scope == UINT_MAX ? 0 : 2;
        fields[i].type = fields[i].field == 82 ? 1 : 3;
        if (fields[i].type == 1) {
            fields[i].value.word = 55;
        } else {
            fields[i].value.wide = 1ull << 40;
        }
    }
    return library.code;
}

/* ---- fixture --------------------------------------------------------------------------------- */

static plugin_override overrides[32];

typedef struct fixture {
    plugin_host host;
    gpu_runtime runtime;
    gpu_listed listed;
    gpu_device device;
    gpu_vendor vendor;
    keel_error err;
    int64_t values[KEEL_READINGS];
} fixture;

static void supply(void)
{
    const plugin_override all[] = {
        {"keel_simulated_runtime", library.simulated ? &library : NULL},
        {"nvmlInit_v2", (void *)(uintptr_t)double_init},
        {"nvmlShutdown", (void *)(uintptr_t)double_shutdown},
        {"nvmlErrorString", (void *)(uintptr_t)double_error_string},
        {"nvmlDeviceGetHandleByPciBusId_v2", (void *)(uintptr_t)double_device},
        {"nvmlDeviceGetClockInfo", (void *)(uintptr_t)double_clock},
        {"nvmlDeviceGetMaxClockInfo", (void *)(uintptr_t)double_clock},
        {"nvmlDeviceGetPowerUsage", (void *)(uintptr_t)double_word},
        {"nvmlDeviceGetEnforcedPowerLimit", (void *)(uintptr_t)double_word},
        {"nvmlDeviceGetTotalEnergyConsumption", (void *)(uintptr_t)double_wide},
        {"nvmlDeviceGetTemperature", (void *)(uintptr_t)double_temperature},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", (void *)(uintptr_t)double_throttle},
        {"nvmlDeviceGetTotalEccErrors", (void *)(uintptr_t)double_ecc},
        {"nvmlDeviceGetCurrPcieLinkGeneration", (void *)(uintptr_t)double_word},
        {"nvmlDeviceGetCurrPcieLinkWidth", (void *)(uintptr_t)double_word},
        {"nvmlDeviceGetPcieReplayCounter", (void *)(uintptr_t)double_word},
        {"nvmlDeviceGetNvLinkState", (void *)(uintptr_t)double_link_state},
        {"nvmlDeviceGetNvLinkErrorCounter", (void *)(uintptr_t)double_link_errors},
        {"nvmlDeviceGetFieldValues", (void *)(uintptr_t)double_fields},
    };
    memset(overrides, 0, sizeof overrides);
    memcpy(overrides, all, sizeof all);
}

static int make_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    memset(&library, 0, sizeof library);
    library.links = 4;
    (void)strcpy(library.place, "0000:3b:00.0");
    supply();
    plugin_host_init(&f->host);
    f->host.fake_library = 1;
    f->host.overrides = overrides;
    f->vendor = (gpu_vendor){.title = "NVIDIA",
                             .monitor_open = nvml_open,
                             .monitor_close = nvml_close,
                             .monitor_read = nvml_read};
    f->runtime.vendor = &f->vendor;
    f->runtime.host = &f->host.table;
    f->device.runtime = &f->runtime;
    f->device.listed = &f->listed;
    (void)strcpy(f->listed.info.pci, "0000:3b:00.0");
    f->err = (keel_error)KEEL_ERROR_INIT;
    *state = f;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *f = *state;
    gpu_monitor *monitor = atomic_load(&f->runtime.monitor);
    if (monitor != NULL) {
        nvml_close(&f->runtime, monitor);
    }
    assert_int_equal(atomic_load(&f->host.live), 0);
    free(f);
    return 0;
}

static keel_status read_all(fixture *f, uint32_t count)
{
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        f->values[i] = KEEL_READING_NOT_OFFERED;
    }
    f->err = (keel_error)KEEL_ERROR_INIT;
    return gpu_telemetry.read(&f->device, f->values, count, &f->err);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void every_value_comes_in_its_unit(void **state)
{
    fixture *f = *state;
    library.reasons = 0x4 | 0x20;
    const int64_t want[KEEL_READINGS] = {
        [KEEL_READING_CLOCK] = 1001,
        [KEEL_READING_CLOCK_MAX] = 1001,
        [KEEL_READING_MEMORY_CLOCK] = 1002,
        [KEEL_READING_MEMORY_CLOCK_MAX] = 1002,
        [KEEL_READING_POWER] = 70,
        [KEEL_READING_POWER_LIMIT] = 70,
        [KEEL_READING_ENERGY] = 5000000000000,
        [KEEL_READING_TEMPERATURE] = 41000,
        [KEEL_READING_HOTSPOT_TEMPERATURE] = KEEL_READING_NOT_OFFERED,
        [KEEL_READING_MEMORY_TEMPERATURE] = 55000,
        [KEEL_READING_THROTTLE] = KEEL_THROTTLE_POWER | KEEL_THROTTLE_TEMPERATURE,
        [KEEL_READING_ECC_CORRECTED] = 3,
        [KEEL_READING_ECC_UNCORRECTED] = 1,
        [KEEL_READING_PCIE_GENERATION] = 70,
        [KEEL_READING_PCIE_LANES] = 70,
        [KEEL_READING_PCIE_REPLAYS] = 70,
        [KEEL_READING_LINKS] = 2,
        [KEEL_READING_LINK_SENT] = 1ll << 40,
        [KEEL_READING_LINK_RECEIVED] = 1ll << 40,
        [KEEL_READING_LINK_ERRORS] = 52,
    };
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        assert_true(f->values[i] == want[i]);
    }
    assert_int_equal(library.starts, 1);
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
    assert_int_equal(library.starts, 1);
}

static void what_the_device_does_not_support_is_not_offered(void **state)
{
    fixture *f = *state;
    library.code = NOT_SUPPORTED;
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        assert_true(f->values[i] == KEEL_READING_NOT_OFFERED);
    }
}

static void a_function_that_the_library_lacks_is_not_needed(void **state)
{
    fixture *f = *state;
    for (size_t i = 5; overrides[i].name != NULL; i++) {
        overrides[i].address = NULL;
    }
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        assert_true(f->values[i] == KEEL_READING_NOT_OFFERED);
    }
}

static void a_device_without_links_has_none_to_report(void **state)
{
    fixture *f = *state;
    library.links = 0;
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
    assert_true(f->values[KEEL_READING_LINKS] == KEEL_READING_NOT_OFFERED);
    assert_true(f->values[KEEL_READING_LINK_ERRORS] == KEEL_READING_NOT_OFFERED);
}

static void reasons_for_low_clocks_have_names(void **state)
{
    fixture *f = *state;
    static const struct {
        unsigned long long reasons;
        int64_t throttle;
    } rows[] = {
        {0, 0},
        {0x1, KEEL_THROTTLE_IDLE},
        {0x2, KEEL_THROTTLE_SETTING},
        {0x8 | 0x40, KEEL_THROTTLE_HARDWARE | KEEL_THROTTLE_TEMPERATURE},
        {0x10, KEEL_THROTTLE_GROUP},
        {0x80, KEEL_THROTTLE_HARDWARE},
        {0x400 | 0x1, KEEL_THROTTLE_OTHER | KEEL_THROTTLE_IDLE},
        {1ull << 63, KEEL_THROTTLE_OTHER},
    };
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        library.reasons = rows[i].reasons;
        assert_ok(&f->err, read_all(f, KEEL_READINGS));
        assert_true(f->values[KEEL_READING_THROTTLE] == rows[i].throttle);
    }
}

static void an_older_core_gets_what_it_knows(void **state)
{
    fixture *f = *state;
    assert_ok(&f->err, read_all(f, KEEL_READING_POWER + 1));
    assert_true(f->values[KEEL_READING_POWER] == 70);
    for (uint32_t i = KEEL_READING_POWER + 1; i < KEEL_READINGS; i++) {
        assert_true(f->values[i] == KEEL_READING_NOT_OFFERED);
    }
}

static void a_missing_library_is_looked_for_once(void **state)
{
    fixture *f = *state;
    f->host.fake_library = 0;
    f->host.no_library = 1;
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "libnvidia-ml");
    f->host.fake_library = 1;
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "load report");
    assert_int_equal(library.starts, 0);
}

static void real_values_are_not_given_for_a_simulated_device(void **state)
{
    fixture *f = *state;
    f->runtime.simulated = 1;
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "libnvidia-ml is of real devices, the device is simulated");
    assert_int_equal(library.starts, 0);
}

static void nor_simulated_ones_for_a_real_device(void **state)
{
    fixture *f = *state;
    library.simulated = 1;
    supply();
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "libnvidia-ml is simulated, the device is real");
    f->runtime.simulated = 1;
    atomic_store(&f->runtime.monitor_absent, 0);
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
}

static void a_library_that_does_not_start_says_why(void **state)
{
    fixture *f = *state;
    library.start = 9;
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "Driver Not Loaded");
    assert_int_equal(f->err.vendor_code, 9);
    assert_int_equal(library.ends, 0);
}

static void a_device_that_the_library_does_not_know_is_named(void **state)
{
    fixture *f = *state;
    (void)strcpy(library.place, "0000:3c:00.0");
    assert_status(&f->err, read_all(f, KEEL_READINGS), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "0000:3b:00.0");
    (void)strcpy(library.place, "0000:3b:00.0");
    assert_ok(&f->err, read_all(f, KEEL_READINGS));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)
    const struct CMUnitTest tests[] = {
        TEST(every_value_comes_in_its_unit),
        TEST(what_the_device_does_not_support_is_not_offered),
        TEST(a_function_that_the_library_lacks_is_not_needed),
        TEST(a_device_without_links_has_none_to_report),
        TEST(reasons_for_low_clocks_have_names),
        TEST(an_older_core_gets_what_it_knows),
        TEST(a_missing_library_is_looked_for_once),
        TEST(real_values_are_not_given_for_a_simulated_device),
        TEST(nor_simulated_ones_for_a_real_device),
        TEST(a_library_that_does_not_start_says_why),
        TEST(a_device_that_the_library_does_not_know_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
