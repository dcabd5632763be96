/*
 * The kernel dialect in C for the host, as the simulated devices execute it: what
 * docs/kernel-language.md asks of a prelude. Comes after kernel_abi.h.
 * The compiler is asked for IEEE arithmetic without contraction, so results obey the same bounds
 * as those of devices.
 */
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef __INT64_TYPE__ i64;
typedef __UINT64_TYPE__ u64;
typedef float f32;
typedef double f64;

/* The text says what the device reported; the compiler was told what it is. */
#if KEEL_WAVE != KEEL_SIM_WAVE
#error "KEEL_WAVE is not the wave of this simulated device"
#endif

#define KDEV static inline __attribute__((always_inline))
#define GLOBAL
#define LOCAL
#define CONSTANT const
#define RESTRICT /* nothing: the checks want to see every access */

/*
 * In kernel_support.c. Functions, so that reading the engine's memory is not checked; const, because
 * an item asks for itself only.
 */
#pragma GCC visibility push(hidden)
__attribute__((const)) u32 keel_sim_group_id(u32 d);
__attribute__((const)) u32 keel_sim_num_groups(u32 d);
__attribute__((const)) u32 keel_sim_local_id(void);
void *keel_sim_local(u64 bytes);
void keel_sim_barrier(u32 line, u32 mark);
const void *keel_sim_wave(const void *data, u32 bytes, u32 line, u32 mark);
void keel_sim_wave_sync(u32 line, u32 mark);
u32 keel_sim_wave_xor(u32 x, u32 mask, u32 mark);
void keel_sim_mma_16x8x16(f32 *c, const u32 *a, const u32 *b, u32 bf16, u32 mark);
void keel_sim_mfma_16x16x16(f32 *c, const u32 *a, const u32 *b, u32 bf16, u32 mark);
#pragma GCC visibility pop

#define GROUP_ID(d) keel_sim_group_id(d)
#define NUM_GROUPS(d) keel_sim_num_groups(d)
#define LOCAL_ID(d) ((d) == 0 ? keel_sim_local_id() : 0u)
#define BARRIER() keel_sim_barrier(__LINE__, __COUNTER__)
#define LOCAL_ARRAY(T, name, n)                                                       \
    static const sim_local_entry keel_sim_##name                                      \
        __attribute__((used, section("sim_locals"))) = {__func__, sizeof(T) * (n)};   \
    T *const name = (T *)keel_sim_local(sizeof(T) * (n))

/* Kernels: the function, a call of it with pointers to its arguments, and an entry in a table. */
#define KERNEL1(n, t1, a1) KEEL_SIM_1(n, t1, a1)
#define KERNEL2(n, t1, a1, t2, a2) KEEL_SIM_2(n, t1, a1, t2, a2)
#define KERNEL3(n, t1, a1, t2, a2, t3, a3) KEEL_SIM_3(n, t1, a1, t2, a2, t3, a3)
#define KERNEL4(n, t1, a1, t2, a2, t3, a3, t4, a4) KEEL_SIM_4(n, t1, a1, t2, a2, t3, a3, t4, a4)
#define KERNEL5(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) \
    KEEL_SIM_5(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5)
#define KERNEL6(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) \
    KEEL_SIM_6(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6)
#define KERNEL7(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7) \
    KEEL_SIM_7(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7)
#define KERNEL8(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7, t8, a8) \
    KEEL_SIM_8(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7, t8, a8)

#define KEEL_SIM_CALL(n) \
    static __attribute__((no_sanitize("thread"))) void keel_sim_call_##n(void **a)
#define KEEL_SIM_ENTRY(n, count, ...)                                                    \
    static const sim_kernel_entry keel_sim_entry_##n                                     \
        __attribute__((used, section("sim_kernels"))) = {                                \
            #n, keel_sim_call_##n, KEEL_BLOCK, KEEL_SIM_WAVE, count, {__VA_ARGS__}};
#define KEEL_SIM_ARG(i, t) (*(t *)a[i])
#define KEEL_SIM_KERNEL static __attribute__((noinline)) void

#define KEEL_SIM_1(n, t1, a1)                            \
    KEEL_SIM_KERNEL n(t1);                               \
    KEEL_SIM_CALL(n) { n(KEEL_SIM_ARG(0, t1)); }         \
    KEEL_SIM_ENTRY(n, 1, sizeof(t1)) KEEL_SIM_KERNEL n(t1 a1)
#define KEEL_SIM_2(n, t1, a1, t2, a2)                                     \
    KEEL_SIM_KERNEL n(t1, t2);                                            \
    KEEL_SIM_CALL(n) { n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2)); }     \
    KEEL_SIM_ENTRY(n, 2, sizeof(t1), sizeof(t2)) KEEL_SIM_KERNEL n(t1 a1, t2 a2)
