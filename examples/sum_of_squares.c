/* Sum of squares by a kernel of our own: each group reduces its share, the host adds the groups. */
#include <keel/keel.h>
#include <stdio.h>

#define COUNT 1000
#define GROUPS 4
static const char text[] =
    "KERNEL3(sum_of_squares, GLOBAL const T0 *, x, GLOBAL f32 *, partial, const KMETA1, m)\n"
    "{\n"
    "    LOCAL_ARRAY(f32, buffer, KEEL_BLOCK);\n"
    "    f32 sum = 0.0f;\n"
    "    RANGE(i, m.extent[0])\n"
    "    {\n"
    "        const f32 v = LD0(x, m.v[0].offset + i * m.v[0].stride[0]);\n"
    "        sum = k_fma_f32(v, v, sum);\n"
    "    }\n"
    "    GROUP_REDUCE(buffer, sum, k_add_f32);\n"
    "    if (LOCAL_ID(0) == 0u) { partial[GROUP_ID(0)] = sum; }\n"
    "}\n";

int main(void)
{
    float values[COUNT];
    float sums[GROUPS] = {0};
    for (int i = 0; i < COUNT; i++) {
        values[i] = (float)(i % 8);
    }
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_kernel *kernel;
    keel_tensor x, partial;
    keel_context_create(NULL, &context, &err);
    keel_device_open(context, NULL, &device, &err);
    keel_queue_create(device, NULL, &queue, &err);
    keel_tensor_create(device, KEEL_F32, 1, (int64_t[]){COUNT}, &x, &err);
    keel_tensor_create(device, KEEL_F32, 1, (int64_t[]){GROUPS}, &partial, &err);
    keel_tensor_write(queue, &x, values, &err);
    const keel_kernel_source source = {sizeof source,           1,       text, "sum_of_squares",
                                       "KEEL_BLOCK=64 IDX=i64", &x.dtype};
    keel_kernel_create(device, &source, &kernel, &err);
    const keel_tensor *const views[] = {&x};
    const keel_kernel_arg args[] = {{.kind = KEEL_KERNEL_TENSOR, .tensor = &x},
                                    {.kind = KEEL_KERNEL_TENSOR, .tensor = &partial},
                                    {.kind = KEEL_KERNEL_META, .tensors = views, .count = 1}};
    keel_kernel_launch(queue, kernel, (uint64_t[]){GROUPS, 1, 1}, (uint32_t[]){64, 1, 1}, args, 3,
                       &err);
    keel_tensor_read(queue, &partial, sums, &err);
    const float sum = sums[0] + sums[1] + sums[2] + sums[3];
    keel_kernel_release(kernel);
    keel_tensor_release(&x);
    keel_tensor_release(&partial);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    printf("%g %s\n", (double)sum, err.message);
    return err.status == KEEL_ERR_UNAVAILABLE ? 77 : sum != 17500;
}
