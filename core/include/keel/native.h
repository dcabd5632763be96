/*
 * Interoperation with code that uses the vendor's API directly: wrap its objects, or export Keel's.
 * What a handle is depends on the backend; for "opencl": cl_context, cl_device_id,
 * cl_command_queue, cl_mem and cl_event; for "cuda" and "hip": a CUcontext or NULL, the device's
 * number, a stream, an address and an event. docs/coming-from-opencl.md and coming-from-cuda.md
 * show it, and whose references are whose.
 */
#ifndef KEEL_NATIVE_H
#define KEEL_NATIVE_H

#include "keel/backend.h"
#include "keel/base.h"
#include "keel/buffer.h"
#include "keel/device.h"
#include "keel/queue.h"
#include "keel/status.h"

#define KEEL_NATIVE_EXTENSION "keel.native"
#define KEEL_NATIVE_VERSION 1

/* The backend's side (keel_backend.get_extension). Wrapping takes a reference of its own. */
typedef struct keel_native_api {
    uint32_t struct_size;
    uint32_t pad;
    /* native_context NULL where the vendor has none */
    keel_status (*device_wrap)(void *state, void *native_device, void *native_context,
                               uint32_t *out_index, void **out_device, keel_error *err);
    keel_status (*device_export)(void *device, void **out_native_device, void **out_native_context,
                                 keel_error *err);
    keel_status (*queue_wrap)(void *device, void *native_queue, void **out_queue, keel_error *err);
    void *(*queue_export)(void *queue);
    keel_status (*buffer_wrap)(void *device, void *native_buffer, void **out_buffer,
                               uint64_t *out_bytes, keel_error *err);
    void *(*buffer_export)(void *buffer);
    keel_status (*event_wrap)(void *device, void *native_event, void **out_event, keel_error *err);
    void *(*event_export)(void *event); /* NULL if it was never recorded */
} keel_native_api;

KEEL_BEGIN_DECLS

/*
 * Opens the device behind a native handle, inside the caller's native context, so that both sides
 * can share memory and queues.
 *
 * @param backend         "opencl", "cuda", "hip"
 * @param native_context  must outlive the call only, where the vendor counts references (OpenCL);
 *                        else the device. NULL where the vendor has a usual one.
 * @retval KEEL_ERR_UNSUPPORTED       the backend has no keel.native
 * @retval KEEL_ERR_INVALID_ARGUMENT  the context does not hold the device
 */
KEEL_API keel_status keel_native_device_wrap(keel_context *context, const char *backend,
                                             void *native_device, void *native_context,
                                             keel_device **out_device, keel_error *err);

/* Handles behind a device; borrowed. Either out parameter may be NULL. */
KEEL_API keel_status keel_native_device_export(keel_device *device, void **out_native_device,
                                               void **out_native_context, keel_error *err);

/*
 * A queue that submits to an existing native queue; order with the caller's own work is the native
 * queue's order. keel_queue_destroy() drains it and drops Keel's reference only.
 * @retval KEEL_ERR_INVALID_ARGUMENT  it belongs to another context, or is out-of-order
 */
KEEL_API keel_status keel_native_queue_wrap(keel_device *device, void *native_queue,
                                            keel_queue **out_queue, keel_error *err);
KEEL_API keel_status keel_native_queue_export(keel_queue *queue, void **out_native_queue,
                                              keel_error *err);

/* A buffer over existing memory; Keel never pools or frees that memory. */
KEEL_API keel_status keel_native_buffer_wrap(keel_device *device, void *native_buffer,
                                             keel_buffer **out_buffer, keel_error *err);
/* The handle is borrowed and valid while the buffer is. */
KEEL_API keel_status keel_native_buffer_export(keel_buffer *buffer, void **out_native_buffer,
                                               keel_error *err);

/* An event that stands for an existing native event, to wait for. */
KEEL_API keel_status keel_native_event_wrap(keel_device *device, void *native_event,
                                            keel_event **out_event, keel_error *err);
KEEL_API keel_status keel_native_event_export(keel_event *event, void **out_native_event,
                                              keel_error *err);

KEEL_END_DECLS

#endif
