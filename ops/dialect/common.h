/*
 * The kernel dialect, vendor-free: how kernels are declared, how they see their operands, how they
 * share out work. Comes after a backend's prelude; docs/kernel-language.md is the reference.
 * C99 subset: an address space on every pointer, LOCAL arrays in kernels only, no variadic macros.
 */

/* ---- kernels: KERNELn(name, type, argument, ...) with n arguments --------------------------- */

/* A prelude may bring its own, all eight. */
#ifndef KERNEL1
#define KERNEL1(n, t1, a1) KEEL_KATTR n(t1 a1)
#define KERNEL2(n, t1, a1, t2, a2) KEEL_KATTR n(t1 a1, t2 a2)
#define KERNEL3(n, t1, a1, t2, a2, t3, a3) KEEL_KATTR n(t1 a1, t2 a2, t3 a3)
#define KERNEL4(n, t1, a1, t2, a2, t3, a3, t4, a4) KEEL_KATTR n(t1 a1, t2 a2, t3 a3, t4 a4)
#define KERNEL5(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) \
    KEEL_KATTR n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5)
#define KERNEL6(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) \
    KEEL_KATTR n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6)
#define KERNEL7(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7) \
    KEEL_KATTR n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7)
#define KERNEL8(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7, t8, a8) \
    KEEL_KATTR n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8)
#endif

/* Before a loop of constant bounds: it is written out, so that a private array stays in registers. */
#define UNROLL _Pragma("unroll")

/* ---- operands: mirrors of keel_meta_view and keel_meta, in elements ------------------------- */

#define KEEL_SPACE_RANK 10

typedef struct KVIEW {
    i64 offset;
    i64 stride[KEEL_SPACE_RANK];
} KVIEW;

typedef struct KMETA1 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[1];
} KMETA1;
typedef struct KMETA2 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[2];
} KMETA2;
typedef struct KMETA3 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[3];
} KMETA3;
typedef struct KMETA4 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[4];
} KMETA4;
typedef struct KMETA5 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[5];
} KMETA5;
typedef struct KMETA6 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[6];
} KMETA6;
typedef struct KMETA7 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[7];
} KMETA7;
typedef struct KMETA8 {
    i64 rank, extent[KEEL_SPACE_RANK];
    KVIEW v[8];
} KMETA8;

/* ---- sharing out work ----------------------------------------------------------------------- */

/* Work-items of a group for kernels without a preference: KEEL_BLOCK=KEEL_BLOCK_MAP. */
#ifdef KEEL_CPU
#define KEEL_BLOCK_MAP 1
#else
#define KEEL_BLOCK_MAP 256
#endif

/*
 * for (IDX i = ...): the work-item's share of 0 <= i < n. On CPUs a group takes a contiguous chunk,
 * whose elements go round its items; on GPUs the elements go round all items of all groups. IDX is
 * the instance's; with 32 bits n stays below 2^30.
 */
#ifdef KEEL_CPU
#define RANGE(i, n)                                                                                \
    for (IDX i##_size = (IDX)(n),                                                                  \
             i##_chunk = (i##_size + (IDX)NUM_GROUPS(0) - 1) / (IDX)NUM_GROUPS(0),                 \
             i##_first = (IDX)GROUP_ID(0) * i##_chunk,                                             \
             i##_end = i##_size - i##_first < i##_chunk ? i##_size : i##_first + i##_chunk,        \
             i = i##_first + (IDX)LOCAL_ID(0);                                                     \
         i < i##_end; i += (IDX)KEEL_BLOCK)
#else
#define RANGE(i, n)                                                                                \
    for (IDX i = (IDX)GROUP_ID(0) * (IDX)KEEL_BLOCK + (IDX)LOCAL_ID(0); i < (IDX)(n);              \
         i += (IDX)KEEL_BLOCK * (IDX)NUM_GROUPS(0))
#endif
