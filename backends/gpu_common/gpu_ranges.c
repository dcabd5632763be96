/* keel.ranges over the vendor's library for them, which is opened when the core wants ranges. */
#include "gpu_objects.h"

static keel_status open_ranges(const gpu_runtime *runtime, gpu_ranges *ranges, keel_error *err)
{
    const gpu_vendor *vendor = runtime->vendor;
    const keel_host *host = runtime->host;
    void *library = NULL;
    keel_status status = KEEL_ERR_UNAVAILABLE;
    for (uint32_t i = 0; i < vendor->range_library_count && library == NULL; i++) {
        keel_error why = KEEL_ERROR_INIT;
        status = host->vendor_open(host->context, &vendor->range_libraries[i], &library, &why);
        if (status != KEEL_OK && i + 1 == vendor->range_library_count) {
            return keel_fail(err, status, "%s", why.message);
        }
    }
    return gpu_symbols_load(host, vendor->range_symbols, 0, library, "the library of ranges",
                            ranges, err);
}

static keel_status start(void *device_object, keel_error *err)
{
    const gpu_device *device = device_object;
    gpu_runtime *runtime = (gpu_runtime *)(uintptr_t)device->runtime; /* for the pointer alone */
    gpu_ranges *known = atomic_load(&runtime->ranges);
    if (known != NULL) {
        return KEEL_OK;
    }
    gpu_ranges *fresh = gpu_alloc(runtime, sizeof *fresh);
    if (fresh == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for ranges");
    }
    const keel_status status = open_ranges(runtime, fresh, err);
    if (status != KEEL_OK || !atomic_compare_exchange_strong(&runtime->ranges, &known, fresh)) {
        gpu_free(runtime, fresh);
    }
    return status;
}

static void push(void *device_object, const char *name)
{
    const gpu_device *device = device_object;
    (void)atomic_load_explicit(&device->runtime->ranges, memory_order_acquire)->push(name);
}

static void pop(void *device_object)
{
    const gpu_device *device = device_object;
    (void)atomic_load_explicit(&device->runtime->ranges, memory_order_acquire)->pop();
}

const keel_ranges_api gpu_ranges_api = {
    .struct_size = sizeof(keel_ranges_api),
    .start = start,
    .push = push,
    .pop = pop,
};
