/*
 * Speed of pooling and of the norms over channels and lines against a memcpy of the bytes that they
 * must move. Prints one line per row with both sides and the ratio.
 *
 *   bench_windows [DEVICE [ROW-SUBSTRING]]     DEVICE as keel_device_open() takes it; "-": default
 */
#include <keel/keel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "measure.h"

#define ROUNDS 15
#define MOST_INPUTS 5
#define MOST_ATTRIBUTES 4

/* A call: x and y, and parameters of one element for each channel. */
typedef struct row {
    const char *op;
    keel_dtype dtype;
    int32_t rank;
    int64_t x[4], y[4];
    uint32_t inputs;
    keel_attribute attribute[MOST_ATTRIBUTES];
    uint32_t attributes;
} row;

typedef struct subject {
    const row *row;
    keel_device *device;
    keel_queue *queue;
    keel_error err;
    keel_tensor input[MOST_INPUTS], output;
    float *from, *to; /* of the copy */
    int64_t floats;
} subject;

static void check(const keel_error *err)
{
    if (err->status != KEEL_OK) {
        (void)fprintf(stderr, "bench_windows: %s\n", err->message);
        exit(1);
    }
}

static void fill(subject *s, const keel_tensor *tensor)
{
    const int64_t elements = keel_tensor_elements(tensor);
    const size_t size = (size_t)keel_dtype_size(tensor->dtype);
    unsigned char *host = calloc((size_t)elements + 1, size);
    uint32_t state = 1;
    for (int64_t i = 0; host != NULL && i < elements; i++) {
        state = state * 1664525u + 1013904223u;
        keel_dtype_store(tensor->dtype, host, i, (double)(state >> 8) * 0x1p-24 + 0.25, 0);
    }
    (void)keel_tensor_write(s->queue, tensor, host, &s->err);
    check(&s->err);
    free(host);
}

static void open_subject(subject *s)
{
    const row *r = s->row;
    for (uint32_t k = 0; k < r->inputs; k++) {
        const int32_t rank = k == 0 ? r->rank : 1;
        (void)keel_tensor_create(s->device, r->dtype, rank, k == 0 ? r->x : &r->x[1], &s->input[k],
                                 &s->err);
        check(&s->err);
        fill(s, &s->input[k]);
    }
    (void)keel_tensor_create(s->device, r->dtype, r->rank, r->y, &s->output, &s->err);
    check(&s->err);
    const int64_t moved = (keel_tensor_elements(&s->input[0]) + keel_tensor_elements(&s->output)) *
                          keel_dtype_size(r->dtype);
    s->floats = moved / (2 * (int64_t)sizeof(float)); /* a copy reads and writes each byte */
    s->from = calloc((size_t)s->floats + 1, sizeof *s->from);
    s->to = calloc((size_t)s->floats + 1, sizeof *s->to);
    if (s->from == NULL || s->to == NULL) {
        (void)keel_fail(&s->err, KEEL_ERR_OUT_OF_MEMORY, "no memory on the host");
        check(&s->err);
    }
}

static void close_subject(subject *s)
{
    for (uint32_t k = 0; k < s->row->inputs; k++) {
        keel_tensor_release(&s->input[k]);
    }
    keel_tensor_release(&s->output);
    free(s->from);
    free(s->to);
}

static void run_op(void *context, int calls)
{
    subject *s = context;
    const keel_tensor *inputs[MOST_INPUTS];
    const keel_tensor *outputs[] = {&s->output};
    for (uint32_t k = 0; k < s->row->inputs; k++) {
        inputs[k] = &s->input[k];
    }
    for (int i = 0; i < calls; i++) {
        (void)keel_op_run(s->queue, s->row->op, inputs, s->row->inputs, outputs, 1,
                          s->row->attribute, s->row->attributes, &s->err);
    }
    (void)keel_queue_synchronize(s->queue, &s->err);
    check(&s->err);
}

static void run_copy(void *context, int calls)
{
    const subject *s = context;
    for (int i = 0; i < calls; i++) {
        bench_loop_copy(s->from, s->to, s->floats);
    }
}

static void measure(subject *s, const char *filter)
{
    const row *r = s->row;
    char name[96];
    size_t length = (size_t)snprintf(name, sizeof name, "%s %s ", r->op, keel_dtype_name(r->dtype));
    for (int32_t a = 0; a < r->rank; a++) {
        length += (size_t)snprintf(name + length, sizeof name - length, "%s%lld", a > 0 ? "x" : "",
                                   (long long)r->x[a]);
    }
    for (uint32_t i = 0; i < r->attributes; i++) {
        const keel_attribute *given = &r->attribute[i];
        const long long value = given->kind == KEEL_ATTR_INTS ? (long long)given->value.ints[0]
                                                              : (long long)given->value.i;
        length +=
            (size_t)snprintf(name + length, sizeof name - length, " %.3s %lld", given->name, value);
    }
    if (filter != NULL && strstr(name, filter) == NULL) {
        return;
    }
    open_subject(s);
    const bench_side side[2] = {{r->op, run_op, s, 0}, {"memcpy", run_copy, s, 0}};
    const bench_result result = bench_compare(side, ROUNDS);
    const double work = 8e-9 * (double)s->floats;
    (void)printf("%-64s %6.2f GB/s (best %6.2f)  memcpy %6.2f (%6.2f)  ratio %.2f (%.2f)\n", name,
                 work / result.seconds[0], work / result.best[0], work / result.seconds[1],
                 work / result.best[1], result.ratio, result.best[1] / result.best[0]);
    (void)fflush(stdout);
    close_subject(s);
}

