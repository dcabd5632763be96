/* keel.swiglu: swish(a) * b, the gate of transformers. */
#include <math.h>

#include "activation/activation.h"
#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT, .default_float = 1.0},
};

/*
 * What a gate below the normal range lost b scales: some of its subnormals. Beside an infinity it
 * may be 0 or not.
 */
static double lost(const keeli_point *point, long double gate, double ulps)
{
    const keel_dtype arithmetic = keeli_accumulator(point->type);
    if (!(fabsl(gate) < keel_dtype_tiny(arithmetic)) || point->value[0] == 0 ||
        isnan(point->value[1])) {
        return 0;
    }
    return ulps * keel_dtype_subnormal(arithmetic) * fabs(point->value[1]);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    const double alpha = keeli_activation_number(point->call, 0);
    const double extra = keeli_swish_extra(alpha, point->value[0]);
    const long double gate = keeli_swish(alpha, point->value[0]);
    const keel_dtype arithmetic = keeli_accumulator(point->type);
    const keeli_dd value = keeli_dd_from_long(gate * point->value[1]);
    const double ulp = isfinite(value.hi) ? keeli_ulp(arithmetic, value.hi) : 0;
    double rest = lost(point, gate, 14 + extra);
    if (arithmetic != point->type && isfinite(value.hi)) {
        rest += keeli_ulp(point->type, value.hi);
    }
    keeli_truth_bound(out, point->out, value, (14 + extra) * ulp + rest, (7 + extra) * ulp + rest);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_swiglu[];
static const char *const sources[] = {keeli_text_activation, keeli_text_swiglu,
                                      keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "swiglu",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_activation_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_swiglu = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.swiglu",
    .family = "activation",
    .summary = "a / (1 + e^(-alpha a)) * b",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_binary,
    .infer = keeli_activation_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
