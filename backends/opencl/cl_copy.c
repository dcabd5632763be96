/* Bytes that move in queue order. */
#include "cl_objects.h"

/* A copy of nothing is not an OpenCL command: it would be refused. */
static keel_status finish(cl_queue *queue, cl_int code, const char *call, uint64_t bytes,
                          keel_error *err)
{
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, call, "%llu bytes", (unsigned long long)bytes);
    }
    queue->submitted = 1;
    return KEEL_OK;
}

keel_status cl_write(void *queue_object, void *buffer_object, uint64_t byte_offset,
                     const void *host, uint64_t bytes, uint32_t flags, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_buffer *buffer = buffer_object;
    if (bytes == 0) {
        return KEEL_OK;
    }
    const cl_bool wait = flags & KEEL_COPY_ASYNC ? CL_FALSE : CL_TRUE;
    const cl_int code = queue->device->api->clEnqueueWriteBuffer(
        queue->handle, buffer->handle, wait, byte_offset, bytes, host, 0, NULL, NULL);
    return finish(queue, code, "clEnqueueWriteBuffer", bytes, err);
}

keel_status cl_read(void *queue_object, void *buffer_object, uint64_t byte_offset, void *host,
                    uint64_t bytes, uint32_t flags, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_buffer *buffer = buffer_object;
    if (bytes == 0) {
        return KEEL_OK;
    }
    const cl_bool wait = flags & KEEL_COPY_ASYNC ? CL_FALSE : CL_TRUE;
    const cl_int code = queue->device->api->clEnqueueReadBuffer(
        queue->handle, buffer->handle, wait, byte_offset, bytes, host, 0, NULL, NULL);
    return finish(queue, code, "clEnqueueReadBuffer", bytes, err);
}

keel_status cl_copy(void *queue_object, void *source_object, uint64_t source_offset,
                    void *target_object, uint64_t target_offset, uint64_t bytes, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_buffer *source = source_object;
    const cl_buffer *target = target_object;
    if (bytes == 0) {
        return KEEL_OK;
    }
    const cl_int code =
        queue->device->api->clEnqueueCopyBuffer(queue->handle, source->handle, target->handle,
                                                source_offset, target_offset, bytes, 0, NULL, NULL);
    return finish(queue, code, "clEnqueueCopyBuffer", bytes, err);
}

keel_status cl_fill(void *queue_object, void *buffer_object, uint64_t byte_offset, uint64_t bytes,
                    uint64_t pattern, uint32_t pattern_bytes, keel_error *err)
{
    cl_queue *queue = queue_object;
    const cl_buffer *buffer = buffer_object;
    if (bytes == 0) {
        return KEEL_OK;
    }
    /* Hosts and devices are little-endian: the low bytes come first. */
    const cl_int code = queue->device->api->clEnqueueFillBuffer(
        queue->handle, buffer->handle, &pattern, pattern_bytes, byte_offset, bytes, 0, NULL, NULL);
    return finish(queue, code, "clEnqueueFillBuffer", bytes, err);
}
