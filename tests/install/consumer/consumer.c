/* A first program: 1 + 2 on the device ref:0 of an installed Keel. */
#include <keel/keel.h>
#include <stdio.h>

int main(void)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_context_create(NULL, &context, &err);
    keel_device_open(context, "ref:0", &device, &err);
    keel_queue_create(device, NULL, &queue, &err);

    const float one = 1.0f;
    const float two = 2.0f;
    float sum = 0.0f;
    keel_tensor a, b, c;
    keel_tensor_create(device, KEEL_F32, 0, NULL, &a, &err);
    keel_tensor_create(device, KEEL_F32, 0, NULL, &b, &err);
    keel_tensor_create(device, KEEL_F32, 0, NULL, &c, &err);
    keel_tensor_write(queue, &a, &one, &err);
    keel_tensor_write(queue, &b, &two, &err);
    keel_add(queue, &a, &b, &c, &err);
    keel_tensor_read(queue, &c, &sum, &err);

    keel_tensor_release(&a);
    keel_tensor_release(&b);
    keel_tensor_release(&c);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    if (err.status != KEEL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("keel %s: 1 + 2 = %g\n", keel_version(), (double)sum);
    return sum == 3.0f ? 0 : 1;
}
