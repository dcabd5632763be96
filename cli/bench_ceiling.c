/* The ceilings of a device. */
#include "bench_ceiling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPY_MIN_BYTES (UINT64_C(1) << 16)
#define COPY_MAX_BYTES (UINT64_C(256) << 20)
#define COPY_ENOUGH_NS 2e7 /* a copy that takes so long needs not grow */
#define MATRIX_MIN 64
#define MATRIX_MAX 8192
#define MATRIX_ENOUGH_NS 5e7 /* a product that takes so long needs not grow */

/* ---- copies ---------------------------------------------------------------------------------- */

typedef struct copy_subject {
    keel_queue *queue;
    keel_buffer *source, *target;
    void *host;
    uint64_t bytes;
} copy_subject;

static keel_status enqueue_copy(void *subject, keel_error *err)
{
    const copy_subject *copy = subject;
    return keel_buffer_copy(copy->queue, copy->source, 0, copy->target, 0, copy->bytes, err);
}

static keel_status enqueue_write(void *subject, keel_error *err)
{
    const copy_subject *copy = subject;
    return keel_buffer_write(copy->queue, copy->target, 0, copy->host, copy->bytes, err);
}

static keel_status enqueue_read(void *subject, keel_error *err)
{
    const copy_subject *copy = subject;
    return keel_buffer_read(copy->queue, copy->target, 0, copy->host, copy->bytes, err);
}

static void release_copy(copy_subject *copy)
{
    keel_buffer_release(copy->source);
    keel_buffer_release(copy->target);
    free(copy->host);
    copy->source = NULL;
    copy->target = NULL;
    copy->host = NULL;
}

/* Buffers and host memory of that size, written once so that every page is there. */
static keel_status make_copy(copy_subject *copy, uint64_t bytes, keel_error *err)
{
    keel_device *device = keel_queue_device(copy->queue);
    copy->bytes = bytes;
    copy->host = malloc(bytes);
    if (copy->host == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for %llu bytes",
                         (unsigned long long)bytes);
    }
    for (uint64_t i = 0; i < bytes; ++i) {
        ((unsigned char *)copy->host)[i] = (unsigned char)(i * 131 >> 3);
    }
    KEEL_TRY(keel_buffer_create(device, bytes, &copy->source, err));
    KEEL_TRY(keel_buffer_create(device, bytes, &copy->target, err));
    KEEL_TRY(keel_buffer_write(copy->queue, copy->source, 0, copy->host, bytes, err));
    return keel_buffer_write(copy->queue, copy->target, 0, copy->host, bytes, err);
}

/* A sixteenth of the device's memory, and what one buffer may have, bound the size. */
static uint64_t largest_copy(keel_device *device)
{
    const uint64_t memory = keel_device_get_info(device)->memory_bytes / 16;
    const uint64_t buffer = keel_device_get_limits(device)->max_buffer_bytes;
    uint64_t bytes = COPY_MAX_BYTES;
    while (bytes > COPY_MIN_BYTES && ((memory > 0 && bytes > memory) || bytes > buffer)) {
        bytes /= 2;
    }
    return bytes;
}

/* Grows the copy until it takes long enough to be out of every cache, or is as large as may be. */
static keel_status measure_transfer(keel_queue *queue,
                                    keel_status (*enqueue)(void *subject, keel_error *err),
                                    double bytes_per_byte, uint32_t repeats, cli_bench_row *row,
                                    keel_error *err)
{
    copy_subject copy = {.queue = queue};
    const cli_bench_work work = {.queue = queue, .enqueue = enqueue, .subject = &copy};
    const uint64_t limit = largest_copy(keel_queue_device(queue));
    double ns = 0;
    keel_status status = KEEL_OK;
    for (uint64_t bytes = COPY_MIN_BYTES; status == KEEL_OK && bytes <= limit; bytes *= 4) {
        release_copy(&copy);
        status = make_copy(&copy, bytes, err);
        if (status == KEEL_OK) {
            status = cli_bench_estimate(&work, &ns, err);
        }
        if (ns >= COPY_ENOUGH_NS) {
            break;
        }
    }
    if (status == KEEL_OK) {
        status = cli_bench_measure(&work, repeats, &row->time, err);
    }
    row->bytes = (double)copy.bytes * bytes_per_byte;
    (void)snprintf(row->detail, sizeof row->detail, "%llu KiB",
                   (unsigned long long)(copy.bytes >> 10));
    release_copy(&copy);
    return status;
}

static keel_status measure_copy(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                cli_bench_row *row, keel_error *err)
{
    (void)dtype;
    return measure_transfer(queue, enqueue_copy, 2, repeats, row, err); /* read and written */
}

