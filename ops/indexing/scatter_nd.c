/*
 * keel.scatter_nd: data with slices replaced by, or reduced with, updates, each at the place that a
 * tuple of indices along the last axis of indices says.
 */
#include <string.h>

#include "indexing/scatter.h"
#include "support/contract.h"

#define REDUCTION 0

static const keel_attribute_rule attributes[] = {
    {.name = "reduction", .kind = KEEL_ATTR_BYTES}, /* "": none */
};

/* The size that axis a of updates must have. */
static int64_t update_size(const keel_call *call, int32_t a)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    const int64_t tuple = indices->shape[indices->rank - 1];
    const int32_t k = a - (indices->rank - 1);
    return k < 0 ? indices->shape[a] : data->shape[tuple + k];
}

static keel_status check_updates(const keel_call *call, keel_error *err)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    const keel_desc *updates = &call->operand[SCATTER_UPDATES];
    const int32_t tuple = (int32_t)indices->shape[indices->rank - 1];
    const int32_t rank = indices->rank - 1 + data->rank - tuple;
    if (updates->rank != rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.scatter_nd: updates has rank %d, must have %d: the axes of indices "
                         "but the last, then those of data from axis %d on",
                         updates->rank, rank, tuple);
    }
    for (int32_t a = 0; a < rank; a++) {
        const int64_t size = update_size(call, a);
        if (updates->shape[a] != size) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.scatter_nd: axis %d of updates has %lld elements, must have "
                             "%lld, as in %s",
                             a, (long long)updates->shape[a], (long long)size,
                             a < indices->rank - 1 ? "indices" : "data");
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    KEEL_TRY(keeli_scatter_check(call, REDUCTION, err));
    if (data->rank < 1 || indices->rank < 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.scatter_nd: %s has rank 0, must have at least 1",
                         data->rank < 1 ? "data" : "indices");
    }
    const int64_t tuple = indices->shape[indices->rank - 1];
    if (tuple < 1 || tuple > data->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.scatter_nd: the last axis of indices has %lld elements, must have 1 "
                         "to %d, the rank of data",
                         (long long)tuple, data->rank);
    }
    KEEL_TRY(check_updates(call, err));
    outputs[0] = *data;
    return KEEL_OK;
}

static keeli_scatter scatter_of(const keel_call *call)
{
    const keel_desc *data = &call->operand[SCATTER_DATA];
    const keel_desc *indices = &call->operand[SCATTER_INDICES];
    const int32_t meeting = indices->rank - 1; /* axes of updates before those of a slice */
    const int32_t tuple = (int32_t)indices->shape[meeting];
    keeli_scatter s;
    memset(&s, 0, sizeof s);
    s.pick = keeli_pick_axes(data, 0, tuple, indices->stride[meeting]);
    s.reduction = keeli_scatter_reduction(call, REDUCTION);
    for (int32_t a = 0; a < call->operand[SCATTER_UPDATES].rank; a++) {
        s.data_axis[a] = a < meeting ? -1 : tuple + a - meeting;
        s.index_stride[a] = a < meeting ? indices->stride[a] : 0;
        s.indexed[a] = a < meeting;
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
    .name = "scatter_nd.any",
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

const keel_op keeli_op_scatter_nd = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_IN_PLACE,
    .name = "keel.scatter_nd",
    .family = "indexing",
    .summary = "data with slices replaced or reduced, each chosen by a tuple of indices",
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
