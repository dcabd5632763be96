/*
 * One op of Keel's in the middle of existing CUDA code: same device, same stream, same memory.
 *   cc adopt_cuda_stream.c $(pkg-config --cflags --libs keel) -lcudart -o adopt_cuda_stream
 */
#include <cuda_runtime_api.h>
#include <keel/keel.h>
#include <keel/native.h>
#include <stdio.h>

/* memory[i] = max(memory[i], 0), after what is on the stream and before what follows. */
static keel_status relu(int ordinal, cudaStream_t stream, float *memory, int64_t count)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context; /* a program keeps these four for as long as it runs */
    keel_device *device;
    keel_queue *queue;
    keel_buffer *buffer;
    keel_context_create(NULL, &context, &err);
    keel_native_device_wrap(context, "cuda", (void *)(intptr_t)ordinal, NULL, &device, &err);
    keel_native_queue_wrap(device, stream, &queue, &err);
    keel_native_buffer_wrap(device, memory, &buffer, &err);

    keel_tensor x; /* a view of the application's memory: nothing is copied */
    keel_tensor_view(buffer, 0, KEEL_F32, 1, &count, NULL, &x, &err);
    keel_relu(queue, &x, &x, &err);

    keel_buffer_release(buffer); /* the memory and the stream stay the application's */
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
    float *memory;
    cudaStream_t stream;
    if (cudaStreamCreate(&stream) != cudaSuccess) {
        return 77; /* no CUDA here */
    }
    cudaMalloc((void **)&memory, sizeof data);
    cudaMemcpyAsync(memory, data, sizeof data, cudaMemcpyHostToDevice, stream);
    const keel_status status = relu(0, stream, memory, 5);
    cudaMemcpyAsync(data, memory, sizeof data, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaFree(memory);
    cudaStreamDestroy(stream);
    printf("%g %g %g\n", (double)data[0], (double)data[2], (double)data[4]);
    return status != KEEL_OK || data[0] != 0.0f || data[4] != 2.0f;
}
