/* Arithmetic on sizes and shapes that says so when it overflows. Each returns 1 if the result fits.
 */
#ifndef KEELI_CHECKED_H
#define KEELI_CHECKED_H

#include <stdint.h>

static inline int keeli_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline int keeli_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline int keeli_add_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline int keeli_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

#endif
