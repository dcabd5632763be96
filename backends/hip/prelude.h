/*
 * The kernel dialect in HIP C++, as hipRTC and clang compile it: what docs/kernel-language.md asks
 * of a prelude. Builtins of the compiler only: no header and no device library of the vendor.
 * Division is correctly rounded unless an option says otherwise; subnormals are kept by default
 * from gfx9 on.
 */
#pragma clang fp contract(off)

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

/* Functions, address spaces, groups. A group is KEEL_BLOCK x 1 x 1; a grid is counted in items. */
#define KDEV static inline __attribute__((device, always_inline))
#define GLOBAL
#define LOCAL
#define CONSTANT const
#define RESTRICT __restrict__
#define KEEL_KATTR                          \
    extern "C" __attribute__((global,       \
    amdgpu_flat_work_group_size(KEEL_BLOCK, KEEL_BLOCK))) void
#define LOCAL_ARRAY(T, name, n) __attribute__((shared, aligned(16))) T name[n]
#define BARRIER() k_barrier()
#define GROUP_ID(d)                                     \
    ((u32)((d) == 0   ? __builtin_amdgcn_workgroup_id_x() \
           : (d) == 1 ? __builtin_amdgcn_workgroup_id_y() \
                      : __builtin_amdgcn_workgroup_id_z()))
#define NUM_GROUPS(d)                                                           \
    ((d) == 0 ? (u32)__builtin_amdgcn_grid_size_x() / (u32)KEEL_BLOCK           \
              : (u32)((d) == 1 ? __builtin_amdgcn_grid_size_y() : __builtin_amdgcn_grid_size_z()))
#define LOCAL_ID(d) ((d) == 0 ? (u32)__builtin_amdgcn_workitem_id_x() : 0u)

KDEV void k_barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Bits. */
KDEV u32 k_as_u32(f32 x)
{
    return __builtin_bit_cast(u32, x);
}
KDEV f32 k_as_f32(u32 x)
{
    return __builtin_bit_cast(f32, x);
}
#ifdef KEEL_FP64
KDEV u64 k_as_u64(f64 x)
{
    return __builtin_bit_cast(u64, x);
}
KDEV f64 k_as_f64(u64 x)
{
    return __builtin_bit_cast(f64, x);
}
#endif

/* f32: what the device does itself. fmax and fmin drop a NaN. */
KDEV f32 k_fma_f32(f32 a, f32 b, f32 c)
{
    return __builtin_fmaf(a, b, c);
}
/*
 * The instruction is off by an ULP at most, in older compilers also where the language promises
 * more: the neighbours are tried by their residuals. Small arguments are scaled, so that those of
 * normal range are exact.
 */
KDEV f32 k_sqrt_f32(f32 x)
{
    const i32 small = x < 0x1p-96f;
    const f32 s = small ? x * 0x1p+32f : x;
    const f32 y = __builtin_amdgcn_sqrtf(s);
    const f32 below = k_as_f32(k_as_u32(y) - 1u);
    const f32 above = k_as_f32(k_as_u32(y) + 1u);
    f32 r = __builtin_fmaf(-below, y, s) <= 0.0f ? below : y;
    r = __builtin_fmaf(-above, y, s) > 0.0f ? above : r;
    r = small ? r * 0x1p-16f : r;
    return x > 0.0f && x < __builtin_inff() ? r : y;
}
/* The instruction takes subnormals for 0. */
KDEV f32 k_rsqrt_fast_f32(f32 x)
{
    const i32 small = x < 0x1p-100f;
    return __builtin_amdgcn_rsqf(small ? x * 0x1p+64f : x) * (small ? 0x1p+32f : 1.0f);
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
    return __builtin_fmaxf(a, b);
}
KDEV f32 k_fmin_f32(f32 a, f32 b)
{
    return __builtin_fminf(a, b);
}
#define KEEL_HAVE_EXP2_FAST 1
KDEV f32 k_exp2_fast_f32(f32 x)
{
    return __builtin_exp2f(x);
}

