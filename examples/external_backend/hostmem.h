/* A backend in four short files: host memory as a device that does everything at once. */
#ifndef HOSTMEM_H
#define HOSTMEM_H

#include <keel/backend.h>

/* One type serves as state, device, queue, event and buffer: all need the host table. */
typedef struct hostmem_object {
    const keel_host *host;
    int64_t time_ns;       /* when an event was recorded */
    unsigned char bytes[]; /* of a buffer; aligned to 16, as what alloc gives is */
} hostmem_object;

extern const keel_device_api hostmem_device_api; /* device.c */

/* queue.c */
keel_status hostmem_queue_create(void *device, uint32_t flags, void **out_queue, keel_error *err);
keel_status hostmem_event_create(void *device, void **out_event, keel_error *err);
keel_status hostmem_done(void *object, keel_error *err);
keel_status hostmem_event_record(void *queue, void *event, keel_error *err);
keel_status hostmem_event_wait(void *queue, void *event, keel_error *err);
keel_status hostmem_event_query(void *event, int32_t *out_done, keel_error *err);
keel_status hostmem_event_elapsed(void *start, void *end, int64_t *out_ns, keel_error *err);

/* memory.c */
keel_status hostmem_new(const keel_host *host, uint64_t bytes, void **out_object, keel_error *err);
void hostmem_delete(void *object);
keel_status hostmem_write(void *queue, void *buffer, uint64_t offset, const void *host,
                          uint64_t bytes, uint32_t flags, keel_error *err);
keel_status hostmem_read(void *queue, void *buffer, uint64_t offset, void *host, uint64_t bytes,
                         uint32_t flags, keel_error *err);
keel_status hostmem_copy(void *queue, void *source, uint64_t source_offset, void *target,
                         uint64_t target_offset, uint64_t bytes, keel_error *err);
keel_status hostmem_fill(void *queue, void *buffer, uint64_t offset, uint64_t bytes,
                         uint64_t pattern, uint32_t pattern_bytes, keel_error *err);

#endif
