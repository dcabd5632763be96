/*
 * Host memory that a device copies from and to without staging ("pinned"): what asynchronous copies
 * need to overlap with other work. Ordinary memory works with every copy too, only slower.
 * Depends on device.h.
 */
#ifndef KEEL_HOST_MEMORY_H
#define KEEL_HOST_MEMORY_H

#include "keel/base.h"
#include "keel/device.h"
#include "keel/status.h"

typedef struct keel_host_memory keel_host_memory;

KEEL_BEGIN_DECLS

/*
 * Allocates pinned memory. It is scarce and slow to get: keep it.
 *
 * @param size_bytes   at least 1; contents are undefined
 * @param out_memory   keel_host_memory_release() it, after the copies that use it have passed
 * @retval KEEL_ERR_UNSUPPORTED    the backend has none: use ordinary memory
 * @retval KEEL_ERR_OUT_OF_MEMORY  the system does not give that much
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_host_memory_create(keel_device *device, uint64_t size_bytes,
                                             keel_host_memory **out_memory, keel_error *err);

/* Its first byte, aligned to 64 bytes; NULL for NULL. Valid until the release. */
KEEL_API void *keel_host_memory_data(const keel_host_memory *memory);

KEEL_API uint64_t keel_host_memory_size(const keel_host_memory *memory);

/* NULL is ignored. Any thread. */
KEEL_API void keel_host_memory_release(keel_host_memory *memory);

KEEL_END_DECLS

#endif
