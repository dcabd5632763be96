/* Readings by ROCm SMI, over doubles of its functions: units, and what is not offered. */
#include <stdlib.h>

#include "hip_rocm_smi.h"
#include "keel_test.h"
#include "plugin_host.h"

#define NOT_SUPPORTED 2
#define OURS 1u /* the library's number of the device that is read */

static struct {
    int code;      /* of every reading */
    int newer;     /* 1: the layout of ROCm 6 */
    int power_now; /* code of the newer way to read power */
} library;

static int double_init(uint64_t flags)
{
    return flags == 0 ? 0 : 1;
}

static int double_count(uint32_t *out)
{
    *out = 2;
    return 0;
}

/* Domain 1, bus 0xc1, slot 2; the function is of a part of the device. */
static int double_pci(uint32_t device, uint64_t *out)
{
    *out = device == OURS ? UINT64_C(0x10000c113) : UINT64_C(0x0000c110);
    return 0;
}

static int double_clocks(uint32_t device, int which, rsmi_levels *out)
{
    const uint64_t hz[3] = {500000000, 2100000000, 900000000};
    uint32_t *word = out->word;
    if (library.newer) {
        *word++ = 1;
    }
    word[0] = 3;
    word[1] = which == 0 ? 2 : 0;
    memcpy((char *)out + (library.newer ? 16 : 8), hz, sizeof hz);
    return device == OURS ? library.code : 1;
}

static int double_power_now(uint32_t device, uint64_t *out)
{
    *out = 717000000;
    return device == OURS ? library.power_now : 1;
}

static int double_power(uint32_t device, uint32_t sensor, uint64_t *out)
{
    *out = 94000999;
    return device == OURS && sensor == 0 ? library.code : 1;
}

static int double_energy(uint32_t device, uint64_t *out, float *scale, uint64_t *timestamp)
{
    *out = 1000;
    *scale = 15.25f;
    *timestamp = 1;
    return device == OURS ? library.code : 1;
}

static int double_temperature(uint32_t device, uint32_t sensor, int metric, int64_t *out)
{
    *out = 40000 + 1000 * (int64_t)sensor;
    return device == OURS && metric == 0 ? library.code : 1;
}

static int double_errors(uint32_t device, uint64_t block, rsmi_errors *out)
{
    out->corrected = 7;
    out->uncorrected = UINT64_MAX; /* no number of ours */
    return device == OURS && block == 1 ? library.code : 1;
}

static int double_replays(uint32_t device, uint64_t *out)
{
    *out = 9;
    return device == OURS ? library.code : 1;
}

/* ---- fixture --------------------------------------------------------------------------------- */

static const plugin_override overrides[] = {
    {"keel_simulated_runtime", NULL},
    {"rsmi_init", (void *)(uintptr_t)double_init},
    {"rsmi_num_monitor_devices", (void *)(uintptr_t)double_count},
    {"rsmi_dev_pci_id_get", (void *)(uintptr_t)double_pci},
    {"rsmi_dev_gpu_clk_freq_get", (void *)(uintptr_t)double_clocks},
    {"rsmi_dev_current_socket_power_get", (void *)(uintptr_t)double_power_now},
    {"rsmi_dev_power_ave_get", (void *)(uintptr_t)double_power},
    {"rsmi_dev_power_cap_get", (void *)(uintptr_t)double_power},
    {"rsmi_dev_energy_count_get", (void *)(uintptr_t)double_energy},
    {"rsmi_dev_temp_metric_get", (void *)(uintptr_t)double_temperature},
    {"rsmi_dev_ecc_count_get", (void *)(uintptr_t)double_errors},
    {"rsmi_dev_pci_replay_counter_get", (void *)(uintptr_t)double_replays},
    {NULL, NULL},
};

typedef struct fixture {
    plugin_host host;
    gpu_runtime runtime;
    gpu_listed listed;
    gpu_monitor *monitor;
    keel_error err;
    int64_t values[KEEL_READINGS];
} fixture;

static int make_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    memset(&library, 0, sizeof library);
    plugin_host_init(&f->host);
    f->host.fake_library = 1;
    f->host.overrides = overrides;
    f->runtime.host = &f->host.table;
    f->err = (keel_error)KEEL_ERROR_INIT;
    (void)strcpy(f->listed.info.pci, "0001:c1:02.0");
    assert_ok(&f->err, rocm_smi_open(&f->runtime, &f->monitor, &f->err));
    *state = f;
    return 0;
}

static int drop_fixture(void **state)
{
    fixture *f = *state;
    rocm_smi_close(&f->runtime, f->monitor);
    assert_int_equal(atomic_load(&f->host.live), 0);
    free(f);
    return 0;
}

