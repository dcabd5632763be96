/* keel.thresholded_relu: x where it is above alpha, else 0; a NaN stays. */
#include <math.h>

#include "activation/activation.h"
#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "alpha", .kind = KEEL_ATTR_FLOAT, .default_float = 1.0},
};

static void truth(const keeli_point *point, keel_truth *out)
{
    const double x = point->value[0];
    if (isnan(x) || x > keeli_activation_number(point->call, 0)) {
        keeli_truth_input(out, point, 0);
    } else {
        keeli_truth_value(out, point, 0);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_thresholded_relu[];
static const char *const sources[] = {keeli_text_activation, keeli_text_thresholded_relu,
                                      keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "thresholded_relu",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_activation_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_thresholded_relu = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.thresholded_relu",
    .family = "activation",
    .summary = "x above alpha, else 0",
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
