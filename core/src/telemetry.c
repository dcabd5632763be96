/* keel/telemetry.h over a backend's table of that name. */
#include "keel/telemetry.h"

#include "context.h"
#include "device.h"

#define READING(number, grows, title, of)                 \
    [number] = {.struct_size = sizeof(keel_reading_info), \
                .counter = (grows),                       \
                .name = (title),                          \
                .unit = (of)}

static const keel_reading_info readings[KEEL_READINGS] = {
    READING(KEEL_READING_CLOCK, 0, "clock", "MHz"),
    READING(KEEL_READING_CLOCK_MAX, 0, "clock limit", "MHz"),
    READING(KEEL_READING_MEMORY_CLOCK, 0, "memory clock", "MHz"),
    READING(KEEL_READING_MEMORY_CLOCK_MAX, 0, "memory clock limit", "MHz"),
    READING(KEEL_READING_POWER, 0, "power", "mW"),
    READING(KEEL_READING_POWER_LIMIT, 0, "power limit", "mW"),
    READING(KEEL_READING_ENERGY, 1, "energy", "uJ"),
    READING(KEEL_READING_TEMPERATURE, 0, "temperature", "mdegC"),
    READING(KEEL_READING_HOTSPOT_TEMPERATURE, 0, "hotspot", "mdegC"),
    READING(KEEL_READING_MEMORY_TEMPERATURE, 0, "memory temperature", "mdegC"),
    READING(KEEL_READING_THROTTLE, 0, "throttle reasons", ""),
    READING(KEEL_READING_ECC_CORRECTED, 1, "ECC corrected", ""),
    READING(KEEL_READING_ECC_UNCORRECTED, 1, "ECC uncorrected", ""),
    READING(KEEL_READING_PCIE_GENERATION, 0, "PCIe generation", ""),
    READING(KEEL_READING_PCIE_LANES, 0, "PCIe lanes", ""),
    READING(KEEL_READING_PCIE_REPLAYS, 1, "PCIe replays", ""),
    READING(KEEL_READING_LINKS, 0, "links up", ""),
    READING(KEEL_READING_LINK_SENT, 1, "link sent", "KiB"),
    READING(KEEL_READING_LINK_RECEIVED, 1, "link received", "KiB"),
    READING(KEEL_READING_LINK_ERRORS, 1, "link errors", ""),
};

const keel_reading_info *keel_reading_describe(uint32_t reading)
{
    return reading < KEEL_READINGS ? &readings[reading] : NULL;
}

/* The backend's table. One that is shorter than version 1 of it counts as absent. */
static keel_status find_api(const keel_device *device, const keel_telemetry_api **out_api,
                            keel_error *err)
{
    const keeli_backend *backend = device->backend;
    const keel_telemetry_api *api = backend->table->get_extension(
        backend->state, KEEL_TELEMETRY_EXTENSION, KEEL_TELEMETRY_VERSION);
    *out_api = api;
    if (api == NULL || !KEEL_HAS(keel_telemetry_api, api, read)) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "backend %s has no %s, version %d",
                         backend->name, KEEL_TELEMETRY_EXTENSION, KEEL_TELEMETRY_VERSION);
    }
    return KEEL_OK;
}

static void clear(int64_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        values[i] = KEEL_READING_NOT_OFFERED;
    }
}

keel_status keel_telemetry_read(keel_device *device, int64_t *out_values, uint32_t count,
                                keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    const keel_telemetry_api *api = NULL;
    if (out_values != NULL) {
        clear(out_values, count);
    }
    KEEL_LATCHED(err);
    if (device == NULL || out_values == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device or out_values is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    KEEL_TRY(find_api(device, &api, err));
    const uint32_t known = count < KEEL_READINGS ? count : KEEL_READINGS;
    const keel_status status = api->read(device->handle, out_values, known, err);
    if (status != KEEL_OK) {
        clear(out_values, count);
    }
    return keeli_device_result(device, status, err);
}
