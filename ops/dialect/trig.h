/*
 * Sine and cosine, by methods that are the same on every vendor; docs/kernel-language.md lists their
 * errors. x = n pi / 2 + r: for |x| up to K_TRIG_NEAR n pi / 2 is taken away in three steps, without
 * branches; beyond, x is multiplied by the bits of 2 / pi that matter for it, so that no x is too
 * large. Polynomials are minimax fits made for Keel.
 */

#define K_TRIG_NEAR 131072 /* k_sin_near and k_cos_near hold up to here */

/* Word number i of the bits of 2 / pi after the point, behind two words of 0. */
KDEV u32 k_two_by_pi_word(u32 i)
{
    switch (i) {
    case 2: return 0xa2f9836eu;
    case 3: return 0x4e441529u;
    case 4: return 0xfc2757d1u;
    case 5: return 0xf534ddc0u;
    case 6: return 0xdb629599u;
    case 7: return 0x3c439041u;
    case 8: return 0xfe5163abu;
    case 9: return 0xdebbc561u;
    case 10: return 0xb7246e3au;
    case 11: return 0x424dd2e0u;
    case 12: return 0x06492eeau;
    case 13: return 0x09d1921cu;
    case 14: return 0xfe1deb1cu;
    case 15: return 0xb129a73eu;
    case 16: return 0xe88235f5u;
    case 17: return 0x2ebb4484u;
    case 18: return 0xe99c7026u;
    case 19: return 0xb45f7e41u;
    case 20: return 0x3991d639u;
    case 21: return 0x835339f4u;
    case 22: return 0x9c845f8bu;
    case 23: return 0xbdf9283bu;
    case 24: return 0x1ff897ffu;
    case 25: return 0xde05980fu;
    case 26: return 0xef2f118bu;
    case 27: return 0x5a0a6d1fu;
    case 28: return 0x6d367ecfu;
    case 29: return 0x27cb09b7u;
    case 30: return 0x4f463f66u;
    case 31: return 0x9e5fea2du;
    case 32: return 0x7527bac7u;
    case 33: return 0xebe5f17bu;
    case 34: return 0x3d0739f7u;
    case 35: return 0x8a5292eau;
    case 36: return 0x6bfb5fb1u;
    case 37: return 0x1f8d5d08u;
    case 38: return 0x56033046u;
    default: return 0u;
    }
}

/* 64 bits of them from bit number first on. */
KDEV u64 k_two_by_pi(u32 first)
{
    const u32 i = first >> 5, shift = first & 31u;
    const u64 high = (u64)k_two_by_pi_word(i) << 32 | k_two_by_pi_word(i + 1u);
    return high << shift | (u64)k_two_by_pi_word(i + 2u) << shift >> 32;
}

/* ---- f32 ------------------------------------------------------------------------------------- */

#define K_TWO_BY_PI_F32 0x1.45f306p-1f
#define K_HALF_PI_1_F32 0x1.921fb6p+0f /* pi / 2 as a sum of three */
#define K_HALF_PI_2_F32 (-0x1.777a5cp-25f)
#define K_HALF_PI_3_F32 (-0x1.ee59dap-50f)

/*
 * The sine of r + low and quadrant quarter turns, |r| <= 0.81. P fits (sin(r) - r) / r^3 and
 * (cos(r) - 1 + r^2 / 2) / r^4 in r^2.
 */
KDEV f32 k_trig_core_f32(f32 r, f32 low, u32 quadrant)
{
    const f32 z = r * r;
    f32 p = k_fma_f32(-0x1.98d742p-13f, z, 0x1.1105fap-7f);
    p = k_fma_f32(p, z, -0x1.555542p-3f);
    const f32 sine = r + k_fma_f32(r * z, p, low);
    f32 q = k_fma_f32(0x1.998d66p-16f, z, -0x1.6c0aecp-10f);
    q = k_fma_f32(q, z, 0x1.555548p-5f);
    const f32 h = 0.5f * z;
    const f32 w = 1.0f - h;
    const f32 cosine = w + (((1.0f - w) - h) + k_fma_f32(z * z, q, -r * low));
    const f32 y = (quadrant & 1u) != 0u ? cosine : sine;
    return k_as_f32(k_as_u32(y) ^ (quadrant & 2u) << 30);
}

/*
 * The sine of a + ahead pi / 2 for 0 <= a <= K_TRIG_NEAR. a - n K_HALF_PI_1 is exact; what the other
 * two parts leave is a sum of r and a rest.
 */
