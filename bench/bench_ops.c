/*
 * Speed of ops on a device against what a C programmer has at hand: OpenBLAS, plain loops, memcpy,
 * and, for the cost of a call, OpenCL itself. Prints one line per row with both sides and the
 * ratio.
 *
 *   bench_ops [DEVICE [ROW-SUBSTRING]]     DEVICE as keel_device_open() takes it; "-": the default
 */
#include <keel/keel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "measure.h"
#include "peers.h"
#ifdef BENCH_RAW_OPENCL
#include "raw_opencl.h"
#endif

#define ROUNDS 21
#define MOST_TENSORS 3

/* What every row uses. The first failure stays in err and ends the program. */
typedef struct bench {
    keel_context *context;
    keel_device *device;
    keel_queue *queue;
    keel_error err;
    const char *filter;
} bench;

/* An op on its tensors, and the same values on the host. Inputs come first, the output last. */
typedef struct subject {
    bench *bench;
    const char *op;
    int count;
    keel_tensor tensor[MOST_TENSORS];
    float *host[MOST_TENSORS];
    int64_t rows, n;
    bench_sgemm sgemm;
} subject;

static void check(bench *b)
{
    if (b->err.status != KEEL_OK) {
        (void)fprintf(stderr, "bench_ops: %s\n", b->err.message);
        exit(1);
    }
}

/* ---- subjects -------------------------------------------------------------------------------- */

