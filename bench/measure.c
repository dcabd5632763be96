/* Comparing two ways to do the same work. */
#define _POSIX_C_SOURCE 200809L

#include "measure.h"

#include <stdlib.h>
#include <time.h>

#define MOST_ROUNDS 64
#define ROUND_SECONDS 0.02
/*
 * Each side runs this long, untimed, right before it is timed: after a pause, a virtual machine may
 * run the threads of a runtime on one core for tens of milliseconds.
 */
#define WARM_SECONDS 0.06

double bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare);
    return values[count / 2];
}

static double time_of(const bench_side *side, int calls)
{
    double start = bench_now();
    do {
        side->run(side->subject, calls);
    } while (bench_now() - start < WARM_SECONDS);
    start = bench_now();
    side->run(side->subject, calls);
    const double seconds = (bench_now() - start) / calls;
    if (side->spins) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    }
    return seconds;
}

bench_result bench_compare(const bench_side side[2], int rounds)
{
    double seconds[2][MOST_ROUNDS];
    double ratio[MOST_ROUNDS];
    int calls[2] = {1, 1};
    bench_result result = {{0}, {0}, 0};
    const int count = rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
    for (int s = 0; s < 2; s++) {
        if (side[s].run != NULL) {
            (void)time_of(&side[s], 2);
            const double once = time_of(&side[s], 3);
            calls[s] = once < ROUND_SECONDS ? (int)(ROUND_SECONDS / once) + 1 : 1;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < 2; s++) {
            seconds[s][i] = side[s].run != NULL ? time_of(&side[s], calls[s]) : 0;
        }
        ratio[i] = seconds[1][i] / seconds[0][i];
    }
    for (int s = 0; s < 2; s++) {
        result.seconds[s] = median(seconds[s], count);
        result.best[s] = seconds[s][0]; /* sorted now */
    }
    result.ratio = median(ratio, count);
    return result;
}
