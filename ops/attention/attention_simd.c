/*
 * keel.attention on CPUs in vectors: packed operands and register tiles for many queries, a stream
 * over the keys for few. docs: attention.md.
 */
#include <stdio.h>

#include "attention/attention_plan.h"
#include "keel/dtype.h"
#include "support/contract.h"

#define SIMD_QUOTE(x) #x
#define SIMD_TEXT(x) SIMD_QUOTE(x)

/* Register tile: MR x PANEL f32, which with a row of a panel and a value fits 16 registers. */
#define MR 6
#define PANEL 16
/* Keys of a block, and rows of a group at most: their weights fit the nearest cache. */
#define KEYS ATTENTION_STREAM_KEYS
#define ROWS 48
/* Steps of a panel that a group packs. */
#define CHUNK 256
/* Rows that share keys, up to which the keys are not packed; and the size of a head at most then.
 */
#define FEW_ROWS 8
#define STREAM_SIZE ATTENTION_STREAM_SIZE
/* Groups for each compute unit: runtimes hand groups out in chunks of 32 or more. */
#define UNIT_GROUPS 64
/* Keys of a part at least. */
#define PART_KEYS 128

#define TILE_DEFINES \
    " KEEL_BLOCK=1 MR=" SIMD_TEXT(MR) " PANEL=" SIMD_TEXT(PANEL) " KEYS=" SIMD_TEXT(KEYS)

static const keel_instance instances[] = {
    {.entry = "attention_pack", .defines = "PACK CHUNK=" SIMD_TEXT(CHUNK) TILE_DEFINES},
    {.entry = "attention_tiles", .defines = "TILES ROWS=" SIMD_TEXT(ROWS) TILE_DEFINES},
    {.entry = "attention_stream", .defines = "STREAM" ATTENTION_STREAM_DEFINES, .group = 1},
    {.entry = "attention_combine", .defines = "COMBINE IDX=i64 KEEL_BLOCK=1", .group = 1},
    {.entry = "attention_rows", .defines = "ROWWISE IDX=i64 KEEL_BLOCK=1", .group = 2},
};

/* Sizes of a plan with packed operands: mirror SIMD_WORK of the kernels. */
typedef struct packed {
    int64_t rows, keys, values; /* padded */
} packed;

static int64_t round_up(int64_t x, int64_t y)
{
    return keeli_attention_ceil_div(x, y) * y;
}

static packed packed_sizes(const keel_space *s)
{
    return (packed){round_up(s->extent[ATTENTION_GROUP] * s->extent[ATTENTION_QUERY], MR),
                    round_up(s->extent[ATTENTION_KEY], PANEL),
                    round_up(s->extent[ATTENTION_VALUE], PANEL)};
}

/* Elements of the workspace, for each pair of a batch and a head of k and v. */
static double packed_elements(const keel_space *s)
{
    const packed p = packed_sizes(s);
    const double size = (double)s->extent[ATTENTION_SIZE];
    return ((double)p.rows + (double)p.keys) * size +
           (double)p.values * ((double)s->extent[ATTENTION_KEY] + (double)p.rows);
}

static int is_stream(const keel_space *s)
{
    return s->extent[ATTENTION_GROUP] * s->extent[ATTENTION_QUERY] <= FEW_ROWS &&
           s->extent[ATTENTION_SIZE] <= STREAM_SIZE;
}

/* Whether a key that some query does not see takes part in a product with its values. */
static int needs_repair(const keeli_attention_maker *k, int stream)
{
    const int causal = keeli_attribute_int(k->call, ATTENTION_IS_CAUSAL) != 0;
    return keeli_attention_mask(k->call) >= 0 ||
           (causal && !stream && k->meta.extent[ATTENTION_QUERY] > 1);
}

/* Rows of out that hold something not finite are computed again, key by key. */
static keel_status repair(const keeli_attention_maker *k)
{
    keeli_attention_maker again = *k;
    again.meta.extent[ATTENTION_EXTENT_FLAGS] |= ATTENTION_FLAG_REPAIR;
    again.meta.extent[ATTENTION_EXTENT_SPLITS] = 1;
    return keeli_attention_rowwise(&again);
}

/* ---- many queries ---------------------------------------------------------------------------- */

static keel_status pack(const keeli_attention_maker *k, int operand, int32_t work, int64_t groups)
{
    const int32_t part = operand;
    int8_t map[KEEL_META_VIEWS];
    for (int view = 0; view < ATTENTION_VIEWS; view++) {
        map[view] = k->map[view];
    }
    map[ATTENTION_VIEW_OUT] = (int8_t)work;
    const keel_plan_arg args[] = {keeli_arg_operand(operand),
                                  keeli_arg_operand(k->map[4]),
                                  keeli_arg_operand(work),
                                  keeli_arg_meta(&k->meta, ATTENTION_VIEWS, map),
                                  keeli_arg_value(&k->factors, k->factor_bytes),
                                  keeli_arg_value(&part, sizeof part)};
    const keeli_grid grid = {(uint64_t)(groups * k->heads), 1};
    return keeli_attention_launch_any(k, "attention_pack", grid, args, KEEL_COUNT(args));
}

