// The same from C++: a softmax of four equal values on the device ref:0 of an installed Keel.
#include <cstdio>
#include <keel/keel.h>

int main()
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = nullptr;
    keel_device *device = nullptr;
    keel_queue *queue = nullptr;
    keel_context_create(nullptr, &context, &err);
    keel_device_open(context, "ref:0", &device, &err);
    keel_queue_create(device, nullptr, &queue, &err);

    const int64_t shape[] = {4};
    float values[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    keel_tensor x{};
    keel_tensor y{};
    keel_tensor_create(device, KEEL_F32, 1, shape, &x, &err);
    keel_tensor_create(device, KEEL_F32, 1, shape, &y, &err);
    keel_tensor_write(queue, &x, values, &err);
    keel_softmax_options options; // holds the defaults
    options.axis = 0;
    keel_softmax(queue, &x, &y, &options, &err);
    keel_tensor_read(queue, &y, values, &err);

    keel_tensor_release(&x);
    keel_tensor_release(&y);
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    if (err.status != KEEL_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    std::printf("keel %s: softmax of 4 equal values is %g\n", keel_version(), double(values[2]));
    return values[2] == 0.25f ? 0 : 1;
}
