/* keel.mod: what is left of a when multiples of b are taken away. */
#include <inttypes.h>
#include <math.h>

#include "support/contract.h"
#include "support/elementwise.h"

#define FMOD 0

static const keel_attribute_rule rules[] = {
    {.name = "fmod", .kind = KEEL_ATTR_INT},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t truncated = keeli_attribute_int(call, FMOD);
    if (truncated != 0 && truncated != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: fmod is %" PRId64 ", must be 0 or 1",
                         call->op->name, truncated);
    }
    if (truncated == 0 && keel_dtype_in(call->operand[0].dtype, KEEL_DTYPES_FLOAT)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: fmod is 0, must be 1 for %s",
                         call->op->name, keel_dtype_name(call->operand[0].dtype));
    }
    return keeli_elementwise_infer(call, outputs, err);
}

/* The signed result as its bits: with the sign of a if truncated, else of b. */
static uint64_t rest(int64_t a, int64_t b, int truncated)
{
    if (b == 0 || b == -1) {
        return 0;
    }
    const int64_t r = a % b;
    return (uint64_t)(!truncated && r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

static void truth(const keeli_point *point, keel_truth *out)
{
    if (!keeli_point_is_integer(point)) {
        keeli_truth_value(out, point, fmod(point->value[0], point->value[1]));
    } else if (point->type == KEEL_U64) {
        const uint64_t b = (uint64_t)point->bits[1];
        keeli_truth_integer(out, point, b != 0 ? (uint64_t)point->bits[0] % b : 0);
    } else {
        const int truncated = keeli_attribute_int(point->call, FMOD) != 0;
        keeli_truth_integer(out, point, rest(point->bits[0], point->bits[1], truncated));
    }
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
    const int32_t truncated = (int32_t)keeli_attribute_int(call, FMOD);
    return keeli_elementwise_plan_mode(call, limits, builder, truncated);
}

extern const char keeli_text_mod[];
static const char *const sources[] = {keeli_text_mod, keeli_text_elementwise, NULL};

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "mod",
    .style = "any",
    .sources = sources,
    .instances = keeli_elementwise_instances,
    .instance_count = KEELI_ELEMENTWISE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC};

const keel_op keeli_op_mod = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.mod",
    .family = "elementwise",
    .summary = "what is left of a when multiples of b are taken away",
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