#define KEEL_SIM_3(n, t1, a1, t2, a2, t3, a3)                                               \
    KEEL_SIM_KERNEL n(t1, t2, t3);                                                          \
    KEEL_SIM_CALL(n) { n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3)); }  \
    KEEL_SIM_ENTRY(n, 3, sizeof(t1), sizeof(t2), sizeof(t3))                                \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3)
#define KEEL_SIM_4(n, t1, a1, t2, a2, t3, a3, t4, a4)                                       \
    KEEL_SIM_KERNEL n(t1, t2, t3, t4);                                                      \
    KEEL_SIM_CALL(n)                                                                        \
    {                                                                                       \
        n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3), KEEL_SIM_ARG(3, t4)); \
    }                                                                                       \
    KEEL_SIM_ENTRY(n, 4, sizeof(t1), sizeof(t2), sizeof(t3), sizeof(t4))                    \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3, t4 a4)
#define KEEL_SIM_5(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5)                               \
    KEEL_SIM_KERNEL n(t1, t2, t3, t4, t5);                                                  \
    KEEL_SIM_CALL(n)                                                                        \
    {                                                                                       \
        n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3), KEEL_SIM_ARG(3, t4), \
          KEEL_SIM_ARG(4, t5));                                                             \
    }                                                                                       \
    KEEL_SIM_ENTRY(n, 5, sizeof(t1), sizeof(t2), sizeof(t3), sizeof(t4), sizeof(t5))        \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5)
#define KEEL_SIM_6(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6)                       \
    KEEL_SIM_KERNEL n(t1, t2, t3, t4, t5, t6);                                              \
    KEEL_SIM_CALL(n)                                                                        \
    {                                                                                       \
        n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3), KEEL_SIM_ARG(3, t4), \
          KEEL_SIM_ARG(4, t5), KEEL_SIM_ARG(5, t6));                                        \
    }                                                                                       \
    KEEL_SIM_ENTRY(n, 6, sizeof(t1), sizeof(t2), sizeof(t3), sizeof(t4), sizeof(t5),        \
                   sizeof(t6))                                                              \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6)
#define KEEL_SIM_7(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7)               \
    KEEL_SIM_KERNEL n(t1, t2, t3, t4, t5, t6, t7);                                          \
    KEEL_SIM_CALL(n)                                                                        \
    {                                                                                       \
        n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3), KEEL_SIM_ARG(3, t4), \
          KEEL_SIM_ARG(4, t5), KEEL_SIM_ARG(5, t6), KEEL_SIM_ARG(6, t7));                   \
    }                                                                                       \
    KEEL_SIM_ENTRY(n, 7, sizeof(t1), sizeof(t2), sizeof(t3), sizeof(t4), sizeof(t5),        \
                   sizeof(t6), sizeof(t7))                                                  \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7)
#define KEEL_SIM_8(n, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7, t8, a8)       \
    KEEL_SIM_KERNEL n(t1, t2, t3, t4, t5, t6, t7, t8);                                      \
    KEEL_SIM_CALL(n)                                                                        \
    {                                                                                       \
        n(KEEL_SIM_ARG(0, t1), KEEL_SIM_ARG(1, t2), KEEL_SIM_ARG(2, t3), KEEL_SIM_ARG(3, t4), \
          KEEL_SIM_ARG(4, t5), KEEL_SIM_ARG(5, t6), KEEL_SIM_ARG(6, t7),                    \
          KEEL_SIM_ARG(7, t8));                                                             \
    }                                                                                       \
    KEEL_SIM_ENTRY(n, 8, sizeof(t1), sizeof(t2), sizeof(t3), sizeof(t4), sizeof(t5),        \
                   sizeof(t6), sizeof(t7), sizeof(t8))                                      \
    KEEL_SIM_KERNEL n(t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8)

