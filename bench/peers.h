/* OpenBLAS, loaded where it is installed. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

/* cblas_sgemm, with enumerations as int. */
typedef void (*bench_sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                            float alpha, const float *a, int lda, const float *b, int ldb,
                            float beta, float *c, int ldc);

#define BENCH_ROW_MAJOR 101
#define BENCH_NO_TRANSPOSE 111
#define BENCH_TRANSPOSE 112

/* NULL: not installed. The library stays loaded. */
bench_sgemm bench_find_sgemm(void);

#endif