/* f64: instructions; roots by refining the instruction, which knows about half of the digits. */
#ifdef KEEL_FP64
KDEV f64 k_fma_f64(f64 a, f64 b, f64 c)
{
    return __builtin_fma(a, b, c);
}
KDEV f64 k_abs_f64(f64 x)
{
    return __builtin_fabs(x);
}
/* y (1 + e)^-1/2 for e = x y^2 - 1, to the third order. */
KDEV f64 k_rsqrt_fast_f64(f64 x)
{
    const f64 y = __builtin_amdgcn_rsq(x);
    const f64 e = __builtin_fma(-x * y, y, 1.0);
    const f64 r = __builtin_fma(y * e, __builtin_fma(e, 0.375, 0.5), y);
    return x > 0.0 && x < __builtin_inf() ? r : y;
}
/*
 * Root g and half its inverse h together, then two corrections by the exact residual x - g^2.
 * Small arguments are scaled, so that the residual does not underflow.
 */
KDEV f64 k_sqrt_f64(f64 x)
{
    const i32 small = x < 0x1p-767;
    const f64 s = small ? x * 0x1p+256 : x;
    const f64 y = __builtin_amdgcn_rsq(s);
    const f64 g0 = s * y, h0 = 0.5 * y;
    const f64 e = __builtin_fma(-h0, g0, 0.5);
    const f64 g1 = __builtin_fma(g0, e, g0), h1 = __builtin_fma(h0, e, h0);
    const f64 g2 = __builtin_fma(__builtin_fma(-g1, g1, s), h1, g1);
    const f64 g3 = __builtin_fma(__builtin_fma(-g2, g2, s), h1, g2);
    const f64 r = small ? g3 * 0x1p-128 : g3;
    return x > 0.0 && x < __builtin_inf() ? r : x < 0.0 ? k_as_f64((u64)0xfff << 51) : x;
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
KDEV f64 k_fmax_f64(f64 a, f64 b)
{
    return __builtin_fmax(a, b);
}
KDEV f64 k_fmin_f64(f64 a, f64 b)
{
    return __builtin_fmin(a, b);
}
#endif

/* Conversions by instruction: the same as the dialect's own, but for the bits of a NaN. */
#define KEEL_HAVE_F16 1
KDEV f32 k_f16_to_f32(u16 h)
{
    return (f32)__builtin_bit_cast(_Float16, h);
}
KDEV u16 k_f32_to_f16(f32 f)
{
    return __builtin_bit_cast(u16, (_Float16)f);
}

/* Waves: items past the last one are not there, and need no mention. */
#define KEEL_HAVE_WAVE 1
KDEV u32 k_wave_xor_u32(u32 x, u32 mask, u32 items)
{
    (void)items;
    const u32 from = (u32)__builtin_amdgcn_workitem_id_x() ^ mask;
    return (u32)__builtin_amdgcn_ds_bpermute((i32)(from << 2), (i32)x);
}
KDEV void k_wave_sync(u32 items)
{
    (void)items;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/*
 * Matrix units: see ops/dialect/tile.h. Those of gfx90a are not used, since they take subnormal
 * operands for 0: of f16, that is everything below 6.1e-5.
 */
#if defined(__gfx942__) || defined(__gfx950__)
#define KEEL_TILE KEEL_TILE_AMD
typedef f32 k_f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 k_f16x4 __attribute__((ext_vector_type(4)));
typedef i16 k_i16x4 __attribute__((ext_vector_type(4)));
KDEV void k_mfma_16x16x16_f16(f32 *c, const u32 *a, const u32 *b)
{
    const u64 x = (u64)a[1] << 32 | a[0], y = (u64)b[1] << 32 | b[0];
    k_f32x4 sum = {c[0], c[1], c[2], c[3]};
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_bit_cast(k_f16x4, x),
                                                __builtin_bit_cast(k_f16x4, y), sum, 0, 0, 0);
    c[0] = sum.x, c[1] = sum.y, c[2] = sum.z, c[3] = sum.w;
}
KDEV void k_mfma_16x16x16_bf16(f32 *c, const u32 *a, const u32 *b)
{
    const u64 x = (u64)a[1] << 32 | a[0], y = (u64)b[1] << 32 | b[0];
    k_f32x4 sum = {c[0], c[1], c[2], c[3]};
    sum = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(__builtin_bit_cast(k_i16x4, x),
                                                    __builtin_bit_cast(k_i16x4, y), sum, 0, 0, 0);
    c[0] = sum.x, c[1] = sum.y, c[2] = sum.z, c[3] = sum.w;
}
#endif
