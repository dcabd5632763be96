/*
 * Speed of keel.conv against what a C programmer has at hand: im2col and OpenBLAS (a window of one
 * element needs no im2col), for single channels memcpy of as many bytes as x and y have.
 *
 *   bench_convolution [DEVICE [ROW-SUBSTRING]]     DEVICE as keel_device_open() takes it
 */
#include <keel/keel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "measure.h"
#include "peers.h"

#define ROUNDS 15

/* A square image, a square window; one group, or one for each channel. */
typedef struct geometry {
    const char *name;
    int64_t images, channels, outputs, size, taps, stride, pad;
    int depthwise;
} geometry;

static const geometry rows[] = {
    {"conv 3x3 56x56x64->64", 1, 64, 64, 56, 3, 1, 1, 0},
    {"conv 3x3 28x28x128->128", 1, 128, 128, 28, 3, 1, 1, 0},
    {"conv 3x3 14x14x256->256", 1, 256, 256, 14, 3, 1, 1, 0},
    {"conv 3x3 7x7x512->512", 1, 512, 512, 7, 3, 1, 1, 0},
    {"conv 3x3/2 56x56x64->128", 1, 64, 128, 56, 3, 2, 1, 0},
    {"conv 7x7/2 224x224x3->64", 1, 3, 64, 224, 7, 2, 3, 0},
    {"conv 1x1 56x56x64->64", 1, 64, 64, 56, 1, 1, 0, 0},
    {"conv 1x1 56x56x64->256", 1, 64, 256, 56, 1, 1, 0, 0},
    {"conv 1x1 28x28x128->512", 1, 128, 512, 28, 1, 1, 0, 0},
    {"conv 1x1 14x14x1024->256", 1, 1024, 256, 14, 1, 1, 0, 0},
    {"depthwise 3x3 112x112x96", 1, 96, 96, 112, 3, 1, 1, 1},
    {"depthwise 3x3 56x56x144", 1, 144, 144, 56, 3, 1, 1, 1},
    {"depthwise 3x3 56x56x144x16", 16, 144, 144, 56, 3, 1, 1, 1},
    {"depthwise 3x3/2 112x112x96", 1, 96, 96, 112, 3, 2, 1, 1},
};

enum { X, W, Y, TENSORS };

typedef struct subject {
    const geometry *g;
    keel_queue *queue;
    keel_error err;
    keel_tensor tensor[TENSORS];
    float *host[TENSORS];
    float *columns;
    int64_t out; /* rows and columns of y */
    bench_sgemm sgemm;
} subject;

static void check(const keel_error *err)
{
    if (err->status != KEEL_OK) {
        (void)fprintf(stderr, "bench_convolution: %s\n", err->message);
        exit(1);
    }
}

static float *make_floats(int64_t count)
{
    float *values = malloc((size_t)count * sizeof *values);
    if (values == NULL) {
        (void)fprintf(stderr, "bench_convolution: no memory for %lld floats\n", (long long)count);
        exit(1);
    }
    uint32_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
    }
    return values;
}

static void make_tensor(subject *s, keel_device *device, int which, const int64_t *shape)
{
    (void)keel_tensor_create(device, KEEL_F32, 4, shape, &s->tensor[which], &s->err);
    check(&s->err);
    s->host[which] = make_floats(keel_tensor_elements(&s->tensor[which]));
    (void)keel_tensor_write(s->queue, &s->tensor[which], s->host[which], &s->err);
    check(&s->err);
}

static void run_keel(void *context, int calls)
{
    subject *s = context;
    const geometry *g = s->g;
    const int64_t pads[] = {g->pad, g->pad, g->pad, g->pad};
    const int64_t strides[] = {g->stride, g->stride};
    const keel_attribute attributes[] = {
        keel_attribute_ints("pads", (keel_int64_list){pads, 4}),
        keel_attribute_ints("strides", (keel_int64_list){strides, 2}),
        keel_attribute_int("group", g->depthwise ? g->channels : 1)};
    const keel_tensor *inputs[] = {&s->tensor[X], &s->tensor[W], NULL};
    const keel_tensor *output = &s->tensor[Y];
    for (int i = 0; i < calls; i++) {
        (void)keel_op_run(s->queue, "keel.conv", inputs, 3, &output, 1, attributes, 3, &s->err);
    }
    (void)keel_queue_synchronize(s->queue, &s->err);
    check(&s->err);
}

