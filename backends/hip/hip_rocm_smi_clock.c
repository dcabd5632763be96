/*
 * The frequencies of a clock. ROCm 6 put a flag before the members of the struct, so that it is one
 * of
 *
 *   count, current, hz[32]                 (32-bit words, then 64-bit ones)
 *   flag, count, current, (gap), hz[33]
 *
 * and no version number says which. The words do: filled in over zeros, the second layout has a
 * flag of 0 or 1, a count of 1 to 33, a current one below it (or none, all bits set) and a gap of
 * 0. The first layout with the same words would have one frequency, of which not the first is
 * current.
 */
#include <string.h>

#include "hip_rocm_smi.h"

#define MOST_FREQUENCIES 33u
#define NONE UINT32_MAX

static int has_flag(const uint32_t word[4])
{
    return word[0] <= 1 && word[1] >= 1 && word[1] <= MOST_FREQUENCIES &&
           (word[2] < word[1] || word[2] == NONE) && word[3] == 0;
}

rocm_smi_clock rocm_smi_clock_of(const rsmi_levels *frequencies)
{
    const int flag = has_flag(frequencies->word);
    const uint32_t count = frequencies->word[flag];
    const uint32_t current = frequencies->word[flag + 1];
    const char *hz = (const char *)frequencies + (flag ? 16 : 8);
    rocm_smi_clock clock = {-1, -1};
    for (uint32_t i = 0; i < count && count <= MOST_FREQUENCIES; i++) {
        uint64_t value;
        memcpy(&value, hz + i * sizeof value, sizeof value);
        const int64_t mhz = (int64_t)(value / 1000000);
        clock.highest = mhz > clock.highest ? mhz : clock.highest;
        clock.now = i == current ? mhz : clock.now;
    }
    if (clock.highest == 0) { /* a flag of the second layout with no frequencies looks like this */
        clock = (rocm_smi_clock){-1, -1};
    }
    return clock;
}
