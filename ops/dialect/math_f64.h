/*
 * f64 functions, by the same methods as those of f32 and the same on every vendor: no device
 * library is needed. docs/kernel-language.md lists their errors. Polynomials are minimax fits made
 * for Keel.
 */

#ifdef KEEL_FP64
#define K_MAGIC_F64 0x1.8p+52 /* added to |x| < 2^51: x as an integer in the low bits */
#define K_LOG2E_F64 0x1.71547652b82fep+0
#define K_LN2_HI_F64 0x1.62e42fefa38p-1 /* 42 bits: its product with an exponent is exact */
#define K_LN2_LO_F64 0x1.ef35793c7673p-45
#define K_MAGIC_BITS_F64 ((u64)0x43380000 << 32)

/* 2^n for n in -1022..1023. */
KDEV f64 k_power_of_two_f64(i32 n)
{
    return k_as_f64((u64)(u32)(n + 1023) << 52);
}

/* x * 2^n for n in -2044..2046, rounded once where the result is subnormal. */
KDEV f64 k_scale_f64(f64 x, i32 n)
{
    const i32 h = n >> 1;
    return x * k_power_of_two_f64(h) * k_power_of_two_f64(n - h);
}

/* As k_rsqrt_f32. */
KDEV f64 k_rsqrt_f64(f64 x)
{
    const f64 y = k_rsqrt_fast_f64(x);
    const f64 h = x * y;
    const f64 residual = k_fma_f64(-h, y, 1.0) - k_fma_f64(x, y, -h) * y;
    return x > 0.0 && x < K_INF_F64 ? k_fma_f64(0.5 * y, residual, y) : y;
}

/* e^r - 1 for |r| <= 0.35. P fits (e^r - 1 - r) / r^2. */
KDEV f64 k_expm1_core_f64(f64 r)
{
    f64 p = k_fma_f64(0x1.1f2b56fbc05bbp-29, r, 0x1.af520b2305d2ap-26);
    p = k_fma_f64(p, r, 0x1.27e5068600129p-22);
    p = k_fma_f64(p, r, 0x1.71de003bf3782p-19);
    p = k_fma_f64(p, r, 0x1.a01a0194f2396p-16);
    p = k_fma_f64(p, r, 0x1.a01a01ac82309p-13);
    p = k_fma_f64(p, r, 0x1.6c16c16c191b4p-10);
    p = k_fma_f64(p, r, 0x1.111111110ffdp-7);
    p = k_fma_f64(p, r, 0x1.5555555555551p-5);
    p = k_fma_f64(p, r, 0x1.5555555555557p-3);
    p = k_fma_f64(p, r, 0.5);
    return k_fma_f64(r * r, p, r);
}

/* e^x = 2^n e^r with r = x - n ln 2 in two steps. */
KDEV f64 k_exp_f64(f64 x)
{
    const f64 c = k_clamp_f64(x, -746.0, 710.0);
    const f64 t = k_fma_f64(c, K_LOG2E_F64, K_MAGIC_F64);
    const f64 n = t - K_MAGIC_F64;
    const f64 r = k_fma_f64(-n, K_LN2_LO_F64, k_fma_f64(-n, K_LN2_HI_F64, c));
    const i32 k = (i32)(u32)(k_as_u64(t) - K_MAGIC_BITS_F64);
    return k_scale_f64(1.0 + k_expm1_core_f64(r), k);
}

/* As k_expm1_f32. */
KDEV f64 k_expm1_f64(f64 x)
{
    const f64 c = k_clamp_f64(x, -40.0, 710.0);
    const f64 t = k_fma_f64(c, K_LOG2E_F64, K_MAGIC_F64);
    const f64 n = t - K_MAGIC_F64;
    const f64 r = k_fma_f64(-n, K_LN2_LO_F64, k_fma_f64(-n, K_LN2_HI_F64, c));
    const i32 k = (i32)(u32)(k_as_u64(t) - K_MAGIC_BITS_F64);
    const f64 s = k_power_of_two_f64(k - 1);
    const f64 p = k_expm1_core_f64(r);
    const f64 y = n == 0.0 ? p : 2.0 * k_fma_f64(s, p, s - 0.5);
    const f64 a = k_abs_f64(x);
    return a < 0x1p-54 || x != x ? x : y;
}

