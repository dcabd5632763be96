/* Moving bytes and tensors between host and device: ranges, layouts, what lies beside them. */
#include <stdlib.h>
#include <string.h>

#include "cases/make.h"
#include "image.h"
#include "keel/buffer.h"
#include "random.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef struct conf_range {
    const char *name;
    uint64_t size;          /* of the buffer */
    uint64_t offset, bytes; /* of the range that is moved */
} conf_range;

static const conf_range ranges[] = {
    {"one_byte", 1, 0, 1},          {"all_of_4096", 4096, 0, 4096},
    {"odd_13_of_100", 100, 31, 13}, {"last_byte_of_65537", 65537, 65536, 1},
    {"none_of_64", 64, 64, 0},      {"odd_1000003", 1000007, 3, 1000003},
};

static void fill_bytes(unsigned char *bytes, uint64_t count, uint64_t key)
{
    for (uint64_t i = 0; i < count; i += sizeof(conf_random)) {
        const conf_random words = conf_random_at(key, i, 0);
        memcpy(bytes + i, &words, count - i < sizeof words ? count - i : sizeof words);
    }
}

/* Buffers of one byte case: contents as they must be, contents as they are. */
typedef struct conf_bytes {
    keel_buffer *buffer;
    unsigned char *want;
    unsigned char *got;
} conf_bytes;

static int start_bytes(const conf_env *env, uint64_t size, conf_bytes *out, keel_error *err)
{
    out->want = malloc(size + 1);
    out->got = malloc(size + 1);
    if (out->want == NULL || out->got == NULL) {
        (void)keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no memory on the host");
        return 0;
    }
    fill_bytes(out->want, size, conf_tensor_key(env->info->id, 0, env->seed));
    (void)keel_buffer_create(env->device, size, &out->buffer, err);
    (void)keel_buffer_write(env->queue, out->buffer, 0, out->want, size, err);
    return err->status == KEEL_OK;
}

static void finish_bytes(conf_bytes *bytes)
{
    keel_buffer_release(bytes->buffer);
    free(bytes->want);
    free(bytes->got);
}

/* The whole buffer is what it must be. */
static void check_bytes(const conf_env *env, conf_bytes *bytes, uint64_t size, keel_error *err,
                        conf_result *result)
{
    const conf_demand demand = {.buffer_bytes = size};
    (void)keel_buffer_read(env->queue, bytes->buffer, 0, bytes->got, size, err);
    if (conf_check_status(env, &demand, err, result)) {
        uint64_t i = 0;
        while (i < size && bytes->got[i] == bytes->want[i]) {
            i++;
        }
        (void)conf_expect(result, i == size, "byte %llu of %llu is wrong", (unsigned long long)i,
                          (unsigned long long)size);
    }
}

static void run_write(const conf_env *env, const void *data, conf_result *result)
{
    const conf_range *range = data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    if (start_bytes(env, range->size, &bytes, &err)) {
        fill_bytes(bytes.want + range->offset, range->bytes,
                   conf_tensor_key(env->info->id, 1, env->seed));
        (void)keel_buffer_write(env->queue, bytes.buffer, range->offset, bytes.want + range->offset,
                                range->bytes, &err);
    }
    check_bytes(env, &bytes, range->size, &err, result);
    finish_bytes(&bytes);
}

/* Reads a range into the middle of host memory whose other bytes must stay. */
static void run_read(const conf_env *env, const void *data, conf_result *result)
{
    const conf_range *range = data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    if (start_bytes(env, range->size, &bytes, &err)) {
        memset(bytes.got, 0x5A, range->size);
        (void)keel_buffer_read(env->queue, bytes.buffer, range->offset, bytes.got + range->offset,
                               range->bytes, &err);
    }
    const conf_demand demand = {.buffer_bytes = range->size};
    for (uint64_t i = 0; conf_check_status(env, &demand, &err, result) && i < range->size; i++) {
        const int inside = i >= range->offset && i - range->offset < range->bytes;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): got was filled */
        if (!conf_expect(result, bytes.got[i] == (inside ? bytes.want[i] : 0x5A),
                         "host byte %llu is wrong", (unsigned long long)i)) {
            break;
        }
    }
    finish_bytes(&bytes);
}

static void run_fill(const conf_env *env, const void *data, conf_result *result)
{
    const conf_range *range = data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    if (start_bytes(env, range->size, &bytes, &err)) {
        memset(bytes.want + range->offset, 0xC7, range->bytes);
        (void)keel_buffer_fill(env->queue, bytes.buffer, range->offset, range->bytes, 0xC7, &err);
    }
    check_bytes(env, &bytes, range->size, &err, result);
    finish_bytes(&bytes);
}

