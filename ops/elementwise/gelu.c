/* keel.gelu: x times the normal distribution function of x, exact or approximated by tanh. */
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "approximate", .kind = KEEL_ATTR_BYTES}, /* "" or "none": exact; "tanh" */
};

static int is_tanh(const keel_call *call)
{
    return keeli_attribute_is(call, 0, "tanh");
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    if (!is_tanh(call) && !keeli_attribute_is(call, 0, "none") &&
        !keeli_attribute_is(call, 0, "")) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: approximate is \"%.*s\", allowed are none and tanh", call->op->name,
                         (int)call->attribute[0].count, call->attribute[0].value.bytes);
    }
    return keeli_elementwise_infer(call, outputs, err);
}

/* The limit at -infinity, where the formulas would give NaN, is -0. */
static long double gelu(long double x, int tanh_form)
{
    const long double root_half = 0.707106781186547524400844362104849039L;
    const long double twice_root_2_by_pi = 1.595769121605730711759542673165837L;
    if (isinf(x)) {
        return x > 0 ? x : -0.0L;
    }
    if (tanh_form) {
        return x / (1 + expl(-twice_root_2_by_pi * (x + 0.044715L * x * x * x)));
    }
    return 0.5L * x * erfcl(-root_half * x);
}

/*
 * 16 ulp, or 8 u max(|x|, 1) where that is more: 1 + erf cancels for negative x. u is that of the
 * arithmetic; narrower types add their own rounding.
 */
static void truth(const keeli_point *point, keel_truth *out)
{
    const double x = point->value[0];
    const keel_dtype arithmetic = keeli_accumulator(point->type);
    const keeli_dd value = keeli_dd_from_long(gelu(x, is_tanh(point->call)));
    const double size = isfinite(x) ? fmax(fabs(x), 1) : 1;
    const double absolute = 8 * keel_dtype_unit(arithmetic) * size;
    const double hard = fmax(16 * keeli_ulp(arithmetic, value.hi), absolute);
    const double rounding = arithmetic == point->type ? 0 : keeli_ulp(point->type, value.hi);
    keeli_truth_bound(out, point->out, value, hard + rounding, hard / 2 + rounding);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

/* Twice the rows of keeli_elementwise_instances. */
#define DEFINES " KEEL_BLOCK=KEEL_BLOCK_MAP GELU_TANH="
static const keel_instance instances[] = {
    {.entry = "exact_flat_32", .defines = "LAYOUT=EW_FLAT IDX=i32" DEFINES "0"},
    {.entry = "exact_flat_64", .defines = "LAYOUT=EW_FLAT IDX=i64" DEFINES "0", .group = 1},
    {.entry = "exact_rows_32", .defines = "LAYOUT=EW_ROWS IDX=i32" DEFINES "0"},
    {.entry = "exact_rows_64", .defines = "LAYOUT=EW_ROWS IDX=i64" DEFINES "0", .group = 1},
    {.entry = "exact_strided_32", .defines = "LAYOUT=EW_STRIDED IDX=i32" DEFINES "0"},
    {.entry = "exact_strided_64", .defines = "LAYOUT=EW_STRIDED IDX=i64" DEFINES "0", .group = 1},
    {.entry = "tanh_flat_32", .defines = "LAYOUT=EW_FLAT IDX=i32" DEFINES "1", .group = 2},
    {.entry = "tanh_flat_64", .defines = "LAYOUT=EW_FLAT IDX=i64" DEFINES "1", .group = 3},
    {.entry = "tanh_rows_32", .defines = "LAYOUT=EW_ROWS IDX=i32" DEFINES "1", .group = 2},
    {.entry = "tanh_rows_64", .defines = "LAYOUT=EW_ROWS IDX=i64" DEFINES "1", .group = 3},
    {.entry = "tanh_strided_32", .defines = "LAYOUT=EW_STRIDED IDX=i32" DEFINES "1", .group = 2},
    {.entry = "tanh_strided_64", .defines = "LAYOUT=EW_STRIDED IDX=i64" DEFINES "1", .group = 3},
};

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keel_instance *rows = instances + (is_tanh(call) ? KEELI_ELEMENTWISE_INSTANCES : 0);
    return keeli_elementwise_plan_rows(call, limits, builder, rows);
}

extern const char keeli_text_gelu[];
static const char *const sources[] = {keeli_text_gelu, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "gelu",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .supports = keeli_supports_types,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_gelu = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.gelu",
    .family = "elementwise",
    .summary = "x times the normal distribution function of x",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_unary,
    .infer = infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
