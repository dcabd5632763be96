/*
 * keel.scatter_elements: data with elements replaced by, or reduced with, updates: each at its own
 * place but along one axis, where its index says.
 */
#include <string.h>

#include "indexing/scatter.h"
#include "support/contract.h"

#define AXIS 0
#define REDUCTION 1

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT},
    {.name = "reduction", .kind = KEEL_ATTR_BYTES}, /* "": none */
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    const keel_desc *updates = &call->operand[SCATTER_UPDATES];
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), data->rank, &axis, err));
    KEEL_TRY(keeli_scatter_check(call, REDUCTION, err));
    if (indices->rank != data->rank || updates->rank != data->rank) {
        const int wrong = indices->rank != data->rank ? SCATTER_INDICES : SCATTER_UPDATES;
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.scatter_elements: %s has rank %d, must have %d, that of data",
                         call->op->operand_names[wrong], call->operand[wrong].rank, data->rank);
    }
    for (int32_t a = 0; a < data->rank; a++) {
        if (updates->shape[a] != indices->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.scatter_elements: axis %d of updates has %lld elements, must "
                             "have %lld, as in indices",
                             a, (long long)updates->shape[a], (long long)indices->shape[a]);
        }
        if (a != axis && indices->shape[a] > data->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.scatter_elements: axis %d of indices has %lld elements, at most "
                             "%lld are allowed, as in data",
                             a, (long long)indices->shape[a], (long long)data->shape[a]);
        }
    }
    outputs[0] = *data;
    return KEEL_OK;
}

static keeli_scatter scatter_of(const keel_call *call)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    keeli_scatter s;
    int32_t axis;
    memset(&s, 0, sizeof s);
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), data->rank, &axis, NULL);
    s.pick = keeli_pick_axes(data, axis, 1, 0);
    s.first_picked = axis;
    s.reduction = keeli_scatter_reduction(call, REDUCTION);
    for (int32_t a = 0; a < data->rank; a++) {
        s.data_axis[a] = a == axis ? -1 : a;
        s.index_stride[a] = call->operand[SCATTER_INDICES].stride[a];
        s.indexed[a] = 1;
    }
    return s;
}

static void space(const keel_call *call, keel_space *out)
{
    const keeli_scatter s = scatter_of(call);
    keeli_scatter_space(call, &s, &call->operand[SCATTER_OUT], out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keeli_scatter s = scatter_of(call);
    return keeli_scatter_oracle(call, &s, host, index, first, count, truth);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keeli_scatter s = scatter_of(call);
    return keeli_scatter_plan(call, &s, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "scatter_elements.any",
    .style = "any",
    .sources = keeli_scatter_sources,
    .instances = keeli_scatter_instances,
    .instance_count = KEELI_SCATTER_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL, KEELI_TYPES_INDEX};
static const uint8_t operand_types[] = {0, 1, 0, 0};
static const char *const operand_names[] = {"data", "indices", "updates", "out"};

const keel_op keeli_op_scatter_elements = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.scatter_elements",
    .family = "indexing",
    .summary = "data with elements replaced or reduced, the place along one axis given by indices",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 3,
    .inputs_required = 3,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = keeli_scatter_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
