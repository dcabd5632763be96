/* Timing work on a queue. */
#include "bench_measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define BATCH_NS 1e7   /* of a sample: thousands of times the clock's step */
#define PROBE_NS 5e6   /* of the estimate */
#define WARM_UP_NS 3e8 /* clocks and caches settle */
#define LIMIT_NS 4e9   /* of all samples */
#define SAMPLES_MIN 3

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Time of that many calls. */
static keel_status run_batch(const cli_bench_work *work, uint64_t calls, double *out_ns,
                             keel_error *err)
{
    const double start = now_ns();
    for (uint64_t i = 0; i < calls; ++i) {
        KEEL_TRY(work->enqueue(work->subject, err));
        if (work->wait_each) {
            KEEL_TRY(keel_queue_synchronize(work->queue, err));
        }
    }
    KEEL_TRY(keel_queue_synchronize(work->queue, err));
    *out_ns = now_ns() - start;
    return KEEL_OK;
}

keel_status cli_bench_estimate(const cli_bench_work *work, double *out_ns, keel_error *err)
{
    double ns = 0;
    uint64_t calls = 1;
    KEEL_TRY(run_batch(work, 1, &ns, err));
    KEEL_TRY(run_batch(work, 1, &ns, err));
    while (ns < PROBE_NS && calls < UINT64_C(1) << 20) {
        calls *= 2;
        KEEL_TRY(run_batch(work, calls, &ns, err));
    }
    *out_ns = ns / (double)calls;
    return KEEL_OK;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static void summarise(double *samples, uint32_t count, cli_bench_time *out_time)
{
    out_time->samples = count;
    out_time->p50 = median(samples, count);
    out_time->min = samples[0];
    out_time->max = samples[count - 1];
    for (uint32_t i = 0; i < count; ++i) {
        samples[i] = fabs(samples[i] - out_time->p50);
    }
    out_time->mad = median(samples, count);
}

keel_status cli_bench_measure(const cli_bench_work *work, uint32_t repeats,
                              cli_bench_time *out_time, keel_error *err)
{
    double samples[CLI_BENCH_REPEATS_MAX];
    double call_ns = 0;
    double ns = 0;
    double warm = 0;
    double spent = 0;
    uint32_t count = 0;
    *out_time = (cli_bench_time){0};
    KEEL_TRY(cli_bench_estimate(work, &call_ns, err));
    const uint64_t calls = call_ns < BATCH_NS ? (uint64_t)ceil(BATCH_NS / call_ns) : 1;
    while (warm < WARM_UP_NS) {
        KEEL_TRY(run_batch(work, calls, &ns, err));
        warm += ns;
    }
    while (count < repeats && (count < SAMPLES_MIN || spent < LIMIT_NS)) {
        KEEL_TRY(run_batch(work, calls, &ns, err));
        samples[count++] = ns / (double)calls;
        spent += ns;
    }
    out_time->calls = calls;
    summarise(samples, count, out_time);
    return KEEL_OK;
}
