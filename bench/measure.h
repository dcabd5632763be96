/*
 * Comparing two ways to do the same work: both are timed in turns, so that a change of the
 * machine's load meets both, and the ratio is the median over the rounds.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

/* Does the work calls times, and returns when all of it is done. */
typedef void (*bench_run)(void *subject, int calls);

typedef struct bench_side {
    const char *name;
    bench_run run; /* NULL: absent */
    void *subject;
    int spins; /* its threads keep spinning after a call: a pause follows */
} bench_side;

typedef struct bench_result {
    double seconds[2]; /* of one call: median of each side */
    double best[2];    /* of one call: least of each side, what a loaded machine disturbs least */
    double ratio;      /* second side's time over the first's: above 1, the first is faster */
} bench_result;

/* Monotonic time in seconds. */
double bench_now(void);

/* Rounds of about 20 ms for each side, each after 60 ms of untimed calls of that side. */
bench_result bench_compare(const bench_side side[2], int rounds);

#endif
