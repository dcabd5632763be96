/*
 * keel.lrn: x / (bias + alpha / size * s)^beta, where s is the sum of squares over a window of
 * channels. lrn.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "normalisation/channels.h"
#include "normalisation/lines.h"
#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define X 0
#define Y 1

#define ALPHA 0
#define BETA 1
#define BIAS 2
#define SIZE 3

/* The widest window; kernels count channels of it in 32 bits. */
#define SIZE_MOST (INT64_C(1) << 30)

/* Role of the axis of channels, the last one of the space. */
#define ROLE_CHANNELS 1

/* beta at which kernels take roots instead of a power. */
#define ROOTS 0.75

extern const char keeli_text_row[];
extern const char keeli_text_lanes[];
extern const char keeli_text_lrn[];

static const keel_attribute_rule attributes[] = {
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT, .default_float = 1e-4},
    {.name = "beta", .kind = KEEL_ATTR_FLOAT, .default_float = 0.75},
    {.name = "bias", .kind = KEEL_ATTR_FLOAT, .default_float = 1.0},
    {.name = "size", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t size = keeli_attribute_int(call, SIZE);
    const double limit = keel_dtype_max(keeli_accumulator(call->operand[X].dtype));
    KEEL_TRY(keeli_channels_check_rank(call, err));
    if (size < 1 || size > SIZE_MOST) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: size is %lld, must be 1 to %lld",
                         call->op->name, (long long)size, (long long)SIZE_MOST);
    }
    for (uint32_t k = ALPHA; k <= BIAS; k++) {
        const double value = keeli_attribute_float(call, k);
        if (!(fabs(value) <= limit)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is %g, allowed is %g to %g",
                             call->op->name, attributes[k].name, value, -limit, limit);
        }
    }
    outputs[0] = call->operand[X];
    return KEEL_OK;
}

/* Channels of the window before and behind its own: of an even size one more behind. */
static int64_t window_before(const keel_call *call)
{
    return (keeli_attribute_int(call, SIZE) - 1) / 2;
}
static int64_t window_after(const keel_call *call)
{
    return keeli_attribute_int(call, SIZE) / 2;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_lines_space(call, CHANNEL_AXIS, ROLE_CHANNELS, out);
}

/* Squares and sums of the window; the power counts as one, the quotient too. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    const int64_t size = keeli_attribute_int(call, SIZE);
    const int64_t channels = call->operand[X].shape[CHANNEL_AXIS];
    *flops = (2.0 * (double)(size < channels ? size : channels) + 4.0) *
             (double)keeli_desc_elements(&call->operand[Y]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* What the bounds depend on. */
typedef struct lrn_point {
    double x;
    int64_t n;                  /* channels of the window that exist */
    long double squares, alpha; /* alpha: over size */
    double beta, bias;
} lrn_point;

