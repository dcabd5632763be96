/* Device memory that ends: what a fake of the suite's has in place of ref's endless memory. */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include "keel/backend.h"

#define FAKE_MEMORY_BYTES (UINT64_C(64) << 20)

/*
 * Puts it into a copy of ref's table. sticky: the fill after a failed allocation fails too, as with
 * drivers whose last error nobody took.
 */
void fake_memory_install(keel_device_api *api, int sticky);

#endif
