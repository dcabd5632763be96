/* Laying operands out, and finding what changed around them. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#define ROW_HOLE 3 /* elements; odd, so that rows lose their alignment */

/* Guards: below 0x81 the 16-bit pattern would not be a NaN. */
#define PATTERN_FIRST 0x81
#define PATTERNS_PER_SLOT 3
#define PATTERN_PREFIX 0
#define PATTERN_HOLE 1
#define PATTERN_SUFFIX 2

/*
 * Strides for axes laid out from the last to the first (or the reverse), each row followed by hole
 * elements. Gives the elements from the first to beyond the last, or -1 on overflow.
 */
static int64_t lay_axes(keel_tensor *tensor, uint32_t repeat, int reversed, int64_t step,
                        int64_t hole)
{
    int64_t pitch = step;
    for (int32_t k = 0; k < tensor->rank; k++) {
        const int32_t axis = reversed ? k : tensor->rank - 1 - k;
        if ((repeat >> axis & 1) != 0) {
            continue;
        }
        tensor->stride[axis] = pitch;
        const int64_t size = tensor->shape[axis] > 0 ? tensor->shape[axis] : 1;
        if (__builtin_mul_overflow(pitch, size, &pitch) ||
            __builtin_add_overflow(pitch, hole, &pitch)) {
            return -1;
        }
    }
    return pitch;
}

/* Chooses strides; gives the reach in elements, from element 0 to beyond the last one. */
static int64_t lay_out(const conf_operand *operand, keel_tensor *tensor)
{
    switch (operand->layout) {
    case CONF_LAYOUT_PADDED:
        return lay_axes(tensor, operand->repeat, 0, 1, ROW_HOLE);
    case CONF_LAYOUT_STEP:
        return lay_axes(tensor, operand->repeat, 0, 2, ROW_HOLE);
    case CONF_LAYOUT_TRANSPOSED:
        return lay_axes(tensor, operand->repeat, 1, 1, 0);
    default:
        return lay_axes(tensor, operand->repeat, 0, 1, 0);
    }
}

/* Elements from element 0 to beyond the last one that the view reaches; 0 if it is empty. */
static int64_t reach(const keel_tensor *tensor)
{
    int64_t last = 0;
    for (int32_t a = 0; a < tensor->rank; a++) {
        if (tensor->shape[a] == 0) {
            return 0;
        }
        last += (tensor->shape[a] - 1) * tensor->stride[a];
    }
    return last + 1;
}

static int64_t volume(const conf_operand *operand)
{
    int64_t elements = 1;
    for (int32_t a = 0; a < operand->rank; a++) {
        if (operand->shape[a] < 0 ||
            __builtin_mul_overflow(elements, operand->shape[a], &elements)) {
            return -1;
        }
    }
    return elements;
}

/*
 * One pattern per slot and place. As an element it is a NaN wherever the type has room for one, so
 * that a result which took in a guard shows.
 */
static void fill_pattern(unsigned char *bytes, uint64_t count, uint32_t slot, int place,
                         int32_t element)
{
    memset(bytes, 0xFF, count);
    const uint32_t id = PATTERN_FIRST + slot * PATTERNS_PER_SLOT + (uint32_t)place;
    for (uint64_t i = 0; i < count; i += (uint64_t)element) {
        bytes[i] = (unsigned char)id;
    }
}

static void fill_guards(conf_image *image, uint32_t slot)
{
    const int32_t size = keel_dtype_size(image->tensor.dtype);
    const uint64_t first = image->tensor.byte_offset;
    const uint64_t inside = (uint64_t)reach(&image->tensor) * (uint64_t)size;
    fill_pattern(image->host, first, slot, PATTERN_PREFIX, size);
    fill_pattern(image->host + first, inside, slot, PATTERN_HOLE, size);
    fill_pattern(image->host + first + inside, image->bytes - first - inside, slot, PATTERN_SUFFIX,
                 size);
}

/* Sizes of the allocation; 0 if they do not fit. */
static int measure(const conf_operand *operand, conf_image *image)
{
    const int64_t size = keel_dtype_size(operand->dtype);
    int64_t payload = 0;
    if (size == 0 || lay_out(operand, &image->tensor) < 0 ||
        __builtin_mul_overflow(reach(&image->tensor), size, &payload) || payload > INT64_MAX / 4) {
        return 0;
    }
    const int odd =
        operand->layout == CONF_LAYOUT_OFFSET || operand->layout == CONF_LAYOUT_TRANSPOSED;
    const uint64_t suffix = operand->layout == CONF_LAYOUT_FLUSH ? 0 : CONF_GUARD_BYTES;
    image->tensor.byte_offset = CONF_GUARD_BYTES + (odd ? 3U * (uint64_t)size : 0U);
    image->bytes = image->tensor.byte_offset + (uint64_t)payload + suffix;
    return 1;
}