/*
 * log(2^e (1 + f)) for sqrt(1/2) <= 1 + f <= sqrt(2), by s = f / (2 + f): log(1 + f) is f less
 * f^2 / 2 - s (f^2 / 2 + R), where R = s^2 P(s^2) fits 2 atanh(s) / s - 2.
 */
KDEV f64 k_log_core_f64(f64 f, f64 e)
{
    const f64 s = f / (2.0 + f);
    const f64 z = s * s;
    f64 p = k_fma_f64(0x1.2b5b8533b7489p-3, z, 0x1.39fe212aea87bp-3);
    p = k_fma_f64(p, z, 0x1.7462b661a6659p-3);
    p = k_fma_f64(p, z, 0x1.c71c62e0b72cbp-3);
    p = k_fma_f64(p, z, 0x1.2492492df3035p-2);
    p = k_fma_f64(p, z, 0x1.9999999995303p-2);
    p = k_fma_f64(p, z, 0x1.5555555555558p-1);
    const f64 half_square = 0.5 * f * f;
    const f64 low = k_fma_f64(s, k_fma_f64(z, p, half_square), e * K_LN2_LO_F64);
    return k_fma_f64(e, K_LN2_HI_F64, f - (half_square - low));
}

/* Bits of sqrt(1/2): from it on, a mantissa belongs to the exponent above. */
#define K_ROOT_HALF_BITS_F64 (((u64)0x3fe6a09e << 32) + 0x667f3bcdu)

KDEV f64 k_log_f64(f64 x)
{
    const i32 tiny = x < 0x1p-1022;
    const u64 bits = k_as_u64(tiny ? x * 0x1p+54 : x);
    const i32 e = (i32)((i64)(bits - K_ROOT_HALF_BITS_F64) >> 52);
    const f64 m = k_as_f64(bits - ((u64)(u32)e << 52));
    const f64 y = k_log_core_f64(m - 1.0, (f64)(tiny ? e - 54 : e));
    const f64 special = x == 0.0 ? -K_INF_F64 : K_NAN_F64;
    return x == K_INF_F64 || x != x ? x : x > 0.0 ? y : special;
}

/* As k_log1p_f32. */
KDEV f64 k_log1p_f64(f64 x)
{
    const f64 u = 1.0 + x;
    const u64 bits = k_as_u64(u);
    const i32 e = (i32)((i64)(bits - K_ROOT_HALF_BITS_F64) >> 52);
    const f64 m = k_as_f64(bits - ((u64)(u32)e << 52));
    const f64 s = k_power_of_two_f64(-e);
    const f64 f = e > 120 ? m - 1.0 : k_fma_f64(s, x, s - 1.0);
    const f64 y = k_log_core_f64(f, (f64)e);
    const f64 special = u == 0.0 ? -K_INF_F64 : K_NAN_F64;
    const f64 a = k_abs_f64(x);
    return a < 0x1p-54 || x == K_INF_F64 || x != x ? x : u > 0.0 ? y : special;
}

/*
 * As k_pow_core_f32, with one more term of the logarithm as a sum of two: 2 atanh(s) is 2 s +
 * 2/3 s^3 + s^5 P(s^2).
 */
