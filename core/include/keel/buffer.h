/*
 * Device memory. A buffer is addressed as handle + byte offset, never by a raw pointer.
 * Depends on queue.h.
 */
#ifndef KEEL_BUFFER_H
#define KEEL_BUFFER_H

#include "keel/base.h"
#include "keel/device.h"
#include "keel/queue.h"
#include "keel/status.h"

typedef struct keel_buffer keel_buffer;

KEEL_BEGIN_DECLS

/*
 * Creates a buffer; its contents are undefined.
 *
 * @param size_bytes  0 is allowed: a buffer that nothing fits in
 * @param out_buffer  receives one reference; keel_buffer_release() it
 * @retval KEEL_ERR_OUT_OF_MEMORY  after the pool was returned to the vendor; names the size and
 *                                 the largest holders (keel_device_memory_holder())
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_buffer_create(keel_device *device, uint64_t size_bytes,
                                        keel_buffer **out_buffer, keel_error *err);

/* Adds a reference. Any thread. */
KEEL_API void keel_buffer_retain(keel_buffer *buffer);

/*
 * Drops a reference; NULL is ignored. Legal while work that uses it is in flight: the memory is
 * reused once that work has passed. Any thread.
 */
KEEL_API void keel_buffer_release(keel_buffer *buffer);

/*
 * Says what a buffer is for, in messages about memory: "weights". Of a tensor: its buffer.
 * @param tag  copied, at most KEEL_TAG_CAPACITY - 1 bytes of it; NULL or "": "buffer"
 * Any thread.
 */
KEEL_API void keel_buffer_set_tag(keel_buffer *buffer, const char *tag);

KEEL_API uint64_t keel_buffer_size(const keel_buffer *buffer);
KEEL_API keel_device *keel_buffer_device(const keel_buffer *buffer); /* borrowed */

/*
 * Copies bytes between host and buffer in queue order. The host memory may be reused (write) or is
 * filled (read) when the call returns, so both may block.
 *
 * @retval KEEL_ERR_INVALID_ARGUMENT  the range reaches past the buffer
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_buffer_write(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                                       const void *host, uint64_t size_bytes, keel_error *err);
KEEL_API keel_status keel_buffer_read(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                                      void *host, uint64_t size_bytes, keel_error *err);

/*
 * As above, without waiting: the host memory must stay valid, and untouched (write) or unread
 * (read), until an event recorded after the call has passed.
 */
KEEL_API keel_status keel_buffer_write_async(keel_queue *queue, keel_buffer *buffer,
                                             uint64_t byte_offset, const void *host,
                                             uint64_t size_bytes, keel_error *err);
KEEL_API keel_status keel_buffer_read_async(keel_queue *queue, keel_buffer *buffer,
                                            uint64_t byte_offset, void *host, uint64_t size_bytes,
                                            keel_error *err);

/*
 * Copies bytes from source to target on one device. The ranges must not overlap within one buffer.
 */
KEEL_API keel_status keel_buffer_copy(keel_queue *queue, keel_buffer *source,
                                      uint64_t source_offset, keel_buffer *target,
                                      uint64_t target_offset, uint64_t size_bytes, keel_error *err);

/* Sets every byte of a range to value. */
KEEL_API keel_status keel_buffer_fill(keel_queue *queue, keel_buffer *buffer, uint64_t byte_offset,
                                      uint64_t size_bytes, uint8_t value, keel_error *err);

KEEL_END_DECLS

#endif
