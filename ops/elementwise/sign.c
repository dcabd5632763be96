/* keel.sign: -1, 0 or 1, as x is below, at or above 0; a NaN stays. */
#include "support/contract.h"
#include "support/elementwise.h"

static int sign_of(const keeli_point *point)
{
    if (point->type == KEEL_U64) {
        return point->bits[0] != 0;
    }
    return (point->value[0] > 0) - (point->value[0] < 0);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    if (keeli_point_is_integer(point)) {
        keeli_truth_integer(out, point, (uint64_t)sign_of(point));
    } else if (keeli_point_is_nan(point, 0)) {
        keeli_truth_input(out, point, 0);
    } else {
        keeli_truth_value(out, point, (double)sign_of(point));
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

extern const char keeli_text_sign[];
static const char *const sources[] = {keeli_text_sign, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "sign",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = keeli_elementwise_plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_sign = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.sign",
    .family = "elementwise",
    .summary = "-1, 0 or 1, as x is below, at or above 0",
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
