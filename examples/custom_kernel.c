/* y = x > 0 ? x : x / 4, as a kernel of our own in the kernel dialect (docs/kernel-language.md). */
#include <keel/keel.h>
#include <stdio.h>

static const char source_text[] =
    "KERNEL3(leaky, GLOBAL const T0*, x, GLOBAL T0*, y, const KMETA2, m)\n"
    "{\n"
    "    RANGE(i, m.extent[0]) {\n"
    "        const A0 v = LD0(x, m.v[0].offset + i * m.v[0].stride[0]);\n"
    "        ST0(y, m.v[1].offset + i * m.v[1].stride[0], v > 0 ? v : v * 0.25f);\n"
    "    }\n"
    "}\n";

static void run_leaky(keel_queue *queue, const keel_tensor *x, const keel_tensor *y,
                      keel_error *err)
{
    if (err->status != KEEL_OK) {
        return;
    }
    keel_device *device = keel_queue_device(queue);
    const int is_cpu = keel_device_get_limits(device)->kind == KEEL_KIND_CPU;
    const keel_kernel_source source = {
        sizeof source, 1, source_text, "leaky", "KEEL_BLOCK=KEEL_BLOCK_MAP IDX=i64", &x->dtype};
    keel_kernel *kernel;
    keel_kernel_create(device, &source, &kernel, err);

    const keel_tensor *const views[] = {x, y};
    const keel_kernel_arg args[] = {
        {.kind = KEEL_KERNEL_TENSOR, .tensor = x},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = y},
        {.kind = KEEL_KERNEL_META, .tensors = views, .count = 2},
    };
    const uint32_t block[] = {is_cpu ? 1 : 256, 1, 1}; /* KEEL_BLOCK_MAP */
    keel_kernel_launch(queue, kernel, (uint64_t[]){2, 1, 1}, block, args, 3, err);
    keel_kernel_release(kernel);
}

int main(void)
{
    float values[] = {-8, -4, 0, 4, 8};
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_tensor x;
    keel_context_create(NULL, &context, &err);
    keel_device_open(context, NULL, &device, &err);
    keel_queue_create(device, NULL, &queue, &err);
    keel_tensor_create(device, KEEL_F32, 1, (int64_t[]){5}, &x, &err);
    keel_tensor_write(queue, &x, values, &err);
    run_leaky(queue, &x, &x, &err); /* in place: the kernel reads an element before it writes it */
    keel_tensor_read(queue, &x, values, &err);
    keel_tensor_release(&x);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    printf("%g %g %g %s\n", (double)values[0], (double)values[1], (double)values[4], err.message);
    return err.status == KEEL_ERR_UNAVAILABLE ? 77 : err.status != KEEL_OK || values[0] != -2.0f;
}
