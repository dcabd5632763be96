/*
 * keel.batch_norm: (x - mean) / sqrt(var + epsilon) * scale + bias with one mean, variance, scale
 * and bias for each channel, as inference does it. batch_norm.md is its page.
 */
#include <math.h>

#include "keel/dtype.h"
#include "normalisation/channels.h"
#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define X 0
#define SCALE 1
#define BIAS 2
#define MEAN 3
#define VAR 4
#define Y 5
#define OPERANDS 6
#define PARAMETERS 4 /* from SCALE on */

#define EPSILON 0
#define TRAINING_MODE 1

/* Neighbours that are worth a vector. */
#define LINE_LEAST 8

extern const char keeli_text_row[];
extern const char keeli_text_lanes[];
extern const char keeli_text_batch_norm[];

static const keel_attribute_rule attributes[] = {
    {.name = "epsilon", .kind = KEEL_ATTR_FLOAT, .default_float = 1e-5},
    {.name = "training_mode", .kind = KEEL_ATTR_INT, .default_int = 0},
};

/* The type that computes: the wider of the types of x and of the parameters, at least f32. */
static keel_dtype inner_type(const keel_call *call)
{
    return call->operand[X].dtype == KEEL_F64 || call->operand[SCALE].dtype == KEEL_F64 ? KEEL_F64
                                                                                        : KEEL_F32;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t training = keeli_attribute_int(call, TRAINING_MODE);
    if (training != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: training_mode is %lld, must be 0: statistics are inputs here",
                         call->op->name, (long long)training);
    }
    KEEL_TRY(keeli_channels_check_epsilon(call, keeli_attribute_float(call, EPSILON),
                                          inner_type(call), err));
    KEEL_TRY(keeli_channels_check_rank(call, err));
    KEEL_TRY(keeli_channels_check(call, SCALE, PARAMETERS, err));
    outputs[0] = call->operand[X];
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *x = &call->operand[X];
    out->rank = x->rank;
    out->operands = OPERANDS;
    for (int32_t a = 0; a < x->rank; a++) {
        out->extent[a] = x->shape[a];
        out->stride[X][a] = x->stride[a];
        out->stride[Y][a] = call->operand[Y].stride[a];
        for (int32_t k = SCALE; k < SCALE + PARAMETERS; k++) {
            out->stride[k][a] = a == CHANNEL_AXIS ? call->operand[k].stride[0] : 0;
        }
    }
}

/* Difference, product, sum; factors are few. */
static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 3.0 * (double)keeli_desc_elements(&call->operand[X]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- oracle ---------------------------------------------------------------------------------- */

/* The bounds that batch_norm.md derives. */
static void bound(const keel_call *call, double centred, double factor, double spread,
                  double scaled, keeli_dd value, keel_truth *out)
{
    const keel_dtype dtype = call->operand[X].dtype;
    const keel_dtype inner = inner_type(call);
    const double u = keel_dtype_unit(inner);
    const double subnormal = keel_dtype_subnormal(inner);
    const double last = keel_dtype_unit(dtype) + fmax(u, keel_dtype_unit(keeli_accumulator(dtype)));
    double hard = 0.0;
    double tight = 0.0;
    if (isfinite(value.hi)) {
        const double rest = last * fabs(value.hi) +
                            (1.0 + fabs(centred) + fabs(factor)) * subnormal +
                            fabs(scaled) * subnormal / spread;
        tight = 6.0 * u * fabs(scaled) + rest;
        hard = 16.0 * u * fabs(scaled) + rest;
        const double most = fmax(fmax(fabs(centred), fabs(factor)), fmax(spread, fabs(scaled)));
        if (most >= keel_dtype_max(inner)) {
            hard = tight = (double)INFINITY; /* a step overflows */
        }
    }
    keeli_truth_bound(out, dtype, value, hard, tight);
}

static void element_truth(const keel_call *call, const void *const *host, int64_t position,
                          keel_truth *out)
{
    const keel_desc *x = &call->operand[X];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(x, position, at);
    const int64_t c = at[CHANNEL_AXIS];
    const long double value = keel_dtype_load(x->dtype, host[X], keeli_offset(x, at, x->rank));
    const long double scale = keeli_channels_parameter(call, host, SCALE, c, 1);
    const long double bias = keeli_channels_parameter(call, host, BIAS, c, 0);
    const long double mean = keeli_channels_parameter(call, host, MEAN, c, 0);
    const long double var = keeli_channels_parameter(call, host, VAR, c, 1);
    const long double spread = var + (long double)keeli_attribute_float(call, EPSILON);
    const long double centred = value - mean;
    const long double scaled = centred / sqrtl(spread) * scale;
    bound(call, (double)centred, (double)(scale / sqrtl(spread)), (double)spread, (double)scaled,
          keeli_dd_from_long(scaled + bias), out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        element_truth(call, host, index == NULL ? first + i : index[i], &truth[i]);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* One program for both: there are many combinations of types, and the kernels are short. */
static const keel_instance instances[] = {
    {.entry = "batch_norm_32", .defines = "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP"},
    {.entry = "batch_norm_64", .defines = "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP"},
};

/* Loops in the order of memory: an axis along which x and y lie together becomes the last one. */
static void turn(keel_space *s)
{
    const int32_t last = s->rank - 1;
    if (last < 1 || (s->stride[X][last] == 1 && s->stride[Y][last] == 1)) {
        return;
    }
    for (int32_t a = 0; a < last; a++) {
        if (s->stride[X][a] == 1 && s->stride[Y][a] == 1 && s->extent[a] >= LINE_LEAST) {
            keeli_space_swap_axes(s, a, last);
            return;
        }
    }
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    keel_space turned = *call->space;
    keel_meta meta;
    int32_t kernel;
    turn(&turned);
    keeli_meta_from_space(&turned, &meta);
    const int wide = !keeli_space_fits_32(&turned);
    const double epsilon = keeli_attribute_float(call, EPSILON);
    const float narrow = (float)epsilon;
    KEEL_TRY(keel_plan_kernel(builder, instances[wide].entry, &kernel));
    const keel_plan_arg args[] = {
        keeli_arg_operand(X),
        keeli_arg_operand(SCALE),
        keeli_arg_operand(BIAS),
        keeli_arg_operand(MEAN),
        keeli_arg_operand(VAR),
        keeli_arg_operand(Y),
        keeli_arg_meta(&meta, OPERANDS, NULL),
        inner_type(call) == KEEL_F64 ? keeli_arg_value(&epsilon, sizeof epsilon)
                                     : keeli_arg_value(&narrow, sizeof narrow),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(&turned));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_row, keeli_text_lanes, keeli_text_batch_norm,
                                      NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "batch_norm.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT, KEEL_DTYPES_FLOAT};
static const uint8_t operand_types[] = {0, 1, 1, 1, 1, 0};
static const char *const names[] = {"x", "scale", "bias", "mean", "var", "y"};

const keel_op keeli_op_batch_norm = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.batch_norm",
    .family = "normalisation",
    .summary = "(x - mean) / sqrt(var + epsilon) * scale + bias, each channel with its own",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 5,
    .inputs_required = 5,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
