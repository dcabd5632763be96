/*
 * The OpenCL calls that a launch of an elementwise op needs, made directly: what a warm op call is
 * compared with.
 */
#ifndef BENCH_RAW_OPENCL_H
#define BENCH_RAW_OPENCL_H

typedef struct bench_raw bench_raw;

/* NULL: no OpenCL device. Three buffers and 352 bytes by value, as keel.add has. */
bench_raw *bench_raw_open(void);
void bench_raw_close(bench_raw *raw);

/* Sets the arguments and launches one group of one item, calls times; does not wait. */
void bench_raw_launch(bench_raw *raw, int calls);
void bench_raw_wait(bench_raw *raw);

#endif
