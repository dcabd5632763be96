/*
 * One op of Keel's in the middle of existing OpenCL code: same context, same queue, same memory.
 *   cc adopt_opencl_queue.c $(pkg-config --cflags --libs keel) -lOpenCL -o adopt_opencl_queue
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <keel/keel.h>
#include <keel/native.h>
#include <stdio.h>

/* memory[i] = max(memory[i], 0), after what is on the queue and before what follows. */
static keel_status relu(cl_device_id id, cl_context cl, cl_command_queue cl_queue, cl_mem memory,
                        int64_t count)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context; /* a program keeps these four for as long as it runs */
    keel_device *device;
    keel_queue *queue;
    keel_buffer *buffer;
    keel_context_create(NULL, &context, &err);
    keel_native_device_wrap(context, "opencl", id, cl, &device, &err);
    keel_native_queue_wrap(device, cl_queue, &queue, &err);
    keel_native_buffer_wrap(device, memory, &buffer, &err);

    keel_tensor x; /* a view of the application's cl_mem: nothing is copied */
    keel_tensor_view(buffer, 0, KEEL_F32, 1, &count, NULL, &x, &err);
    keel_relu(queue, &x, &x, &err);

    keel_buffer_release(buffer); /* drops Keel's references only */
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    if (err.status != KEEL_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
    }
    return err.status;
}

int main(void)
{
    float data[] = {-2, -1, 0, 1, 2};
    cl_platform_id platform;
    cl_device_id id;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS) {
        return 77; /* no OpenCL here */
    }
    cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, id, 0, NULL);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof data, NULL, NULL);
    clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof data, data, 0, NULL, NULL);
    const keel_status status = relu(id, context, queue, memory, 5);
    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%g %g %g\n", (double)data[0], (double)data[2], (double)data[4]);
    return status != KEEL_OK || data[0] != 0.0f || data[4] != 2.0f;
}