KDEV f32 k_trig_near_f32(f32 a, u32 ahead)
{
    const f32 t = k_fma_f32(a, K_TWO_BY_PI_F32, K_MAGIC_F32);
    const f32 n = t - K_MAGIC_F32;
    const f32 first = k_fma_f32(-n, K_HALF_PI_1_F32, a);
    const f32 second = -n * K_HALF_PI_2_F32;
    const f32 sum = first + second;
    const f32 part = sum - first;
    const f32 lost = (first - (sum - part)) + (second - part);
    const f32 tail = k_fma_f32(-n, K_HALF_PI_2_F32, -second) - n * K_HALF_PI_3_F32;
    const f32 low = lost + tail;
    const f32 r = sum + low;
    return k_trig_core_f32(r, (sum - r) + low, k_as_u32(t) + ahead);
}

/*
 * The same beyond. a = m 2^s; f is 2 / pi 2^s modulo 4, in units of 2^-94, of which m f is wanted
 * modulo 2^96: its upper two bits are the quadrant.
 */
KDEV f32 k_trig_far_f32(f32 a, u32 ahead)
{
    const u32 bits = k_as_u32(a);
    const u32 first = (bits >> 23) - 150u + 62u;
    const u64 m = (bits & 0x007fffffu) | 0x00800000u;
    const u64 high = k_two_by_pi(first), low = k_two_by_pi(first + 64u);
    const u64 p2 = m * (low >> 32);
    const u64 p1 = m * (high & 0xffffffffu) + (p2 >> 32);
    const u64 p0 = m * (high >> 32) + (p1 >> 32);
    const u64 turns = p0 << 32 | (p1 & 0xffffffffu);
    const u64 n = (turns + ((u64)1 << 61)) >> 62;
    const i64 rest = (i64)(turns - (n << 62));
    const f32 t = (f32)rest;
    const f32 t_low = (f32)(rest - (i64)t);
    const f32 c = K_HALF_PI_1_F32 * 0x1p-62f, c_low = K_HALF_PI_2_F32 * 0x1p-62f;
    const f32 r = t * c;
    const f32 r_low = k_fma_f32(t, c, -r) + k_fma_f32(t, c_low, t_low * c);
    return a < K_INF_F32 ? k_trig_core_f32(r, r_low, (u32)n + ahead) : K_NAN_F32;
}

KDEV f32 k_sin_near_f32(f32 x)
{
    return k_as_f32(k_as_u32(k_trig_near_f32(k_abs_f32(x), 0u)) ^ (k_as_u32(x) & 0x80000000u));
}
KDEV f32 k_cos_near_f32(f32 x) { return k_trig_near_f32(k_abs_f32(x), 1u); }

/* All x; these branch. */
KDEV f32 k_sin_f32(f32 x)
{
    const f32 y = k_abs_f32(x) <= (f32)K_TRIG_NEAR ? k_trig_near_f32(k_abs_f32(x), 0u)
                                                   : k_trig_far_f32(k_abs_f32(x), 0u);
    return k_as_f32(k_as_u32(y) ^ (k_as_u32(x) & 0x80000000u));
}
KDEV f32 k_cos_f32(f32 x)
{
    return k_abs_f32(x) <= (f32)K_TRIG_NEAR ? k_trig_near_f32(k_abs_f32(x), 1u)
                                            : k_trig_far_f32(k_abs_f32(x), 1u);
}

/* ---- f64: as f32 ------------------------------------------------------------------------------ */

#ifdef KEEL_FP64
#define K_TWO_BY_PI_F64 0x1.45f306dc9c883p-1
#define K_HALF_PI_1_F64 0x1.921fb54442d18p+0
#define K_HALF_PI_2_F64 0x1.1a62633145c07p-54
#define K_HALF_PI_3_F64 (-0x1.f1976b7ed8fbcp-110)

KDEV f64 k_trig_core_f64(f64 r, f64 low, u32 quadrant)
{
    const f64 z = r * r;
    f64 p = k_fma_f64(0x1.5d56bcc40b626p-33, z, -0x1.ae5d96142e1e1p-26);
    p = k_fma_f64(p, z, 0x1.71de346e62094p-19);
    p = k_fma_f64(p, z, -0x1.a01a019ae1ac4p-13);
    p = k_fma_f64(p, z, 0x1.111111110ef1ep-7);
    p = k_fma_f64(p, z, -0x1.5555555555543p-3);
    const f64 sine = r + k_fma_f64(r * z, p, low);
    f64 q = k_fma_f64(-0x1.8f6492c16d76fp-37, z, 0x1.1ee95b3989604p-29);
    q = k_fma_f64(q, z, -0x1.27e4f732b2272p-22);
    q = k_fma_f64(q, z, 0x1.a01a019b84b4fp-16);
    q = k_fma_f64(q, z, -0x1.6c16c16c14556p-10);
    q = k_fma_f64(q, z, 0x1.5555555555546p-5);
    const f64 h = 0.5 * z;
    const f64 w = 1.0 - h;
    const f64 cosine = w + (((1.0 - w) - h) + k_fma_f64(z * z, q, -r * low));
    const f64 y = (quadrant & 1u) != 0u ? cosine : sine;
    return k_as_f64(k_as_u64(y) ^ (u64)(quadrant & 2u) << 62);
}

