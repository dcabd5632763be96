/*
 * f32 functions that are the same on every vendor, without branches or tables, so that loops over
 * them vectorise. docs/kernel-language.md lists their errors. Polynomials are least-squares and
 * minimax fits made for Keel; "P fits g" names the function that P stands for.
 */

#define K_MAGIC_F32 0x1.8p+23f /* added to |x| < 2^22: x as an integer in the low bits */
#define K_LOG2E_F32 0x1.715476p+0f
#define K_LN2_HI_F32 0x1.62e400p-1f /* 16 bits: its product with an exponent is exact */
#define K_LN2_LO_F32 0x1.7f7d1cp-20f

/* x * 2^n for n in -252..254, rounded once where the result is subnormal. */
KDEV f32 k_scale_f32(f32 x, i32 n)
{
    const i32 h = n >> 1;
    return x * k_as_f32((u32)(h + 127) << 23) * k_as_f32((u32)(n - h + 127) << 23);
}

/* 1 / sqrt(x): the device's own, corrected by the residual 1 - x y^2 to within 0.6 ULP. */
KDEV f32 k_rsqrt_f32(f32 x)
{
    const f32 y = k_rsqrt_fast_f32(x);
    const f32 h = x * y;
    const f32 residual = k_fma_f32(-h, y, 1.0f) - k_fma_f32(x, y, -h) * y;
    return x > 0.0f && x < K_INF_F32 ? k_fma_f32(0.5f * y, residual, y) : y;
}

/* e^r - 1 for |r| <= 0.35. P fits (e^r - 1 - r) / r^2. */
KDEV f32 k_expm1_core_f32(f32 r)
{
    f32 p = k_fma_f32(0x1.6cd7d2p-10f, r, 0x1.122c50p-7f);
    p = k_fma_f32(p, r, 0x1.555538p-5f);
    p = k_fma_f32(p, r, 0x1.5554aap-3f);
    p = k_fma_f32(p, r, 0.5f);
    return k_fma_f32(r * r, p, r);
}

/* e^x = 2^n e^r with r = x - n ln 2 in two steps. */
KDEV f32 k_exp_f32(f32 x)
{
    const f32 c = k_clamp_f32(x, -104.0f, 89.0f);
    const f32 t = k_fma_f32(c, K_LOG2E_F32, K_MAGIC_F32);
    const f32 n = t - K_MAGIC_F32;
    const f32 r = k_fma_f32(-n, K_LN2_LO_F32, k_fma_f32(-n, K_LN2_HI_F32, c));
    const i32 k = (i32)(k_as_u32(t) - 0x4b400000u);
    return k_scale_f32(1.0f + k_expm1_core_f32(r), k);
}

/* e^x - 1 = 2^n (e^r - 1) + (2^n - 1), halved so that 2^128 is not needed. */
KDEV f32 k_expm1_f32(f32 x)
{
    const f32 c = k_clamp_f32(x, -20.0f, 89.0f);
    const f32 t = k_fma_f32(c, K_LOG2E_F32, K_MAGIC_F32);
    const f32 n = t - K_MAGIC_F32;
    const f32 r = k_fma_f32(-n, K_LN2_LO_F32, k_fma_f32(-n, K_LN2_HI_F32, c));
    const u32 k = k_as_u32(t) - 0x4b400000u;
    const f32 s = k_as_f32((k + 126u) << 23);
    const f32 p = k_expm1_core_f32(r);
    const f32 y = n == 0.0f ? p : 2.0f * k_fma_f32(s, p, s - 0.5f);
    const f32 a = k_abs_f32(x);
    return a < 0x1p-25f || x != x ? x : y;
}

/* log(2^e (1 + f)) for 2/3 <= 1 + f < 4/3. P fits (log(1 + f) - f + f^2 / 2) / f^3. */
KDEV f32 k_log_core_f32(f32 f, f32 e)
{
    f32 p = k_fma_f32(0x1.e25990p-4f, f, -0x1.0733f8p-3f);
    p = k_fma_f32(p, f, 0x1.baedf4p-4f);
    p = k_fma_f32(p, f, -0x1.f37848p-4f);
    p = k_fma_f32(p, f, 0x1.24d99ap-3f);
    p = k_fma_f32(p, f, -0x1.5599c0p-3f);
    p = k_fma_f32(p, f, 0x1.99985cp-3f);
    p = k_fma_f32(p, f, -0x1.ffff0ap-3f);
    p = k_fma_f32(p, f, 0x1.555556p-2f);
    p = k_fma_f32(p, f, -0.5f);
    const f32 low = k_fma_f32(f * f, p, k_fma_f32(e, K_LN2_LO_F32, f));
    return k_fma_f32(e, K_LN2_HI_F32, low);
}

