/*
 * Tiles by MFMA. Lanes are counted in quarters of the wave: a lane has four neighbours along the
 * inner axis, by its quarter, of a row or column, by its place in the quarter.
 */
#if KEEL_TILE == KEEL_TILE_AMD
#define KEEL_TILE_WAVE 64
#define TILE_ACC 4
#define K_TILE_QUARTER ((LOCAL_ID(0) & 63u) >> 4)
#define K_TILE_PLACE (LOCAL_ID(0) & 15u)
#define TILE_ROW(i) (4u * K_TILE_QUARTER + (u32)(i))
#define TILE_COL(i) K_TILE_PLACE

typedef struct k_tile_a {
    u32 w[2];
} k_tile_a;
typedef struct k_tile_b {
    u32 w[2];
} k_tile_b;
typedef struct k_tile_c {
    f32 v[TILE_ACC];
} k_tile_c;

KDEV k_tile_a k_tile_load_a(LOCAL const u32 *p, u32 pitch)
{
    const u32 at = K_TILE_PLACE * pitch + 2u * K_TILE_QUARTER;
    k_tile_a a;
    a.w[0] = p[at];
    a.w[1] = p[at + 1u];
    return a;
}

KDEV k_tile_b k_tile_load_b(LOCAL const u32 *p, u32 pitch)
{
    const u32 at = K_TILE_PLACE * pitch + 2u * K_TILE_QUARTER;
    k_tile_b b;
    b.w[0] = p[at];
    b.w[1] = p[at + 1u];
    return b;
}

KDEV void k_tile_mma_f16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    k_mfma_16x16x16_f16(c->v, a.w, b.w);
}

KDEV void k_tile_mma_bf16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    k_mfma_16x16x16_bf16(c->v, a.w, b.w);
}
#endif
