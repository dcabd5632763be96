/* keel.bit_shift: a moved by b bits to the left or to the right. */
#include "support/contract.h"
#include "support/elementwise.h"

static const keel_attribute_rule rules[] = {
    {.name = "direction", .kind = KEEL_ATTR_BYTES, .flags = KEEL_ATTR_REQUIRED},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    if (!keeli_attribute_is(call, 0, "LEFT") && !keeli_attribute_is(call, 0, "RIGHT")) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: direction is \"%.*s\", allowed are LEFT and RIGHT", call->op->name,
                         (int)call->attribute[0].count, call->attribute[0].value.bytes);
    }
    return keeli_elementwise_infer(call, outputs, err);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    const uint64_t a = (uint64_t)point->bits[0];
    const uint64_t b = (uint64_t)point->bits[1];
    const uint64_t width = 8 * (uint64_t)keel_dtype_size(point->type);
    const int left = keeli_attribute_is(point->call, 0, "LEFT");
    keeli_truth_integer(out, point, b >= width ? 0 : left ? a << b : a >> b);
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
    return keeli_elementwise_plan_mode(call, limits, builder, keeli_attribute_is(call, 0, "LEFT"));
}

extern const char keeli_text_bit_shift[];
static const char *const sources[] = {keeli_text_bit_shift, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "bit_shift",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_UNSIGNED};

const keel_op keeli_op_bit_shift = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.bit_shift",
    .family = "elementwise",
    .summary = "a moved by b bits",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_binary,
    .infer = infer,
    .work = keeli_elementwise_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
