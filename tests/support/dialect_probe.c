/* Runs one expression of the kernel dialect over arrays. */
#include "dialect_probe.h"

#include <stdlib.h>

int dialect_probe_open(void **state)
{
    keel_error err = KEEL_ERROR_INIT;
    dialect_probe *probe = calloc(1, sizeof *probe);
    if (probe == NULL) {
        return -1;
    }
    *state = probe;
    (void)keel_context_create(NULL, &probe->context, &err);
    (void)keel_device_open(probe->context, NULL, &probe->device, &err);
    (void)keel_queue_create(probe->device, NULL, &probe->queue, &err);
    if (err.status != KEEL_OK) {
        print_message("no device: %s\n", err.message);
    }
    return err.status == KEEL_OK || err.status == KEEL_ERR_UNAVAILABLE ? 0 : -1;
}

int dialect_probe_close(void **state)
{
    dialect_probe *probe = *state;
    keel_queue_destroy(probe->queue);
    keel_device_close(probe->device);
    keel_context_release(probe->context);
    free(probe);
    return 0;
}

const dialect_probe *dialect_probe_get(void **state, keel_dtype dtype)
{
    const dialect_probe *probe = *state;
    if (probe->queue == NULL) {
        skip();
    }
    const keel_limits *limits = keel_device_get_limits(probe->device);
    if (dtype == KEEL_F64 && (limits->flags & KEEL_LIMIT_FP64) == 0) {
        skip();
    }
    return probe;
}

/* Compiles text, whose kernel is KERNEL4(probe, a, b, o, n), and runs it. */
static void run(const dialect_probe *probe, const char *text, const dialect_arrays *arrays)
{
    keel_error err = KEEL_ERROR_INIT;
    const keel_dtype dtypes[] = {arrays->in, arrays->out};
    const keel_kernel_source source = {.struct_size = sizeof source,
                                       .dtype_count = 2,
                                       .source = text,
                                       .entry = "probe",
                                       .defines = "KEEL_BLOCK=KEEL_BLOCK_MAP IDX=i64",
                                       .dtypes = dtypes};
    keel_kernel *kernel;
    keel_tensor a;
    keel_tensor b;
    keel_tensor o;
    (void)keel_kernel_create(probe->device, &source, &kernel, &err);
    (void)keel_tensor_create(probe->device, arrays->in, 1, &arrays->n, &a, &err);
    (void)keel_tensor_create(probe->device, arrays->in, 1, &arrays->n, &b, &err);
    (void)keel_tensor_create(probe->device, arrays->out, 1, &arrays->n, &o, &err);
    (void)keel_tensor_write(probe->queue, &a, arrays->first, &err);
    (void)keel_tensor_write(probe->queue, &b,
                            arrays->second != NULL ? arrays->second : arrays->first, &err);
    const keel_kernel_arg args[] = {
        {.kind = KEEL_KERNEL_TENSOR, .tensor = &a},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = &b},
        {.kind = KEEL_KERNEL_TENSOR, .tensor = &o},
        {.kind = KEEL_KERNEL_VALUE, .size = sizeof arrays->n, .value = &arrays->n},
    };
    const int is_cpu = keel_device_get_limits(probe->device)->kind == KEEL_KIND_CPU;
    const uint32_t block[] = {is_cpu ? 1 : 256, 1, 1};
    (void)keel_kernel_launch(probe->queue, kernel, (uint64_t[]){16, 1, 1}, block, args, 4, &err);
    (void)keel_tensor_read(probe->queue, &o, arrays->result, &err);
    (void)keel_queue_synchronize(probe->queue, &err);
    keel_kernel_release(kernel);
    keel_tensor_release(&a);
    keel_tensor_release(&b);
    keel_tensor_release(&o);
    assert_ok(&err, err.status);
}

#define PROBE "KERNEL4(probe, GLOBAL const T0*, a, GLOBAL const T0*, b, GLOBAL T1*, o, i64, n) {\n"

void dialect_probe_map(const dialect_probe *probe, const char *expression,
                       const dialect_arrays *arrays)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   PROBE "RANGE(i, n) { const A0 x = LD0(a, i); const A0 y = LD0(b, i);\n"
                         "ST1(o, i, (%s)); } }\n",
                   expression);
    run(probe, text, arrays);
}

void dialect_probe_eights(const dialect_probe *probe, const char *statement,
                          const dialect_arrays *arrays)
{
    if (keel_device_get_limits(probe->device)->kind != KEEL_KIND_CPU) {
        skip();
    }
    char text[512];
    (void)snprintf(text, sizeof text, PROBE "RANGE(i, n / 8) { const i64 j = 8 * i; %s; } }\n",
                   statement);
    run(probe, text, arrays);
}
