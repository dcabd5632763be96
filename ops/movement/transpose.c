/* keel.transpose: permutes the axes. The kernels are those of keel.copy. */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define PERM 0

static const keel_attribute_rule attributes[] = {{.name = "perm", .kind = KEEL_ATTR_INTS}};

/* The input's axis that becomes axis a of the output. */
static int32_t source_axis(const keel_call *call, int32_t a)
{
    const keel_attribute *perm = &call->attribute[PERM];
    return perm->count > 0 ? (int32_t)perm->value.ints[a] : call->operand[0].rank - 1 - a;
}

static keel_status check_perm(const keel_call *call, keel_error *err)
{
    const keel_attribute *perm = &call->attribute[PERM];
    const int32_t rank = call->operand[0].rank;
    uint32_t seen = 0;
    if (perm->count != 0 && perm->count != rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.transpose: perm has %d entries, must have %d, the rank of in",
                         perm->count, rank);
    }
    for (int32_t a = 0; a < perm->count; a++) {
        const int64_t axis = perm->value.ints[a];
        if (axis < 0 || axis >= rank) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.transpose: perm[%d] is %lld, must be 0 to %d", a,
                             (long long)axis, rank - 1);
        }
        if ((seen >> axis & 1) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.transpose: perm[%d] is %lld, which is there already", a,
                             (long long)axis);
        }
        seen |= 1u << axis;
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    KEEL_TRY(check_perm(call, err));
    outputs[0] = call->operand[0];
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        outputs[0].shape[a] = call->operand[0].shape[source_axis(call, a)];
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *in = &call->operand[0];
    out->rank = in->rank;
    out->operands = 2;
    for (int32_t a = 0; a < in->rank; a++) {
        out->extent[a] = in->shape[source_axis(call, a)];
        out->stride[0][a] = in->stride[source_axis(call, a)];
        out->stride[1][a] = call->operand[1].stride[a];
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t out_at[KEEL_MAX_RANK];
        int64_t in_at[KEEL_MAX_RANK];
        keeli_coordinates(&call->operand[1], index != NULL ? index[i] : first + i, out_at);
        for (int32_t a = 0; a < in->rank; a++) {
            in_at[source_axis(call, a)] = out_at[a];
        }
        keeli_move_truth(in, host[0], in_at, &truth[i]);
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "transpose.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = keeli_move_plan_space,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_transpose = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.transpose",
    .family = "movement",
    .summary = "permutes the axes of a tensor",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = infer,
    .space = space,
    .work = keeli_move_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
