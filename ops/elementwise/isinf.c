/* keel.isinf: whether x is an infinity of a sign that is asked for. */
#include <inttypes.h>
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "detect_negative", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "detect_positive", .kind = KEEL_ATTR_INT, .default_int = 1},
};

#define DETECT_NEGATIVE 0
#define DETECT_POSITIVE 1

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    for (uint32_t i = 0; i < KEEL_COUNT(rules); i++) {
        const int64_t asked = keeli_attribute_int(call, i);
        if (asked != 0 && asked != 1) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: %s is %" PRId64 ", must be 0 or 1", call->op->name, rules[i].name,
                             asked);
        }
    }
    return keeli_elementwise_infer(call, outputs, err);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    const uint32_t asked = signbit(point->value[0]) ? DETECT_NEGATIVE : DETECT_POSITIVE;
    keeli_truth_bool(out, isinf(point->value[0]) && keeli_attribute_int(point->call, asked) != 0);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *out)
{
    (void)output;
    return keeli_elementwise_oracle(call, host, index, first, count, out, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int positive = keeli_attribute_int(call, DETECT_POSITIVE) != 0;
    const int negative = keeli_attribute_int(call, DETECT_NEGATIVE) != 0;
    return keeli_elementwise_plan_mode(call, limits, builder, positive | negative << 1);
}

extern const char keeli_text_isinf[];
static const char *const sources[] = {keeli_text_isinf, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "isinf",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8, KEEL_DTYPE_BIT(KEEL_BOOL)};
static const uint8_t operand_types[] = {0, 1};

const keel_op keeli_op_isinf = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.isinf",
    .family = "elementwise",
    .summary = "whether x is an infinity",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = keeli_names_unary,
    .infer = infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
