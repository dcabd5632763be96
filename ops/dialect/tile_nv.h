/*
 * Tiles by mma.sync: two products of 16 x 8. Lanes are counted in groups of four: a lane has the
 * rows g and g + 8 of its group g, and neighbouring pairs by its place t in the group.
 */
#if KEEL_TILE == KEEL_TILE_NV
#define KEEL_TILE_WAVE 32
#define TILE_ACC 8
#define K_TILE_G ((LOCAL_ID(0) & 31u) >> 2)
#define K_TILE_T (LOCAL_ID(0) & 3u)
#define TILE_ROW(i) (K_TILE_G + 8u * (((u32)(i) >> 1) & 1u))
#define TILE_COL(i) (2u * K_TILE_T + ((u32)(i) & 1u) + 8u * ((u32)(i) >> 2))

typedef struct k_tile_a {
    u32 w[4];
} k_tile_a;
typedef struct k_tile_b {
    u32 w[4]; /* two for each half of the columns */
} k_tile_b;
typedef struct k_tile_c {
    f32 v[TILE_ACC];
} k_tile_c;

KDEV k_tile_a k_tile_load_a(LOCAL const u32 *p, u32 pitch)
{
    const u32 at = K_TILE_G * pitch + K_TILE_T;
    k_tile_a a;
    a.w[0] = p[at];
    a.w[1] = p[at + 8u * pitch];
    a.w[2] = p[at + 4u];
    a.w[3] = p[at + 8u * pitch + 4u];
    return a;
}

KDEV k_tile_b k_tile_load_b(LOCAL const u32 *p, u32 pitch)
{
    const u32 at = K_TILE_G * pitch + K_TILE_T;
    k_tile_b b;
    b.w[0] = p[at];
    b.w[1] = p[at + 4u];
    b.w[2] = p[at + 8u * pitch];
    b.w[3] = p[at + 8u * pitch + 4u];
    return b;
}

KDEV void k_tile_mma_f16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    k_mma_m16n8k16_f16(c->v, a.w, b.w);
    k_mma_m16n8k16_f16(c->v + 4, a.w, b.w + 2);
}

KDEV void k_tile_mma_bf16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    k_mma_m16n8k16_bf16(c->v, a.w, b.w);
    k_mma_m16n8k16_bf16(c->v + 4, a.w, b.w + 2);
}
#endif