static void run_async(const conf_env *env, const void *data, conf_result *result)
{
    const conf_range *range = data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    if (start_bytes(env, range->size, &bytes, &err)) {
        fill_bytes(bytes.want, range->size, conf_tensor_key(env->info->id, 1, env->seed));
        (void)keel_buffer_write_async(env->queue, bytes.buffer, range->offset,
                                      bytes.want + range->offset, range->bytes, &err);
        memset(bytes.got, 0, range->size);
        (void)keel_buffer_read_async(env->queue, bytes.buffer, range->offset,
                                     bytes.got + range->offset, range->bytes, &err);
        keel_event *event = NULL;
        (void)keel_event_create(env->device, &event, &err);
        (void)keel_event_record(event, env->queue, &err);
        (void)keel_event_synchronize(event, &err);
        keel_event_release(event);
    }
    const conf_demand demand = {.buffer_bytes = range->size};
    if (conf_check_status(env, &demand, &err, result)) {
        (void)conf_expect(
            result,
            memcmp(bytes.got + range->offset, bytes.want + range->offset, range->bytes) == 0,
            "what was read after an event differs from what was written");
    }
    finish_bytes(&bytes);
}

/* Copies a range into another buffer, four bytes further on. */
static void run_copy(const conf_env *env, const void *data, conf_result *result)
{
    const conf_range *range = data;
    const uint64_t shift = 4;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes source = {0};
    conf_bytes target = {0};
    if (start_bytes(env, range->size, &source, &err) &&
        start_bytes(env, range->size + shift, &target, &err)) {
        memset(target.want, 0x11, range->size + shift);
        (void)keel_buffer_write(env->queue, target.buffer, 0, target.want, range->size + shift,
                                &err);
        (void)keel_buffer_copy(env->queue, source.buffer, range->offset, target.buffer,
                               range->offset + shift, range->bytes, &err);
        memcpy(target.want + range->offset + shift, source.want + range->offset, range->bytes);
        check_bytes(env, &target, range->size + shift, &err, result);
        check_bytes(env, &source, range->size, &err, result);
    }
    const conf_demand demand = {.buffer_bytes = range->size + shift};
    (void)conf_check_status(env, &demand, &err, result);
    finish_bytes(&source);
    finish_bytes(&target);
}

static void run_past_end(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    unsigned char host[64] = {0};
    if (start_bytes(env, 64, &bytes, &err)) {
        static const uint64_t bad[][2] = {{0, 65}, {1, 64}, {64, 1}, {65, 0}, {UINT64_MAX, 2}};
        for (size_t i = 0; i < KEEL_COUNT(bad); i++) {
            keel_error refused = KEEL_ERROR_INIT;
            keel_status status =
                keel_buffer_write(env->queue, bytes.buffer, bad[i][0], host, bad[i][1], &refused);
            (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused, "write");
            refused = (keel_error)KEEL_ERROR_INIT;
            status =
                keel_buffer_read(env->queue, bytes.buffer, bad[i][0], host, bad[i][1], &refused);
            (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused, "read");
            refused = (keel_error)KEEL_ERROR_INIT;
            status = keel_buffer_fill(env->queue, bytes.buffer, bad[i][0], bad[i][1], 0, &refused);
            (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused, "fill");
        }
    }
    check_bytes(env, &bytes, 64, &err, result);
    finish_bytes(&bytes);
}

/* Ranges of one buffer may follow each other, not overlap. */
static void run_copy_within(const conf_env *env, const void *data, conf_result *result)
{
    (void)data;
    keel_error err = KEEL_ERROR_INIT;
    conf_bytes bytes = {0};
    if (start_bytes(env, 256, &bytes, &err)) {
        keel_error refused = KEEL_ERROR_INIT;
        const keel_status status =
            keel_buffer_copy(env->queue, bytes.buffer, 0, bytes.buffer, 63, 64, &refused);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused,
                                  "copy onto itself");
        (void)keel_buffer_copy(env->queue, bytes.buffer, 0, bytes.buffer, 64, 64, &err);
        memcpy(bytes.want + 64, bytes.want, 64);
    }
    check_bytes(env, &bytes, 256, &err, result);
    finish_bytes(&bytes);
}

/* ---- tensors --------------------------------------------------------------------------------- */

typedef struct conf_view_case {
    const char *name;
    int32_t layout;
    uint32_t repeat;
    conf_shape shape;
} conf_view_case;

static const conf_view_case views[] = {
    {"dense_7x9", CONF_LAYOUT_DENSE, 0, {2, {7, 9}}},
    {"offset_7x9", CONF_LAYOUT_OFFSET, 0, {2, {7, 9}}},
    {"padded_5x33", CONF_LAYOUT_PADDED, 0, {2, {5, 33}}},
    {"step_10", CONF_LAYOUT_STEP, 0, {1, {10}}},
    {"step_3x5x7", CONF_LAYOUT_STEP, 0, {3, {3, 5, 7}}},
    {"transposed_3x2", CONF_LAYOUT_TRANSPOSED, 0, {2, {3, 2}}},
    {"transposed_17x31x3", CONF_LAYOUT_TRANSPOSED, 0, {3, {17, 31, 3}}},
    {"rank8", CONF_LAYOUT_STEP, 0, {8, {2, 1, 3, 2, 1, 2, 3, 2}}},
    {"scalar", CONF_LAYOUT_OFFSET, 0, {0, {0}}},
    {"empty_4x0", CONF_LAYOUT_DENSE, 0, {2, {4, 0}}},
    {"repeat_4x7", CONF_LAYOUT_DENSE, 1, {2, {4, 7}}},
};

