/*
 * How keel.topk runs: rows are cut into runs that are put in order on their own, then merged pair
 * by pair. The kernels are in topk.kc.
 */
#include "selection/topk.h"
#include "support/contract.h"
#include "support/planning.h"

#define CHUNK 1024 /* of topk.kc */
#define FEW 64
#define CPU_SEGMENT 1024
#define GPU_SEGMENT 8
#define GPU_BLOCK 256
#define CPU_SPAN 8192 /* elements that are worth a run where few are kept */

#define FLAG_LEAST 1
#define FLAG_FINAL 2

extern const char keeli_text_argmax_key[];
extern const char keeli_text_key[];
extern const char keeli_text_topk[];

static const keel_instance instances[] = {
    {"sort_32", "STAGE=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"merge_32", "STAGE=1 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"sort_64", "STAGE=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"merge_64", "STAGE=1 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t divide_up(int64_t value, int64_t by)
{
    return value / by + (value % by != 0);
}

/* What all launches of a plan share. */
typedef struct topk {
    const keel_limits *limits;
    keel_builder *builder;
    keel_meta meta;
    int64_t rows, n, k;
    int32_t flags;
    int32_t wide;
    int32_t work[2]; /* workspaces, in turn */
} topk;

/* What topk.kc is given by value. */
typedef struct sizes {
    int64_t k;
    int64_t span;
} sizes;

/* Elements of a run at first. */
static int64_t first_span(const topk *self)
{
    const keel_limits *limits = self->limits;
    if (limits->kind != KEEL_KIND_CPU || self->k > FEW) {
        return CHUNK;
    }
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t wanted = divide_up(4 * compute_units, self->rows); /* runs of each row */
    const int64_t span = divide_up(self->n, wanted);
    return span > CPU_SPAN ? span : CPU_SPAN;
}

static keeli_grid grid_of(const topk *self, int64_t units, int64_t each, int grouped)
{
    const keel_limits *limits = self->limits;
    if (limits->kind == KEEL_KIND_GPU) {
        return (keeli_grid){(uint64_t)lesser(grouped ? units : divide_up(units, GPU_BLOCK), 65536),
                            GPU_BLOCK};
    }
    const int64_t compute_units = limits->compute_units > 0 ? limits->compute_units : 1;
    const int64_t work = divide_up(units * each, 4096);
    return (keeli_grid){(uint64_t)lesser(lesser(units, work), compute_units * 16), 1};
}

/* One launch, from workspace work[1 - target] to work[target]. */
static keel_status launch(const topk *self, int merges, int64_t span, int target, int is_final)
{
    const int64_t runs = divide_up(self->n, span);
    const int32_t flags = self->flags | (is_final ? FLAG_FINAL : 0);
    const sizes s = {self->k, span};
    const int32_t from = self->work[1 - target];
    const int32_t to = self->work[target];
    const int8_t map[] = {TOPK_X, TOPK_VALUES, TOPK_INDICES, (int8_t)from, (int8_t)to};
    keeli_grid grid;
    if (merges) {
        const int64_t segment = self->limits->kind == KEEL_KIND_GPU ? GPU_SEGMENT : CPU_SEGMENT;
        const int64_t merged = lesser(self->k, 2 * span);
        grid = grid_of(self, self->rows * divide_up(runs, 2) * divide_up(merged, segment),
                       lesser(merged, segment), 0);
    } else {
        grid = grid_of(self, self->rows * runs, lesser(self->n, span), 1);
    }
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(self->builder, instances[2 * self->wide + merges].entry, &kernel));
    const keel_plan_arg args[] = {
        keeli_arg_operand(TOPK_X),       keeli_arg_operand(TOPK_VALUES),
        keeli_arg_operand(TOPK_INDICES), keeli_arg_operand(from),
        keeli_arg_operand(to),           keeli_arg_meta(&self->meta, 5, map),
        keeli_arg_value(&s, sizeof s),   keeli_arg_value(&flags, sizeof flags),
    };
    return keeli_launch(self->builder, kernel, grid, args, KEEL_COUNT(args));
}

/* Elements that the runs of span elements leave behind. */
static int64_t kept_of(const topk *self, int64_t span)
{
    return self->rows * divide_up(self->n, span) * lesser(self->k, span);
}

/* The two workspaces: runs of the levels go to them in turn. */
static keel_status make_workspaces(topk *self, int64_t span)
{
    int64_t most[2] = {1, 1};
    int level = 0;
    for (; span < self->n; span *= 2) {
        const int64_t kept = kept_of(self, span);
        most[level] = kept > most[level] ? kept : most[level];
        level = 1 - level;
    }
    self->wide = self->wide || most[0] >= INT64_C(1) << 30 || most[1] >= INT64_C(1) << 30;
    for (int i = 0; i < 2; i++) {
        KEEL_TRY(keel_plan_workspace(self->builder, self->wide ? KEEL_I64 : KEEL_I32, most[i],
                                     &self->work[i]));
    }
    return KEEL_OK;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keel_space *space = call->space;
    topk self = {.limits = limits,
                 .builder = builder,
                 .n = space->extent[space->rank - 1],
                 .k = keeli_attribute_int(call, TOPK_K),
                 .flags = keeli_attribute_int(call, TOPK_LARGEST) != 0 ? 0 : FLAG_LEAST,
                 .wide = !keeli_space_fits_32(space),
                 .work = {TOPK_INDICES, TOPK_INDICES}};
    keeli_meta_from_space(space, &self.meta);
    self.rows = keeli_space_volume(space) / self.n;
    int64_t span = first_span(&self);
    if (span < self.n) {
        KEEL_TRY(make_workspaces(&self, span));
    }
    KEEL_TRY(launch(&self, 0, span, 0, span >= self.n));
    for (int target = 1; span < self.n; span *= 2) {
        KEEL_TRY(launch(&self, 1, span, target, 2 * span >= self.n));
        target = 1 - target;
    }
    return KEEL_OK;
}

static const char *const sources[] = {keeli_text_argmax_key, keeli_text_key, keeli_text_topk, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "topk.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};

const keel_variant *const keeli_topk_variants[TOPK_VARIANTS] = {&any};
