/* How keel.softmax and keel.log_softmax run: by where the elements of a row, or of neighbouring
 * rows, lie together. */
#include "normalisation/rows.h"
#include "normalisation/softmax.h"
#include "support/contract.h"
#include "support/planning.h"

extern const char keeli_text_row[];
extern const char keeli_text_log_softmax[];
extern const char keeli_text_softmax[];
extern const char keeli_text_softmax_simd[];
extern const char keeli_text_softmax_value[];

static keel_status launch(const keel_meta *meta, keel_builder *builder, const char *entry,
                          keeli_grid grid)
{
    const keel_plan_arg args[] = {keeli_arg_operand(SOFTMAX_X), keeli_arg_operand(SOFTMAX_Y),
                                  keeli_arg_meta(meta, 2, NULL)};
    return keeli_rows_launch(builder, entry, grid, args, KEEL_COUNT(args));
}

/* ---- simt ------------------------------------------------------------------------------------ */

static const keel_instance simt_instances[] = {
    {.entry = "softmax_rows_32", .defines = "ROWS IDX=i32 KEEL_BLOCK=256"},
    {.entry = "softmax_columns_32", .defines = "COLUMNS IDX=i32 KEEL_BLOCK=256"},
    {.entry = "softmax_rows_64", .defines = "ROWS IDX=i64 KEEL_BLOCK=256", .group = 1},
    {.entry = "softmax_columns_64", .defines = "COLUMNS IDX=i64 KEEL_BLOCK=256", .group = 1},
};

static keel_status simt_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)limits;
    (void)err;
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const int columns = keeli_rows_layout(&meta) == ROWS_COLUMNS;
    const int wide = !keeli_space_fits_32(call->space);
    const int64_t rows = keeli_rows_count(meta.extent, 0, meta.rank - 1);
    const keeli_grid grid =
        keeli_rows_gpu_grid(columns ? (rows + ROWS_GROUP - 1) / ROWS_GROUP : rows);
    return launch(&meta, builder, simt_instances[2 * wide + columns].entry, grid);
}

/* ---- simd ------------------------------------------------------------------------------------ */

static const keel_instance simd_instances[] = {
    {.entry = "softmax_rows", .defines = "ROWS IDX=i64 BUFFER=2048 KEEL_BLOCK=1"},
    {.entry = "softmax_columns", .defines = "COLUMNS IDX=i64 KEEL_BLOCK=1"},
    {.entry = "softmax_any", .defines = "ANY IDX=i64 KEEL_BLOCK=1"},
};

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    int layout = keeli_rows_layout(&meta);
    if (call->operand[SOFTMAX_X].dtype == KEEL_F64) {
        layout = ROWS_ANY;
    }
    const int64_t rows = keeli_rows_count(meta.extent, 0, meta.rank - 1);
    const keeli_grid grid = keeli_rows_cpu_grid(limits, rows, meta.extent[meta.rank - 1]);
    return launch(&meta, builder, simd_instances[layout].entry, grid);
}

/* ---- variants -------------------------------------------------------------------------------- */

static const char *const simd_sources[] = {keeli_text_row, keeli_text_softmax_value,
                                           keeli_text_softmax_simd, NULL};
static const char *const log_simd_sources[] = {keeli_text_row, keeli_text_log_softmax,
                                               keeli_text_softmax_value, keeli_text_softmax_simd,
                                               NULL};
static const char *const simt_sources[] = {keeli_text_row, keeli_text_softmax_value,
                                           keeli_text_softmax, NULL};
static const char *const log_simt_sources[] = {keeli_text_row, keeli_text_log_softmax,
                                               keeli_text_softmax_value, keeli_text_softmax, NULL};

static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "softmax.simd",
    .style = "simd",
    .sources = simd_sources,
    .instances = simd_instances,
    .instance_count = KEEL_COUNT(simd_instances),
    .supports = keeli_supports_types,
    .plan = simd_plan,
};

static const keel_variant log_simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "log_softmax.simd",
    .style = "simd",
    .sources = log_simd_sources,
    .instances = simd_instances,
    .instance_count = KEEL_COUNT(simd_instances),
    .supports = keeli_supports_types,
    .plan = simd_plan,
};

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "softmax.simt",
    .style = "simt",
    .sources = simt_sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = keeli_rows_gpu_supports,
    .plan = simt_plan,
};

static const keel_variant log_simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "log_softmax.simt",
    .style = "simt",
    .sources = log_simt_sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = keeli_rows_gpu_supports,
    .plan = simt_plan,
};

const keel_variant *const keeli_softmax_variants[SOFTMAX_VARIANTS] = {&simd, &simt};
const keel_variant *const keeli_log_softmax_variants[SOFTMAX_VARIANTS] = {&log_simd, &log_simt};
