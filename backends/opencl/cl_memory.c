/* Buffers: device memory, and host memory that the driver can copy without staging. */
#include "cl_objects.h"

/* The queue that maps pinned buffers, made when it is first needed. */
static keel_status get_map_queue(cl_device *device, cl_command_queue *out_queue, keel_error *err)
{
    cl_int code = CL_SUCCESS;
    (void)pthread_mutex_lock(&device->lock);
    if (device->map_queue == NULL) {
        device->map_queue =
            device->api->clCreateCommandQueue(device->context, device->id, 0, &code);
    }
    *out_queue = device->map_queue;
    (void)pthread_mutex_unlock(&device->lock);
    return cl_check(err, code, "clCreateCommandQueue", "queue for pinned memory");
}

/* A pinned buffer stays mapped for its whole life. */
static keel_status map_pinned(cl_device *device, cl_buffer *buffer, keel_error *err)
{
    cl_command_queue queue = NULL;
    cl_int code = CL_SUCCESS;
    KEEL_TRY(get_map_queue(device, &queue, err));
    void *host =
        device->api->clEnqueueMapBuffer(queue, buffer->handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                        0, buffer->bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        return cl_fail(err, code, "clEnqueueMapBuffer", "pinned buffer of %llu bytes",
                       (unsigned long long)buffer->bytes);
    }
    buffer->host = host;
    return KEEL_OK;
}

static keel_status create(cl_device *device, int32_t memory, cl_buffer *buffer, keel_error *err)
{
    cl_int code = CL_SUCCESS;
    cl_mem_flags flags = CL_MEM_READ_WRITE;
    if (memory == KEEL_MEMORY_PINNED) {
        flags |= CL_MEM_ALLOC_HOST_PTR;
    }
    buffer->handle =
        device->api->clCreateBuffer(device->context, flags, buffer->bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        buffer->handle = NULL;
        /* Drivers may give more than they promise, so the promise is for the message only. */
        return cl_fail(err, code, "clCreateBuffer",
                       "buffer of %llu bytes, where the device promises up to %llu",
                       (unsigned long long)buffer->bytes,
                       (unsigned long long)device->limits.max_buffer_bytes);
    }
    return memory == KEEL_MEMORY_PINNED ? map_pinned(device, buffer, err) : KEEL_OK;
}

keel_status cl_buffer_alloc(void *device_object, uint64_t bytes, int32_t memory, void **out_buffer,
                            keel_error *err)
{
    cl_device *device = device_object;
    *out_buffer = NULL;
    if (memory != KEEL_MEMORY_DEVICE && memory != KEEL_MEMORY_PINNED) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "memory kind %d: OpenCL has 1 and 2", memory);
    }
    cl_buffer *buffer = cl_alloc(device->runtime, sizeof *buffer);
    if (buffer == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a buffer");
    }
    buffer->bytes = bytes;
    const keel_status status = create(device, memory, buffer, err);
    if (status != KEEL_OK) {
        cl_buffer_free(device, buffer);
        return status;
    }
    *out_buffer = buffer;
    return KEEL_OK;
}

void cl_buffer_free(void *device_object, void *buffer_object)
{
    cl_device *device = device_object;
    cl_buffer *buffer = buffer_object;
    if (buffer->host != NULL) {
        (void)device->api->clEnqueueUnmapMemObject(device->map_queue, buffer->handle, buffer->host,
                                                   0, NULL, NULL);
        (void)device->api->clFinish(device->map_queue);
    }
    if (buffer->handle != NULL) {
        (void)device->api->clReleaseMemObject(buffer->handle);
    }
    cl_free(device->runtime, buffer);
}

void *cl_buffer_host(void *device_object, void *buffer_object)
{
    const cl_buffer *buffer = buffer_object;
    (void)device_object;
    return buffer->host;
}
