/* keel.telemetry over the vendor's management library, which is opened at the first read. */
#include "gpu_objects.h"

static keel_status absent(const gpu_runtime *runtime, keel_error *err)
{
    return keel_fail(err, KEEL_ERR_UNAVAILABLE,
                     "%s's management library was not there when it was looked for; the load "
                     "report has the names tried",
                     runtime->vendor->title);
}

/*
 * Threads that race open it twice, which is harmless: no lock is held while the host searches. One
 * that is missing is looked for once.
 */
static keel_status get_monitor(const gpu_runtime *shared, const gpu_monitor **out_monitor,
                               keel_error *err)
{
    gpu_runtime *runtime = (gpu_runtime *)(uintptr_t)shared; /* for what is atomic alone */
    gpu_monitor *known = atomic_load(&runtime->monitor);
    if (known == NULL && atomic_load(&runtime->monitor_absent)) {
        return absent(runtime, err);
    }
    if (known == NULL) {
        gpu_monitor *fresh = NULL;
        const keel_status status = runtime->vendor->monitor_open(runtime, &fresh, err);
        if (status != KEEL_OK) {
            atomic_store(&runtime->monitor_absent, status == KEEL_ERR_UNAVAILABLE);
            return status;
        }
        if (atomic_compare_exchange_strong(&runtime->monitor, &known, fresh)) {
            known = fresh;
        } else {
            runtime->vendor->monitor_close(runtime, fresh);
        }
    }
    *out_monitor = known;
    return KEEL_OK;
}

static keel_status telemetry_read(void *device_object, int64_t *values, uint32_t count,
                                  keel_error *err)
{
    const gpu_device *device = device_object;
    const gpu_runtime *runtime = device->runtime;
    const gpu_monitor *monitor = NULL;
    const gpu_readings readings = {values, count};
    KEEL_TRY(get_monitor(runtime, &monitor, err));
    return runtime->vendor->monitor_read(monitor, device->listed, &readings, err);
}

/* Real values of another device would pass for those of a simulated one at the same place. */
keel_status gpu_monitor_library(const gpu_runtime *runtime, const keel_vendor_spec *spec,
                                void **out_library, keel_error *err)
{
    const keel_host *host = runtime->host;
    KEEL_TRY(host->vendor_open(host->context, spec, out_library, err));
    const int simulated = gpu_library_simulated(host, *out_library);
    if (simulated != runtime->simulated) {
        return keel_fail(err, KEEL_ERR_UNAVAILABLE, "%s is %s, the device is %s", spec->stem,
                         simulated ? "simulated" : "of real devices",
                         runtime->simulated ? "simulated" : "real");
    }
    return KEEL_OK;
}

void gpu_reading_set(const gpu_readings *readings, uint32_t reading, int64_t value)
{
    if (reading < readings->count) {
        readings->values[reading] = value;
    }
}

const keel_telemetry_api gpu_telemetry = {
    .struct_size = sizeof(keel_telemetry_api),
    .read = telemetry_read,
};
