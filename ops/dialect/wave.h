/*
 * Waves: the work-items of a group that run in lock step, LOCAL_ID(0) / KEEL_WAVE tells which. A
 * prelude announces KEEL_HAVE_WAVE, and supplies k_wave_xor_u32 and k_wave_sync; devices without
 * do the same work through LOCAL memory. KEEL_BLOCK is a multiple of KEEL_WAVE, or a smaller power
 * of two.
 */
#ifdef KEEL_HAVE_WAVE

KDEV i32 k_wave_xor_i32(i32 x, u32 mask, u32 items)
{
    return (i32)k_wave_xor_u32((u32)x, mask, items);
}

KDEV f32 k_wave_xor_f32(f32 x, u32 mask, u32 items)
{
    return k_as_f32(k_wave_xor_u32(k_as_u32(x), mask, items));
}

KDEV u64 k_wave_xor_u64(u64 x, u32 mask, u32 items)
{
    const u32 low = k_wave_xor_u32((u32)x, mask, items);
    const u32 high = k_wave_xor_u32((u32)(x >> 32), mask, items);
    return (u64)high << 32 | low;
}

KDEV i64 k_wave_xor_i64(i64 x, u32 mask, u32 items)
{
    return (i64)k_wave_xor_u64((u64)x, mask, items);
}

#ifdef KEEL_FP64
KDEV f64 k_wave_xor_f64(f64 x, u32 mask, u32 items)
{
    return k_as_f64(k_wave_xor_u64(k_as_u64(x), mask, items));
}
#endif

/* The function for the type of x: overloads where the language has them, else C11's selection. */
#ifdef __cplusplus
#define K_TYPE_OF(x) decltype((x) + 0) /* the sum is no reference */
KDEV u32 k_wave_xor(u32 x, u32 mask, u32 items) { return k_wave_xor_u32(x, mask, items); }
KDEV i32 k_wave_xor(i32 x, u32 mask, u32 items) { return k_wave_xor_i32(x, mask, items); }
KDEV f32 k_wave_xor(f32 x, u32 mask, u32 items) { return k_wave_xor_f32(x, mask, items); }
KDEV u64 k_wave_xor(u64 x, u32 mask, u32 items) { return k_wave_xor_u64(x, mask, items); }
KDEV i64 k_wave_xor(i64 x, u32 mask, u32 items) { return k_wave_xor_i64(x, mask, items); }
#ifdef KEEL_FP64
KDEV f64 k_wave_xor(f64 x, u32 mask, u32 items) { return k_wave_xor_f64(x, mask, items); }
#endif
#else
#define K_TYPE_OF(x) __typeof__((x) + 0)
#ifdef KEEL_FP64
#define K_WAVE_XOR_F64 f64 : k_wave_xor_f64,
#else
#define K_WAVE_XOR_F64
#endif
#define k_wave_xor(x, mask, items)                                                                 \
    _Generic((x), K_WAVE_XOR_F64 f32 : k_wave_xor_f32, i32 : k_wave_xor_i32, i64 : k_wave_xor_i64, \
             u32 : k_wave_xor_u32, u64 : k_wave_xor_u64)(x, mask, items)
#endif

/* x of the item whose LOCAL_ID(0) differs in the bits of mask, which is below the wave's size. */
#define WAVE_SHUFFLE_XOR(x, mask) k_wave_xor(x, mask, (u32)KEEL_BLOCK)

/* Items of a wave are here, and see each other's writes to LOCAL memory. */
#define WAVE_SYNC() k_wave_sync((u32)KEEL_BLOCK)

#endif

/*
 * Combines value over the work-items of a group; every item gets the result, and is here. The order
 * is fixed and the same on every device: halves of the group are combined, then halves of those.
 * buffer: a LOCAL_ARRAY of KEEL_BLOCK elements, KEEL_BLOCK a power of two. combine: a function or
 * macro of two arguments, such as F0(k_add). Every item of the group must get here.
 */
#ifdef KEEL_HAVE_WAVE
/*
 * Each wave folds the waves of the group over each other, each for itself, then its items pairwise:
 * two barriers, and the order of the tree below. The one further down is always on the left.
 */
#define GROUP_REDUCE(buffer, value, combine)                                                \
    do {                                                                                    \
        if ((u32)KEEL_BLOCK > (u32)KEEL_WAVE) {                                             \
            K_TYPE_OF(value) wave_[(KEEL_BLOCK + KEEL_WAVE - 1) / KEEL_WAVE];               \
            (buffer)[LOCAL_ID(0)] = (value);                                                \
            BARRIER();                                                                      \
            for (u32 w_ = 0u; w_ < (u32)KEEL_BLOCK / KEEL_WAVE; w_++) {                     \
                wave_[w_] = (buffer)[LOCAL_ID(0) % KEEL_WAVE + KEEL_WAVE * w_];             \
            }                                                                               \
            for (u32 half_ = (u32)KEEL_BLOCK / KEEL_WAVE / 2u; half_ > 0u; half_ >>= 1) {   \
                for (u32 w_ = 0u; w_ < half_; w_++) {                                       \
                    wave_[w_] = combine(wave_[w_], wave_[w_ + half_]);                      \
                }                                                                           \
            }                                                                               \
            (value) = wave_[0];                                                             \
        }                                                                                   \
        for (u32 half_ = (u32)(KEEL_BLOCK < KEEL_WAVE ? KEEL_BLOCK : KEEL_WAVE) / 2u;       \
             half_ > 0u; half_ >>= 1) {                                                     \
            const K_TYPE_OF(value) other_ = WAVE_SHUFFLE_XOR(value, half_);                 \
            const K_TYPE_OF(value) left_ = (LOCAL_ID(0) & half_) != 0u ? other_ : (value);  \
            const K_TYPE_OF(value) right_ = (LOCAL_ID(0) & half_) != 0u ? (value) : other_; \
            (value) = combine(left_, right_);                                               \
        }                                                                                   \
        BARRIER();                                                                          \
    } while (0)
#else
#define GROUP_REDUCE(buffer, value, combine)                                       \
    do {                                                                           \
        (buffer)[LOCAL_ID(0)] = (value);                                           \
        BARRIER();                                                                 \
        for (u32 half_ = (u32)KEEL_BLOCK / 2u; half_ > 0u; half_ >>= 1) {          \
            if (LOCAL_ID(0) < half_) {                                             \
                (buffer)[LOCAL_ID(0)] =                                            \
                    combine((buffer)[LOCAL_ID(0)], (buffer)[LOCAL_ID(0) + half_]); \
            }                                                                      \
            BARRIER();                                                             \
        }                                                                          \
        (value) = (buffer)[0];                                                     \
        BARRIER();                                                                 \
    } while (0)
#endif