static const keel_dtype view_dtypes[] = {KEEL_U8, KEEL_F16, KEEL_F32, KEEL_F64};

typedef struct conf_view_run {
    keel_dtype dtype;
    int32_t pad;
    const conf_view_case *view;
} conf_view_run;

/* Writes new elements through the view; only they may change. Reads them back through it. */
static void move_view(const conf_env *env, conf_image *image, unsigned char *dense,
                      unsigned char *memory, keel_error *err, conf_result *result)
{
    const uint64_t size =
        (uint64_t)image->elements * (uint64_t)keel_dtype_size(image->tensor.dtype);
    fill_bytes(dense, size, conf_tensor_key(env->info->id, 0, env->seed));
    (void)conf_image_upload(image, env->queue, err);
    int repeats = 0;
    for (int32_t a = 0; a < image->tensor.rank; a++) {
        repeats |= image->tensor.stride[a] == 0 && image->tensor.shape[a] > 1;
    }
    if (repeats) {
        keel_error refused = KEEL_ERROR_INIT;
        const keel_status status = keel_tensor_write(env->queue, &image->tensor, dense, &refused);
        (void)conf_expect_refusal(result, status, KEEL_ERR_INVALID_ARGUMENT, &refused,
                                  "write to a view that repeats elements");
    } else {
        (void)keel_tensor_write(env->queue, &image->tensor, dense, err);
        memcpy(image->dense, dense, size);
        conf_image_scatter(image);
    }
    (void)conf_image_download(image, env->queue, memory, err);
    if (conf_check_status(env, &(conf_demand){0}, err, result)) {
        (void)conf_expect(result, memcmp(memory, image->host, image->bytes) == 0,
                          "a write through the view changed other bytes, or not its own");
    }
    memset(dense, 0, size);
    (void)keel_tensor_read(env->queue, &image->tensor, dense, err);
    if (conf_check_status(env, &(conf_demand){0}, err, result)) {
        (void)conf_expect(result, memcmp(dense, image->dense, size) == 0,
                          "a read through the view gives other elements");
    }
}

static void run_view(const conf_env *env, const void *data, conf_result *result)
{
    const conf_view_run *run = data;
    keel_error err = KEEL_ERROR_INIT;
    conf_operand operand = conf_make_operand(run->dtype, &run->view->shape, run->view->layout);
    operand.repeat = run->view->repeat;
    conf_image image = {0};
    (void)conf_image_create(&operand, 0, &image, &err);
    unsigned char *dense = malloc((size_t)image.elements * 8 + 8);
    unsigned char *memory = malloc(image.bytes + 1);
    if (dense != NULL && memory != NULL && err.status == KEEL_OK) {
        move_view(env, &image, dense, memory, &err, result);
    } else {
        (void)conf_say(result, CONF_NOT_RUN, "no memory on the host");
    }
    free(dense);
    free(memory);
    conf_image_release(&image);
}

/* ---- all ------------------------------------------------------------------------------------- */

void conf_cases_transfer(conf_list *list)
{
    static const struct {
        const char *name;
        conf_run_fn run;
    } moves[] = {{"buffer_write", run_write},
                 {"buffer_read", run_read},
                 {"buffer_fill", run_fill},
                 {"buffer_async", run_async},
                 {"buffer_copy", run_copy}};
    conf_name name = {.family = "transfer", .op = "", .dtype = "", .tier = CONF_TIER_SMOKE};
    for (size_t i = 0; i < KEEL_COUNT(moves); i++) {
        for (size_t k = 0; k < KEEL_COUNT(ranges); k++) {
            conf_list_add(list, &name, moves[i].run, &ranges[k], sizeof ranges[k], "%s/%s",
                          moves[i].name, ranges[k].name);
        }
    }
    conf_list_add(list, &name, run_past_end, NULL, 0, "buffer_past_end");
    conf_list_add(list, &name, run_copy_within, NULL, 0, "buffer_copy_within");
    for (size_t i = 0; i < KEEL_COUNT(view_dtypes); i++) {
        const keel_dtype dtype = view_dtypes[i];
        name.tier = conf_is_main_dtype(dtype) ? CONF_TIER_SMOKE : CONF_TIER_QUICK;
        name.dtype = keel_dtype_name(dtype);
        for (size_t k = 0; k < KEEL_COUNT(views); k++) {
            const conf_view_run run = {.dtype = dtype, .view = &views[k]};
            conf_list_add(list, &name, run_view, &run, sizeof run, "tensor/%s/%s",
                          keel_dtype_name(dtype), views[k].name);
        }
    }
}
