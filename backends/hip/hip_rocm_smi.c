/*
 * What AMD's driver says of a device's state, by ROCm SMI: of AMD's two management libraries the
 * one whose functions take numbers, which mean the same in all its versions. Every value that it
 * does not give, for whatever reason, stays "not offered".
 */
#include "hip_rocm_smi.h"

enum {
#define RSMI_NUMBER(name, value, real) name = value, /* NOLINT(bugprone-macro-parentheses) */
#include "rocm_smi_numbers.inc"
};

struct gpu_monitor {
#define RSMI_SYMBOL(need, slot, result, name, parameters) result(*slot) parameters; /* NOLINT */
#include "rocm_smi_symbols.inc"
#undef RSMI_SYMBOL
};

#define RSMI_NEED_REQUIRED 0
#define RSMI_NEED_OPTIONAL 1
static const gpu_symbol rows[] = {
#define RSMI_SYMBOL(need, slot, result, name, parameters) \
    {#name, offsetof(gpu_monitor, slot), 0, 0, RSMI_NEED_##need},
#include "rocm_smi_symbols.inc"
#undef RSMI_SYMBOL
};
static const gpu_symbols symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes[] = {"7", "6", "5", "1"};
static const char *const directories[] = {"/opt/rocm/lib"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "librocm_smi64",
    .suffixes = suffixes,
    .directories = directories,
    .directory_count = KEEL_COUNT(directories),
};

/* ---- start and end ---------------------------------------------------------------------------
 */

static keel_status fail(keel_error *err, int code, const char *function)
{
    err->vendor_code = code;
    (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", function);
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s answered %d", function, code);
}

static keel_status start(const gpu_runtime *runtime, gpu_monitor *self, keel_error *err)
{
    void *library = NULL;
    KEEL_TRY(gpu_monitor_library(runtime, &spec, &library, err));
    KEEL_TRY(gpu_symbols_load(runtime->host, &symbols, 0, library, "librocm_smi64", self, err));
    const int code = self->init(0);
    return code == 0 ? KEEL_OK : fail(err, code, "rsmi_init");
}

keel_status rocm_smi_open(const gpu_runtime *runtime, gpu_monitor **out_monitor, keel_error *err)
{
    gpu_monitor *self = gpu_alloc(runtime, sizeof *self);
    if (self == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for ROCm SMI");
    }
    const keel_status status = start(runtime, self, err);
    if (status != KEEL_OK) {
        gpu_free(runtime, self);
        return status;
    }
    *out_monitor = self;
    return KEEL_OK;
}

/* The library is not shut down: an application may use it too, and it does not count its users. */
void rocm_smi_close(const gpu_runtime *runtime, gpu_monitor *monitor)
{
    gpu_free(runtime, monitor);
}

/* ---- the device ------------------------------------------------------------------------------
 */

/* Domain, bus and slot of "dddd:bb:dd.f" as the library numbers them; the function is a part's. */
static uint64_t place_of(const char *pci)
{
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    if (sscanf(pci, "%4x:%2x:%2x", &domain, &bus, &slot) != 3) {
        return UINT64_MAX;
    }
    return (uint64_t)domain << 32 | bus << 8 | slot << 3;
}

static keel_status find_device(const gpu_monitor *self, const gpu_listed *listed,
                               uint32_t *out_device, keel_error *err)
{
    const uint64_t mask = UINT64_C(0xffffffff0000fff8);
    const uint64_t wanted = place_of(listed->info.pci);
    uint32_t count = 0;
    const int code = self->device_count(&count);
    if (code != 0) {
        return fail(err, code, "rsmi_num_monitor_devices");
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = 0;
        if (self->device_pci(i, &place) == 0 && (place & mask) == wanted) {
            *out_device = i;
            return KEEL_OK;
        }
    }
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "ROCm SMI knows %u devices, but none at %s", count,
                     listed->info.pci[0] != 0 ? listed->info.pci : "an unknown place");
}

/* ---- readings --------------------------------------------------------------------------------
 */

/* The value of a call that answered code, in units of which the reading has one in `in_one`. */
static void take(const gpu_readings *out, uint32_t reading, int code, const uint64_t *value,
                 uint64_t in_one)
{
    if (code == 0 && *value <= INT64_MAX) {
        gpu_reading_set(out, reading, (int64_t)(*value / in_one));
    }
}

static void read_clock(const gpu_monitor *self, uint32_t device, rsmi_clock which, uint32_t now,
                       uint32_t highest, const gpu_readings *out)
{
    rsmi_levels frequencies = {0};
    if (self->clocks == NULL || self->clocks(device, which, &frequencies) != 0) {
        return;
    }
    const rocm_smi_clock clock = rocm_smi_clock_of(&frequencies);
    if (clock.now >= 0) {
        gpu_reading_set(out, now, clock.now);
    }
    if (clock.highest >= 0) {
        gpu_reading_set(out, highest, clock.highest);
    }
}

/* Newer devices give the power now, older ones its average. */
static void read_power(const gpu_monitor *self, uint32_t device, const gpu_readings *out)
{
    uint64_t value = 0;
    uint64_t timestamp = 0;
    float microjoules = 0;
    if (self->power_average != NULL) {
        take(out, KEEL_READING_POWER, self->power_average(device, 0, &value), &value, 1000);
    }
    if (self->power_now != NULL) {
        take(out, KEEL_READING_POWER, self->power_now(device, &value), &value, 1000);
    }
    if (self->power_limit != NULL) {
        take(out, KEEL_READING_POWER_LIMIT, self->power_limit(device, 0, &value), &value, 1000);
    }
    if (self->energy != NULL && self->energy(device, &value, &microjoules, &timestamp) == 0) {
        const double energy = (double)value * (double)microjoules;
        if (energy >= 0 && energy < 9e18) {
            gpu_reading_set(out, KEEL_READING_ENERGY, (int64_t)energy);
        }
    }
}

static void read_temperatures(const gpu_monitor *self, uint32_t device, const gpu_readings *out)
{
    static const struct {
        uint32_t sensor, reading;
    } sensors[] = {
        {RSMI_SENSOR_OF_DIE, KEEL_READING_TEMPERATURE},
        {RSMI_SENSOR_OF_HOTSPOT, KEEL_READING_HOTSPOT_TEMPERATURE},
        {RSMI_SENSOR_OF_MEMORY, KEEL_READING_MEMORY_TEMPERATURE},
    };
    for (size_t i = 0; i < KEEL_COUNT(sensors) && self->temperature != NULL; i++) {
        int64_t value = 0;
        if (self->temperature(device, sensors[i].sensor, RSMI_METRIC_NOW, &value) == 0) {
            gpu_reading_set(out, sensors[i].reading, value);
        }
    }
}

static void read_errors(const gpu_monitor *self, uint32_t device, const gpu_readings *out)
{
    rsmi_errors errors = {0};
    uint64_t replays = 0;
    if (self->errors != NULL) {
        const int code = self->errors(device, RSMI_BLOCK_OF_MEMORY, &errors);
        take(out, KEEL_READING_ECC_CORRECTED, code, &errors.corrected, 1);
        take(out, KEEL_READING_ECC_UNCORRECTED, code, &errors.uncorrected, 1);
    }
    if (self->pcie_replays != NULL) {
        take(out, KEEL_READING_PCIE_REPLAYS, self->pcie_replays(device, &replays), &replays, 1);
    }
}

keel_status rocm_smi_read(const gpu_monitor *monitor, const gpu_listed *listed,
                          const gpu_readings *out, keel_error *err)
{
    uint32_t device = 0;
    KEEL_TRY(find_device(monitor, listed, &device, err));
    read_clock(monitor, device, RSMI_CLOCK_OF_UNITS, KEEL_READING_CLOCK, KEEL_READING_CLOCK_MAX,
               out);
    read_clock(monitor, device, RSMI_CLOCK_OF_MEMORY, KEEL_READING_MEMORY_CLOCK,
               KEEL_READING_MEMORY_CLOCK_MAX, out);
    read_power(monitor, device, out);
    read_temperatures(monitor, device, out);
    read_errors(monitor, device, out);
    return KEEL_OK;
}