KDEV f64 k_trig_near_f64(f64 a, u32 ahead)
{
    const f64 t = k_fma_f64(a, K_TWO_BY_PI_F64, K_MAGIC_F64);
    const f64 n = t - K_MAGIC_F64;
    const f64 first = k_fma_f64(-n, K_HALF_PI_1_F64, a);
    const f64 second = -n * K_HALF_PI_2_F64;
    const f64 sum = first + second;
    const f64 part = sum - first;
    const f64 lost = (first - (sum - part)) + (second - part);
    const f64 tail = k_fma_f64(-n, K_HALF_PI_2_F64, -second) - n * K_HALF_PI_3_F64;
    const f64 low = lost + tail;
    const f64 r = sum + low;
    return k_trig_core_f64(r, (sum - r) + low, (u32)k_as_u64(t) + ahead);
}

/* The upper half of a product. */
KDEV u64 k_mul_high_u64(u64 a, u64 b)
{
    const u64 a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const u64 middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffffu)) >> 32);
}

/* f is in units of 2^-190; of m f the upper 128 of 192 bits are kept. */
KDEV f64 k_trig_far_f64(f64 a, u32 ahead)
{
    const u64 bits = k_as_u64(a);
    const u32 first = (u32)(bits >> 52) - 1075u + 62u;
    const u64 m = (bits & (((u64)1 << 52) - 1u)) | (u64)1 << 52;
    const u64 f1 = k_two_by_pi(first + 64u);
    const u64 carried = k_mul_high_u64(m, k_two_by_pi(first + 128u));
    u64 low = m * f1 + carried;
    u64 turns = m * k_two_by_pi(first) + k_mul_high_u64(m, f1) + (low < carried ? 1u : 0u);
    const u64 n = (turns + ((u64)1 << 61)) >> 62;
    turns -= n << 62;
    const u64 sign = turns & (u64)1 << 63;
    if (sign != 0) {
        low = (u64)0 - low;
        turns = ~turns + (low == 0 ? 1u : 0u);
    }
    i32 shift = 0;
    for (i32 step = 32; step > 0; step >>= 1) {
        if (turns < (u64)1 << (62 - step)) {
            turns = turns << step | low >> (64 - step);
            low <<= step;
            shift += step;
        }
    }
    const f64 scale = k_power_of_two_f64(-62 - shift);
    const f64 t = (f64)(i64)turns * scale;
    const f64 t_low = (f64)((i64)turns - (i64)(f64)(i64)turns) * scale;
    const f64 c = K_HALF_PI_1_F64, c_low = K_HALF_PI_2_F64;
    const f64 r = t * c;
    const f64 r_low = k_fma_f64(t, c, -r) + k_fma_f64(t, c_low, t_low * c);
    const f64 r_signed = k_as_f64(k_as_u64(r) | sign);
    const f64 r_low_signed = k_as_f64(k_as_u64(r_low) ^ sign);
    return a < K_INF_F64 ? k_trig_core_f64(r_signed, r_low_signed, (u32)n + ahead) : K_NAN_F64;
}

KDEV f64 k_sin_near_f64(f64 x)
{
    const u64 sign = k_as_u64(x) & (u64)1 << 63;
    return k_as_f64(k_as_u64(k_trig_near_f64(k_abs_f64(x), 0u)) ^ sign);
}
KDEV f64 k_cos_near_f64(f64 x) { return k_trig_near_f64(k_abs_f64(x), 1u); }

KDEV f64 k_sin_f64(f64 x)
{
    const f64 y = k_abs_f64(x) <= (f64)K_TRIG_NEAR ? k_trig_near_f64(k_abs_f64(x), 0u)
                                                   : k_trig_far_f64(k_abs_f64(x), 0u);
    return k_as_f64(k_as_u64(y) ^ (k_as_u64(x) & (u64)1 << 63));
}
KDEV f64 k_cos_f64(f64 x)
{
    return k_abs_f64(x) <= (f64)K_TRIG_NEAR ? k_trig_near_f64(k_abs_f64(x), 1u)
                                            : k_trig_far_f64(k_abs_f64(x), 1u);
}
#endif
