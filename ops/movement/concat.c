/*
 * keel.concat: joins tensors along an axis. One launch per input, with the kernels of keel.copy;
 * the space is the output's, and its joined axis stays apart from the others.
 */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define AXIS 0

#define JOINED 1 /* role of the axis along which inputs follow each other */

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
};

/* The joined axis; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[0].rank, &axis,
                     NULL);
    return axis;
}

/* Whether input k has the rank of the first and its sizes except along the joined axis. */
static keel_status check_input(const keel_call *call, uint32_t k, keel_error *err)
{
    const keel_desc *first = &call->operand[0];
    const keel_desc *in = &call->operand[k];
    if (in->rank != first->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.concat: input %u has rank %d, must have %d, as input 0 has", k,
                         in->rank, first->rank);
    }
    for (int32_t a = 0; a < in->rank; a++) {
        if (a != axis_of(call) && in->shape[a] != first->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.concat: input %u has %lld elements along axis %d, must have "
                             "%lld, as input 0 has",
                             k, (long long)in->shape[a], a, (long long)first->shape[a]);
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[0].rank, &axis,
                        err));
    outputs[0] = call->operand[0];
    for (uint32_t k = 1; k < call->inputs; k++) {
        KEEL_TRY(check_input(call, k, err));
        if (__builtin_add_overflow(outputs[0].shape[axis], call->operand[k].shape[axis],
                                   &outputs[0].shape[axis])) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.concat: inputs 0 to %u have more than 2^63 - 1 elements along "
                             "axis %d",
                             k, axis);
        }
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *target = &call->operand[call->inputs];
    out->rank = target->rank;
    out->operands = (int32_t)call->inputs + 1;
    for (int32_t a = 0; a < target->rank; a++) {
        out->extent[a] = target->shape[a];
        for (uint32_t k = 0; k <= call->inputs; k++) {
            out->stride[k][a] = call->operand[k].stride[a];
        }
    }
    out->role[axis_of(call)] = JOINED;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const int32_t axis = axis_of(call);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        uint32_t k = 0;
        keeli_coordinates(&call->operand[call->inputs], index != NULL ? index[i] : first + i, at);
        while (at[axis] >= call->operand[k].shape[axis]) {
            at[axis] -= call->operand[k++].shape[axis];
        }
        keeli_move_truth(&call->operand[k], host[k], at, &truth[i]);
    }
    return KEEL_OK;
}

static int32_t joined_axis(const keel_space *space)
{
    int32_t a = 0;
    while (space->role[a] != JOINED) {
        a++;
    }
    return a;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int32_t joined = joined_axis(call->space);
    int64_t before = 0;
    for (uint32_t k = 0; k < call->inputs; k++) {
        keeli_move move = keeli_move_of_space(call->space, (int32_t)k, (int32_t)call->inputs);
        move.space.extent[joined] = call->operand[k].shape[axis_of(call)];
        move.base[KEELI_MOVE_TARGET] = before * move.space.stride[KEELI_MOVE_TARGET][joined];
        before += move.space.extent[joined];
        if (move.space.extent[joined] > 0) {
            KEEL_TRY(keeli_move_plan(&move, limits, builder));
        }
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "concat.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};
static const char *const operand_names[] = {"input", "out"};

const keel_op keeli_op_concat = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS | KEEL_OP_VARIADIC,
    .name = "keel.concat",
    .family = "movement",
    .summary = "joins tensors along an axis",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = keeli_move_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
