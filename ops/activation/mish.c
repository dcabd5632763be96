/* keel.mish: x * tanh(ln(1 + e^x)). */
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

/*
 * With e = e^x, tanh(ln(1 + e)) = e (e + 2) / (e (e + 2) + 2); divided by e^2 where x is positive.
 * The limit at -infinity, where the formula would give NaN, is -0.
 */
static long double mish(long double x)
{
    if (x == -INFINITY) {
        return -0.0L;
    }
    const long double e = expl(-fabsl(x));
    const long double top = x > 0 ? 1 + 2 * e : e * (e + 2);
    return x * (top / (x > 0 ? top + 2 * e * e : top + 2));
}

static void truth(const keeli_point *point, keel_truth *out)
{
    keeli_truth_function(out, point, mish(point->value[0]), 16, 8);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_mish[];
static const char *const sources[] = {keeli_text_mish, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "mish",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_mish = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.mish",
    .family = "activation",
    .summary = "x * tanh(softplus(x))",
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
