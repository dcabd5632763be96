/* keel.sum: the sum of all inputs. */
#include "elementwise/variadic.h"
#include "support/contract.h"

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    return keeli_variadic_oracle(call, host, index, first, count, 0, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    return keeli_variadic_plan(call, limits, builder, 1);
}

static const keel_variant variant = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "sum",
    .style = "any",
    .sources = keeli_variadic_sources,
    .instances = keeli_variadic_instances,
    .instance_count = KEELI_VARIADIC_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};
static const keel_variant *const variants[] = {&variant};

static const uint64_t type_sets[] = {KEEL_DTYPES_FLOAT};

const keel_op keeli_op_sum = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE | KEEL_OP_VARIADIC,
    .name = "keel.sum",
    .family = "elementwise",
    .summary = "the sum of all inputs",
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_variadic_names,
    .infer = keeli_variadic_infer,
    .work = keeli_variadic_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
