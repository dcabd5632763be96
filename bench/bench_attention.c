/*
 * Speed of keel.attention in f32: prefill against OpenBLAS, a softmax loop and OpenBLAS, one head
 * after another; decoding against reading k and v once. Prints one line per row with both sides and
 * the ratio.
 *
 *   bench_attention [DEVICE [ROW-SUBSTRING]]     DEVICE as keel_device_open() takes it; "-":
 * default
 */
#include <keel/keel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "measure.h"
#include "peers.h"

#define ROUNDS 15
#define TENSORS 4 /* q, k, v, out */

/* Heads of q and of k and v, queries, keys, size of a head; q, k, v, out and scores on the host. */
typedef struct subject {
    keel_device *device;
    keel_queue *queue;
    keel_error err;
    int64_t q_heads, kv_heads, queries, keys, size;
    int64_t causal;
    keel_tensor tensor[TENSORS];
    float *host[TENSORS];
    float *scores;
    float sum; /* so that what is read is of use */
    bench_sgemm sgemm;
} subject;

static void check(const keel_error *err)
{
    if (err->status != KEEL_OK) {
        (void)fprintf(stderr, "bench_attention: %s\n", err->message);
        exit(1);
    }
}

static float *allocate(subject *s, int64_t elements)
{
    float *memory = calloc((size_t)elements, sizeof *memory);
    if (memory == NULL) {
        (void)keel_fail(&s->err, KEEL_ERR_OUT_OF_MEMORY, "no memory for %lld elements",
                        (long long)elements);
        check(&s->err);
    }
    return memory;
}

