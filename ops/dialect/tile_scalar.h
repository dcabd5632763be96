/* Tiles without matrix units: a "wave" of 16 items, one row each, which need not run in step. */
#if KEEL_TILE == KEEL_TILE_SCALAR
#define KEEL_TILE_WAVE 16
#define TILE_ACC 16
#define TILE_ROW(i) (LOCAL_ID(0) & 15u)
#define TILE_COL(i) ((u32)(i))

typedef struct k_tile_a {
    u32 w[8];
} k_tile_a;
typedef struct k_tile_b {
    LOCAL const u32 *p;
    u32 pitch;
} k_tile_b;
typedef struct k_tile_c {
    f32 v[TILE_ACC];
} k_tile_c;

KDEV k_tile_a k_tile_load_a(LOCAL const u32 *p, u32 pitch)
{
    k_tile_a a;
    for (u32 j = 0; j < 8u; j++) {
        a.w[j] = p[TILE_ROW(0) * pitch + j];
    }
    return a;
}

KDEV k_tile_b k_tile_load_b(LOCAL const u32 *p, u32 pitch)
{
    k_tile_b b;
    b.p = p;
    b.pitch = pitch;
    return b;
}

KDEV void k_tile_mma_f16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    for (u32 j = 0; j < 8u; j++) {
        const f32 first = k_f16_to_f32((u16)a.w[j]);
        const f32 second = k_f16_to_f32((u16)(a.w[j] >> 16));
        for (u32 n = 0; n < 16u; n++) {
            const u32 pair = b.p[n * b.pitch + j];
            c->v[n] = k_fma_f32(first, k_f16_to_f32((u16)pair), c->v[n]);
            c->v[n] = k_fma_f32(second, k_f16_to_f32((u16)(pair >> 16)), c->v[n]);
        }
    }
}

KDEV void k_tile_mma_bf16(k_tile_c *c, k_tile_a a, k_tile_b b)
{
    for (u32 j = 0; j < 8u; j++) {
        const f32 first = k_bf16_to_f32((u16)a.w[j]);
        const f32 second = k_bf16_to_f32((u16)(a.w[j] >> 16));
        for (u32 n = 0; n < 16u; n++) {
            const u32 pair = b.p[n * b.pitch + j];
            c->v[n] = k_fma_f32(first, k_bf16_to_f32((u16)pair), c->v[n]);
            c->v[n] = k_fma_f32(second, k_bf16_to_f32((u16)(pair >> 16)), c->v[n]);
        }
    }
}
#endif

KDEV void k_tile_zero(k_tile_c *c)
{
    for (u32 i = 0; i < (u32)TILE_ACC; i++) {
        c->v[i] = 0.0f;
    }
}
