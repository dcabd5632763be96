/* keel.hard_sigmoid: alpha * x + beta, clipped to 0 and 1. */
#include <math.h>

#include "activation/activation.h"
#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT, .default_float = 0.2},
    {.name = "beta", .kind = KEEL_ATTR_FLOAT, .default_float = 0.5},
};

/*
 * Product and sum are rounded to the type that is computed with, which clipping makes no worse;
 * where they are certain to be clipped the result is exact.
 */
static void truth(const keeli_point *point, keel_truth *out)
{
    const keel_dtype arithmetic = keeli_accumulator(point->type);
    const double u = keel_dtype_unit(arithmetic);
    const double beta = keeli_activation_number(point->call, 1);
    const keeli_dd product =
        keeli_two_product(keeli_activation_number(point->call, 0), point->value[0]);
    keeli_dd value = isfinite(product.hi) ? keeli_dd_add(product, (keeli_dd){beta, 0})
                                          : (keeli_dd){product.hi + beta, 0};
    const double rounded = isfinite(value.hi) ? 1.01 * u * (fabs(product.hi) + fabs(value.hi)) : 0;
    if (value.hi + rounded < 0 || value.hi - rounded > 1) {
        keeli_truth_value(out, point, value.hi > 1);
        return;
    }
    if (value.hi < 0 || value.hi > 1 || (value.hi == 1 && value.lo > 0)) {
        value = (keeli_dd){value.hi >= 1, 0};
    }
    const double last = isfinite(value.hi) ? keeli_ulp(point->type, value.hi) : 0;
    const double hard = rounded + (arithmetic == point->type ? last / 2 : last);
    keeli_truth_bound(out, point->out, value, hard, hard);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_hard_sigmoid[];
static const char *const sources[] = {keeli_text_activation, keeli_text_hard_sigmoid,
                                      keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "hard_sigmoid",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_activation_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_hard_sigmoid = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.hard_sigmoid",
    .family = "activation",
    .summary = "alpha * x + beta, clipped to 0 and 1",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_unary,
    .infer = keeli_activation_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