KDEV f32 k_log_f32(f32 x)
{
    const i32 tiny = x < 0x1p-126f;
    const u32 bits = k_as_u32(tiny ? x * 0x1p+23f : x);
    const i32 e = (i32)(bits - 0x3f2aaaabu) >> 23;
    const f32 m = k_as_f32(bits - ((u32)e << 23));
    const f32 y = k_log_core_f32(m - 1.0f, (f32)(tiny ? e - 23 : e));
    const f32 special = x == 0.0f ? -K_INF_F32 : K_NAN_F32;
    return x == K_INF_F32 || x != x ? x : x > 0.0f ? y : special;
}

/* As k_log_f32(1 + x), with what the sum rounds off put back: 2^-e (1 + x) - 1. */
KDEV f32 k_log1p_f32(f32 x)
{
    const f32 u = 1.0f + x;
    const u32 bits = k_as_u32(u);
    const i32 e = (i32)(bits - 0x3f2aaaabu) >> 23;
    const f32 m = k_as_f32(bits - ((u32)e << 23));
    const f32 s = k_as_f32((u32)(127 - e) << 23);
    const f32 f = e > 60 ? m - 1.0f : k_fma_f32(s, x, s - 1.0f);
    const f32 y = k_log_core_f32(f, (f32)e);
    const f32 special = u == 0.0f ? -K_INF_F32 : K_NAN_F32;
    const f32 a = k_abs_f32(x);
    return a < 0x1p-25f || x == K_INF_F32 || x != x ? x : u > 0.0f ? y : special;
}

/*
 * |x|^y = e^(y log|x|), the logarithm as a sum of two f32: log(2^e m) with m near 1 is e ln 2 +
 * 2 atanh(s), s = (m - 1) / (m + 1). P fits (2 atanh(s) - 2 s) / s^3 in s^2. Zeros, infinities and
 * NaN are left to k_pow_f32.
 */
KDEV f32 k_pow_core_f32(f32 x, f32 y)
{
    const i32 tiny = x < 0x1p-126f;
    const u32 bits = k_as_u32(tiny ? x * 0x1p+23f : x);
    const i32 i = (i32)(bits - 0x3f3504f3u) >> 23;
    const f32 e = (f32)(tiny ? i - 23 : i);
    const f32 f = k_as_f32(bits - ((u32)i << 23)) - 1.0f;

    const f32 d = 2.0f + f;
    const f32 d_low = f - (d - 2.0f);
    const f32 s = f / d;
    const f32 s_low = (k_fma_f32(-s, d, f) - s * d_low) / d;
    const f32 z = s * s;
    f32 p = k_fma_f32(0x1.aafb7cp-3f, z, 0x1.257e64p-2f);
    p = k_fma_f32(p, z, 0x1.9996aap-2f);
    p = k_fma_f32(p, z, 0x1.555556p-1f);

    /* log = a + b: e ln 2 + 2 s exactly, then the small terms. */
    const f32 big = e * K_LN2_HI_F32;
    const f32 sum = big + 2.0f * s;
    const f32 part = sum - big;
    const f32 lost = (big - (sum - part)) + (2.0f * s - part);
    const f32 low = lost + k_fma_f32(e, K_LN2_LO_F32, k_fma_f32(z * s, p, 2.0f * s_low));
    const f32 a = sum + low;
    const f32 b = low - (a - sum);

    const f32 product = y * a;
    const i32 inside = k_abs_f32(product) < 160.0f;
    const f32 q = inside ? product : k_clamp_f32(product, -160.0f, 160.0f);
    const f32 q_low = inside ? k_fma_f32(y, b, k_fma_f32(y, a, -product)) : 0.0f;
    const f32 t = k_fma_f32(q, K_LOG2E_F32, K_MAGIC_F32);
    const f32 n = t - K_MAGIC_F32;
    const f32 r = k_fma_f32(-n, K_LN2_HI_F32, q) + k_fma_f32(-n, K_LN2_LO_F32, q_low);
    const i32 k = (i32)(k_as_u32(t) - 0x4b400000u);
    return k_scale_f32(1.0f + k_expm1_core_f32(r), k);
}

/* Special values as in C's pow (annex F). */
KDEV f32 k_pow_f32(f32 x, f32 y)
{
    const f32 a = k_abs_f32(x);
    /* From 2^23 on the lowest bit of an f32 counts ones; smaller values are moved there. */
    const f32 b = k_abs_f32(y);
    const f32 t = b < 0x1p+23f ? b + 0x1p+23f : b;
    const i32 whole = b >= 0x1p+23f || t - 0x1p+23f == b;
    const i32 odd = whole && b < 0x1p+24f && (k_as_u32(t) & 1u) != 0u;
    f32 r = k_pow_core_f32(a, y);
    r = a == 0.0f ? (y < 0.0f ? K_INF_F32 : 0.0f) : r;
    r = a == K_INF_F32 ? (y < 0.0f ? 0.0f : K_INF_F32) : r;
    r = a == 1.0f ? 1.0f : r;
    r = odd ? k_copysign_f32(r, x) : r;
    r = x < 0.0f && a != K_INF_F32 && !whole ? K_NAN_F32 : r;
    r = x != x || y != y ? K_NAN_F32 : r;
    return y == 0.0f || x == 1.0f ? 1.0f : r;
}