KDEV f64 k_pow_core_f64(f64 x, f64 y)
{
    const i32 tiny = x < 0x1p-1022;
    const u64 bits = k_as_u64(tiny ? x * 0x1p+54 : x);
    const i32 i = (i32)((i64)(bits - K_ROOT_HALF_BITS_F64) >> 52);
    const f64 e = (f64)(tiny ? i - 54 : i);
    const f64 f = k_as_f64(bits - ((u64)(u32)i << 52)) - 1.0;

    const f64 d = 2.0 + f;
    const f64 d_low = f - (d - 2.0);
    const f64 s = f / d;
    const f64 s_low = (k_fma_f64(-s, d, f) - s * d_low) / d;
    const f64 z = s * s;
    const f64 z_low = k_fma_f64(s, s, -z) + 2.0 * s * s_low;
    const f64 cube = s * z;
    const f64 cube_low = k_fma_f64(s, z, -cube) + k_fma_f64(s, z_low, s_low * z);
    const f64 third = cube * 0x1.5555555555555p-1;
    const f64 third_low = k_fma_f64(cube, 0x1.5555555555555p-1, -third) +
                          k_fma_f64(cube_low, 0x1.5555555555555p-1, cube * 0x1.5555555555555p-55);
    f64 p = k_fma_f64(0x1.08830ef679738p-3, z, 0x1.1017b756e2cdcp-3);
    p = k_fma_f64(p, z, 0x1.3b18c19bb0869p-3);
    p = k_fma_f64(p, z, 0x1.745d09cb276a4p-3);
    p = k_fma_f64(p, z, 0x1.c71c71d835427p-3);
    p = k_fma_f64(p, z, 0x1.249249248e312p-2);
    p = k_fma_f64(p, z, 0x1.999999999999fp-2);

    /* log = a + b: e ln 2 + 2 s + third with what the sums lose, then the small terms. */
    const f64 big = e * K_LN2_HI_F64;
    const f64 sum = big + 2.0 * s;
    const f64 part = sum - big;
    const f64 lost = (big - (sum - part)) + (2.0 * s - part);
    const f64 total = sum + third;
    const f64 lost_too = third - (total - sum);
    const f64 tail = k_fma_f64(z * cube, p, 2.0 * s_low + third_low);
    const f64 low = (lost + lost_too) + k_fma_f64(e, K_LN2_LO_F64, tail);
    const f64 a = total + low;
    const f64 b = low - (a - total);

    const f64 product = y * a;
    const i32 inside = k_abs_f64(product) < 1400.0;
    const f64 q = inside ? product : k_clamp_f64(product, -1400.0, 1400.0);
    const f64 q_low = inside ? k_fma_f64(y, b, k_fma_f64(y, a, -product)) : 0.0;
    const f64 t = k_fma_f64(q, K_LOG2E_F64, K_MAGIC_F64);
    const f64 n = t - K_MAGIC_F64;
    const f64 r = k_fma_f64(-n, K_LN2_HI_F64, q) + k_fma_f64(-n, K_LN2_LO_F64, q_low);
    const i32 k = (i32)(u32)(k_as_u64(t) - K_MAGIC_BITS_F64);
    return k_scale_f64(1.0 + k_expm1_core_f64(r), k);
}

/* As k_pow_f32. */
KDEV f64 k_pow_f64(f64 x, f64 y)
{
    const f64 a = k_abs_f64(x);
    const f64 b = k_abs_f64(y);
    const f64 t = b < 0x1p+52 ? b + 0x1p+52 : b;
    const i32 whole = b >= 0x1p+52 || t - 0x1p+52 == b;
    const i32 odd = whole && b < 0x1p+53 && (k_as_u64(t) & 1u) != 0u;
    f64 r = k_pow_core_f64(a, y);
    r = a == 0.0 ? (y < 0.0 ? K_INF_F64 : 0.0) : r;
    r = a == K_INF_F64 ? (y < 0.0 ? 0.0 : K_INF_F64) : r;
    r = a == 1.0 ? 1.0 : r;
    r = odd ? k_copysign_f64(r, x) : r;
    r = x < 0.0 && a != K_INF_F64 && !whole ? K_NAN_F64 : r;
    r = x != x || y != y ? K_NAN_F64 : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}

/* With t = e^2x - 1: small x: t / (t + 2). Else 1 - 2 / (t + 2). */
KDEV f64 k_tanh_f64(f64 x)
{
    const f64 a = k_abs_f64(x);
    const f64 t = k_expm1_f64(2.0 * (a > 22.0 ? 22.0 : a));
    const f64 small = t / (t + 2.0);
    const f64 large = 1.0 - 2.0 / (t + 2.0);
    const f64 y = a < 0x1p-28 ? a : a < 0.6 ? small : large;
    return x != x ? x : k_copysign_f64(y, x);
}