static void open_tensors(subject *s)
{
    uint32_t state = 1;
    for (int k = 0; k < TENSORS; k++) {
        const int of_q = k == 0 || k == TENSORS - 1;
        const int64_t shape[4] = {1, of_q ? s->q_heads : s->kv_heads, of_q ? s->queries : s->keys,
                                  s->size};
        (void)keel_tensor_create(s->device, KEEL_F32, 4, shape, &s->tensor[k], &s->err);
        check(&s->err);
        const int64_t elements = keel_tensor_elements(&s->tensor[k]);
        s->host[k] = allocate(s, elements);
        for (int64_t i = 0; i < elements; i++) {
            state = state * 1664525u + 1013904223u;
            s->host[k][i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
        }
        (void)keel_tensor_write(s->queue, &s->tensor[k], s->host[k], &s->err);
        check(&s->err);
    }
    s->scores = allocate(s, s->queries * s->keys);
}

static void close_tensors(subject *s)
{
    for (int k = 0; k < TENSORS; k++) {
        keel_tensor_release(&s->tensor[k]);
        free(s->host[k]);
    }
    free(s->scores);
}

static void run_op(void *context, int calls)
{
    subject *s = context;
    const keel_tensor *inputs[] = {&s->tensor[0], &s->tensor[1], &s->tensor[2]};
    const keel_tensor *output = &s->tensor[3];
    const keel_attribute causal = keel_attribute_int("is_causal", s->causal);
    for (int i = 0; i < calls; i++) {
        (void)keel_op_run(s->queue, "keel.attention", inputs, 3, &output, 1, &causal, 1, &s->err);
    }
    (void)keel_queue_synchronize(s->queue, &s->err);
    check(&s->err);
}

static void run_three_steps(void *context, int calls)
{
    subject *s = context;
    const int rows = (int)s->queries;
    const int keys = (int)s->keys;
    const int size = (int)s->size;
    const float scale = 1.0f / sqrtf((float)size);
    for (int64_t i = 0; i < calls * s->q_heads; i++) {
        const int64_t head = i % s->q_heads;
        const int64_t shared = head / (s->q_heads / s->kv_heads) * s->keys * s->size;
        const int64_t own = head * s->queries * s->size;
        s->sgemm(BENCH_ROW_MAJOR, BENCH_NO_TRANSPOSE, BENCH_TRANSPOSE, rows, keys, size, scale,
                 s->host[0] + own, size, s->host[1] + shared, size, 0.0f, s->scores, keys);
        bench_loop_softmax(s->scores, s->scores, s->queries, s->keys);
        s->sgemm(BENCH_ROW_MAJOR, BENCH_NO_TRANSPOSE, BENCH_NO_TRANSPOSE, rows, size, keys, 1.0f,
                 s->scores, keys, s->host[2] + shared, size, 0.0f, s->host[3] + own, size);
    }
}

static void run_read(void *context, int calls)
{
    subject *s = context;
    for (int i = 0; i < calls; i++) {
        s->sum += bench_loop_read(s->host[1], s->kv_heads * s->keys * s->size);
        s->sum += bench_loop_read(s->host[2], s->kv_heads * s->keys * s->size);
    }
}

static void row(subject *s, const char *filter, const char *kind)
{
    char name[96];
    (void)snprintf(name, sizeof name, "%s %lldx%lld heads %lld/%lld size %lld%s", kind,
                   (long long)s->queries, (long long)s->keys, (long long)s->q_heads,
                   (long long)s->kv_heads, (long long)s->size, s->causal ? " causal" : "");
    if (filter != NULL && strstr(name, filter) == NULL) {
        return;
    }
    open_tensors(s);
    const int prefill = s->queries > 1;
    const bench_side three = {"OpenBLAS, softmax, OpenBLAS",
                              s->sgemm != NULL ? run_three_steps : NULL, s, 1};
    const bench_side read = {"read", run_read, s, 0};
    const bench_side side[2] = {{"keel.attention", run_op, s, 0}, prefill ? three : read};
    const bench_result result = bench_compare(side, ROUNDS);
    const double products = (double)(s->q_heads * s->queries * s->keys * s->size);
    const double bytes = 8e-9 * (double)(s->kv_heads * s->keys * s->size);
    const double work = prefill ? 4e-9 * products * (s->causal ? 0.5 : 1.0) : bytes;
    (void)printf("%-44s %7.2f (best %7.2f) %s", name, work / result.seconds[0],
                 work / result.best[0], prefill ? "GFLOP/s" : "GB/s");
    if (side[1].run != NULL) {
        (void)printf("  %s: %.2f ms against %.2f  ratio %.2f (%.2f)", side[1].name,
                     result.seconds[1] * 1e3, result.seconds[0] * 1e3, result.ratio,
                     result.best[1] / result.best[0]);
    }
    (void)printf("\n");
    (void)fflush(stdout);
    close_tensors(s);
}

int main(int argc, char **argv)
{
    subject s = {.err = KEEL_ERROR_INIT, .sgemm = bench_find_sgemm()};
    const char *filter = argc > 2 ? argv[2] : NULL;
    const char *id = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    keel_context *context = NULL;
    (void)keel_context_create(NULL, &context, &s.err);
    (void)keel_device_open(context, id, &s.device, &s.err);
    (void)keel_queue_create(s.device, NULL, &s.queue, &s.err);
    check(&s.err);
    (void)printf("%s; ratio: above 1, Keel is faster\n", keel_device_id(s.device));
    s.q_heads = s.kv_heads = 8;
    s.queries = s.keys = 1024;
    for (s.size = 64; s.size <= 128; s.size *= 2) {
        for (s.causal = 0; s.causal <= 1; s.causal++) {
            row(&s, filter, "prefill");
        }
    }
    s.causal = 0;
    s.queries = 1;
    s.keys = 8192;
    for (s.size = 64; s.size <= 128; s.size *= 2) {
        row(&s, filter, "decode");
    }
    s.size = 128;
    s.q_heads = 32;
    row(&s, filter, "decode");
    keel_queue_destroy(s.queue);
    keel_device_close(s.device);
    keel_context_release(context);
    return s.sum == 0.5f; /* never: the sums are of many numbers */
}