/* Small x: x + x^3 P(x^2), P fits (tanh(x) - x) / x^3. Else 1 - 2 / (e^2x + 1). */
KDEV f32 k_tanh_f32(f32 x)
{
    const f32 a = k_abs_f32(x);
    const f32 z = a * a;
    f32 p = k_fma_f32(0x1.1e4d42p-9f, z, -0x1.0d6024p-7f);
    p = k_fma_f32(p, z, 0x1.63d1b2p-6f);
    p = k_fma_f32(p, z, -0x1.b9f4b6p-5f);
    p = k_fma_f32(p, z, 0x1.111084p-3f);
    p = k_fma_f32(p, z, -0x1.555554p-2f);
    const f32 small = k_fma_f32(a * z, p, a);
    const f32 large = 1.0f - 2.0f / (k_exp_f32(2.0f * a) + 1.0f);
    return k_copysign_f32(a < 0.6f ? small : large, x);
}

/* Small x: x + x P(x^2), P fits erf(x) / x - 1. Else 1 - e^Q(x), Q fits log(erfc(x)). */
KDEV f32 k_erf_f32(f32 x)
{
    const f32 a = k_abs_f32(x);
    const f32 z = a * a;
    f32 p = k_fma_f32(0x1.4ddcb2p-14f, z, -0x1.a5a3cep-11f);
    p = k_fma_f32(p, z, 0x1.5440d8p-8f);
    p = k_fma_f32(p, z, -0x1.b8006ep-6f);
    p = k_fma_f32(p, z, 0x1.ce2d60p-4f);
    p = k_fma_f32(p, z, -0x1.812740p-2f);
    p = k_fma_f32(p, z, 0x1.06eba8p-3f);
    const f32 small = k_fma_f32(a, p, a);
    const f32 c = a > 3.93f ? 3.93f : a;
    f32 q = k_fma_f32(0x1.a25f32p-13f, c, -0x1.9350c2p-9f);
    q = k_fma_f32(q, c, 0x1.6e4f68p-6f);
    q = k_fma_f32(q, c, -0x1.aac8b4p-4f);
    q = k_fma_f32(q, c, -0x1.461676p-1f);
    q = k_fma_f32(q, c, -0x1.20ba6ap+0f);
    q = k_fma_f32(q, c, -0x1.46e42ap-13f);
    const f32 large = 1.0f - k_exp_f32(q);
    return k_copysign_f32(a < 0.92f ? small : large, x);
}

/* 1 / (1 + e^-x), by e^-|x| so that nothing overflows and small results keep their precision. */
KDEV f32 k_sigmoid_f32(f32 x)
{
    const f32 e = k_exp_f32(-k_abs_f32(x));
    const f32 s = 1.0f / (1.0f + e);
    return x < 0.0f ? e * s : s;
}

/*
 * x sigmoid(x). Where the sigmoid is subnormal the product need not be: below -60 it is x e^(x + 60)
 * times e^-60. The clamp makes -infinity give -0, the limit.
 */
KDEV f32 k_silu_f32(f32 x)
{
    const i32 deep = x < -60.0f;
    const f32 c = x < -200.0f ? -200.0f : x;
    const f32 e = k_exp_f32(deep ? c + 60.0f : -k_abs_f32(x));
    const f32 s = 1.0f / (1.0f + e);
    return deep ? c * e * 0x1.5ae192p-87f : c * (x < 0.0f ? e * s : s);
}

/* x (1 + erf(x / sqrt 2)) / 2; the clamp as in k_silu_f32. */
KDEV f32 k_gelu_f32(f32 x)
{
    const f32 h = 0.5f * (x < -30.0f ? -30.0f : x);
    return h * (1.0f + k_erf_f32(x * 0x1.6a09e6p-1f));
}

/* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 = x sigmoid of twice that argument. */
KDEV f32 k_gelu_tanh_f32(f32 x)
{
    const f32 c = k_clamp_f32(x, -30.0f, 30.0f);
    const f32 u = c * k_fma_f32(c * c, 0x1.2444f2p-4f, 0x1.988454p+0f);
    return (x < -30.0f ? -30.0f : x) * k_sigmoid_f32(u);
}

/* 2^x to about 2 ULP where the device has nothing faster; for use inside softmax and attention. */
#ifndef KEEL_HAVE_EXP2_FAST
KDEV f32 k_exp2_fast_f32(f32 x)
{
    const f32 c = k_clamp_f32(x, -150.0f, 128.0f);
    const f32 t = c + K_MAGIC_F32;
    const f32 r = (c - (t - K_MAGIC_F32)) * 0x1.62e430p-1f;
    const i32 k = (i32)(k_as_u32(t) - 0x4b400000u);
    return k_scale_f32(1.0f + k_expm1_core_f32(r), k);
}
#endif
