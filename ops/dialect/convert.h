/*
 * The 16- and 8-bit float formats, to and from f32: exact, round to nearest even, subnormals kept
 * even where the device flushes f32 subnormals. No branches, so that loops over them vectorise.
 */

#ifndef KEEL_HAVE_F16
KDEV f32 k_f16_to_f32(u16 h)
{
    const u32 sign = ((u32)h & 0x8000u) << 16;
    const u32 rest = ((u32)h & 0x7fffu) << 13;
    /* A subnormal m * 2^-24 is (2^-14 + m * 2^-24) - 2^-14. */
    const u32 small = k_as_u32(k_as_f32(rest + 0x38800000u) - 0x1p-14f);
    const u32 normal = rest + 0x38000000u;
    const u32 special = rest | 0x7f800000u;
    const u32 x = rest < 0x00800000u ? small : rest < 0x0f800000u ? normal : special;
    return k_as_f32(sign | x);
}

KDEV u16 k_f32_to_f16(f32 f)
{
    const u32 x = k_as_u32(f) & 0x7fffffffu;
    const u32 sign = (k_as_u32(f) >> 16) & 0x8000u;
    /* Next to 0.5 the spacing of f32 is that of f16's subnormals: the adder rounds. */
    const u32 small = k_as_u32(k_as_f32(x) + 0.5f) - 0x3f000000u;
    const u32 normal = (x + 0xc8000fffu + ((x >> 13) & 1u)) >> 13;
    u32 h = x < 0x38800000u ? small : normal;
    h = x >= 0x477ff000u ? 0x7c00u : h;
    h = x > 0x7f800000u ? 0x7e00u : h;
    return (u16)(sign | h);
}
#endif

#ifndef KEEL_HAVE_BF16
KDEV f32 k_bf16_to_f32(u16 h)
{
    return k_as_f32((u32)h << 16);
}

KDEV u16 k_f32_to_bf16(f32 f)
{
    const u32 x = k_as_u32(f);
    const u32 rounded = (x + 0x7fffu + ((x >> 16) & 1u)) >> 16;
    const u32 nan = (x >> 16) | 0x40u;
    return (u16)((x & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}
#endif

/*
 * 8-bit floats with m mantissa bits and exponent bias b: a normal code shifted to f32's place is
 * short of (127 - b) << 23; a subnormal is its code times 2^(1 - b - m).
 */
KDEV u32 k_f8_widen(u32 code, u32 m, u32 b)
{
    const u32 normal = (code << (23u - m)) + ((127u - b) << 23);
    const f32 unit = k_as_f32((128u - b - m) << 23);
    const u32 small = k_as_u32((f32)(i32)code * unit);
    return code < (1u << m) ? small : normal;
}

/* Code of |f|, whose bits are x, rounded; as if the exponent had no upper end. */
KDEV u32 k_f8_narrow(u32 x, u32 m, u32 b)
{
    /* Next to magic the spacing of f32 is that of the format's subnormals: the adder rounds. */
    const u32 magic = (151u - b - m) << 23;
    const u32 small = k_as_u32(k_as_f32(x) + k_as_f32(magic)) - magic;
    const u32 shift = 23u - m;
    const u32 normal =
        (x - ((127u - b) << 23) + (1u << (shift - 1u)) - 1u + ((x >> shift) & 1u)) >> shift;
    return x < ((128u - b) << 23) ? small : normal;
}

/* e4m3fn: OCP, largest 448, no infinity, NaN 0x7f and 0xff. */
KDEV f32 k_f8e4m3fn_to_f32(u8 v)
{
    const u32 code = (u32)v & 0x7fu;
    const u32 x = code == 0x7fu ? 0x7fc00000u : k_f8_widen(code, 3u, 7u);
    return k_as_f32(x | ((u32)v & 0x80u) << 24);
}

KDEV u8 k_f32_to_f8e4m3fn(f32 f)
{
    const u32 x = k_as_u32(f) & 0x7fffffffu;
    const u32 code = k_f8_narrow(x, 3u, 7u);
    const u32 bounded = x > 0x43e80000u ? 0x7fu : code; /* beyond 464: NaN */
    return (u8)(bounded | ((k_as_u32(f) >> 24) & 0x80u));
}

/* e4m3fnuz: largest 240, no infinity, no -0, NaN 0x80. */
KDEV f32 k_f8e4m3fnuz_to_f32(u8 v)
{
    const u32 x = k_f8_widen((u32)v & 0x7fu, 3u, 8u) | ((u32)v & 0x80u) << 24;
    return k_as_f32(v == 0x80u ? 0x7fc00000u : x);
}

KDEV u8 k_f32_to_f8e4m3fnuz(f32 f)
{
    const u32 x = k_as_u32(f) & 0x7fffffffu;
    const u32 code = k_f8_narrow(x, 3u, 8u);
    const u32 sign = code == 0u ? 0u : (k_as_u32(f) >> 24) & 0x80u;
    return (u8)(x >= 0x43780000u ? 0x80u : code | sign); /* from 248 on: NaN */
}

/* e5m2: OCP, IEEE-like, largest 57344, with infinities. */
KDEV f32 k_f8e5m2_to_f32(u8 v)
{
    const u32 code = (u32)v & 0x7fu;
    const u32 special = code == 0x7cu ? 0x7f800000u : 0x7fc00000u;
    const u32 x = code >= 0x7cu ? special : k_f8_widen(code, 2u, 15u);
    return k_as_f32(x | ((u32)v & 0x80u) << 24);
}

KDEV u8 k_f32_to_f8e5m2(f32 f)
{
    const u32 x = k_as_u32(f) & 0x7fffffffu;
    u32 code = k_f8_narrow(x, 2u, 15u);
    code = x >= 0x47700000u ? 0x7cu : code; /* from 61440 on: infinity */
    code = x > 0x7f800000u ? 0x7eu : code;
    return (u8)(code | ((k_as_u32(f) >> 24) & 0x80u));
}

/* e5m2fnuz: largest 57344, no infinity, no -0, NaN 0x80. */
KDEV f32 k_f8e5m2fnuz_to_f32(u8 v)
{
    const u32 x = k_f8_widen((u32)v & 0x7fu, 2u, 16u) | ((u32)v & 0x80u) << 24;
    return k_as_f32(v == 0x80u ? 0x7fc00000u : x);
}

KDEV u8 k_f32_to_f8e5m2fnuz(f32 f)
{
    const u32 x = k_as_u32(f) & 0x7fffffffu;
    const u32 code = k_f8_narrow(x, 2u, 16u);
    const u32 sign = code == 0u ? 0u : (k_as_u32(f) >> 24) & 0x80u;
    return (u8)(x >= 0x47700000u ? 0x80u : code | sign); /* from 61440 on: NaN */
}

/* Eight elements at once; preludes may bring their own for the 16-bit ones. */
#ifdef KEEL_HAVE_V8
KDEV v8 k_v8_load_f32(GLOBAL const f32 *p)
{
    return V8_LOAD(p);
}

KDEV void k_v8_store_f32(v8 v, GLOBAL f32 *p)
{
    V8_STORE(v, p);
}
#endif