#define INTS(name, ...) keel_attribute_ints(name, KEEL_INTS(__VA_ARGS__))

int main(int argc, char **argv)
{
    const char *id = argc > 1 && strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    const keel_attribute three = INTS("kernel_shape", 3, 3);
    const keel_attribute two = INTS("kernel_shape", 2, 2);
    const keel_attribute step = INTS("strides", 2, 2);
    const keel_attribute pads = INTS("pads", 1, 1, 1, 1);
    const keel_attribute plane = INTS("axes", 2, 3);
    const row rows[] = {
        {"keel.max_pool",
         KEEL_F32,
         4,
         {4, 64, 112, 112},
         {4, 64, 56, 56},
         1,
         {three, step, pads},
         3},
        {"keel.max_pool",
         KEEL_F16,
         4,
         {4, 64, 112, 112},
         {4, 64, 56, 56},
         1,
         {three, step, pads},
         3},
        {"keel.max_pool",
         KEEL_U8,
         4,
         {8, 64, 112, 112},
         {8, 64, 56, 56},
         1,
         {three, step, pads},
         3},
        {"keel.max_pool", KEEL_F32, 4, {4, 64, 112, 112}, {4, 64, 112, 112}, 1, {three, pads}, 2},
        {"keel.max_pool",
         KEEL_F32,
         4,
         {1, 256, 80, 80},
         {1, 256, 80, 80},
         1,
         {INTS("kernel_shape", 5, 5), INTS("pads", 2, 2, 2, 2)},
         2},
        {"keel.max_pool", KEEL_F32, 4, {16, 256, 28, 28}, {16, 256, 14, 14}, 1, {two, step}, 2},
        {"keel.average_pool", KEEL_F32, 4, {4, 64, 112, 112}, {4, 64, 56, 56}, 1, {two, step}, 2},
        {"keel.average_pool",
         KEEL_F32,
         4,
         {4, 64, 112, 112},
         {4, 64, 112, 112},
         1,
         {three, pads},
         2},
        {"keel.lp_pool", KEEL_F32, 4, {4, 64, 112, 112}, {4, 64, 56, 56}, 1, {two, step}, 2},
        {"keel.reduce_mean", KEEL_F32, 4, {64, 512, 14, 14}, {64, 512, 1, 1}, 1, {plane}, 1},
        {"keel.reduce_max", KEEL_F32, 4, {64, 512, 14, 14}, {64, 512, 1, 1}, 1, {plane}, 1},
        {"keel.reduce_mean", KEEL_F32, 4, {64, 2048, 7, 7}, {64, 2048, 1, 1}, 1, {plane}, 1},
        {"keel.lp_pool",
         KEEL_F32,
         4,
         {64, 512, 14, 14},
         {64, 512, 1, 1},
         1,
         {INTS("kernel_shape", 14, 14)},
         1},
        {"keel.batch_norm", KEEL_F32, 4, {4, 64, 112, 112}, {4, 64, 112, 112}, 5, {three}, 0},
        {"keel.batch_norm", KEEL_F16, 4, {4, 64, 112, 112}, {4, 64, 112, 112}, 5, {three}, 0},
        {"keel.batch_norm", KEEL_F32, 4, {64, 512, 7, 7}, {64, 512, 7, 7}, 5, {three}, 0},
        {"keel.instance_norm", KEEL_F32, 4, {4, 64, 112, 112}, {4, 64, 112, 112}, 3, {three}, 0},
        {"keel.group_norm",
         KEEL_F32,
         4,
         {2, 320, 64, 64},
         {2, 320, 64, 64},
         3,
         {keel_attribute_int("num_groups", 32)},
         1},
        {"keel.layer_norm", KEEL_F32, 2, {4096, 1024}, {4096, 1024}, 3, {three}, 0},
        {"keel.lp_norm", KEEL_F32, 2, {4096, 1024}, {4096, 1024}, 1, {three}, 0},
        {"keel.lp_norm",
         KEEL_F32,
         3,
         {16, 256, 1024},
         {16, 256, 1024},
         1,
         {keel_attribute_int("axis", 1)},
         1},
        {"keel.lrn",
         KEEL_F32,
         4,
         {4, 96, 55, 55},
         {4, 96, 55, 55},
         1,
         {keel_attribute_int("size", 5)},
         1},
    };
    keel_context *context = NULL;
    subject s = {.err = KEEL_ERROR_INIT};
    (void)keel_context_create(NULL, &context, &s.err);
    (void)keel_device_open(context, id, &s.device, &s.err);
    (void)keel_queue_create(s.device, NULL, &s.queue, &s.err);
    check(&s.err);
    (void)printf("%s; ratio: above 1, Keel is faster\n", keel_device_id(s.device));
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        s.row = &rows[i];
        measure(&s, argc > 2 ? argv[2] : NULL);
    }
    keel_queue_destroy(s.queue);
    keel_device_close(s.device);
    keel_context_release(context);
    return 0;
}
