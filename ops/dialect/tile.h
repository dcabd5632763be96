/*
 * Tiles: products of 16 x 16 matrices of f16 or bf16, summed in f32, each by one wave. The same
 * source runs on the matrix units of both vendors and, without any, item by item.
 *
 * A wave here is KEEL_TILE_WAVE work-items that follow each other; all of them come to each call.
 * An operand lies in LOCAL memory as pairs: a u32 holds two elements that are neighbours along the
 * inner axis, the first in its low half. a is 16 rows of eight pairs, b is 16 columns of eight
 * pairs; pitch is the distance between two of them in u32. What they hold must not change between
 * the load and the next BARRIER(): the scalar layout reads late.
 *
 *     k_tile_c c;
 *     k_tile_zero(&c);
 *     c += a b:   k_tile_mma_f16(&c, k_tile_load_a(pa, pitch), k_tile_load_b(pb, pitch));
 *     element i of this item, 0 <= i < TILE_ACC:   c.v[i], at TILE_ROW(i), TILE_COL(i)
 *
 * Products are exact, subnormal operands count, sums are of f32 in an order that is the layout's; a
 * matrix unit may cut sums off where an f32 would be rounded (ops/dense/matmul.md).
 *
 * A prelude says by KEEL_TILE which layout its device has, and supplies what that needs:
 *   KEEL_TILE_NV   k_mma_m16n8k16_f16 and _bf16 (f32 *c, const u32 *a, const u32 *b), over 32 lanes:
 *                  c[4] += a[4] b[2] as PTX defines mma.sync.m16n8k16 with f32 sums
 *   KEEL_TILE_AMD  k_mfma_16x16x16_f16 and _bf16 (f32 *c, const u32 *a, const u32 *b), over 64:
 *                  c[4] += a[2] b[2] as CDNA3 defines v_mfma_f32_16x16x16_f16 and _bf16
 */
#define KEEL_TILE_SCALAR 0
#define KEEL_TILE_NV 1
#define KEEL_TILE_AMD 2
#ifndef KEEL_TILE
#define KEEL_TILE KEEL_TILE_SCALAR
#endif
