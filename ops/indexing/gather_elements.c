/*
 * keel.gather_elements: for each element of indices, the element of data at its place but along one
 * axis, where the index says. Negative indices count from the end; one out of range gives zero.
 */
#include "indexing/pick.h"
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define AXIS 0

static const keel_attribute_rule attributes[] = {{.name = "axis", .kind = KEEL_ATTR_INT}};

/* The gathered axis; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[GATHER_DATA].rank,
                     &axis, NULL);
    return axis;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), data->rank, &axis, err));
    if (indices->rank != data->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather_elements: indices has rank %d, must have %d, that of data",
                         indices->rank, data->rank);
    }
    for (int32_t a = 0; a < data->rank; a++) {
        if (a != axis && indices->shape[a] > data->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.gather_elements: axis %d of indices has %lld elements, at most "
                             "%lld are allowed, as in data",
                             a, (long long)indices->shape[a], (long long)data->shape[a]);
        }
    }
    outputs[0] = *indices;
    outputs[0].dtype = data->dtype;
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *target = &call->operand[GATHER_OUT];
    const int32_t axis = axis_of(call);
    out->rank = target->rank;
    out->operands = 3;
    for (int32_t a = 0; a < target->rank; a++) {
        out->extent[a] = target->shape[a];
        out->stride[GATHER_INDICES][a] = call->operand[GATHER_INDICES].stride[a];
        out->stride[GATHER_DATA][a] = a == axis ? 0 : call->operand[GATHER_DATA].stride[a];
        out->stride[GATHER_OUT][a] = target->stride[a];
    }
}

static keeli_pick pick_of(const keel_call *call)
{
    return keeli_pick_axes(&call->operand[GATHER_DATA], axis_of(call), 1, 0);
}

static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const int32_t axis = axis_of(call);
    int64_t at[KEEL_MAX_RANK] = {0};
    keeli_coordinates(indices, position, at);
    const int64_t index = keel_dtype_load_bits(indices->dtype, host[GATHER_INDICES],
                                               keeli_offset(indices, at, indices->rank));
    at[axis] = index < 0 ? index + data->shape[axis] : index;
    if (at[axis] < 0 || at[axis] >= data->shape[axis]) {
        keeli_truth_bits(out, data->dtype, 0);
        return;
    }
    keeli_move_truth(data, host[GATHER_DATA], at, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        truth_at(call, host, index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keeli_pick pick = pick_of(call);
    return keeli_gather_plan(call, &pick, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "gather_elements.any",
    .style = "any",
    .sources = keeli_gather_sources,
    .instances = keeli_gather_instances,
    .instance_count = KEELI_GATHER_INSTANCES,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL, KEELI_TYPES_INDEX};
static const uint8_t operand_types[] = {0, 1, 0};
static const char *const operand_names[] = {"data", "indices", "out"};

const keel_op keeli_op_gather_elements = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.gather_elements",
    .family = "indexing",
    .summary = "elements of data, the place along one axis given by indices",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = keeli_gather_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
