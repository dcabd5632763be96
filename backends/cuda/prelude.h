/*
 * The kernel dialect in CUDA C++, as NVRTC compiles it: what docs/kernel-language.md asks of a
 * prelude. No header of the vendor is needed.
 *
 * Options that belong to it, since no pragma says them: --fmad=false, without which a * b + c is
 * contracted, and --prec-div=true --ftz=false, NVRTC's defaults, for division and subnormals.
 */
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
#ifdef KEEL_FP64
typedef double f64;
#endif

/* Functions, address spaces, groups. A block is KEEL_BLOCK x 1 x 1. */
#define KDEV static __device__ __forceinline__ __attribute__((unused))
#define GLOBAL
#define LOCAL
#define CONSTANT const
#define RESTRICT __restrict__
#define KEEL_KATTR extern "C" __global__ __launch_bounds__(KEEL_BLOCK, K_BLOCKS(KEEL_BLOCK)) void
/* Blocks that registers must suffice for: 512 items, so that some work while others wait. */
#define K_BLOCKS(items) ((items) < 32 ? 1 : (511 + (items)) / (items))
#define LOCAL_ARRAY(T, name, n) __shared__ __align__(16) T name[n]
#define BARRIER() __syncthreads()
#define GROUP_ID(d) ((u32)((d) == 0 ? blockIdx.x : (d) == 1 ? blockIdx.y : blockIdx.z))
#define NUM_GROUPS(d) ((u32)((d) == 0 ? gridDim.x : (d) == 1 ? gridDim.y : gridDim.z))
#define LOCAL_ID(d) ((u32)((d) == 0 ? threadIdx.x : (d) == 1 ? threadIdx.y : threadIdx.z))

/* Bits. */
KDEV u32 k_as_u32(f32 x)
{
    return __float_as_uint(x);
}
KDEV f32 k_as_f32(u32 x)
{
    return __uint_as_float(x);
}
#ifdef KEEL_FP64
KDEV u64 k_as_u64(f64 x)
{
    return (u64)__double_as_longlong(x);
}
KDEV f64 k_as_f64(u64 x)
{
    return __longlong_as_double((i64)x);
}
#endif

/* f32: what the device does itself. fmax and fmin drop a NaN. */
KDEV f32 k_fma_f32(f32 a, f32 b, f32 c)
{
    return __fmaf_rn(a, b, c);
}
KDEV f32 k_sqrt_f32(f32 x)
{
    return __fsqrt_rn(x);
}
KDEV f32 k_rsqrt_fast_f32(f32 x)
{
    f32 y;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
KDEV f32 k_rint_f32(f32 x)
{
    return rintf(x);
}
KDEV f32 k_floor_f32(f32 x)
{
    return floorf(x);
}
KDEV f32 k_ceil_f32(f32 x)
{
    return ceilf(x);
}
KDEV f32 k_trunc_f32(f32 x)
{
    return truncf(x);
}
KDEV f32 k_abs_f32(f32 x)
{
    return fabsf(x);
}
KDEV f32 k_fmax_f32(f32 a, f32 b)
{
    return fmaxf(a, b);
}
KDEV f32 k_fmin_f32(f32 a, f32 b)
{
    return fminf(a, b);
}
/* Divisions of 64 bits, and exact ones of f32, are calls, around which registers are spilled. */
#define KEEL_CALLS_DIV64 1
KDEV f32 k_reciprocal_fast_f32(f32 x)
{
    f32 y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
/* Without .ftz, which would lose results below 2^-126. */
#define KEEL_HAVE_EXP2_FAST 1
KDEV f32 k_exp2_fast_f32(f32 x)
{
    f32 y;
    asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* f64: what the device does itself. */
#ifdef KEEL_FP64
KDEV f64 k_fma_f64(f64 a, f64 b, f64 c)
{
    return __fma_rn(a, b, c);
}
KDEV f64 k_sqrt_f64(f64 x)
{
    return __dsqrt_rn(x);
}
KDEV f64 k_rsqrt_fast_f64(f64 x)
{
    return rsqrt(x);
}
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

/* Conversions by instruction: the same as the dialect's own, but for the bits of a NaN. */
#define KEEL_HAVE_F16 1
KDEV f32 k_f16_to_f32(u16 h)
{
    f32 f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}
KDEV u16 k_f32_to_f16(f32 f)
{
    u16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
#if __CUDA_ARCH__ >= 800
#define KEEL_HAVE_BF16 1
KDEV f32 k_bf16_to_f32(u16 h)
{
    return k_as_f32((u32)h << 16);
}
KDEV u16 k_f32_to_bf16(f32 f)
{
    u16 h;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
#endif

/* Waves. The instruction is told which lanes take part: all, or those that the block has. */
#define KEEL_HAVE_WAVE 1
KDEV u32 k_wave_members(u32 items)
{
    return items >= 32u ? 0xffffffffu : (1u << items) - 1u;
}
KDEV u32 k_wave_xor_u32(u32 x, u32 mask, u32 items)
{
    u32 y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;"
                 : "=r"(y)
                 : "r"(x), "r"(mask), "r"(k_wave_members(items)));
    return y;
}
KDEV void k_wave_sync(u32 items)
{
    __syncwarp(k_wave_members(items));
}

/* Matrix units: see ops/dialect/tile.h. */
#if __CUDA_ARCH__ >= 800
#define KEEL_TILE KEEL_TILE_NV
KDEV void k_mma_m16n8k16_f16(f32 *c, const u32 *a, const u32 *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
KDEV void k_mma_m16n8k16_bf16(f32 *c, const u32 *a, const u32 *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif
