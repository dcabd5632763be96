/*
 * What NVIDIA's driver says of a device's state. Every value that NVML does not give, for whatever
 * reason, stays "not offered".
 */
#include "cuda_nvml.h"

#include <limits.h>

#include "nvml_types.h"

enum {
#define NVML_NUMBER(name, value, real) name = value, /* NOLINT(bugprone-macro-parentheses) */
#include "nvml_numbers.inc"
};

struct gpu_monitor {
#define NVML_SYMBOL(need, slot, result, name, parameters) result(*slot) parameters; /* NOLINT */
#include "nvml_symbols.inc"
#undef NVML_SYMBOL
};

#define NVML_NEED_REQUIRED 0
#define NVML_NEED_OPTIONAL 1
static const gpu_symbol rows[] = {
#define NVML_SYMBOL(need, slot, result, name, parameters) \
    {#name, offsetof(gpu_monitor, slot), 0, 0, NVML_NEED_##need},
#include "nvml_symbols.inc"
#undef NVML_SYMBOL
};
static const gpu_symbols symbols = {rows, KEEL_COUNT(rows)};

static const char *const suffixes[] = {"1"};

static const keel_vendor_spec spec = {
    .struct_size = sizeof(keel_vendor_spec),
    .suffix_count = KEEL_COUNT(suffixes),
    .stem = "libnvidia-ml",
    .suffixes = suffixes,
};

/* ---- start and end ---------------------------------------------------------------------------
 */

/* subject: what the call was about. */
static keel_status fail(const gpu_monitor *self, keel_error *err, int code, const char *function,
                        const char *subject)
{
    const char *text = self->error_string(code);
    err->vendor_code = code;
    (void)snprintf(err->vendor_name, sizeof err->vendor_name, "%s", function);
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s: %s answered \"%s\" (%d)", subject, function,
                     text != NULL ? text : "an unknown code", code);
}

static keel_status start(const gpu_runtime *runtime, gpu_monitor *self, keel_error *err)
{
    void *library = NULL;
    KEEL_TRY(gpu_monitor_library(runtime, &spec, &library, err));
    KEEL_TRY(gpu_symbols_load(runtime->host, &symbols, 0, library, "libnvidia-ml", self, err));
    const int code = self->init();
    return code == 0 ? KEEL_OK : fail(self, err, code, "nvmlInit_v2", "NVML");
}

keel_status nvml_open(const gpu_runtime *runtime, gpu_monitor **out_monitor, keel_error *err)
{
    gpu_monitor *self = gpu_alloc(runtime, sizeof *self);
    if (self == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for NVML");
    }
    const keel_status status = start(runtime, self, err);
    if (status != KEEL_OK) {
        gpu_free(runtime, self);
        return status;
    }
    *out_monitor = self;
    return KEEL_OK;
}

void nvml_close(const gpu_runtime *runtime, gpu_monitor *monitor)
{
    (void)monitor->shutdown();
    gpu_free(runtime, monitor);
}

/* ---- readings --------------------------------------------------------------------------------
 */

/* The value of a call that answered code, in the unit of the reading. */
static void take(const gpu_readings *out, uint32_t reading, int code, const unsigned *value,
                 int64_t scale)
{
    if (code == 0) {
        gpu_reading_set(out, reading, *value * scale);
    }
}

static void take_wide(const gpu_readings *out, uint32_t reading, int code,
                      const unsigned long long *value, int64_t scale)
{
    if (code == 0 && *value <= (unsigned long long)(INT64_MAX / scale)) {
        gpu_reading_set(out, reading, (int64_t)*value * scale);
    }
}

static void read_clocks(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    unsigned mhz = 0;
    if (self->clock != NULL) {
        take(out, KEEL_READING_CLOCK, self->clock(device, NVML_CLOCK_OF_UNITS, &mhz), &mhz, 1);
        take(out, KEEL_READING_MEMORY_CLOCK, self->clock(device, NVML_CLOCK_OF_MEMORY, &mhz), &mhz,
             1);
    }
    if (self->clock_max != NULL) {
        take(out, KEEL_READING_CLOCK_MAX, self->clock_max(device, NVML_CLOCK_OF_UNITS, &mhz), &mhz,
             1);
        take(out, KEEL_READING_MEMORY_CLOCK_MAX,
             self->clock_max(device, NVML_CLOCK_OF_MEMORY, &mhz), &mhz, 1);
    }
}

static void read_power(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    unsigned value = 0;
    unsigned long long millijoules = 0;
    if (self->power != NULL) {
        take(out, KEEL_READING_POWER, self->power(device, &value), &value, 1);
    }
    if (self->power_limit != NULL) {
        take(out, KEEL_READING_POWER_LIMIT, self->power_limit(device, &value), &value, 1);
    }
    if (self->energy != NULL) {
        take_wide(out, KEEL_READING_ENERGY, self->energy(device, &millijoules), &millijoules, 1000);
    }
    if (self->temperature != NULL) {
        take(out, KEEL_READING_TEMPERATURE, self->temperature(device, NVML_SENSOR_OF_DIE, &value),
             &value, 1000);
    }
}

