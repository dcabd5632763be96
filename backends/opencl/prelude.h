/*
 * The kernel dialect in OpenCL C 1.2: what docs/kernel-language.md asks of a prelude. No
 * extension is required; f64 exists when the text defines KEEL_FP64.
 */
#pragma OPENCL FP_CONTRACT OFF
#ifdef KEEL_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;
typedef float f32;
#ifdef KEEL_FP64
typedef double f64;
#endif

/* Functions, address spaces, groups. A call that is not inlined keeps its loop from vectorising. */
#define KDEV static inline __attribute__((always_inline))
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define RESTRICT restrict
#define KEEL_KATTR __kernel __attribute__((reqd_work_group_size(KEEL_BLOCK, 1, 1))) void
#define LOCAL_ARRAY(T, name, n) __local __attribute__((aligned(16))) T name[n]
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GROUP_ID(d) ((u32)get_group_id(d))
#define NUM_GROUPS(d) ((u32)get_num_groups(d))
#define LOCAL_ID(d) ((u32)get_local_id(d))

/* Bits. */
KDEV u32 k_as_u32(f32 x)
{
    return as_uint(x);
}
KDEV f32 k_as_f32(u32 x)
{
    return as_float(x);
}
#ifdef KEEL_FP64
KDEV u64 k_as_u64(f64 x)
{
    return as_ulong(x);
}
KDEV f64 k_as_f64(u64 x)
{
    return as_double(x);
}
#endif

/* f32: what the device does itself. fmax and fmin drop a NaN. */
KDEV f32 k_fma_f32(f32 a, f32 b, f32 c)
{
    return fma(a, b, c);
}
KDEV f32 k_sqrt_f32(f32 x)
{
    return sqrt(x);
}
KDEV f32 k_rsqrt_fast_f32(f32 x)
{
    return rsqrt(x);
}
#ifdef KEEL_CPU
/* PoCL's own are calls, which keep a loop from vectorising. From 2^23 on every value is whole. */
KDEV f32 k_rint_f32(f32 x)
{
    const f32 a = fabs(x);
    return a < 0x1p+23f ? copysign((a + 0x1p+23f) - 0x1p+23f, x) : x;
}
KDEV f32 k_floor_f32(f32 x)
{
    const f32 r = k_rint_f32(x);
    return r > x ? r - 1.0f : r;
}
KDEV f32 k_ceil_f32(f32 x)
{
    const f32 r = k_rint_f32(x);
    return r < x ? copysign(r + 1.0f, x) : r;
}
KDEV f32 k_trunc_f32(f32 x)
{
    const f32 r = k_rint_f32(x);
    return fabs(r) > fabs(x) ? copysign(fabs(r) - 1.0f, x) : r;
}
#else
KDEV f32 k_rint_f32(f32 x)
{
    return rint(x);
}
KDEV f32 k_floor_f32(f32 x)
{
    return floor(x);
}
KDEV f32 k_ceil_f32(f32 x)
{
    return ceil(x);
}
KDEV f32 k_trunc_f32(f32 x)
{
    return trunc(x);
}
#endif
KDEV f32 k_abs_f32(f32 x)
{
    return fabs(x);
}
KDEV f32 k_fmax_f32(f32 a, f32 b)
{
    return fmax(a, b);
}
KDEV f32 k_fmin_f32(f32 a, f32 b)
{
    return fmin(a, b);
}
#ifdef KEEL_GPU
#define KEEL_HAVE_EXP2_FAST 1
KDEV f32 k_exp2_fast_f32(f32 x)
{
    return native_exp2(x);
}
#endif

/* f64: what the device does itself (full profile). */
#ifdef KEEL_FP64
KDEV f64 k_fma_f64(f64 a, f64 b, f64 c)
{
    return fma(a, b, c);
}
KDEV f64 k_sqrt_f64(f64 x)
{
    return sqrt(x);
}
KDEV f64 k_rsqrt_fast_f64(f64 x)
{
    return rsqrt(x);
}
#ifdef KEEL_CPU
/* PoCL's own are calls, which keep a loop from vectorising. From 2^52 on every value is whole. */
KDEV f64 k_rint_f64(f64 x)
{
    const f64 a = fabs(x);
    return a < 0x1p+52 ? copysign((a + 0x1p+52) - 0x1p+52, x) : x;
}
KDEV f64 k_floor_f64(f64 x)
{
    const f64 r = k_rint_f64(x);
    return r > x ? r - 1.0 : r;
}
KDEV f64 k_ceil_f64(f64 x)
{
    const f64 r = k_rint_f64(x);
    return r < x ? copysign(r + 1.0, x) : r;
}
KDEV f64 k_trunc_f64(f64 x)
{
    const f64 r = k_rint_f64(x);
    return fabs(r) > fabs(x) ? copysign(fabs(r) - 1.0, x) : r;
}
#else
KDEV f64 k_rint_f64(f64 x)
{
    return rint(x);
}
KDEV f64 k_floor_f64(f64 x)
{
    return floor(x);
}
KDEV f64 k_ceil_f64(f64 x)
{
    return ceil(x);
}
KDEV f64 k_trunc_f64(f64 x)
{
    return trunc(x);
}
#endif
KDEV f64 k_abs_f64(f64 x)
{
    return fabs(x);
}
KDEV f64 k_fmax_f64(f64 a, f64 b)
{
    return fmax(a, b);
}
KDEV f64 k_fmin_f64(f64 a, f64 b)
{
    return fmin(a, b);
}
#endif

