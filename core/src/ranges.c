/* Whether a device marks its work in a profiler's timeline. */
#include "ranges.h"

#include "context.h"

void keeli_ranges_start(keel_device *device)
{
    const keeli_backend *backend = device->backend;
    keel_error why = KEEL_ERROR_INIT;
    if (!device->context->wants_ranges) {
        return;
    }
    const keel_ranges_api *api =
        backend->table->get_extension(backend->state, KEEL_RANGES_EXTENSION, KEEL_RANGES_VERSION);
    if (api == NULL || !KEEL_HAS(keel_ranges_api, api, pop)) {
        return; /* this backend has no profiler */
    }
    if (api->start(device->handle, &why) != KEEL_OK) {
        keeli_log(device->context, KEEL_LOG_WARNING, "KEEL_RANGES is on, but %s has none: %s",
                  device->id, why.message);
        return;
    }
    device->ranges = api;
}
