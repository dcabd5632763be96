/*
 * c = a bᵀ on the default device.
 *   cc quickstart.c $(pkg-config --cflags --libs keel) -o quickstart && ./quickstart
 */
#include <keel/keel.h>
#include <stdio.h>

int main(void)
{
    const float host_a[] = {1, 2, 3, 4, 5, 6};    /* 2 x 3 */
    const float host_b[] = {7, 8, 9, 10, 11, 12}; /* 2 x 3 */
    float host_c[4] = {0};

    /* README begins */
    keel_error err = KEEL_ERROR_INIT; /* keeps the first failure; later calls then do nothing */
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_context_create(NULL, &context, &err);
    keel_device_open(context, NULL, &device, &err); /* the default; never the oracle */
    keel_queue_create(device, NULL, &queue, &err);

    keel_tensor a, b, c;
    keel_tensor_create(device, KEEL_F32, 2, (int64_t[]){2, 3}, &a, &err);
    keel_tensor_create(device, KEEL_F32, 2, (int64_t[]){2, 3}, &b, &err);
    keel_tensor_create(device, KEEL_F32, 2, (int64_t[]){2, 2}, &c, &err);
    keel_tensor_write(queue, &a, host_a, &err);
    keel_tensor_write(queue, &b, host_b, &err);
    keel_matmul(queue, &a, &b, NULL, NULL, &c, &KEEL_MATMUL_OPTIONS(.transpose_b = 1), &err);
    keel_tensor_read(queue, &c, host_c, &err);
    if (err.status != KEEL_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    /* README ends */

    keel_tensor_release(&a);
    keel_tensor_release(&b);
    keel_tensor_release(&c);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    printf("%g %g\n%g %g\n", (double)host_c[0], (double)host_c[1], (double)host_c[2],
           (double)host_c[3]);
    return err.status == KEEL_ERR_UNAVAILABLE ? 77 : err.status != KEEL_OK || host_c[3] != 167.0f;
}
