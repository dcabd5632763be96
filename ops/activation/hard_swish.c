/* keel.hard_swish: x times x + 3, clipped to 0 and 6, by 6. */
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

/* The limit at -infinity, where the formula would give NaN, is -0. */
static void truth(const keeli_point *point, keel_truth *out)
{
    const long double x = point->value[0];
    const long double part = fminl(fmaxl(x + 3, 0), 6) / 6;
    keeli_truth_function(out, point, isnan(x) ? x : x < -3 ? -0.0L : x * part, 6, 3);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_hard_swish[];
static const char *const sources[] = {keeli_text_hard_swish, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "hard_swish",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_hard_swish = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.hard_swish",
    .family = "activation",
    .summary = "x * clip(x + 3, 0, 6) / 6",
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_unary,
    .infer = keeli_elementwise_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