/* Small x: x + x P(x^2), P fits erf(x) / x - 1. Else 1 - e^Q(x - 0.92), Q fits log(erfc(x)). */
KDEV f64 k_erf_f64(f64 x)
{
    const f64 a = k_abs_f64(x);
    const f64 z = a * a;
    f64 p = k_fma_f64(-0x1.c6f0ea18018bap-31, z, 0x1.df42fe97f21b8p-27);
    p = k_fma_f64(p, z, -0x1.5d146db69b63fp-23);
    p = k_fma_f64(p, z, 0x1.b9a6f7084e3bap-20);
    p = k_fma_f64(p, z, -0x1.f4cdd18fd454ep-17);
    p = k_fma_f64(p, z, 0x1.f9a2ee3c7e48dp-14);
    p = k_fma_f64(p, z, -0x1.c02db21dff624p-11);
    p = k_fma_f64(p, z, 0x1.565bcd03d4668p-8);
    p = k_fma_f64(p, z, -0x1.b82ce3123e5e1p-6);
    p = k_fma_f64(p, z, 0x1.ce2f21a04197ap-4);
    p = k_fma_f64(p, z, -0x1.812746b0379c5p-2);
    p = k_fma_f64(p, z, 0x1.06eba8214db68p-3);
    const f64 small = k_fma_f64(a, p, a);
    const f64 c = (a > 5.98 ? 5.98 : a) - 0.92;
    f64 q = k_fma_f64(-0x1.c33cc607b4d37p-38, c, 0x1.62b5b75d95e13p-33);
    q = k_fma_f64(q, c, -0x1.f9e082f9b5fe6p-30);
    q = k_fma_f64(q, c, 0x1.ab4d49da36487p-27);
    q = k_fma_f64(q, c, -0x1.c7a98b316d12cp-25);
    q = k_fma_f64(q, c, 0x1.0b9736c499544p-23);
    q = k_fma_f64(q, c, 0x1.416e41d462f28p-24);
    q = k_fma_f64(q, c, -0x1.26a6cae10b7aep-19);
    q = k_fma_f64(q, c, 0x1.7c856479fc4ebp-17);
    q = k_fma_f64(q, c, -0x1.232057f88bd76p-15);
    q = k_fma_f64(q, c, 0x1.81f4cfa51e3a8p-15);
    q = k_fma_f64(q, c, 0x1.c7ba62018e99bp-13);
    q = k_fma_f64(q, c, -0x1.119b67a284fb5p-9);
    q = k_fma_f64(q, c, 0x1.63710ca4a3c88p-7);
    q = k_fma_f64(q, c, -0x1.6fd4009af188cp-5);
    q = k_fma_f64(q, c, -0x1.aa5c81d23b70fp-1);
    q = k_fma_f64(q, c, -0x1.40a0364c268cdp+1);
    q = k_fma_f64(q, c, -0x1.a4d428dadc7f1p+0);
    const f64 large = 1.0 - k_exp_f64(q);
    return k_copysign_f64(a < 0.92 ? small : large, x);
}

KDEV f64 k_sigmoid_f64(f64 x)
{
    const f64 e = k_exp_f64(-k_abs_f64(x));
    const f64 s = 1.0 / (1.0 + e);
    return x < 0.0 ? e * s : s;
}

/* As k_silu_f32. */
KDEV f64 k_silu_f64(f64 x)
{
    const i32 deep = x < -600.0;
    const f64 c = x < -1000.0 ? -1000.0 : x;
    const f64 e = k_exp_f64(deep ? c + 600.0 : -k_abs_f64(x));
    const f64 s = 1.0 / (1.0 + e);
    return deep ? c * e * 0x1.4dd4d0d12c071p-866 : c * (x < 0.0 ? e * s : s);
}

KDEV f64 k_gelu_f64(f64 x)
{
    const f64 h = 0.5 * (x < -60.0 ? -60.0 : x);
    return h * (1.0 + k_erf_f64(x * 0x1.6a09e667f3bcdp-1));
}

KDEV f64 k_gelu_tanh_f64(f64 x)
{
    const f64 c = k_clamp_f64(x, -60.0, 60.0);
    const f64 u = c * k_fma_f64(c * c, 0x1.2444f2a4d8b4bp-4, 0x1.9884533d43651p+0);
    return (x < -60.0 ? -60.0 : x) * k_sigmoid_f64(u);
}
#endif
