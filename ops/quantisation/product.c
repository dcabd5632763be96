/* Plans and truths of products of 8-bit integers. */
#include "quantisation/product.h"

#include <math.h>
#include <string.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

int keeli_product_has(const keel_call *call, int8_t slot)
{
    return slot != PRODUCT_ABSENT && call->operand[slot].dtype != KEEL_DTYPE_NONE;
}

static int is_requantised(const keeli_product *p)
{
    return p->slots->y_scale != PRODUCT_ABSENT;
}

/* ---- instances ------------------------------------------------------------------------------- */

/* Register tile, depth of a chunk (product_simd.kc says why), rows of a group at most. */
#define MR 6
#define NR 16
#define KC 256
#define ROWS_MOST 96
/* Columns of a group where there are few rows; more rows are better off with tiles. */
#define RUN 256
#define FEW_ROWS 3
#define QUOTE(x) #x
#define TEXT(x) QUOTE(x)

#define SIMT_ITEMS 256
#define SIMT_TILE 64

#define PACK_ROW                                                                     \
    {                                                                                \
        .entry = "product_pack", .defines = "PACK IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP" \
    }
#define ROWS_ROW                                                                     \
    {                                                                                \
        .entry = "product_rows", .defines = "ROWS IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP" \
    }

const keel_instance keeli_product_simd_instances[PRODUCT_SIMD_INSTANCES] = {
    {.entry = "product_columns",
     .defines = "COLUMNS IDX=i64 KEEL_BLOCK=1 RUN=" TEXT(RUN) " KC=" TEXT(KC)},
    PACK_ROW,
    {.entry = "product_tiles",
     .defines = "TILES IDX=i64 KEEL_BLOCK=1 MR=" TEXT(MR) " NR=" TEXT(NR) " KC=" TEXT(
         KC) " ROWS_MOST=" TEXT(ROWS_MOST)},
    ROWS_ROW,
};

const keel_instance keeli_product_simt_instances[PRODUCT_SIMT_INSTANCES] = {
    PACK_ROW,
    {.entry = "product_simt_32", .defines = "SIMT IDX=i32 KEEL_BLOCK=" TEXT(SIMT_ITEMS)},
    {.entry = "product_simt_64", .defines = "SIMT IDX=i64 KEEL_BLOCK=" TEXT(SIMT_ITEMS)},
    ROWS_ROW,
};

keel_status keeli_product_simt_supports(const keel_call *call, const keel_limits *limits,
                                        char reason[128])
{
    (void)call;
    if (limits->max_group < SIMT_ITEMS) {
        (void)snprintf(reason, 128, "groups of %u items, %d are needed", limits->max_group,
                       SIMT_ITEMS);
        return KEEL_ERR_UNSUPPORTED;
    }
    return KEEL_OK;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Mirrors PRODUCT_SIZES. */
typedef struct sizes {
    int64_t rows, depth;
} sizes;

static int64_t ceil_div(int64_t x, int64_t y)
{
    return x / y + (x % y != 0);
}

static int64_t packed_depth(const keeli_product *p)
{
    return p->loops.extent[PRODUCT_K];
}

/* Operand behind a view that may be absent: then another one, which is not read. */
static int8_t operand_or(const keeli_product *p, int8_t slot, int8_t other)
{
    return keeli_product_has(p->call, slot) ? slot : other;
}

/*
 * Loops of a piece of workspace that holds items elements for each row: batch axes along which none
 * of the views moves are left out. Gives the matrices, and the piece's own view.
 */
static int64_t rows_of(const keeli_product *p, const keel_meta_view *const *views, int count,
                       int64_t items, keel_meta *out, keel_meta_view *piece)
{
    int64_t matrices = 1;
    *out = p->loops;
    memset(out->view, 0, sizeof out->view);
    memset(piece, 0, sizeof *piece);
    piece->stride[PRODUCT_M] = items;
    for (int64_t axis = out->rank - 1; axis >= PRODUCT_BATCH; axis--) {
        int moves = 0;
        for (int v = 0; v < count; v++) {
            moves |= views[v]->stride[axis] != 0;
        }
        if (!moves) {
            out->extent[axis] = 1;
        }
        piece->stride[axis] = moves ? matrices * out->extent[PRODUCT_M] * items : 0;
        matrices *= out->extent[axis];
    }
    for (int v = 0; v < count; v++) {
        out->view[v] = *views[v];
    }
    return matrices;
}

static keel_status launch(const keeli_product *p, const char *entry, keeli_grid grid,
                          const keel_plan_arg *args, uint32_t count)
{
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(p->builder, entry, &kernel));
    return keeli_launch(p->builder, kernel, grid, args, count);
}

