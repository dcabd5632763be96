/*
 * keel.range: start, start + delta, ... up to limit, which is not reached. Floats are given by
 * start, limit and delta, integers by int_start, int_limit and int_delta.
 */
#include <inttypes.h>
#include <math.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

enum { START, LIMIT, DELTA, INT_START, INT_LIMIT, INT_DELTA };

extern const char keeli_text_range[];

static const keel_attribute_rule rules[] = {
    {.name = "start", .kind = KEEL_ATTR_FLOAT},
    {.name = "limit", .kind = KEEL_ATTR_FLOAT},
    {.name = "delta", .kind = KEEL_ATTR_FLOAT, .default_float = 1.0},
    {.name = "int_start", .kind = KEEL_ATTR_INT},
    {.name = "int_limit", .kind = KEEL_ATTR_INT},
    {.name = "int_delta", .kind = KEEL_ATTR_INT, .default_int = 1},
};

static int is_float(const keel_call *call)
{
    return keel_dtype_in(call->operand[0].dtype, KEEL_DTYPES_FLOAT);
}

/* A float attribute, rounded to the type of out. */
static double real(const keel_call *call, uint32_t attribute)
{
    uint64_t element = 0;
    const keel_dtype dtype = call->operand[0].dtype;
    keel_dtype_store(dtype, &element, 0, keeli_attribute_float(call, attribute), 0);
    return keel_dtype_load(dtype, &element, 0);
}

/* ---- shape ----------------------------------------------------------------------------------- */

static keel_status check_real(const keel_call *call, uint32_t attribute, keel_error *err)
{
    const double value = real(call, attribute);
    if (!isfinite(value) || (attribute == DELTA && value == 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: %s is %g in %s, must be finite%s",
                         call->op->name, rules[attribute].name, value,
                         keel_dtype_name(call->operand[0].dtype),
                         attribute == DELTA ? " and not 0" : "");
    }
    return KEEL_OK;
}

static keel_status check_int(const keel_call *call, uint32_t attribute, keel_error *err)
{
    const keel_dtype dtype = call->operand[0].dtype;
    const int64_t value = keeli_attribute_int(call, attribute);
    const int64_t least = keeli_integer_limit(dtype, 0);
    const int64_t most = keeli_integer_limit(dtype, 1);
    if (value < least || value > most || (attribute == INT_DELTA && value == 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: %s is %" PRId64 ", must be %" PRId64 " to %" PRId64 " for %s%s",
                         call->op->name, rules[attribute].name, value, least, most,
                         keel_dtype_name(dtype), attribute == INT_DELTA ? ", and not 0" : "");
    }
    return KEEL_OK;
}

/* The attributes of the other kind must have been left alone. */
static keel_status check_other(const keel_call *call, keel_error *err)
{
    const uint32_t first = is_float(call) ? INT_START : START;
    for (uint32_t k = first; k < first + INT_START; k++) {
        const int left = is_float(call) ? keeli_attribute_int(call, k) == rules[k].default_int
                                        : keeli_attribute_float(call, k) == rules[k].default_float;
        if (!left) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s is given, but out is %s, which takes %s", call->op->name,
                             rules[k].name, keel_dtype_name(call->operand[0].dtype),
                             rules[is_float(call) ? k - INT_START : k + INT_START].name);
        }
    }
    return KEEL_OK;
}

/* Elements of a range of integers; 2^63 and more as UINT64_MAX. */
static uint64_t int_count(int64_t start, int64_t limit, int64_t delta)
{
    const uint64_t up = delta > 0;
    const uint64_t step = up ? (uint64_t)delta : 0 - (uint64_t)delta;
    const uint64_t way = up ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    if (up ? limit <= start : limit >= start) {
        return 0;
    }
    return (way - 1) / step + 1;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const uint32_t first = is_float(call) ? START : INT_START;
    KEEL_TRY(check_other(call, err));
    for (uint32_t k = first; k < first + INT_START; k++) {
        KEEL_TRY(is_float(call) ? check_real(call, k, err) : check_int(call, k, err));
    }
    double count;
    if (is_float(call)) {
        count = ceil((real(call, LIMIT) - real(call, START)) / real(call, DELTA));
    } else {
        count = (double)int_count(keeli_attribute_int(call, INT_START),
                                  keeli_attribute_int(call, INT_LIMIT),
                                  keeli_attribute_int(call, INT_DELTA));
    }
    if (count >= 0x1p62) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: the range has %g elements, at most 2^62 are allowed", call->op->name,
                         count);
    }
    outputs[0].dtype = call->operand[0].dtype;
    outputs[0].rank = 1;
    outputs[0].shape[0] = count > 0 ? (int64_t)count : 0;
    return KEEL_OK;
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 2.0 * (double)keeli_desc_elements(&call->operand[0]);
    *bytes = keeli_compulsory_bytes(call);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* range.md has the derivation. */
