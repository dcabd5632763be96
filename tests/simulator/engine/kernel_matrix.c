/*
 * Linked into each compiled program, as kernel_support.c is: matrix instructions, from their
 * definition, over what the lanes of a wave hold. Sums are f32, in ascending order of k; vendors do
 * not say in which order theirs are.
 */
#include "kernel_abi.h"

#define PC __builtin_return_address(0)

extern sim_run *keel_sim;

void keel_sim_mma_16x8x16(float *c, const sim_u32 *a, const sim_u32 *b, sim_u32 bf16, sim_u32 mark);
void keel_sim_mfma_16x16x16(float *c, const sim_u32 *a, const sim_u32 *b, sim_u32 bf16,
                            sim_u32 mark);

static float as_float(sim_u32 bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static float f16_to_float(sim_u16 h)
{
    const sim_u32 sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
    if (exponent == 0) { /* zero and subnormals: the fraction is exact, and so is the product */
        const float x = (float)fraction * 0x1p-24f;
        return sign != 0 ? -x : x;
    }
    return as_float(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static float element(sim_u16 bits, sim_u32 bf16)
{
    return bf16 != 0 ? as_float((sim_u32)bits << 16) : f16_to_float(bits);
}

/*
 * c += a * b for a of 16 x 16 and b of 16 x 8, in waves of 32: mma.sync.m16n8k16. With group = lane
 * / 4 and t = lane % 4 a lane holds, two elements to a word, that with the lower column or k first:
 * - of a: rows group and group + 8, columns 2t and 2t + 1; then the same rows eight columns on;
 * - of b: column group, k 2t and 2t + 1, then eight k on;
 * - of c: row group, columns 2t and 2t + 1, then row group + 8.
 */
void keel_sim_mma_16x8x16(float *c, const sim_u32 *a, const sim_u32 *b, sim_u32 bf16, sim_u32 mark)
{
    const sim_u32 lane = keel_sim->local_id % 32;
    sim_u32 mine[6];
    __builtin_memcpy(mine, a, 4 * sizeof *a);
    __builtin_memcpy(mine + 4, b, 2 * sizeof *b);
    const sim_u32 *all = keel_sim->wave(mine, sizeof mine, 0, mark, PC);
    for (sim_u32 i = 0; i < 4; i++) {
        const sim_u32 row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
        for (sim_u32 k = 0; k < 16; k++) {
            const sim_u32 shift = 16 * (k % 2), t = k % 8 / 2;
            const sim_u32 left = all[6 * (row % 8 * 4 + t) + row / 8 + 2 * (k / 8)];
            const sim_u32 right = all[6 * (column * 4 + t) + 4 + k / 8];
            c[i] +=
                element((sim_u16)(left >> shift), bf16) * element((sim_u16)(right >> shift), bf16);
        }
    }
}

/*
 * c += a * b for a and b of 16 x 16, in waves of 64: v_mfma_f32_16x16x16. With quarter = lane / 16
 * and place = lane % 16 a lane holds four elements of each, two to a word of a and b:
 * - of a: row place, columns from 4 quarter on;
 * - of b: column place, k from 4 quarter on;
 * - of c: column place, rows from 4 quarter on.
 */
void keel_sim_mfma_16x16x16(float *c, const sim_u32 *a, const sim_u32 *b, sim_u32 bf16,
                            sim_u32 mark)
{
    const sim_u32 lane = keel_sim->local_id % 64;
    sim_u16 mine[8];
    __builtin_memcpy(mine, a, 2 * sizeof *a);
    __builtin_memcpy(mine + 4, b, 2 * sizeof *b);
    const sim_u16 *all = keel_sim->wave(mine, sizeof mine, 0, mark, PC);
    for (sim_u32 i = 0; i < 4; i++) {
        const sim_u32 row = 4 * (lane / 16) + i, column = lane % 16;
        for (sim_u32 k = 0; k < 16; k++) {
            const sim_u16 left = all[8 * (row + 16 * (k / 4)) + k % 4];
            const sim_u16 right = all[8 * (column + 16 * (k / 4)) + 4 + k % 4];
            c[i] += element(left, bf16) * element(right, bf16);
        }
    }
}