/* a less its zero point. The last register tile reads rows beyond the end: they are zeros.
 */
static keel_status pack_a(keeli_product *p, int8_t *out_operand)
{
    const keeli_product_slots *s = p->slots;
    const keel_meta_view *const views[] = {&p->a, &p->a_zero};
    keel_meta meta;
    const int64_t matrices =
        rows_of(p, views, 2, packed_depth(p), &meta, &p->loops.view[PRODUCT_VIEW_A]);
    const sizes t = {matrices * p->loops.extent[PRODUCT_M] + MR - 1, packed_depth(p)};
    int32_t workspace;
    const keel_dtype dtype = p->limits->kind == KEEL_KIND_CPU ? KEEL_F32 : KEEL_I16;
    const int64_t elements = t.rows * t.depth > 0 ? t.rows * t.depth : 1;
    KEEL_TRY(keel_plan_workspace(p->builder, dtype, elements, &workspace));
    *out_operand = (int8_t)workspace;
    if (t.depth == 0) {
        return KEEL_OK;
    }
    meta.view[2] = p->inner;
    meta.extent[9] = keeli_product_has(p->call, s->a_zero);
    const int8_t map[KEEL_META_VIEWS] = {s->a, operand_or(p, s->a_zero, s->a), *out_operand};
    const keel_plan_arg args[] = {keeli_arg_operand(map[0]), keeli_arg_operand(map[1]),
                                  keeli_arg_operand(map[2]), keeli_arg_meta(&meta, 3, map),
                                  keeli_arg_value(&t, sizeof t)};
    /* On CPUs a row is one element of the grid's. */
    const keeli_grid grid = keeli_grid_map(p->limits, t.rows * t.depth);
    return launch(p, "product_pack", grid, args, KEEL_COUNT(args));
}

/* Ratio of scales, zero point and bias of each row. */
static keel_status prepare_rows(keeli_product *p, int8_t *out_operand)
{
    const keeli_product_slots *s = p->slots;
    const keel_meta_view *const views[] = {&p->a_scale, &p->y_scale, &p->y_zero, &p->bias};
    keel_meta meta;
    const int64_t matrices = rows_of(p, views, 4, 3, &meta, &p->loops.view[PRODUCT_VIEW_ROWS]);
    const int64_t rows = matrices * p->loops.extent[PRODUCT_M];
    int32_t workspace;
    KEEL_TRY(keel_plan_workspace(p->builder, KEEL_I32, 3 * rows, &workspace));
    *out_operand = (int8_t)workspace;
    meta.extent[PRODUCT_N] = keeli_product_has(p->call, s->bias);
    const int8_t map[KEEL_META_VIEWS] = {s->a_scale, s->y_scale, s->y_zero,
                                         operand_or(p, s->bias, s->y_scale), *out_operand};
    const keel_plan_arg args[] = {keeli_arg_operand(map[0]), keeli_arg_operand(map[1]),
                                  keeli_arg_operand(map[2]), keeli_arg_operand(map[3]),
                                  keeli_arg_operand(map[4]), keeli_arg_meta(&meta, 5, map)};
    return launch(p, "product_rows", keeli_grid_map(p->limits, rows), args, KEEL_COUNT(args));
}

/* Rows of a CPU's group: many, since each lays out its columns of b; few enough to share out. */
static int64_t group_rows(const keeli_product *p, int64_t batch)
{
    const int64_t rows = p->loops.extent[PRODUCT_M];
    const int64_t panels = ceil_div(p->loops.extent[PRODUCT_N], NR) * batch;
    int64_t own = ceil_div(rows, MR) * MR;
    own = own < ROWS_MOST ? own : ROWS_MOST;
    while (own > 4 * MR && panels * ceil_div(rows, own) < 32 * (int64_t)p->limits->compute_units) {
        own = ceil_div(own / 2, MR) * MR;
    }
    return own;
}

/* Few rows of a matrix product, and columns of b side by side: each is read once as it is. */
static int reads_columns(const keeli_product *p)
{
    return !p->is_conv && p->loops.extent[PRODUCT_M] <= FEW_ROWS &&
           p->loops.view[PRODUCT_VIEW_B].stride[PRODUCT_N] == 1;
}

