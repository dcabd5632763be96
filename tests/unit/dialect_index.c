/*
 * The dialect's own division of indices, compiled for the host: right for every operand that it is
 * for, whatever a device's reciprocal makes of its one ulp.
 */
#include <string.h>

#include "keel_test.h"

typedef int64_t i64;
typedef uint64_t u64;
typedef uint32_t u32;
typedef float f32;

static int32_t ulp; /* error of the reciprocal */

static f32 k_reciprocal_fast_f32(f32 x)
{
    f32 y = 1.0f / x;
    int32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits += ulp;
    memcpy(&y, &bits, sizeof bits);
    return y;
}

#define KDEV static
#define IDX i64
#define KEEL_CALLS_DIV64 1
#include "dialect/index.h"

static void check(u64 a, u64 b)
{
    a &= INT64_MAX;
    b &= INT64_MAX;
    if (b != 0 && IDX_DIV((i64)a, (i64)b) != (i64)(a / b)) {
        fail_msg("%llu / %llu is %lld", (unsigned long long)a, (unsigned long long)b,
                 (long long)IDX_DIV((i64)a, (i64)b));
    }
}

/* Of any size: as many of 3 bits as of 60. */
static u64 random_number(u64 *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    const u64 mixed = *seed * UINT64_C(0x2545f4914f6cdd1d);
    return mixed >> (mixed & 63);
}

static void powers_of_two_and_their_neighbours_divide(void **state)
{
    (void)state;
    for (int i = 0; i < 63 * 63; i++) {
        for (int around = 0; around < 25; around++) {
            check((UINT64_C(1) << i / 63) + (u64)(around / 5) - 2,
                  (UINT64_C(1) << i % 63) + (u64)(around % 5) - 2);
        }
    }
}

static void numbers_of_any_size_divide(void **state)
{
    (void)state;
    u64 seed = UINT64_C(88172645463325252);
    for (ulp = -1; ulp <= 1; ulp++) {
        for (int i = 0; i < 500000; i++) {
            check(random_number(&seed), random_number(&seed));
        }
    }
    ulp = 0;
}

/* Where a quotient steps from one integer to the next. */
static void multiples_and_their_neighbours_divide(void **state)
{
    (void)state;
    u64 seed = 1;
    for (ulp = -1; ulp <= 1; ulp++) {
        for (int i = 0; i < 200000; i++) {
            const u64 b = (random_number(&seed) & INT64_MAX) + 1;
            const u64 most = INT64_MAX / b;
            const u64 multiple = most > 0 ? random_number(&seed) % most * b : 0;
            check(multiple - (multiple > 0), b);
            check(multiple, b);
            check(multiple + 1, b);
        }
    }
    ulp = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_and_their_neighbours_divide),
        cmocka_unit_test(numbers_of_any_size_divide),
        cmocka_unit_test(multiples_and_their_neighbours_divide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
