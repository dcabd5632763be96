/*
 * keel.lp_norm: x over the sum of magnitudes, or the root of the sum of squares, along one axis.
 * lp_norm.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "normalisation/lines.h"
#include "normalisation/rows.h"
#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define X 0
#define Y 1

#define AXIS 0
#define P 1

/* Role of the normalised axis, the last one of the space. */
#define ROLE_AXIS 1

extern const char keeli_text_row[];
extern const char keeli_text_lp_norm[];

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
    {.name = "p", .kind = KEEL_ATTR_INT, .default_int = 2},
};

static keel_status find_axis(const keel_call *call, int32_t *out, keel_error *err)
{
    return keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[X].rank, out,
                      err);
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t p = keeli_attribute_int(call, P);
    int32_t axis;
    KEEL_TRY(find_axis(call, &axis, err));
    if (p != 1 && p != 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: p is %lld, must be 1 or 2",
                         call->op->name, (long long)p);
    }
    outputs[0] = call->operand[X];
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    int32_t axis;
    if (find_axis(call, &axis, NULL) == KEEL_OK) {
        keeli_lines_space(call, axis, ROLE_AXIS, out);
    }
}

/* Magnitude or square, sum, quotient. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 3.0 * (double)keeli_desc_elements(&call->operand[Y]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* Sum of |x| or x^2 along the axis. */
static long double sum_of(const keel_call *call, const void *host, int64_t at, int32_t axis)
{
    const keel_desc *x = &call->operand[X];
    const int64_t p = keeli_attribute_int(call, P);
    long double sum = 0.0L;
    for (int64_t i = 0; i < x->shape[axis]; i++) {
        const long double value = keel_dtype_load(x->dtype, host, at + i * x->stride[axis]);
        sum += p == 1 ? fabsl(value) : value * value;
    }
    return sum;
}

/* The bounds that lp_norm.md derives. */
static void element_truth(const keel_call *call, int64_t n, double x, long double sum,
                          keel_truth *out)
{
    const keel_dtype dtype = call->operand[X].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const int squares = keeli_attribute_int(call, P) == 2;
    const double u = keel_dtype_unit(inner);
    const double terms = (double)n;
    const long double norm = squares ? sqrtl(sum) : sum;
    const keeli_dd value = keeli_dd_from_long(norm == 0.0L ? 0.0L : (long double)x / norm);
    double hard = 0.0;
    double tight = 0.0;
    if (isfinite(value.hi) && sum != 0.0L && !isinf(sum)) { /* over an infinity it is 0 */
        const double half = squares ? 0.5 : 1.0; /* a root halves what its argument is off by */
        const double lost = squares ? terms * keel_dtype_subnormal(inner) / (double)sum : 0.0;
        const double rest =
            (6.0 * u + keel_dtype_unit(dtype)) * fabs(value.hi) + keel_dtype_subnormal(inner);
        tight = fabs(value.hi) * (half * keeli_tight_roundings(terms) * u + lost) + rest;
        hard = fmax(fabs(value.hi) * (half * keeli_gamma(terms, u) + lost) + rest, 2.0 * tight);
        if ((double)sum > keel_dtype_max(inner) || lost > 0.25) {
            hard = tight = (double)INFINITY; /* squares overflow, or too many of them underflow */
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *x = &call->operand[X];
    int32_t axis;
    keeli_lines lines;
    KEEL_TRY(find_axis(call, &axis, NULL));
    KEEL_TRY(keeli_lines_open(&lines, x, axis, count));
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index == NULL ? first + i : index[i];
        const int is_new = keeli_lines_seek(&lines, position);
        if (is_new) {
            *lines.fact = sum_of(call, host[X], lines.start, axis);
        }
        const double value = keel_dtype_load(x->dtype, host[X], lines.at);
        element_truth(call, x->shape[axis], value, *lines.fact, &truth[i]);
    }
    keeli_lines_close(&lines);
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status launch(const keel_call *call, const keel_meta *meta, keel_builder *builder,
                          const char *entry, keeli_grid grid)
{
    const int32_t power = (int32_t)keeli_attribute_int(call, P);
    const keel_plan_arg args[] = {keeli_arg_operand(X), keeli_arg_operand(Y),
                                  keeli_arg_meta(meta, 2, NULL),
                                  keeli_arg_value(&power, sizeof power)};
    return keeli_rows_launch(builder, entry, grid, args, KEEL_COUNT(args));
}

static const keel_instance simt_instances[] = {
    {.entry = "lp_norm_rows_32", .defines = "SIMT ROWS IDX=i32 KEEL_BLOCK=256"},
    {.entry = "lp_norm_columns_32", .defines = "SIMT COLUMNS IDX=i32 KEEL_BLOCK=256"},
    {.entry = "lp_norm_rows_64", .defines = "SIMT ROWS IDX=i64 KEEL_BLOCK=256", .group = 1},
    {.entry = "lp_norm_columns_64", .defines = "SIMT COLUMNS IDX=i64 KEEL_BLOCK=256", .group = 1},
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
    return launch(call, &meta, builder, simt_instances[2 * wide + columns].entry, grid);
}

static const char *const sources[] = {keeli_text_row, keeli_text_lp_norm, NULL};

static const keel_variant simt = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_GPU),
    .name = "lp_norm.simt",
    .style = "simt",
    .sources = sources,
    .instances = simt_instances,
    .instance_count = KEEL_COUNT(simt_instances),
    .supports = keeli_rows_gpu_supports,
    .plan = simt_plan,
};

/* In the order of the layouts of rows.h. */
static const keel_instance simd_instances[] = {
    {.entry = "lp_norm_rows", .defines = "ROWS IDX=i64 KEEL_BLOCK=1"},
    {.entry = "lp_norm_columns", .defines = "COLUMNS IDX=i64 KEEL_BLOCK=1"},
    {.entry = "lp_norm_any", .defines = "ANY IDX=i64 KEEL_BLOCK=1"},
};

static keel_status simd_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    int layout = keeli_rows_layout(&meta);
    if (call->operand[X].dtype == KEEL_F64) {
        layout = ROWS_ANY;
    }
    const int64_t rows = keeli_rows_count(meta.extent, 0, meta.rank - 1);
    const keeli_grid grid = keeli_rows_cpu_grid(limits, rows, meta.extent[meta.rank - 1]);
    return launch(call, &meta, builder, simd_instances[layout].entry, grid);
}

static const keel_variant simd = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KIND_BIT(KEEL_KIND_CPU),
    .name = "lp_norm.simd",
    .style = "simd",
    .sources = sources,
    .instances = simd_instances,
    .instance_count = KEEL_COUNT(simd_instances),
    .supports = keeli_supports_types,
    .plan = simd_plan,
};

static const keel_variant *const variants[] = {&simd, &simt};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "y"};

const keel_op keeli_op_lp_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.lp_norm",
    .family = "normalisation",
    .summary = "x over the 1-norm or the 2-norm along one axis",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