static void add_tensor(subject *s, int32_t rank, const int64_t *shape)
{
    bench *b = s->bench;
    keel_tensor *t = &s->tensor[s->count];
    (void)keel_tensor_create(b->device, KEEL_F32, rank, shape, t, &b->err);
    check(b);
    const int64_t elements = keel_tensor_elements(t);
    float *host = malloc((size_t)elements * sizeof *host);
    if (host == NULL) {
        (void)keel_fail(&b->err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %lld elements",
                        (long long)elements);
        check(b);
        return;
    }
    uint32_t state = 1;
    for (int64_t i = 0; i < elements; i++) {
        state = state * 1664525u + 1013904223u;
        host[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
    }
    (void)keel_tensor_write(b->queue, t, host, &b->err);
    check(b);
    s->host[s->count++] = host;
}

static void close_subject(subject *s)
{
    for (int i = 0; i < s->count; i++) {
        keel_tensor_release(&s->tensor[i]);
        free(s->host[i]);
    }
}

static void enqueue_op(subject *s, int calls)
{
    const keel_tensor *inputs[MOST_TENSORS];
    const keel_tensor *output = &s->tensor[s->count - 1];
    for (int i = 0; i < s->count - 1; i++) {
        inputs[i] = &s->tensor[i];
    }
    for (int i = 0; i < calls; i++) {
        (void)keel_op_run(s->bench->queue, s->op, inputs, (uint32_t)s->count - 1, &output, 1, NULL,
                          0, &s->bench->err);
    }
}

static void run_op(void *context, int calls)
{
    subject *s = context;
    enqueue_op(s, calls);
    (void)keel_queue_synchronize(s->bench->queue, &s->bench->err);
    check(s->bench);
}

/* ---- peers ----------------------------------------------------------------------------------- */

static void run_sgemm(void *context, int calls)
{
    const subject *s = context;
    const int n = (int)s->n;
    for (int i = 0; i < calls; i++) {
        s->sgemm(BENCH_ROW_MAJOR, BENCH_NO_TRANSPOSE, BENCH_NO_TRANSPOSE, (int)s->rows, n, n, 1.0f,
                 s->host[0], n, s->host[1], n, 0.0f, s->host[2], n);
    }
}

static void run_add(void *context, int calls)
{
    const subject *s = context;
    for (int i = 0; i < calls; i++) {
        bench_loop_add(s->host[0], s->host[1], s->host[2], s->rows * s->n);
    }
}

static void run_copy(void *context, int calls)
{
    const subject *s = context;
    for (int i = 0; i < calls; i++) {
        bench_loop_copy(s->host[0], s->host[s->count - 1], s->rows * s->n);
    }
}

static void run_softmax(void *context, int calls)
{
    const subject *s = context;
    for (int i = 0; i < calls; i++) {
        bench_loop_softmax(s->host[0], s->host[1], s->rows, s->n);
    }
}

static void run_rms_norm(void *context, int calls)
{
    const subject *s = context;
    for (int i = 0; i < calls; i++) {
        bench_loop_rms_norm(s->host[0], s->host[1], s->host[2], s->rows, s->n);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int wanted(const bench *b, const char *name)
{
    return b->filter == NULL || strstr(name, b->filter) != NULL;
}

/* work: what one call does, in units of 1e9 (operations or bytes). */
static void report(const char *name, subject *s, const bench_side *peer, double work,
                   const char *unit)
{
    const bench_side side[2] = {{s->op, run_op, s, 0}, *peer};
    const bench_result result = bench_compare(side, ROUNDS);
    (void)printf("%-26s %7.2f (best %7.2f) %s", name, work / result.seconds[0],
                 work / result.best[0], unit);
    if (peer->run != NULL) {
        (void)printf("  %s %7.2f (%7.2f)  ratio %.2f (%.2f)", peer->name, work / result.seconds[1],
                     work / result.best[1], result.ratio, result.best[1] / result.best[0]);
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

static void row_matmul(bench *b, int64_t m, int64_t n)
{
    char name[64];
    (void)snprintf(name, sizeof name, "matmul f32 %lldx%lldx%lld", (long long)m, (long long)n,
                   (long long)n);
    if (!wanted(b, name)) {
        return;
    }
    subject s = {.bench = b, .op = "keel.matmul", .rows = m, .n = n, .sgemm = bench_find_sgemm()};
    add_tensor(&s, 2, (int64_t[]){m, n});
    add_tensor(&s, 2, (int64_t[]){n, n});
    add_tensor(&s, 2, (int64_t[]){m, n});
    const bench_side peer = {"OpenBLAS", s.sgemm != NULL ? run_sgemm : NULL, &s, 1};
    report(name, &s, &peer, 2e-9 * (double)(m * n * n), "GFLOP/s");
    close_subject(&s);
}

static void row_add(bench *b)
{
    static const char name[] = "add f32 64 MiB";
    if (!wanted(b, name)) {
        return;
    }
    subject s = {.bench = b, .op = "keel.add", .rows = 4096, .n = 4096};
    for (int i = 0; i < 3; i++) {
        add_tensor(&s, 2, (int64_t[]){s.rows, s.n});
    }
    const bench_side peer = {"C loop", run_add, &s, 0};
    report(name, &s, &peer, 12e-9 * (double)(s.rows * s.n), "GB/s");
    close_subject(&s);
}

static void row_softmax(bench *b, int64_t rows, int64_t n)
{
    char name[64];
    (void)snprintf(name, sizeof name, "softmax f32 %lldx%lld", (long long)rows, (long long)n);
    if (!wanted(b, name)) {
        return;
    }
    subject s = {.bench = b, .op = "keel.softmax", .rows = rows, .n = n};
    add_tensor(&s, 2, (int64_t[]){rows, n});
    add_tensor(&s, 2, (int64_t[]){rows, n});
    const bench_side loop = {"C loop", run_softmax, &s, 0};
    const bench_side copy = {"memcpy", run_copy, &s, 0};
    report(name, &s, &loop, 8e-9 * (double)(rows * n), "GB/s");
    report(name, &s, &copy, 8e-9 * (double)(rows * n), "GB/s");
    close_subject(&s);
}

static void row_rms_norm(bench *b, int64_t rows, int64_t n)
{
    char name[64];
    (void)snprintf(name, sizeof name, "rms_norm f32 %lldx%lld", (long long)rows, (long long)n);
    if (!wanted(b, name)) {
        return;
    }
    subject s = {.bench = b, .op = "keel.rms_norm", .rows = rows, .n = n};
    add_tensor(&s, 2, (int64_t[]){rows, n});
    add_tensor(&s, 1, (int64_t[]){n});
    add_tensor(&s, 2, (int64_t[]){rows, n});
    const bench_side loop = {"C loop", run_rms_norm, &s, 0};
    const bench_side copy = {"memcpy", run_copy, &s, 0};
    report(name, &s, &loop, 8e-9 * (double)(rows * n), "GB/s");
    report(name, &s, &copy, 8e-9 * (double)(rows * n), "GB/s");
    close_subject(&s);
}

/* Host time of calls that nobody waits for: what the caller's thread pays. */
static void row_call(bench *b)
{
    static const char name[] = "warm call keel.add";
    if (!wanted(b, name)) {
        return;
    }
    enum { CALLS = 1000 };
    double keel_best = 1.0;
    double raw_best = 1.0;
    subject s = {.bench = b, .op = "keel.add", .rows = 1, .n = 64};
    for (int i = 0; i < 3; i++) {
        add_tensor(&s, 1, (int64_t[]){s.n});
    }
#ifdef BENCH_RAW_OPENCL
    bench_raw *raw = bench_raw_open();
#endif
    for (int i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        enqueue_op(&s, CALLS);
        const double keel_time = (bench_now() - start) / CALLS;
        run_op(&s, 1);
        keel_best = keel_time < keel_best ? keel_time : keel_best;
#ifdef BENCH_RAW_OPENCL
        if (raw != NULL) {
            start = bench_now();
            bench_raw_launch(raw, CALLS);
            const double raw_time = (bench_now() - start) / CALLS;
            bench_raw_wait(raw);
            raw_best = raw_time < raw_best ? raw_time : raw_best;
        }
#endif
    }
    (void)printf("%-28s %8.0f ns", name, keel_best * 1e9);
    if (raw_best < 1.0) {
        (void)printf("       %-12s %8.0f   ratio %.2f", "raw OpenCL", raw_best * 1e9,
                     keel_best / raw_best);
    }
    (void)printf("\n");
#ifdef BENCH_RAW_OPENCL
    bench_raw_close(raw);
#endif
    close_subject(&s);
}

int main(int argc, char **argv)
{
    bench b = {.err = KEEL_ERROR_INIT, .filter = argc > 2 ? argv[2] : NULL};
    const char *id = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    (void)keel_context_create(NULL, &b.context, &b.err);
    (void)keel_device_open(b.context, id, &b.device, &b.err);
    (void)keel_queue_create(b.device, NULL, &b.queue, &b.err);
    check(&b);
    (void)printf("%s; ratio: above 1, Keel is faster (calls: below 1)\n", keel_device_id(b.device));
    static const int64_t sizes[] = {256, 512, 1024};
    for (size_t i = 0; i < KEEL_COUNT(sizes); i++) {
        row_matmul(&b, sizes[i], sizes[i]);
    }
    row_matmul(&b, 1, 1024);
    row_matmul(&b, 1, 4096);
    row_add(&b);
    row_softmax(&b, 1024, 1024);
    row_rms_norm(&b, 1024, 1024);
    row_rms_norm(&b, 4096, 4096);
    row_call(&b);
    keel_queue_destroy(b.queue);
    keel_device_close(b.device);
    keel_context_release(b.context);
    return 0;
}