/* Bits. */
KDEV u32 k_as_u32(f32 x)
{
    u32 y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
KDEV f32 k_as_f32(u32 x)
{
    f32 y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
KDEV u64 k_as_u64(f64 x)
{
    u64 y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}
KDEV f64 k_as_f64(u64 x)
{
    f64 y;
    __builtin_memcpy(&y, &x, sizeof y);
    return y;
}

/* f32: correctly rounded, or exact. fmax and fmin drop a NaN. */
KDEV f32 k_fma_f32(f32 a, f32 b, f32 c)
{
    return __builtin_fmaf(a, b, c);
}
KDEV f32 k_sqrt_f32(f32 x)
{
    return __builtin_sqrtf(x);
}
KDEV f32 k_rsqrt_fast_f32(f32 x)
{
    return 1.0f / __builtin_sqrtf(x);
}
KDEV f32 k_rint_f32(f32 x)
{
    return __builtin_rintf(x);
}
KDEV f32 k_floor_f32(f32 x)
{
    return __builtin_floorf(x);
}
KDEV f32 k_ceil_f32(f32 x)
{
    return __builtin_ceilf(x);
}
KDEV f32 k_trunc_f32(f32 x)
{
    return __builtin_truncf(x);
}
KDEV f32 k_abs_f32(f32 x)
{
    return __builtin_fabsf(x);
}
KDEV f32 k_fmax_f32(f32 a, f32 b)
{
    return a > b || b != b ? a : b;
}
KDEV f32 k_fmin_f32(f32 a, f32 b)
{
    return a < b || b != b ? a : b;
}
#define KEEL_HAVE_EXP2_FAST 1
KDEV f32 k_exp2_fast_f32(f32 x)
{
    return __builtin_exp2f(x);
}

/* f64: correctly rounded, or exact. */
#ifdef KEEL_FP64
KDEV f64 k_fma_f64(f64 a, f64 b, f64 c)
{
    return __builtin_fma(a, b, c);
}
KDEV f64 k_sqrt_f64(f64 x)
{
    return __builtin_sqrt(x);
}
KDEV f64 k_rsqrt_fast_f64(f64 x)
{
    return 1.0 / __builtin_sqrt(x);
}
KDEV f64 k_rint_f64(f64 x)
{
    return __builtin_rint(x);
}
KDEV f64 k_floor_f64(f64 x)
{
    return __builtin_floor(x);
}
KDEV f64 k_ceil_f64(f64 x)
{
    return __builtin_ceil(x);
}
KDEV f64 k_trunc_f64(f64 x)
{
    return __builtin_trunc(x);
}
KDEV f64 k_abs_f64(f64 x)
{
    return __builtin_fabs(x);
}
KDEV f64 k_fmax_f64(f64 a, f64 b)
{
    return a > b || b != b ? a : b;
}
KDEV f64 k_fmin_f64(f64 a, f64 b)
{
    return a < b || b != b ? a : b;
}
#endif

/*
 * Waves: see ops/dialect/wave.h. Lanes that a group of few items does not have give garbage. A
 * synchronisation is a macro, so that each place where it stands is a place of its own.
 */
#define KEEL_HAVE_WAVE 1
#define k_wave_sync(items) keel_sim_wave_sync(__LINE__, __COUNTER__)
KDEV u32 k_wave_xor_u32(u32 x, u32 mask, u32 items)
{
    (void)items;
    return keel_sim_wave_xor(x, mask, __COUNTER__);
}

/* Matrix units: see ops/dialect/tile.h, whose numbers these are. */
#define KEEL_TILE KEEL_SIM_TILE
#if KEEL_SIM_TILE == 1
KDEV void k_mma_m16n8k16_f16(f32 *c, const u32 *a, const u32 *b)
{
    keel_sim_mma_16x8x16(c, a, b, 0, __COUNTER__);
}
KDEV void k_mma_m16n8k16_bf16(f32 *c, const u32 *a, const u32 *b)
{
    keel_sim_mma_16x8x16(c, a, b, 1, __COUNTER__);
}
#elif KEEL_SIM_TILE == 2
KDEV void k_mfma_16x16x16_f16(f32 *c, const u32 *a, const u32 *b)
{
    keel_sim_mfma_16x16x16(c, a, b, 0, __COUNTER__);
}
KDEV void k_mfma_16x16x16_bf16(f32 *c, const u32 *a, const u32 *b)
{
    keel_sim_mfma_16x16x16(c, a, b, 1, __COUNTER__);
}
#endif
