/*
 * Arithmetic of each arithmetic type, under one scheme of names: k_<function>_<type>, so that
 * F0(k_add)(x, y) is the sum in the type of operand 0. Integers wrap; nothing traps.
 */

/* ---- f32 ------------------------------------------------------------------------------------ */

#define K_INF_F32 k_as_f32(0x7f800000u)
#define K_NAN_F32 k_as_f32(0x7fc00000u)

KDEV f32 k_add_f32(f32 a, f32 b) { return a + b; }
KDEV f32 k_sub_f32(f32 a, f32 b) { return a - b; }
KDEV f32 k_mul_f32(f32 a, f32 b) { return a * b; }
KDEV f32 k_div_f32(f32 a, f32 b) { return a / b; }
KDEV f32 k_neg_f32(f32 a) { return k_as_f32(k_as_u32(a) ^ 0x80000000u); }

/* Maximum and minimum of IEEE 754-2019: a NaN wins, +0 is above -0. */
KDEV f32 k_max_f32(f32 a, f32 b)
{
    const f32 equal = k_as_f32(k_as_u32(a) & k_as_u32(b));
    const f32 larger = a > b ? a : b;
    return a != a || b != b ? a + b : a == b ? equal : larger;
}

KDEV f32 k_min_f32(f32 a, f32 b)
{
    const f32 equal = k_as_f32(k_as_u32(a) | k_as_u32(b));
    const f32 smaller = a < b ? a : b;
    return a != a || b != b ? a + b : a == b ? equal : smaller;
}

/* Clips to lo..hi and keeps a NaN. */
KDEV f32 k_clamp_f32(f32 x, f32 lo, f32 hi)
{
    const f32 y = x < lo ? lo : x;
    return y > hi ? hi : y;
}

/* Magnitude of a with the sign of b. */
KDEV f32 k_copysign_f32(f32 a, f32 b)
{
    return k_as_f32((k_as_u32(a) & 0x7fffffffu) | (k_as_u32(b) & 0x80000000u));
}

/* ---- f64 ------------------------------------------------------------------------------------ */

#ifdef KEEL_FP64
#define K_INF_F64 k_as_f64((u64)0x7ff << 52)
#define K_NAN_F64 k_as_f64((u64)0xfff << 51)

KDEV f64 k_add_f64(f64 a, f64 b) { return a + b; }
KDEV f64 k_sub_f64(f64 a, f64 b) { return a - b; }
KDEV f64 k_mul_f64(f64 a, f64 b) { return a * b; }
KDEV f64 k_div_f64(f64 a, f64 b) { return a / b; }
KDEV f64 k_neg_f64(f64 a) { return k_as_f64(k_as_u64(a) ^ ((u64)1 << 63)); }

KDEV f64 k_max_f64(f64 a, f64 b)
{
    const f64 equal = k_as_f64(k_as_u64(a) & k_as_u64(b));
    const f64 larger = a > b ? a : b;
    return a != a || b != b ? a + b : a == b ? equal : larger;
}

KDEV f64 k_min_f64(f64 a, f64 b)
{
    const f64 equal = k_as_f64(k_as_u64(a) | k_as_u64(b));
    const f64 smaller = a < b ? a : b;
    return a != a || b != b ? a + b : a == b ? equal : smaller;
}

KDEV f64 k_clamp_f64(f64 x, f64 lo, f64 hi)
{
    const f64 y = x < lo ? lo : x;
    return y > hi ? hi : y;
}

KDEV f64 k_copysign_f64(f64 a, f64 b)
{
    const u64 sign = (u64)1 << 63;
    return k_as_f64((k_as_u64(a) & ~sign) | (k_as_u64(b) & sign));
}
#endif

/* ---- integers: sums and products through the unsigned type, where wrapping is defined -------- */

KDEV u32 k_add_u32(u32 a, u32 b) { return a + b; }
KDEV u32 k_sub_u32(u32 a, u32 b) { return a - b; }
KDEV u32 k_mul_u32(u32 a, u32 b) { return a * b; }
KDEV u32 k_neg_u32(u32 a) { return 0u - a; }
KDEV u32 k_abs_u32(u32 a) { return a; }
KDEV u32 k_max_u32(u32 a, u32 b) { return a > b ? a : b; }
KDEV u32 k_min_u32(u32 a, u32 b) { return a < b ? a : b; }
KDEV u32 k_clamp_u32(u32 x, u32 lo, u32 hi) { return k_min_u32(k_max_u32(x, lo), hi); }