/* Rows of a group: as many as caches like, as few as give every core several chunks of groups. */
static int64_t choose_rows(const keeli_attention_maker *k)
{
    const int64_t wanted = UNIT_GROUPS * (int64_t)k->limits->compute_units;
    int64_t rows = ROWS;
    while (rows > 2 * MR && k->heads * keeli_attention_ceil_div(k->rows, rows) < wanted) {
        rows = round_up(rows / 2, MR);
    }
    return rows;
}

static keel_status plan_tiles(keeli_attention_maker *k)
{
    const packed p = packed_sizes(k->call->space);
    const double elements = packed_elements(k->call->space) * (double)k->heads;
    const int64_t size = k->meta.extent[ATTENTION_SIZE];
    int32_t work;
    KEEL_TRY(keel_plan_workspace(k->builder, KEEL_F32, (int64_t)elements + 1, &work));
    KEEL_TRY(pack(k, ATTENTION_Q, work, keeli_attention_ceil_div(p.rows, 8)));
    KEEL_TRY(pack(k, ATTENTION_K, work, p.keys / PANEL * keeli_attention_ceil_div(size, CHUNK)));
    KEEL_TRY(
        pack(k, ATTENTION_V, work, p.values / PANEL * keeli_attention_ceil_div(k->keys, CHUNK)));
    keeli_attention_maker tiles = *k;
    const int64_t rows = choose_rows(k);
    tiles.meta.extent[ATTENTION_EXTENT_SPLITS] = rows;
    tiles.map[0] = (int8_t)work;
    const keel_plan_arg args[] = {keeli_arg_operand(work),
                                  keeli_arg_operand(k->map[3]),
                                  keeli_arg_operand(k->map[4]),
                                  keeli_arg_operand(ATTENTION_OUT),
                                  keeli_arg_meta(&tiles.meta, ATTENTION_VIEWS, tiles.map),
                                  keeli_arg_value(&k->factors, k->factor_bytes)};
    const keeli_grid grid = {(uint64_t)(k->heads * keeli_attention_ceil_div(k->rows, rows)), 1};
    return keeli_attention_launch_any(k, "attention_tiles", grid, args, KEEL_COUNT(args));
}

/* ---- few queries ----------------------------------------------------------------------------- */

keel_status keeli_attention_plan_stream(keeli_attention_maker *k)
{
    const int64_t wanted = UNIT_GROUPS * (int64_t)k->limits->compute_units;
    const int64_t most = keeli_attention_ceil_div(k->keys, PART_KEYS);
    int64_t splits = keeli_attention_ceil_div(wanted, k->heads > 0 ? k->heads : 1);
    splits = splits < most ? splits : most;
    splits = splits > 1 ? splits : 1;
    int32_t part;
    KEEL_TRY(keeli_attention_split(k, splits, &part));
    KEEL_TRY(keeli_attention_launch(k, "attention_stream", k->heads * splits, 1));
    return keeli_attention_combine(k, part);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    keeli_attention_maker k;
    keeli_attention_open(&k, call, limits, builder);
    const int stream = is_stream(call->space);
    if (stream) {
        KEEL_TRY(keeli_attention_plan_stream(&k));
    } else {
        KEEL_TRY(plan_tiles(&k));
    }
    return needs_repair(&k, stream) ? repair(&k) : KEEL_OK;
}

static keel_status supports(const keel_call *call, const keel_limits *limits, char reason[128])
{
    const keel_dtype dtype = call->operand[ATTENTION_Q].dtype;
    if (dtype == KEEL_F64) {
        (void)snprintf(reason, 128, "vectors are of f32, f16 and bf16, not of f64");
        return KEEL_ERR_UNSUPPORTED;
    }
    keel_space s;
    keeli_attention_space(call, &s);
    const double heads = (double)s.extent[ATTENTION_BATCH] * (double)s.extent[ATTENTION_HEAD];
    const double bytes = 4.0 * heads * packed_elements(&s);
    if (!is_stream(&s) && bytes > (double)limits->max_buffer_bytes) {
        (void)snprintf(reason, 128, "packed operands take %g bytes, a buffer at most %g", bytes,
                       (double)limits->max_buffer_bytes);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

static const char *const sources[] = {keeli_text_attention, keeli_text_attention_simd,
                                      keeli_text_attention_rows, NULL};
const keel_variant keeli_attention_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "attention.simd",
    .style = "simd",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = supports,
    .plan = plan,
};