keel_status conf_image_create(const conf_operand *operand, uint32_t slot, conf_image *out,
                              keel_error *err)
{
    memset(out, 0, sizeof *out);
    KEEL_LATCHED(err);
    out->tensor.dtype = operand->dtype;
    out->tensor.rank = operand->rank;
    memcpy(out->tensor.shape, operand->shape, sizeof out->tensor.shape);
    out->elements = volume(operand);
    if (out->elements < 0 || !measure(operand, out)) {
        return keel_fail(err, KEEL_ERR_INTERNAL, "operand %u: its size does not fit 63 bits", slot);
    }
    const uint64_t size = (uint64_t)keel_dtype_size(operand->dtype);
    out->host = malloc(out->bytes);
    out->dense = calloc((size_t)out->elements + 1, size);
    if (out->host == NULL || out->dense == NULL) {
        conf_image_release(out);
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "operand %u: no %llu bytes on the host", slot,
                         (unsigned long long)out->bytes);
    }
    fill_guards(out, slot);
    conf_image_scatter(out);
    return KEEL_OK;
}

void conf_image_release(conf_image *image)
{
    keel_buffer_release(image->tensor.buffer);
    free(image->host);
    free(image->dense);
    memset(image, 0, sizeof *image);
}

/* Walks a view in row-major order: the offset of the next element. */
typedef struct conf_walk {
    const keel_tensor *tensor;
    int64_t index[KEEL_MAX_RANK];
    int64_t offset;
} conf_walk;

static void walk_next(conf_walk *walk)
{
    for (int32_t a = walk->tensor->rank - 1; a >= 0; a--) {
        walk->offset += walk->tensor->stride[a];
        if (++walk->index[a] < walk->tensor->shape[a]) {
            return;
        }
        walk->offset -= walk->tensor->shape[a] * walk->tensor->stride[a];
        walk->index[a] = 0;
    }
}

/* Moves the elements between a dense array and an allocation. */
static void move_elements(const conf_image *image, unsigned char *allocation, unsigned char *dense,
                          int to_allocation)
{
    const size_t size = (size_t)keel_dtype_size(image->tensor.dtype);
    unsigned char *base = allocation + image->tensor.byte_offset;
    conf_walk walk = {.tensor = &image->tensor};
    for (int64_t i = 0; i < image->elements; i++) {
        unsigned char *view = base + (size_t)walk.offset * size;
        unsigned char *packed = dense + (size_t)i * size;
        memcpy(to_allocation ? view : packed, to_allocation ? packed : view, size);
        walk_next(&walk);
    }
}

void conf_image_scatter(conf_image *image)
{
    move_elements(image, image->host, image->dense, 1);
}

void conf_image_gather(const conf_image *image, const unsigned char *allocation,
                       unsigned char *dense)
{
    move_elements(image, (unsigned char *)(uintptr_t)allocation, dense, 0);
}

void conf_image_poison(conf_image *image, unsigned char poison)
{
    const size_t size = (size_t)keel_dtype_size(image->tensor.dtype);
    memset(image->dense, poison, (size_t)image->elements * size);
    conf_image_scatter(image);
}

keel_status conf_image_upload(conf_image *image, keel_queue *queue, keel_error *err)
{
    if (image->tensor.buffer == NULL) {
        KEEL_TRY(
            keel_buffer_create(keel_queue_device(queue), image->bytes, &image->tensor.buffer, err));
    }
    return keel_buffer_write(queue, image->tensor.buffer, 0, image->host, image->bytes, err);
}

keel_status conf_image_download(const conf_image *image, keel_queue *queue,
                                unsigned char *allocation, keel_error *err)
{
    return keel_buffer_read(queue, image->tensor.buffer, 0, allocation, image->bytes, err);
}

int64_t conf_image_damage(const conf_image *image, unsigned char *allocation)
{
    move_elements(image, allocation, image->dense, 1);
    if (memcmp(allocation, image->host, image->bytes) == 0) {
        return CONF_IMAGE_INTACT;
    }
    uint64_t i = 0;
    while (allocation[i] == image->host[i]) {
        i++;
    }
    return (int64_t)(i - image->tensor.byte_offset);
}