/* Eight f32 at once, for kernels in the simd style. Pointers need f32's alignment only. */
#define KEEL_HAVE_V8 1
typedef float8 v8;
#define V8_SET(x) ((v8)(x))
#define V8_LOAD(p) vload8(0, p)
#define V8_STORE(v, p) vstore8(v, 0, p)
#define v8_fma(a, b, c) fma(a, b, c)
#define v8_max(a, b) fmax(a, b)
#define v8_min(a, b) fmin(a, b)
#define v8_sqrt(x) sqrt(x)
#define V8_HSUM(v) \
    ((((v).s0 + (v).s1) + ((v).s2 + (v).s3)) + (((v).s4 + (v).s5) + ((v).s6 + (v).s7)))
#define V8_PAIRS(a, b) ((v8)((a).even + (a).odd, (b).even + (b).odd))
#define V8_HMAX(v)                                         \
    fmax(fmax(fmax((v).s0, (v).s1), fmax((v).s2, (v).s3)), \
         fmax(fmax((v).s4, (v).s5), fmax((v).s6, (v).s7)))
#define V8_HMIN(v)                                         \
    fmin(fmin(fmin((v).s0, (v).s1), fmin((v).s2, (v).s3)), \
         fmin(fmin((v).s4, (v).s5), fmin((v).s6, (v).s7)))

/*
 * Stores past the caches. A line that is written whole need not be read first, which is a third of
 * what c = a + b moves. Other cores may see such stores late unless a fence follows.
 */
#if defined(KEEL_CACHE_BYTES) && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store) && __has_builtin(__sync_synchronize)
#define KEEL_STREAM_BYTES KEEL_CACHE_BYTES
#define V8_STREAM(v, p) __builtin_nontemporal_store(v, (GLOBAL v8 *)(p))
#define V8_STREAM_END() __sync_synchronize()
#endif
#endif

/*
 * Eight unsigned integers at once, for kernels that move bits. X8_SHUFFLE picks lanes 0 to 7 of a
 * and 8 to 15 of b. Pointers to GLOBAL need the element's alignment only: a packed struct says so
 * to the compiler, where vload8() may go element by element.
 */
#define KEEL_HAVE_X8 1
typedef uchar8 u8x8;
typedef ushort8 u16x8;
typedef uint8 u32x8;
typedef ulong8 u64x8;
typedef struct __attribute__((packed)) u8x8_at { u8x8 v; } u8x8_at;
typedef struct __attribute__((packed)) u16x8_at { u16x8 v; } u16x8_at;
typedef struct __attribute__((packed)) u32x8_at { u32x8 v; } u32x8_at;
typedef struct __attribute__((packed)) u64x8_at { u64x8 v; } u64x8_at;
#define X8_LOAD(T, p) (((GLOBAL const T##_at *)(p))->v)
#define X8_STORE(T, x, p) (((GLOBAL T##_at *)(p))->v = (x))
#ifdef __clang__
#define X8_SHUFFLE(T, a, b, i0, i1, i2, i3, i4, i5, i6, i7) \
    __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7)
#else
#define X8_SHUFFLE(T, a, b, i0, i1, i2, i3, i4, i5, i6, i7) \
    shuffle2(a, b, (T)(i0, i1, i2, i3, i4, i5, i6, i7))
#endif

/* e^x per lane, as k_exp_f32 computes it. */
KDEV v8 v8_exp(v8 x)
{
    const v8 c = select(select(x, (v8)(89.0f), x > 89.0f), (v8)(-104.0f), x < -104.0f);
    const v8 t = fma(c, (v8)(0x1.715476p+0f), (v8)(0x1.8p+23f));
    const v8 n = t - 0x1.8p+23f;
    const v8 r = fma(-n, (v8)(0x1.7f7d1cp-20f), fma(-n, (v8)(0x1.62e400p-1f), c));
    v8 q = fma((v8)(0x1.6cd7d2p-10f), r, (v8)(0x1.122c50p-7f));
    q = fma(q, r, (v8)(0x1.555538p-5f));
    q = fma(q, r, (v8)(0x1.5554aap-3f));
    q = fma(q, r, (v8)(0.5f));
    const v8 e = fma(r * r, q, r) + 1.0f;
    const int8 k = as_int8(t) - (int8)(0x4b400000);
    const int8 h = k >> 1;
    return e * as_float8((h + 127) << 23) * as_float8((k - h + 127) << 23);
}

/*
 * Part of KEEL_HAVE_V8: eight 16-bit elements by the built-in conversions, which are exact. They go
 * through a vector of their own, because PoCL takes the pointers of vload_half8 and vstore_half8
 * for aligned to 16 bytes.
 */
KDEV v8 k_v8_load_f16(GLOBAL const u16 *p)
{
    const ushort8 bits = vload8(0, p);
    return vload_half8(0, (const __private half *)&bits);
}
KDEV void k_v8_store_f16(v8 v, GLOBAL u16 *p)
{
    ushort8 bits;
    vstore_half8_rte(v, 0, (__private half *)&bits);
    vstore8(bits, 0, p);
}
KDEV v8 k_v8_load_bf16(GLOBAL const u16 *p)
{
    return as_float8(convert_uint8(vload8(0, p)) << 16);
}
KDEV void k_v8_store_bf16(v8 v, GLOBAL u16 *p)
{
    const uint8 x = as_uint8(v);
    const uint8 rounded = (x + 0x7fffu + ((x >> 16) & 1u)) >> 16;
    const uint8 nan = (x >> 16) | 0x40u;
    vstore8(convert_ushort8(select(rounded, nan, (x & 0x7fffffffu) > 0x7f800000u)), 0, p);
}