static void read_throttle(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    static const struct {
        unsigned long long reason;
        int64_t throttle;
    } reasons[] = {
#define NVML_REASON(value, throttle, real) {value, KEEL_THROTTLE_##throttle},
#include "nvml_numbers.inc"
    };
    unsigned long long active = 0;
    int64_t set = 0;
    if (self->throttle == NULL || self->throttle(device, &active) != 0) {
        return;
    }
    for (size_t i = 0; i < KEEL_COUNT(reasons); i++) {
        if ((active & reasons[i].reason) != 0) {
            set |= reasons[i].throttle;
            active &= ~reasons[i].reason;
        }
    }
    gpu_reading_set(out, KEEL_READING_THROTTLE, active != 0 ? set | KEEL_THROTTLE_OTHER : set);
}

static void read_errors(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    unsigned long long count = 0;
    unsigned value = 0;
    if (self->ecc != NULL) {
        take_wide(out, KEEL_READING_ECC_CORRECTED,
                  self->ecc(device, NVML_ERRORS_CORRECTED, NVML_ERRORS_SINCE_LOADED, &count),
                  &count, 1);
        take_wide(out, KEEL_READING_ECC_UNCORRECTED,
                  self->ecc(device, NVML_ERRORS_UNCORRECTED, NVML_ERRORS_SINCE_LOADED, &count),
                  &count, 1);
    }
    if (self->pcie_generation != NULL) {
        take(out, KEEL_READING_PCIE_GENERATION, self->pcie_generation(device, &value), &value, 1);
    }
    if (self->pcie_lanes != NULL) {
        take(out, KEEL_READING_PCIE_LANES, self->pcie_lanes(device, &value), &value, 1);
    }
    if (self->pcie_replays != NULL) {
        take(out, KEEL_READING_PCIE_REPLAYS, self->pcie_replays(device, &value), &value, 1);
    }
}

/* Adds the error counters of a link; 0 if one of them is not given. */
static int add_link_errors(const gpu_monitor *self, nvml_device device, unsigned link,
                           unsigned long long *total)
{
    for (int counter = NVML_LINK_COUNTER_FIRST; counter <= NVML_LINK_COUNTER_LAST; counter++) {
        unsigned long long count = 0;
        if (self->link_errors == NULL || self->link_errors(device, link, counter, &count) != 0) {
            return 0;
        }
        *total += count;
    }
    return 1;
}

static void read_links(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    unsigned long long errors = 0;
    int errors_known = 1;
    int64_t up = 0;
    int known = 0;
    for (unsigned link = 0; link < NVML_MOST_LINKS && self->link_state != NULL; link++) {
        nvml_enabled state = 0;
        if (self->link_state(device, link, &state) != 0) {
            continue;
        }
        known = 1;
        if (state == NVML_LINK_UP) {
            up++;
            errors_known = errors_known && add_link_errors(self, device, link, &errors);
        }
    }
    if (known) {
        gpu_reading_set(out, KEEL_READING_LINKS, up);
    }
    if (up > 0 && errors_known) {
        take_wide(out, KEEL_READING_LINK_ERRORS, 0, &errors, 1);
    }
}

static void take_field(const gpu_readings *out, uint32_t reading, const nvml_field *field,
                       int64_t scale)
{
    const unsigned long long word = field->value.word;
    if (field->type == NVML_TYPE_WORD) {
        take_wide(out, reading, field->result, &word, scale);
    } else if (field->type == NVML_TYPE_LONG || field->type == NVML_TYPE_WIDE) {
        take_wide(out, reading, field->result, &field->value.wide, scale);
    }
}

static void read_fields(const gpu_monitor *self, nvml_device device, const gpu_readings *out)
{
    nvml_field fields[] = {
        {.field = NVML_FIELD_MEMORY_TEMPERATURE, .result = -1},
        {.field = NVML_FIELD_LINK_SENT, .scope = UINT_MAX, .result = -1}, /* over all links */
        {.field = NVML_FIELD_LINK_RECEIVED, .scope = UINT_MAX, .result = -1},
    };
    if (self->fields == NULL || self->fields(device, (int)KEEL_COUNT(fields), fields) != 0) {
        return;
    }
    take_field(out, KEEL_READING_MEMORY_TEMPERATURE, &fields[0], 1000);
    take_field(out, KEEL_READING_LINK_SENT, &fields[1], 1);
    take_field(out, KEEL_READING_LINK_RECEIVED, &fields[2], 1);
}

keel_status nvml_read(const gpu_monitor *monitor, const gpu_listed *listed, const gpu_readings *out,
                      keel_error *err)
{
    nvml_device device = NULL;
    const int code = monitor->device_by_pci(listed->info.pci, &device);
    if (code != 0) {
        return fail(monitor, err, code, "nvmlDeviceGetHandleByPciBusId_v2", listed->info.pci);
    }
    read_clocks(monitor, device, out);
    read_power(monitor, device, out);
    read_throttle(monitor, device, out);
    read_errors(monitor, device, out);
    read_links(monitor, device, out);
    read_fields(monitor, device, out);
    return KEEL_OK;
}
