/* Kernels of the application's own. */
#include "keel/kernel.h"

#include <string.h>

#include "buffer.h"
#include "context.h"
#include "kernel_signature.h"
#include "plan.h"
#include "queue.h"
#include "ranges.h"

#define ENTRY_CAPACITY 64

struct keel_kernel {
    atomic_uint references;
    keel_device *device;
    keeli_program *program;
    void *handle; /* the backend's, owned by the program */
    char entry[ENTRY_CAPACITY];
    keeli_signature signature;
};

/* ---- life ------------------------------------------------------------------------------------ */

static void destroy_kernel(keel_kernel *kernel)
{
    keel_device *device = kernel->device;
    if (keeli_context_forked(device->context)) {
        return;
    }
    keeli_program_free(device, kernel->program);
    keeli_free(device->context, kernel);
    keel_device_close(device);
}

static keel_status check_source(keel_device *device, const keel_kernel_source *source,
                                keel_error *err)
{
    if (!KEEL_HAS(keel_kernel_source, source, dtypes)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "kernel: source.struct_size is %u, must be sizeof(keel_kernel_source)",
                         source->struct_size);
    }
    if (source->source == NULL || source->entry == NULL ||
        (source->dtype_count > 0 && source->dtypes == NULL)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "kernel: source, entry or dtypes is NULL");
    }
    if (strlen(source->entry) >= ENTRY_CAPACITY) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "kernel: entry %.80s is longer than %d characters", source->entry,
                         ENTRY_CAPACITY - 1);
    }
    for (uint32_t k = 0; k < source->dtype_count; k++) {
        if (keel_dtype_size(source->dtypes[k]) == 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "kernel: dtype %u is %d, must be 1 to %d", k, source->dtypes[k],
                             KEEL_DTYPE_END - 1);
        }
    }
    if (device->backend->prelude.length == 0) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "kernel: device %s compiles no kernels",
                         device->id);
    }
    return KEEL_OK;
}

keel_status keel_kernel_create(keel_device *device, const keel_kernel_source *source,
                               keel_kernel **out_kernel, keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    if (out_kernel != NULL) {
        *out_kernel = NULL;
    }
    KEEL_LATCHED(err);
    if (device == NULL || source == NULL || out_kernel == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "device, source or out_kernel is NULL");
    }
    KEEL_TRY(keeli_device_check(device, err));
    KEEL_TRY(check_source(device, source, err));
    keel_kernel *kernel = keeli_alloc(device->context, sizeof *kernel);
    if (kernel == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for a kernel");
    }
    atomic_init(&kernel->references, 1);
    kernel->device = device;
    keel_device_retain(device);
    memcpy(kernel->entry, source->entry, strlen(source->entry) + 1);
    keeli_signature_read(source, &kernel->signature);
    keel_status status = keeli_program_create(device, source, &kernel->program, err);
    if (status == KEEL_OK) {
        status = keeli_program_kernel(device, kernel->program, source->entry, &kernel->handle, err);
    }
    if (status != KEEL_OK) {
        (void)keeli_device_result(device, status, err);
        destroy_kernel(kernel);
        return status;
    }
    *out_kernel = kernel;
    return KEEL_OK;
}

void keel_kernel_retain(keel_kernel *kernel)
{
    if (kernel != NULL) {
        atomic_fetch_add(&kernel->references, 1);
    }
}

void keel_kernel_release(keel_kernel *kernel)
{
    if (kernel != NULL && atomic_fetch_sub(&kernel->references, 1) == 1) {
        destroy_kernel(kernel);
    }
}

/* ---- launching ------------------------------------------------------------------------------- */

/* A launch as it is put together. */
typedef struct launch_arguments {
    keel_launch_arg arg[KEELI_LAUNCH_ARGS];
    int64_t stack[KEELI_LAUNCH_BYTES / sizeof(int64_t)]; /* METAs, which are made of int64_t */
    uint32_t used;
} launch_arguments;

/* Checks a tensor and gives the element offset that its view must carry. */
static keel_status describe(keel_queue *queue, const keel_kernel *kernel, const keel_tensor *tensor,
                            keel_desc *out, int64_t *out_offset, keel_error *err)
{
    uint64_t span;
    if (tensor == NULL) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: a tensor argument is NULL",
                         kernel->entry);
    }
    KEEL_TRY(
        keeli_describe_tensor(queue->device, tensor, kernel->entry, "argument", out, &span, err));
    const int fold = (queue->device->limits.flags & KEEL_LIMIT_POINTER_OFFSET) != 0;
    const int32_t size = keel_dtype_size(tensor->dtype);
    *out_offset = fold || size == 0 ? 0 : (int64_t)(tensor->byte_offset / (uint64_t)size);
    return KEEL_OK;
}

static keel_status add_tensor(keel_queue *queue, const keel_kernel *kernel,
                              const keel_kernel_arg *given, keel_launch_arg *out, keel_error *err)
{
    keel_desc desc;
    int64_t offset;
    KEEL_TRY(describe(queue, kernel, given->tensor, &desc, &offset, err));
    const int fold = (queue->device->limits.flags & KEEL_LIMIT_POINTER_OFFSET) != 0;
    *out = (keel_launch_arg){.kind = KEEL_LAUNCH_BUFFER,
                             .size = 8,
                             .u.buffer = given->tensor->buffer->handle,
                             .byte_offset = fold ? given->tensor->byte_offset : 0};
    return KEEL_OK;
}

