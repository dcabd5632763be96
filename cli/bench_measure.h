/*
 * Timing work on a queue: batches of calls, each as long as the clock and one wait need to matter
 * little, after a warm-up; median and spread over the batches.
 */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include "keel/keel.h"

/* What is timed: enqueue once. */
typedef struct cli_bench_work {
    keel_queue *queue;
    keel_status (*enqueue)(void *subject, keel_error *err);
    void *subject;
    int wait_each; /* wait after each call: latency instead of throughput */
} cli_bench_work;

#define CLI_BENCH_REPEATS_MAX 1000

/* Wall time of one call, in nanoseconds. */
typedef struct cli_bench_time {
    uint32_t samples;
    uint64_t calls; /* in a sample */
    double min, p50, max;
    double mad; /* median distance from the median */
} cli_bench_time;

/*
 * One warm-up call, then a batch of calls until at least 5 ms have passed: a first idea of the time
 * of a call.
 */
keel_status cli_bench_estimate(const cli_bench_work *work, double *out_ns, keel_error *err);

/*
 * Warms up, then takes up to repeats samples (at least 3, within about 4 seconds).
 * @param repeats  3 to CLI_BENCH_REPEATS_MAX
 */
keel_status cli_bench_measure(const cli_bench_work *work, uint32_t repeats,
                              cli_bench_time *out_time, keel_error *err);

#endif