static keel_status read_all(fixture *f)
{
    const gpu_readings out = {f->values, KEEL_READINGS};
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        f->values[i] = KEEL_READING_NOT_OFFERED;
    }
    f->err = (keel_error)KEEL_ERROR_INIT;
    return rocm_smi_read(f->monitor, &f->listed, &out, &f->err);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void every_value_comes_in_its_unit(void **state)
{
    fixture *f = *state;
    int64_t want[KEEL_READINGS];
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        want[i] = KEEL_READING_NOT_OFFERED;
    }
    want[KEEL_READING_CLOCK] = 900;
    want[KEEL_READING_CLOCK_MAX] = 2100;
    want[KEEL_READING_MEMORY_CLOCK] = 500;
    want[KEEL_READING_MEMORY_CLOCK_MAX] = 2100;
    want[KEEL_READING_POWER] = 717000;
    want[KEEL_READING_POWER_LIMIT] = 94000;
    want[KEEL_READING_ENERGY] = 15250;
    want[KEEL_READING_TEMPERATURE] = 40000;
    want[KEEL_READING_HOTSPOT_TEMPERATURE] = 41000;
    want[KEEL_READING_MEMORY_TEMPERATURE] = 42000;
    want[KEEL_READING_ECC_CORRECTED] = 7;
    want[KEEL_READING_PCIE_REPLAYS] = 9;
    for (library.newer = 0; library.newer < 2; library.newer++) {
        assert_ok(&f->err, read_all(f));
        for (uint32_t i = 0; i < KEEL_READINGS; i++) {
            assert_true(f->values[i] == want[i]);
        }
    }
}

static void power_is_an_average_where_there_is_nothing_better(void **state)
{
    fixture *f = *state;
    library.power_now = NOT_SUPPORTED;
    assert_ok(&f->err, read_all(f));
    assert_true(f->values[KEEL_READING_POWER] == 94000);
}

static void what_the_device_does_not_support_is_not_offered(void **state)
{
    fixture *f = *state;
    library.code = NOT_SUPPORTED;
    library.power_now = NOT_SUPPORTED;
    assert_ok(&f->err, read_all(f));
    for (uint32_t i = 0; i < KEEL_READINGS; i++) {
        assert_true(f->values[i] == KEEL_READING_NOT_OFFERED);
    }
}

static void a_device_elsewhere_is_not_found(void **state)
{
    fixture *f = *state;
    (void)strcpy(f->listed.info.pci, "0002:c1:02.0");
    assert_status(&f->err, read_all(f), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&f->err, "0002:c1:02.0");
    f->listed.info.pci[0] = 0;
    assert_status(&f->err, read_all(f), KEEL_ERR_UNAVAILABLE);
}

/* Words and frequencies in MHz as the library lays them out, and what they mean. */
static void both_layouts_of_a_clock_are_told_apart(void **state)
{
    static const struct {
        int newer;
        uint32_t count, current;
        uint64_t mhz[2];
        int64_t now, highest;
    } rows[] = {
        {0, 2, 1, {800, 1900}, 1900, 1900}, {1, 2, 1, {800, 1900}, 1900, 1900},
        {0, 2, 0, {0, 1900}, 0, 1900},      {1, 2, 0, {0, 1900}, 0, 1900},
        {0, 1, 0, {1600, 0}, 1600, 1600},   {1, 1, 0, {1600, 0}, 1600, 1600},
        {0, 1, 0, {0, 0}, -1, -1},          {1, 1, 0, {0, 0}, -1, -1},
        {0, 2, UINT32_MAX, {1, 2}, -1, 2},  {1, 2, UINT32_MAX, {1, 2}, -1, 2},
        {0, 0, 0, {0, 0}, -1, -1},          {1, 0, 0, {0, 0}, -1, -1},
        {0, 70, 1, {1, 2}, -1, -1},
    };
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        for (uint32_t flag = 0; flag < (rows[i].newer ? 2u : 1u); flag++) {
            rsmi_levels levels = {0};
            levels.word[0] = flag;
            levels.word[rows[i].newer] = rows[i].count;
            levels.word[rows[i].newer + 1] = rows[i].current;
            for (size_t j = 0; j < 2; j++) {
                const uint64_t hz = rows[i].mhz[j] * 1000000;
                memcpy((char *)&levels + (rows[i].newer ? 16 : 8) + 8 * j, &hz, sizeof hz);
            }
            const rocm_smi_clock clock = rocm_smi_clock_of(&levels);
            assert_true(clock.now == rows[i].now);
            assert_true(clock.highest == rows[i].highest);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)
    const struct CMUnitTest tests[] = {
        TEST(every_value_comes_in_its_unit),
        TEST(power_is_an_average_where_there_is_nothing_better),
        TEST(what_the_device_does_not_support_is_not_offered),
        TEST(a_device_elsewhere_is_not_found),
        cmocka_unit_test(both_layouts_of_a_clock_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
