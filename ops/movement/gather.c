/*
 * keel.gather: entries of one axis of data, chosen by indices. Negative indices count from the end;
 * one that is out of range gives zero and is never followed.
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
    if (data->rank - 1 + indices->rank > KEEL_MAX_RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather: data of rank %d and indices of rank %d give rank %d, at "
                         "most %d is allowed",
                         data->rank, indices->rank, data->rank - 1 + indices->rank, KEEL_MAX_RANK);
    }
    outputs[0].dtype = data->dtype;
    outputs[0].rank = data->rank - 1 + indices->rank;
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        const int32_t k = a - axis;
        outputs[0].shape[a] = k < 0               ? data->shape[a]
                              : k < indices->rank ? indices->shape[k]
                                                  : data->shape[a - indices->rank + 1];
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const keel_desc *target = &call->operand[GATHER_OUT];
    const int32_t axis = axis_of(call);
    out->rank = target->rank;
    out->operands = 3;
    for (int32_t a = 0; a < target->rank; a++) {
        const int32_t k = a - axis;
        const int chosen = k >= 0 && k < indices->rank;
        out->extent[a] = target->shape[a];
        out->stride[GATHER_INDICES][a] = chosen ? indices->stride[k] : 0;
        out->stride[GATHER_DATA][a] = chosen ? 0 : data->stride[k < 0 ? a : a - indices->rank + 1];
        out->stride[GATHER_OUT][a] = target->stride[a];
    }
}

static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const int32_t axis = axis_of(call);
    int64_t at[KEEL_MAX_RANK] = {0};
    int64_t from[KEEL_MAX_RANK];
    keeli_coordinates(&call->operand[GATHER_OUT], position, at);
    const int64_t chosen = keeli_offset(indices, at + axis, indices->rank);
    int64_t entry = keel_dtype_load_bits(indices->dtype, host[GATHER_INDICES], chosen);
    entry = entry < 0 ? entry + data->shape[axis] : entry;
    if (entry < 0 || entry >= data->shape[axis]) {
        keeli_truth_bits(out, data->dtype, 0);
        return;
    }
    for (int32_t a = 0; a < data->rank; a++) {
        from[a] = a < axis ? at[a] : a == axis ? entry : at[a + indices->rank - 1];
    }
    keeli_move_truth(data, host[GATHER_DATA], from, out);
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

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keeli_pick pick = keeli_pick_axes(&call->operand[GATHER_DATA], axis_of(call), 1, 0);
    return keeli_gather_plan(call, &pick, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "gather.any",
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

const keel_op keeli_op_gather = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.gather",
    .family = "movement",
    .summary = "entries of one axis, chosen by indices",
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