static keel_status multiply(keeli_product *p, int8_t packed, int8_t rows)
{
    const keeli_product_slots *s = p->slots;
    const int on_cpu = p->limits->kind == KEEL_KIND_CPU;
    int64_t batch = 1;
    for (int64_t axis = PRODUCT_BATCH; axis < p->loops.rank; axis++) {
        batch *= p->loops.extent[axis];
    }
    const int by_columns = on_cpu && reads_columns(p);
    const sizes t = {on_cpu ? group_rows(p, batch) : SIMT_TILE, packed_depth(p)};
    const int64_t blocks = by_columns ? 1 : ceil_div(p->loops.extent[PRODUCT_M], t.rows);
    const int64_t width = by_columns ? RUN : on_cpu ? NR : SIMT_TILE;
    const int64_t groups = blocks * ceil_div(p->loops.extent[PRODUCT_N], width) * batch;
    p->loops.extent[9] = keeli_product_has(p->call, s->b_zero);
    const int8_t map[KEEL_META_VIEWS] = {
        packed, s->b, operand_or(p, s->b_zero, s->b), rows, operand_or(p, s->b_scale, s->b), s->out,
        s->b,   s->b};
    const keel_plan_arg args[] = {keeli_arg_operand(map[0]),
                                  keeli_arg_operand(map[1]),
                                  keeli_arg_operand(map[2]),
                                  keeli_arg_operand(map[3]),
                                  keeli_arg_operand(map[4]),
                                  keeli_arg_operand(map[5]),
                                  keeli_arg_meta(&p->loops, KEEL_META_VIEWS, map),
                                  keeli_arg_value(&t, sizeof t)};
    const char *entry = by_columns ? "product_columns"
                        : on_cpu   ? "product_tiles"
                        : p->wide  ? "product_simt_64"
                                   : "product_simt_32";
    const keeli_grid grid = {(uint64_t)groups, on_cpu ? 1 : SIMT_ITEMS};
    return launch(p, entry, grid, args, KEEL_COUNT(args));
}

keel_status keeli_product_plan(keeli_product *p)
{
    int8_t packed;
    KEEL_TRY(pack_a(p, &packed));
    int8_t rows = packed; /* not read */
    if (is_requantised(p)) {
        KEEL_TRY(prepare_rows(p, &rows));
    }
    return multiply(p, packed, rows);
}

/* ---- truths ---------------------------------------------------------------------------------- */

typedef struct element {
    int64_t zero, least, most;
} element;

static int64_t stored(const void *context, double x)
{
    const element *e = context;
    return keeli_round_to_integer(x, e->zero, e->least, e->most);
}

/* Units of f32 by which a product of four roundings may be off; and with a division of 2.5 ulp. */
#define TIGHT_UNITS 4.01
#define HARD_UNITS 8.01

void keeli_requantised_truth(keel_truth *out, uint32_t sum, const keeli_requantised *r)
{
    const int64_t total = keeli_wrap(KEEL_I32, sum);
    if (r->dtype == KEEL_I32) {
        keeli_truth_bits(out, KEEL_I32, total);
        return;
    }
    const double u = keel_dtype_unit(KEEL_F32);
    const float ratio = (float)r->a_scale / (float)r->y_scale;
    const float factor = ratio * (float)r->b_scale;
    const long double real =
        (long double)total * ((long double)r->a_scale * r->b_scale / (long double)r->y_scale);
    const element e = {r->y_zero, keeli_integer_limit(r->dtype, 0),
                       keeli_integer_limit(r->dtype, 1)};
    if (!isfinite(factor) || r->a_scale == 0.0 || r->b_scale == 0.0) {
        /* No rounding but that to infinity matters: the kernels' formula. */
        keeli_truth_bits(out, r->dtype, stored(&e, (double)((float)total * factor)));
        return;
    }
    if (fabsf(ratio) < keel_dtype_tiny(KEEL_F32) && fabsl(real) >= 0.25L) {
        keeli_truth_bound(out, r->dtype, (keeli_dd){0}, (double)INFINITY, (double)INFINITY);
        out->hi = (double)stored(&e, (double)real);
        return; /* a subnormal ratio has few bits, or none */
    }
    const int exact = keeli_is_power_of_two(r->a_scale) && keeli_is_power_of_two(r->b_scale) &&
                      keeli_is_power_of_two(r->y_scale) && (double)(float)total == (double)total;
    keeli_truth_requantized(out, r->dtype, (double)real, exact ? 0.0 : HARD_UNITS * u,
                            exact ? 0.0 : TIGHT_UNITS * u, stored, &e);
}
