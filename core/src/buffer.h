/* Buffers, for libkeel's own files. */
#ifndef KEELI_BUFFER_H
#define KEELI_BUFFER_H

#include <stdatomic.h>

#include "keel/buffer.h"
#include "pool.h"
#include "queue.h"

struct keel_buffer {
    atomic_uint references;
    int read_only; /* foreign memory that its owner forbids to write */
    keel_device *device;
    uint64_t size_bytes;         /* as asked for */
    keeli_block *block;          /* the memory; NULL if of size 0 */
    void *handle;                /* the backend's, of the block; NULL if of size 0 */
    atomic_uint_fast64_t queues; /* bit per queue slot that has used it */
};

/* As keel_buffer_create(), for memory that counts under that tag. */
keel_status keeli_buffer_create(keel_device *device, uint64_t size_bytes, const char *tag,
                                keel_buffer **out_buffer, keel_error *err);

/*
 * A buffer over memory that the backend wrapped: never pooled. The handle is taken over also on
 * failure. The caller may set read_only and the block's release and owner before sharing it.
 */
keel_status keeli_buffer_wrap(keel_device *device, void *handle, uint64_t size_bytes,
                              keel_buffer **out_buffer, keel_error *err);

/* INVALID_ARGUMENT if the buffer may not be written. what names it in the message. */
keel_status keeli_buffer_check_writable(const keel_buffer *buffer, const char *what,
                                        keel_error *err);

/* Notes that work on the queue uses the buffer; a graph that is captured keeps it. */
static inline void keeli_buffer_use(keel_buffer *buffer, const keel_queue *queue)
{
    if (queue->capture != NULL) {
        keeli_graph_keep_buffer(queue->capture, buffer);
    }
    const uint_fast64_t bit = UINT64_C(1) << queue->slot;
    if ((atomic_load_explicit(&buffer->queues, memory_order_relaxed) & bit) == 0) {
        atomic_fetch_or(&buffer->queues, bit);
    }
}

/* INVALID_ARGUMENT unless bytes from offset lie within the buffer. what names it in the message. */
keel_status keeli_buffer_check_range(const keel_buffer *buffer, uint64_t offset, uint64_t bytes,
                                     const char *what, keel_error *err);

#endif