static void run_peer(void *context, int calls)
{
    const subject *s = context;
    const geometry *g = s->g;
    const int area = (int)(s->out * s->out);
    const int depth = (int)(g->channels * g->taps * g->taps);
    const bench_image image = {g->channels, g->size, g->taps, g->stride, g->pad, s->out};
    for (int i = 0; i < calls; i++) {
        const float *columns = s->host[X];
        if (g->taps > 1) {
            bench_loop_im2col(&image, s->host[X], s->columns);
            columns = s->columns;
        }
        s->sgemm(BENCH_ROW_MAJOR, BENCH_NO_TRANSPOSE, BENCH_NO_TRANSPOSE, (int)g->outputs, area,
                 depth, 1.0f, s->host[W], depth, columns, area, 0.0f, s->host[Y], area);
    }
}

/* As many bytes as x and y have, read once and written once. */
static void run_copy(void *context, int calls)
{
    const subject *s = context;
    const int64_t x = keel_tensor_elements(&s->tensor[X]);
    const int64_t y = keel_tensor_elements(&s->tensor[Y]);
    for (int i = 0; i < calls; i++) {
        bench_loop_copy(s->columns, s->columns + (x + y) / 2, (x + y) / 2);
    }
}

static void run_row(const geometry *g, keel_device *device, keel_queue *queue)
{
    subject s = {.g = g, .queue = queue, .err = KEEL_ERROR_INIT, .sgemm = bench_find_sgemm()};
    s.out = (g->size + 2 * g->pad - g->taps) / g->stride + 1;
    make_tensor(&s, device, X, (int64_t[]){g->images, g->channels, g->size, g->size});
    make_tensor(&s, device, W,
                (int64_t[]){g->outputs, g->depthwise ? 1 : g->channels, g->taps, g->taps});
    make_tensor(&s, device, Y, (int64_t[]){g->images, g->outputs, s.out, s.out});
    const double y = (double)keel_tensor_elements(&s.tensor[Y]);
    const double x = (double)keel_tensor_elements(&s.tensor[X]);
    const double depth = (double)(g->channels * g->taps * g->taps);
    s.columns = make_floats((int64_t)(g->depthwise ? x + y : depth * y / (double)g->outputs));
    const double work = g->depthwise ? 4e-9 * (x + y) : 2e-9 * y * depth;
    const bench_side side[2] = {{"keel.conv", run_keel, &s, 0},
                                {g->depthwise ? "memcpy" : "im2col + OpenBLAS",
                                 g->depthwise ? run_copy : (s.sgemm != NULL ? run_peer : NULL), &s,
                                 !g->depthwise}};
    const bench_result result = bench_compare(side, ROUNDS);
    (void)printf("%-28s %7.2f (best %7.2f) %s", g->name, work / result.seconds[0],
                 work / result.best[0], g->depthwise ? "GB/s" : "GFLOP/s");
    if (side[1].run != NULL) {
        (void)printf("  %s %7.2f (%7.2f)  ratio %.2f (%.2f)", side[1].name,
                     work / result.seconds[1], work / result.best[1], result.ratio,
                     result.best[1] / result.best[0]);
    }
    (void)printf("\n");
    (void)fflush(stdout);
    for (int i = 0; i < TENSORS; i++) {
        keel_tensor_release(&s.tensor[i]);
        free(s.host[i]);
    }
    free(s.columns);
}

int main(int argc, char **argv)
{
    keel_error err = KEEL_ERROR_INIT;
    keel_context *context = NULL;
    keel_device *device = NULL;
    keel_queue *queue = NULL;
    const char *id = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    (void)keel_context_create(NULL, &context, &err);
    (void)keel_device_open(context, id, &device, &err);
    (void)keel_queue_create(device, NULL, &queue, &err);
    check(&err);
    (void)printf("%s; ratio: above 1, Keel is faster\n", keel_device_id(device));
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        if (argc < 3 || strstr(rows[i].name, argv[2]) != NULL) {
            run_row(&rows[i], device, queue);
        }
    }
    keel_queue_destroy(queue);
    keel_device_close(device);
    keel_context_release(context);
    return 0;
}