KDEV i32 k_add_i32(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }
KDEV i32 k_sub_i32(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }
KDEV i32 k_mul_i32(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }
KDEV i32 k_neg_i32(i32 a) { return (i32)(0u - (u32)a); }
KDEV i32 k_abs_i32(i32 a) { return a < 0 ? k_neg_i32(a) : a; }
KDEV i32 k_max_i32(i32 a, i32 b) { return a > b ? a : b; }
KDEV i32 k_min_i32(i32 a, i32 b) { return a < b ? a : b; }
KDEV i32 k_clamp_i32(i32 x, i32 lo, i32 hi) { return k_min_i32(k_max_i32(x, lo), hi); }

KDEV u64 k_add_u64(u64 a, u64 b) { return a + b; }
KDEV u64 k_sub_u64(u64 a, u64 b) { return a - b; }
KDEV u64 k_mul_u64(u64 a, u64 b) { return a * b; }
KDEV u64 k_neg_u64(u64 a) { return (u64)0 - a; }
KDEV u64 k_abs_u64(u64 a) { return a; }
KDEV u64 k_max_u64(u64 a, u64 b) { return a > b ? a : b; }
KDEV u64 k_min_u64(u64 a, u64 b) { return a < b ? a : b; }
KDEV u64 k_clamp_u64(u64 x, u64 lo, u64 hi) { return k_min_u64(k_max_u64(x, lo), hi); }

KDEV i64 k_add_i64(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }
KDEV i64 k_sub_i64(i64 a, i64 b) { return (i64)((u64)a - (u64)b); }
KDEV i64 k_mul_i64(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
KDEV i64 k_neg_i64(i64 a) { return (i64)((u64)0 - (u64)a); }
KDEV i64 k_abs_i64(i64 a) { return a < 0 ? k_neg_i64(a) : a; }
KDEV i64 k_max_i64(i64 a, i64 b) { return a > b ? a : b; }
KDEV i64 k_min_i64(i64 a, i64 b) { return a < b ? a : b; }
KDEV i64 k_clamp_i64(i64 x, i64 lo, i64 hi) { return k_min_i64(k_max_i64(x, lo), hi); }

/* Division truncates; x / 0 is 0 and the smallest value / -1 is itself. */
KDEV u32 k_div_u32(u32 a, u32 b)
{
    const u32 q = a / (b == 0u ? 1u : b);
    return b == 0u ? 0u : q;
}

KDEV i32 k_div_i32(i32 a, i32 b)
{
    const i32 q = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? k_neg_i32(a) : q;
}

KDEV u64 k_div_u64(u64 a, u64 b)
{
    const u64 q = a / (b == 0 ? 1 : b);
    return b == 0 ? 0 : q;
}

KDEV i64 k_div_i64(i64 a, i64 b)
{
    const i64 q = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? k_neg_i64(a) : q;
}

/*
 * Integer powers wrap. A negative exponent divides 1 by the power: 1 for a base of 1, +-1 for -1,
 * else 0 (also for a base of 0, as x / 0 is 0). The 0th power is 1.
 */
KDEV u32 k_pow_u32(u32 a, u32 n)
{
    u32 r = 1u;
    for (; n != 0u; n >>= 1) {
        r = (n & 1u) != 0u ? r * a : r;
        a *= a;
    }
    return r;
}

KDEV i32 k_pow_i32(i32 a, i32 n)
{
    const i32 odd = (n & 1) != 0 ? a : 1;
    const i32 inverse = a == 1 || a == -1 ? odd : 0;
    return n < 0 ? inverse : (i32)k_pow_u32((u32)a, (u32)n);
}

KDEV u64 k_pow_u64(u64 a, u64 n)
{
    u64 r = 1;
    for (; n != 0; n >>= 1) {
        r = (n & 1) != 0 ? r * a : r;
        a *= a;
    }
    return r;
}

KDEV i64 k_pow_i64(i64 a, i64 n)
{
    const i64 odd = (n & 1) != 0 ? a : 1;
    const i64 inverse = a == 1 || a == -1 ? odd : 0;
    return n < 0 ? inverse : (i64)k_pow_u64((u64)a, (u64)n);
}