static void real_truth(const keel_call *call, int64_t i, keel_truth *out)
{
    const keel_dtype dtype = call->operand[0].dtype;
    const keel_dtype inner = keeli_accumulator(dtype);
    const double u = keel_dtype_unit(inner);
    const keeli_dd way =
        keeli_dd_multiply((keeli_dd){(double)i, 0.0}, (keeli_dd){real(call, DELTA), 0.0});
    const keeli_dd value = keeli_dd_add(way, (keeli_dd){real(call, START), 0.0});
    const double size = fabs(value.hi);
    const double narrow = inner == dtype ? 0.0 : keel_dtype_unit(dtype) * size;
    const double tight = u * (fabs(way.hi) + size);
    keeli_truth_bound(out, dtype, value, 2 * tight + narrow, tight + narrow);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)host;
    (void)output;
    const uint64_t start = (uint64_t)keeli_attribute_int(call, INT_START);
    const uint64_t delta = (uint64_t)keeli_attribute_int(call, INT_DELTA);
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = index != NULL ? index[k] : first + k;
        if (is_float(call)) {
            real_truth(call, i, &truth[k]);
        } else {
            const keel_dtype dtype = call->operand[0].dtype;
            keeli_truth_bits(&truth[k], dtype, keeli_wrap(dtype, start + (uint64_t)i * delta));
        }
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* RANGE_ENDS of range.kc in each arithmetic type. */
typedef union range_ends {
    struct {
        double start, delta;
    } f64;
    struct {
        float start, delta;
    } f32;
    struct {
        int64_t start, delta;
    } i64;
    struct {
        int32_t start, delta;
    } i32;
} range_ends;

static keel_plan_arg ends_of(const keel_call *call, range_ends *ends)
{
    const keel_dtype dtype = call->operand[0].dtype;
    if (dtype == KEEL_F64) {
        ends->f64.start = real(call, START);
        ends->f64.delta = real(call, DELTA);
        return keeli_arg_value(ends, sizeof ends->f64);
    }
    if (is_float(call)) {
        ends->f32.start = (float)real(call, START);
        ends->f32.delta = (float)real(call, DELTA);
        return keeli_arg_value(ends, sizeof ends->f32);
    }
    if (dtype == KEEL_I64) {
        ends->i64.start = keeli_attribute_int(call, INT_START);
        ends->i64.delta = keeli_attribute_int(call, INT_DELTA);
        return keeli_arg_value(ends, sizeof ends->i64);
    }
    ends->i32.start = (int32_t)keeli_attribute_int(call, INT_START);
    ends->i32.delta = (int32_t)keeli_attribute_int(call, INT_DELTA);
    return keeli_arg_value(ends, sizeof ends->i32);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, keeli_space_fits_32(call->space) ? "range_32" : "range_64",
                              &kernel));
    keel_meta meta;
    range_ends ends;
    keeli_meta_from_space(call->space, &meta);
    const keel_plan_arg args[] = {
        keeli_arg_operand(0),
        keeli_arg_meta(&meta, 1, NULL),
        ends_of(call, &ends),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_range, NULL};

static const keel_instance instances[] = {
    {"range_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"range_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "range",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPE_BIT(KEEL_I64) |
                                     KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I16)};
static const char *const operand_names[] = {"out"};

const keel_op keeli_op_range = {
    .struct_size = sizeof(keel_op),
    .name = "keel.range",
    .family = "generation",
    .summary = "start, start + delta, ... up to limit",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = infer,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
