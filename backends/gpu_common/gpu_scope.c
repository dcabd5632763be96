/*
 * The current device. The application may have one of its own, also of another library of the
 * vendor's: each slot makes its device current and puts back what was.
 */
#include "gpu_objects.h"

keel_status gpu_enter(gpu_device *device, gpu_scope *out_scope, keel_error *err)
{
    out_scope->device = device;
    const int code = device->runtime->vendor->enter(device, &out_scope->saved);
    if (code != 0) {
        return gpu_fail(device, err, code, 0, "making device \"%s\" current",
                        device->listed->info.name);
    }
    return KEEL_OK;
}

void gpu_leave(const gpu_scope *scope)
{
    scope->device->runtime->vendor->leave(scope->device, scope->saved);
}
