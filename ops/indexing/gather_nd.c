/*
 * keel.gather_nd: slices of data, each chosen by a tuple of indices along the last axis of indices.
 * The first batch_dims axes are those of both. An index out of range gives a slice of zeros.
 */
#include "indexing/pick.h"
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define BATCH_DIMS 0

static const keel_attribute_rule attributes[] = {{.name = "batch_dims", .kind = KEEL_ATTR_INT}};

static int32_t batch_of(const keel_call *call)
{
    return (int32_t)keeli_attribute_int(call, BATCH_DIMS);
}

/* Indices in a tuple. */
static int32_t tuple_of(const keel_call *call)
{
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    return (int32_t)indices->shape[indices->rank - 1];
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static keel_status check_batch(const keel_call *call, keel_error *err)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const int64_t batch = keeli_attribute_int(call, BATCH_DIMS);
    const int32_t least = data->rank < indices->rank ? data->rank : indices->rank;
    if (least < 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather_nd: %s has rank 0, must have at least 1",
                         data->rank < 1 ? "data" : "indices");
    }
    if (batch < 0 || batch >= least) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather_nd: batch_dims is %lld, must be 0 to %d, less than the ranks "
                         "of data and indices",
                         (long long)batch, least - 1);
    }
    for (int32_t a = 0; a < batch; a++) {
        if (data->shape[a] != indices->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.gather_nd: batch axis %d has %lld elements in data and %lld in "
                             "indices, which must be equal",
                             a, (long long)data->shape[a], (long long)indices->shape[a]);
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    KEEL_TRY(check_batch(call, err));
    const int32_t batch = batch_of(call);
    const int64_t tuple = indices->shape[indices->rank - 1];
    if (tuple < 1 || tuple > data->rank - batch) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather_nd: the last axis of indices has %lld elements, must have 1 "
                         "to %d, the rank of data without its batch",
                         (long long)tuple, data->rank - batch);
    }
    const int32_t first = batch + (int32_t)tuple; /* of data's axes that stay */
    const int32_t rank = indices->rank - 1 + data->rank - first;
    if (rank > KEEL_MAX_RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather_nd: data of rank %d and indices of rank %d give rank %d, at "
                         "most %d is allowed",
                         data->rank, indices->rank, rank, KEEL_MAX_RANK);
    }
    outputs[0].dtype = data->dtype;
    outputs[0].rank = rank;
    for (int32_t a = 0; a < rank; a++) {
        const int32_t k = a - (indices->rank - 1);
        outputs[0].shape[a] = k < 0 ? indices->shape[a] : data->shape[first + k];
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const keel_desc *target = &call->operand[GATHER_OUT];
    const int32_t batch = batch_of(call);
    out->rank = target->rank;
    out->operands = 3;
    for (int32_t a = 0; a < target->rank; a++) {
        const int32_t k = a - (indices->rank - 1);
        out->extent[a] = target->shape[a];
        out->stride[GATHER_INDICES][a] = k < 0 ? indices->stride[a] : 0;
        out->stride[GATHER_DATA][a] = a < batch ? data->stride[a]
                                      : k < 0   ? 0
                                                : data->stride[batch + tuple_of(call) + k];
        out->stride[GATHER_OUT][a] = target->stride[a];
    }
}

static keeli_pick pick_of(const keel_call *call)
{
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    return keeli_pick_axes(&call->operand[GATHER_DATA], batch_of(call), tuple_of(call),
                           indices->stride[indices->rank - 1]);
}

/* ---- truth ----------------------------------------------------------------------------------- */

static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *data = &call->operand[GATHER_DATA];
    const keel_desc *indices = &call->operand[GATHER_INDICES];
    const int32_t batch = batch_of(call);
    const int32_t tuple = tuple_of(call);
    int64_t at[KEEL_MAX_RANK] = {0};
    int64_t in_indices[KEEL_MAX_RANK];
    int64_t from[KEEL_MAX_RANK];
    keeli_coordinates(&call->operand[GATHER_OUT], position, at);
    for (int32_t a = 0; a < indices->rank - 1; a++) {
        in_indices[a] = at[a];
    }
    for (int32_t a = 0; a < data->rank; a++) {
        if (a < batch || a >= batch + tuple) {
            from[a] = at[a < batch ? a : indices->rank - 1 + a - batch - tuple];
            continue;
        }
        in_indices[indices->rank - 1] = a - batch;
        const int64_t index = keel_dtype_load_bits(
            indices->dtype, host[GATHER_INDICES], keeli_offset(indices, in_indices, indices->rank));
        from[a] = index < 0 ? index + data->shape[a] : index;
        if (from[a] < 0 || from[a] >= data->shape[a]) {
            keeli_truth_bits(out, data->dtype, 0);
            return;
        }
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
    const keeli_pick pick = pick_of(call);
    return keeli_gather_plan(call, &pick, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "gather_nd.any",
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

const keel_op keeli_op_gather_nd = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.gather_nd",
    .family = "indexing",
    .summary = "slices of data, each chosen by a tuple of indices",
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