/* The bounds that lrn.md derives. */
static void point_truth(const lrn_point *p, keel_dtype dtype, keel_truth *out)
{
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const double t = keeli_tight_roundings((double)p->n);
    const long double term = p->alpha * p->squares;
    const long double base = (long double)p->bias + term;
    const long double power = powl(base, (long double)p->beta);
    const keeli_dd value = keeli_dd_from_long((long double)p->x / power);
    double hard = 0.0;
    double tight = 0.0;
    if (isfinite(value.hi) && !isinf(p->squares)) { /* beside an infinity it is exact */
        const double size = fabs((double)base);
        const double lost =
            ((double)p->n + 4.0) * keel_dtype_subnormal(inner) * (1.0 + fabs((double)p->alpha));
        const double off =
            ((t + 3.0) * u * fabs((double)term) + u * (fabs(p->bias) + size) + lost) /
            size; /* relative error of the base */
        const double rest = keel_dtype_unit(dtype) * fabs(value.hi) + keel_dtype_subnormal(inner);
        tight = fabs(value.hi) * (1.25 * fabs(p->beta) * off + 12.0 * u) + rest;
        const double share = fabs((double)term) / size;
        hard = 2.0 * tight +
               fabs(value.hi) * (1.25 * fabs(p->beta) * keeli_gamma((double)p->n, u) * share);
        const double result = fabs((double)power);
        if ((double)p->squares > keel_dtype_max(inner) || size > keel_dtype_max(inner) ||
            !(result < keel_dtype_max(inner) && result > keel_dtype_tiny(inner)) ||
            !(fabs(p->beta) * off < 0.25)) {
            hard = tight = (double)INFINITY; /* a step leaves the range, or is not determined */
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static void element_truth(const keel_call *call, const void *host, int64_t position,
                          keel_truth *out)
{
    const keel_desc *x = &call->operand[X];
    const int64_t channels = x->shape[CHANNEL_AXIS];
    const int64_t step = x->stride[CHANNEL_AXIS];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(x, position, at);
    const int64_t c = at[CHANNEL_AXIS];
    const int64_t offset = keeli_offset(x, at, x->rank);
    const int64_t first = c > window_before(call) ? c - window_before(call) : 0;
    const int64_t last =
        channels - 1 - c > window_after(call) ? c + window_after(call) : channels - 1;
    lrn_point p = {.x = keel_dtype_load(x->dtype, host, offset),
                   .n = last - first + 1,
                   .alpha = (long double)keeli_attribute_float(call, ALPHA) /
                            (long double)keeli_attribute_int(call, SIZE),
                   .beta = keeli_attribute_float(call, BETA),
                   .bias = keeli_attribute_float(call, BIAS)};
    for (int64_t k = first; k <= last; k++) {
        const long double v = keel_dtype_load(x->dtype, host, offset + (k - c) * step);
        p.squares += v * v;
    }
    point_truth(&p, x->dtype, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        element_truth(call, host[X], index == NULL ? first + i : index[i], &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Mirror LRN_PARAMETERS and LRN_WINDOW of lrn.kc. */
typedef struct parameters_f32 {
    float scale, beta;
} parameters_f32;
typedef struct parameters_f64 {
    double scale, beta;
} parameters_f64;
typedef struct window_f32 {
    float bias;
    int32_t before, after;
} window_f32;
typedef struct window_f64 {
    double bias;
    int32_t before, after;
} window_f64;

static const keel_instance instances[] = {
    {.entry = "lrn_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "lrn_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", .group = 1},
};

/* A space without an axis of places gets one. */
static void make_meta(const keel_space *given, keel_meta *out)
{
    keel_space s = *given;
    if (s.rank == 1) {
        s.rank = 2;
        s.extent[1] = s.extent[0];
        s.extent[0] = 1;
        for (int32_t k = 0; k < s.operands; k++) {
            s.stride[k][1] = s.stride[k][0];
            s.stride[k][0] = 0;
        }
    }
    keeli_meta_from_space(&s, out);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int is_f64 = call->operand[X].dtype == KEEL_F64;
    const int wide = !keeli_space_fits_32(call->space);
    const double scale =
        keeli_attribute_float(call, ALPHA) / (double)keeli_attribute_int(call, SIZE);
    const double beta = keeli_attribute_float(call, BETA);
    const double bias = keeli_attribute_float(call, BIAS);
    const int32_t before = (int32_t)window_before(call);
    const int32_t after = (int32_t)window_after(call);
    const parameters_f64 p64 = {scale, beta};
    const parameters_f32 p32 = {(float)scale, (float)beta};
    const window_f64 w64 = {bias, before, after};
    const window_f32 w32 = {(float)bias, before, after};
    keel_meta meta;
    int32_t kernel;
    make_meta(call->space, &meta);
    KEEL_TRY(keel_plan_kernel(builder, instances[wide].entry, &kernel));
    const keel_plan_arg args[] = {
        keeli_arg_operand(X),
        keeli_arg_operand(Y),
        keeli_arg_meta(&meta, 2, NULL),
        is_f64 ? keeli_arg_value(&p64, sizeof p64) : keeli_arg_value(&p32, sizeof p32),
        is_f64 ? keeli_arg_value(&w64, sizeof w64) : keeli_arg_value(&w32, sizeof w32),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_row, keeli_text_lanes, keeli_text_lrn, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "lrn.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};
static const char *const names[] = {"x", "y"};

const keel_op keeli_op_lrn = {
    .struct_size = sizeof(keel_op),
    .name = "keel.lrn",
    .family = "normalisation",
    .summary = "x over a power of the sum of squares of neighbouring channels",
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
