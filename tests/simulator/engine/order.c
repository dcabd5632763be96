/* The order in which groups and work-items run. */
#include "run.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A number that looks random (the finisher of splitmix64). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t sim_permute(uint64_t i, uint64_t count, int64_t order, uint64_t salt)
{
    if (order == 0 || count < 2) {
        return i;
    }
    if (order == 1 || count > UINT32_MAX) { /* of so many only a few will ever run */
        return count - 1 - i;
    }
    /* i * step + start goes round once, if step and count have no common divisor. */
    const uint64_t seed = mix((uint64_t)order * UINT64_C(0x9e3779b97f4a7c15) + salt);
    uint64_t step = seed % count;
    while (greatest_common_divisor(step, count) != 1) {
        step++;
    }
    return (i * step + mix(seed) % count) % count;
}