static keel_status add_meta(keel_queue *queue, const keel_kernel *kernel,
                            const keel_kernel_arg *given, launch_arguments *launch,
                            keel_launch_arg *out, keel_error *err)
{
    const uint32_t size =
        (uint32_t)(offsetof(keel_meta, view) + given->count * sizeof(keel_meta_view));
    if (given->tensors == NULL || given->count < 1 || given->count > KEEL_META_VIEWS ||
        launch->used + size > KEELI_LAUNCH_BYTES) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: a META of %u tensors; 1 to %d are allowed, %d bytes in all",
                         kernel->entry, given->count, KEEL_META_VIEWS, KEELI_LAUNCH_BYTES);
    }
    keel_meta *meta = (keel_meta *)(void *)(launch->stack + launch->used / sizeof *launch->stack);
    memset(meta, 0, size);
    for (uint32_t v = 0; v < given->count; v++) {
        keel_desc desc;
        memset(&desc, 0, sizeof desc);
        KEEL_TRY(describe(queue, kernel, given->tensors[v], &desc, &meta->view[v].offset, err));
        const size_t bytes = sizeof(int64_t) * (size_t)desc.rank;
        if (v == 0) {
            meta->rank = desc.rank;
            memcpy(meta->extent, desc.shape, bytes);
        } else if (desc.rank != meta->rank || memcmp(meta->extent, desc.shape, bytes) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: tensor %u of a META has shape %s, the first one %s",
                             kernel->entry, v, keeli_shape_format(desc.rank, desc.shape).text,
                             keeli_shape_format((int32_t)meta->rank, meta->extent).text);
        }
        memcpy(meta->view[v].stride, desc.stride, bytes);
    }
    launch->used += size;
    *out = (keel_launch_arg){.kind = KEEL_LAUNCH_VALUE, .size = size, .u.value = meta};
    return KEEL_OK;
}

static keel_status add_argument(keel_queue *queue, const keel_kernel *kernel,
                                const keel_kernel_arg *given, launch_arguments *launch,
                                keel_launch_arg *out, keel_error *err)
{
    switch (given->kind) {
    case KEEL_KERNEL_TENSOR:
        return add_tensor(queue, kernel, given, out, err);
    case KEEL_KERNEL_META:
        return add_meta(queue, kernel, given, launch, out, err);
    case KEEL_KERNEL_VALUE:
        if (given->value == NULL || given->size < 1 || given->size > 16) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: a value argument of %u bytes; 1 to 16 are allowed", kernel->entry,
                             given->size);
        }
        *out = (keel_launch_arg){
            .kind = KEEL_LAUNCH_VALUE, .size = given->size, .u.value = given->value};
        return KEEL_OK;
    default:
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: an argument has kind %d",
                         kernel->entry, given->kind);
    }
}

static keel_status check_geometry(const keel_queue *queue, const keel_kernel *kernel,
                                  const uint64_t grid[3], const uint32_t block[3], keel_error *err)
{
    const keel_limits *limits = &queue->device->limits;
    const uint64_t items = keeli_group_items(block);
    if (items < 1 || items > limits->max_group || grid[1] > limits->max_grid_yz ||
        grid[2] > limits->max_grid_yz) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: group of %llu, grid y %llu and z %llu; device %s allows groups of 1 "
                         "to %u and grids of %u",
                         kernel->entry, (unsigned long long)items, (unsigned long long)grid[1],
                         (unsigned long long)grid[2], queue->device->id, limits->max_group,
                         limits->max_grid_yz);
    }
    return KEEL_OK;
}

/* Notes every tensor's buffer as used by the queue. */
static void mark_used(keel_queue *queue, const keel_kernel_arg *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (args[i].kind == KEEL_KERNEL_TENSOR) {
            keeli_buffer_use(args[i].tensor->buffer, queue);
        }
    }
}

keel_status keel_kernel_launch(keel_queue *queue, const keel_kernel *kernel, const uint64_t grid[3],
                               const uint32_t block[3], const keel_kernel_arg *args, uint32_t count,
                               keel_error *err)
{
    keel_error scratch = KEEL_ERROR_INIT;
    err = err != NULL ? err : &scratch;
    KEEL_LATCHED(err);
    if (kernel == NULL || grid == NULL || block == NULL || (args == NULL && count > 0) ||
        count > KEELI_LAUNCH_ARGS) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "kernel, grid, block or args is NULL, or %u arguments are more than %d",
                         count, KEELI_LAUNCH_ARGS);
    }
    KEEL_TRY(keeli_queue_check_enqueue(queue, err));
    if (queue->device != kernel->device) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the kernel is for device %s, the "
                         "queue on %s",
                         kernel->entry, kernel->device->id, queue->device->id);
    }
    KEEL_TRY(check_geometry(queue, kernel, grid, block, err));
    KEEL_TRY(keeli_signature_check(&kernel->signature, kernel->entry, args, count, err));
    launch_arguments launch = {.used = 0};
    for (uint32_t i = 0; i < count; i++) {
        KEEL_TRY(add_argument(queue, kernel, &args[i], &launch, &launch.arg[i], err));
    }
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
        return KEEL_OK;
    }
    keeli_range_push(queue->device, kernel->entry);
    const keel_status status = queue->device->api->launch(queue->handle, kernel->handle, grid,
                                                          block, launch.arg, count, err);
    keeli_range_pop(queue->device);
    mark_used(queue, args, count);
    if (queue->capture != NULL) {
        keeli_graph_keep_kernel(queue->capture, kernel);
        keeli_graph_note(queue->capture, status, kernel->entry);
    }
    memcpy(queue->last_op, kernel->entry, sizeof kernel->entry);
    keeli_queue_submitted(queue);
    return keeli_device_result(queue->device, status, err);
}
