/*
 * What a device can do at best, measured through the public API: bandwidth of copies, cost of a
 * launch, rate of matrix products.
 */
#ifndef CLI_BENCH_CEILING_H
#define CLI_BENCH_CEILING_H

#include "bench_measure.h"

/* One measurement, or why there is none. */
typedef struct cli_bench_row {
    char id[64];
    keel_status status;
    char reason[256]; /* of a status other than OK */
    char detail[64];  /* size and kernel, in words */
    double bytes;     /* moved by a call; 0: not about bandwidth */
    double flops;     /* of a call, or operations on integers; 0: not about arithmetic */
    int integers;
    cli_bench_time time;
} cli_bench_row;

typedef struct cli_bench_case {
    char id[64];
    keel_dtype dtype; /* of a matrix product, else 0 */
    keel_status (*measure)(keel_queue *queue, keel_dtype dtype, uint32_t repeats,
                           cli_bench_row *row, keel_error *err);
} cli_bench_case;

/* Case number index, in a fixed order; 0 beyond the last. */
int cli_bench_case_at(keel_context *context, uint32_t index, cli_bench_case *out_case);

#endif
