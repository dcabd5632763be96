/* keel.prelu: x, and slope * x where x is negative. */
#include "support/contract.h"
#include "support/elementwise.h"

static void truth(const keeli_point *point, keel_truth *out)
{
    if (keeli_point_is_integer(point)) {
        const int negative = keeli_integer_less(point->type, point->bits[0], 0);
        const uint64_t x = (uint64_t)point->bits[0];
        keeli_truth_integer(out, point, negative ? x * (uint64_t)point->bits[1] : x);
    } else if (point->value[0] < 0) {
        keeli_truth_arithmetic(out, point, keeli_two_product(point->value[1], point->value[0]));
    } else {
        keeli_truth_input(out, point, 0);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_prelu[];
static const char *const sources[] = {keeli_text_prelu, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "prelu",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEELI_TYPES_PRODUCT};
static const char *const operand_names[] = {"x", "slope", "out"};

const keel_op keeli_op_prelu = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.prelu",
    .family = "activation",
    .summary = "x, and slope * x below 0",
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = keeli_elementwise_infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