static keel_status measure_write(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                 cli_bench_row *row, keel_error *err)
{
    (void)dtype;
    return measure_transfer(queue, enqueue_write, 1, repeats, row, err);
}

static keel_status measure_read(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                cli_bench_row *row, keel_error *err)
{
    (void)dtype;
    return measure_transfer(queue, enqueue_read, 1, repeats, row, err);
}

/* ---- ops ------------------------------------------------------------------------------------- */

typedef struct op_subject {
    keel_queue *queue;
    keel_plan *plan;
    uint32_t inputs;       /* given; the contract's others are absent */
    uint32_t slots;        /* the contract's inputs */
    keel_tensor tensor[3]; /* inputs, then the output */
    const keel_tensor *operand[KEEL_MAX_OPERANDS];
} op_subject;

static keel_status enqueue_op(void *subject, keel_error *err)
{
    const op_subject *op = subject;
    return keel_plan_enqueue(op->plan, op->queue, op->operand, op->slots + 1, err);
}

static void release_op(op_subject *op)
{
    keel_plan_release(op->plan);
    for (uint32_t i = 0; i <= op->inputs; ++i) {
        keel_tensor_release(&op->tensor[i]);
    }
    op->plan = NULL;
}

/* Values of all mantissas and both signs: what is all zero is fast on some devices. */
static void fill_values(keel_dtype dtype, void *data, int64_t elements)
{
    uint64_t word = UINT64_C(0x9e3779b97f4a7c15);
    const int64_t block = elements < 65536 ? elements : 65536;
    const int64_t size = (int64_t)keel_dtype_size(dtype);
    for (int64_t i = 0; i < block; ++i) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        keel_dtype_store(dtype, data, i, (double)(int32_t)(word >> 32) * 0x1p-31, 0);
    }
    for (int64_t done = block; done < elements; done += block) {
        const int64_t more = elements - done < block ? elements - done : block;
        memcpy((char *)data + done * size, data, (size_t)(more * size));
    }
}

static keel_status make_operand(op_subject *op, uint32_t k, keel_dtype dtype, int32_t rank,
                                const int64_t *shape, keel_error *err)
{
    KEEL_TRY(
        keel_tensor_create(keel_queue_device(op->queue), dtype, rank, shape, &op->tensor[k], err));
    op->operand[k < op->inputs ? k : op->slots] = &op->tensor[k];
    const int64_t elements = keel_tensor_elements(&op->tensor[k]);
    void *host = malloc((size_t)elements * (size_t)keel_dtype_size(dtype));
    if (host == NULL) {
        return keel_fail(err, KEEL_ERR_OUT_OF_MEMORY, "no host memory for %lld elements",
                         (long long)elements);
    }
    fill_values(dtype, host, elements);
    const keel_status status = keel_tensor_write(op->queue, &op->tensor[k], host, err);
    free(host);
    return status;
}

static keel_status make_op(op_subject *op, const char *name, keel_dtype dtype, int32_t rank,
                           const int64_t *shape, keel_error *err)
{
    keel_device *device = keel_queue_device(op->queue);
    const keel_op *contract = keel_op_find(keel_device_context(device), name);
    if (contract == NULL) {
        return keel_fail(err, KEEL_ERR_UNSUPPORTED, "there is no op %s", name);
    }
    op->slots = contract->inputs;
    for (uint32_t k = 0; k <= op->inputs; ++k) {
        KEEL_TRY(make_operand(op, k, dtype, rank, shape, err));
    }
    const keel_plan_request request = {.struct_size = sizeof request,
                                       .input_count = op->slots,
                                       .op = name,
                                       .inputs = op->operand,
                                       .outputs = &op->operand[op->slots],
                                       .output_count = 1};
    return keel_plan_create(device, &request, &op->plan, err);
}

static void describe_plan(const keel_plan *plan, cli_bench_row *row, int64_t size)
{
    keel_plan_info info = {.struct_size = sizeof info};
    keel_plan_get_info(plan, &info);
    row->flops = info.flops;
    (void)snprintf(row->detail, sizeof row->detail, "%lldx%lld, %.40s", (long long)size,
                   (long long)size, info.variant);
}

static keel_status measure_launch(keel_queue *queue, int wait_each, uint32_t repeats,
                                  cli_bench_row *row, keel_error *err)
{
    static const int64_t one[] = {1};
    op_subject op = {.queue = queue, .inputs = 1};
    const cli_bench_work work = {
        .queue = queue, .enqueue = enqueue_op, .subject = &op, .wait_each = wait_each};
    keel_status status = make_op(&op, "keel.neg", KEEL_F32, 1, one, err);
    if (status == KEEL_OK) {
        status = cli_bench_measure(&work, repeats, &row->time, err);
    }
    (void)snprintf(row->detail, sizeof row->detail, "%s",
                   wait_each ? "one op on one element, and a wait" : "one op on one element");
    release_op(&op);
    return status;
}

