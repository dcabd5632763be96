/*
 * Copies between two devices of one backend, without a detour over the host where the hardware has
 * a way. Optional for a backend (keel.peer). Some machines damage such copies without a word (an
 * IOMMU in their way), so each way is tried with a pattern before it is used. Depends on buffer.h.
 */
#ifndef KEEL_PEER_H
#define KEEL_PEER_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/buffer.h"
#include "keel/device.h"
#include "keel/queue.h"
#include "keel/status.h"

#define KEEL_PEER_EXTENSION "keel.peer"
#define KEEL_PEER_VERSION 1

/* The backend's side (keel_backend.get_extension). Both devices are the backend's own. */
typedef struct keel_peer_api {
    uint32_t struct_size;
    uint32_t pad;
    /*
     * Whether what leaves source's memory arrives in device's: tried once per pair, later answered
     * from memory. UNSUPPORTED says why not. Any thread.
     */
    keel_status (*check)(void *device, void *source_device, keel_error *err);
    /* Copies in the order of queue, whose device has target, after a check. */
    keel_status (*copy)(void *queue, void *source_device, const keel_operand *source,
                        const keel_operand *target, uint64_t bytes, keel_error *err);
} keel_peer_api;

KEEL_BEGIN_DECLS

/*
 * Whether buffers of source can be copied to buffers of device. The first time for a pair it copies
 * a pattern and looks at what arrived: that blocks for some milliseconds.
 *
 * @retval KEEL_ERR_UNSUPPORTED  other backends, a backend without keel.peer, or the pattern arrived
 *                               damaged: the message says which. Copy over the host instead.
 * Thread safety: any thread.
 */
KEEL_API keel_status keel_peer_check(keel_device *device, keel_device *source, keel_error *err);

/*
 * Copies bytes from a buffer of another device to one of the queue's device, in the queue's order.
 * Queues of different devices know nothing of each other: what writes source must have passed
 * before, and source must not be written until the copy has passed. It may be released earlier.
 * Buffers of one device are copied as keel_buffer_copy() does.
 *
 * @retval KEEL_ERR_UNSUPPORTED       as keel_peer_check(), which the first copy of a pair includes
 * @retval KEEL_ERR_INVALID_ARGUMENT  a range reaches past its buffer, target is of another device
 *                                    than queue, or the queue is capturing a graph
 * Thread safety: one thread per queue.
 */
KEEL_API keel_status keel_peer_copy(keel_queue *queue, keel_buffer *source, uint64_t source_offset,
                                    keel_buffer *target, uint64_t target_offset,
                                    uint64_t size_bytes, keel_error *err);

KEEL_END_DECLS

#endif
