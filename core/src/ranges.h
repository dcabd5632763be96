/* Ranges, for libkeel's own files: nothing but a test of a pointer where they are off. */
#ifndef KEELI_RANGES_H
#define KEELI_RANGES_H

#include "device.h"

/* Finds the backend's ranges, if the context wants them; without them goes a warning. */
void keeli_ranges_start(keel_device *device);

static inline void keeli_range_push(const keel_device *device, const char *name)
{
    if (device->ranges != NULL) {
        device->ranges->push(device->handle, name);
    }
}

static inline void keeli_range_pop(const keel_device *device)
{
    if (device->ranges != NULL) {
        device->ranges->pop(device->handle);
    }
}

#endif