static keel_status measure_throughput(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                      cli_bench_row *row, keel_error *err)
{
    (void)dtype;
    return measure_launch(queue, 0, repeats, row, err);
}

static keel_status measure_latency(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                   cli_bench_row *row, keel_error *err)
{
    (void)dtype;
    return measure_launch(queue, 1, repeats, row, err);
}

/* ---- matrix products ------------------------------------------------------------------------- */

static int64_t largest_matrix(keel_device *device, keel_dtype dtype)
{
    const uint64_t memory = keel_device_get_info(device)->memory_bytes / 16;
    const uint64_t buffer = keel_device_get_limits(device)->max_buffer_bytes;
    int64_t n = MATRIX_MAX;
    uint64_t bytes = (uint64_t)n * (uint64_t)n * (uint64_t)keel_dtype_size(dtype);
    while (n > MATRIX_MIN && ((memory > 0 && bytes > memory) || bytes > buffer)) {
        n /= 2;
        bytes /= 4;
    }
    return n;
}

/* A product of that size: its time, roughly, or measured with repeats; fills the row then. */
static keel_status time_product(keel_queue *queue, keel_dtype dtype, int64_t n, uint32_t repeats,
                                double *out_ns, cli_bench_row *row, keel_error *err)
{
    const int64_t shape[] = {n, n};
    op_subject op = {.queue = queue, .inputs = 2};
    const cli_bench_work work = {.queue = queue, .enqueue = enqueue_op, .subject = &op};
    keel_status status = make_op(&op, "keel.matmul", dtype, 2, shape, err);
    if (status == KEEL_OK && repeats == 0) {
        status = cli_bench_estimate(&work, out_ns, err);
    } else if (status == KEEL_OK) {
        status = cli_bench_measure(&work, repeats, &row->time, err);
        describe_plan(op.plan, row, n);
    }
    release_op(&op);
    return status;
}

/* The size with the best rate is measured. */
static keel_status measure_matmul(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                                  cli_bench_row *row, keel_error *err)
{
    const int64_t limit = largest_matrix(keel_queue_device(queue), dtype);
    row->integers = !keel_dtype_in(dtype, KEEL_DTYPES_FLOAT);
    int64_t best = MATRIX_MIN;
    double best_rate = 0;
    double ns = 0;
    for (int64_t n = MATRIX_MIN; n <= limit && ns < MATRIX_ENOUGH_NS; n *= 2) {
        KEEL_TRY(time_product(queue, dtype, n, 0, &ns, row, err));
        const double rate = (double)n * (double)n * (double)n / ns;
        best = rate > best_rate ? n : best;
        best_rate = rate > best_rate ? rate : best_rate;
    }
    return time_product(queue, dtype, best, repeats, &ns, row, err);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Type number index, from 0, of those that a matrix product takes; 0 beyond the last. */
static int matrix_type(const keel_op *op, uint32_t index, keel_dtype *out_dtype)
{
    uint64_t seen = 0;
    keel_dtype dtypes[KEEL_MAX_OPERANDS];
    for (uint32_t i = 0; op != NULL && keel_op_tuple(op, i, dtypes) != 0; ++i) {
        if ((seen & KEEL_DTYPE_BIT(dtypes[0])) == 0 && index-- == 0) {
            *out_dtype = dtypes[0];
            return 1;
        }
        seen |= KEEL_DTYPE_BIT(dtypes[0]);
    }
    return 0;
}

int cli_bench_case_at(keel_context *context, uint32_t index, cli_bench_case *out_case)
{
    static const cli_bench_case cases[] = {
        {"ceiling/copy", 0, measure_copy},
        {"ceiling/write", 0, measure_write},
        {"ceiling/read", 0, measure_read},
        {"ceiling/launch", 0, measure_throughput},
        {"ceiling/launch_and_wait", 0, measure_latency},
    };
    keel_dtype dtype;
    if (index < KEEL_COUNT(cases)) {
        *out_case = cases[index];
        return 1;
    }
    index -= (uint32_t)KEEL_COUNT(cases);
    if (!matrix_type(keel_op_find(context, "keel.matmul"), index, &dtype)) {
        return 0;
    }
    *out_case = (cli_bench_case){.dtype = dtype, .measure = measure_matmul};
    (void)snprintf(out_case->id, sizeof out_case->id, "ceiling/matmul/%s", keel_dtype_name(dtype));
    return 1;
}
