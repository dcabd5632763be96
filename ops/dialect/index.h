/*
 * Quotients of indices, 0 <= a and 0 < b: IDX_DIV(a, b) of the instance's IDX, I64_DIV(a, b) of i64.
 * Some compilers call a function to divide 64 bits, and keep what is alive across the call in
 * memory; a prelude that defines KEEL_CALLS_DIV64 gets a division that is inlined, and provides
 * k_reciprocal_fast_f32(x), 1 / x for 1 <= x with an error of at most 1 ulp.
 */
#ifdef KEEL_CALLS_DIV64
KDEV i64 k_div_index(i64 a, i64 b)
{
    u64 rest = (u64)a, quotient = 0;
    if ((((u64)a | (u64)b) >> 32) == 0) {
        return (i64)((u32)a / (u32)b);
    }
    /* A little less than 1 / b, so that no step goes too far; each leaves 2^-20 of the rest. */
    const f32 inverse = k_reciprocal_fast_f32((f32)b) * (1.0f - 0x1p-21f);
    for (int step = 0; step < 4; step++) {
        const u64 part = (u64)((f32)rest * inverse);
        quotient += part;
        rest -= part * (u64)b;
    }
    return (i64)(rest >= (u64)b ? quotient + 1 : quotient);
}
#define I64_DIV(a, b) k_div_index(a, b)
#define IDX_DIV(a, b) (sizeof(IDX) == 4 ? (IDX)((a) / (b)) : (IDX)I64_DIV((i64)(a), (i64)(b)))
#else
#define I64_DIV(a, b) ((a) / (b))
#define IDX_DIV(a, b) ((a) / (b))
#endif
