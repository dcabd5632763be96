/* keel.copy: out = in, for any strides on both sides. What the core itself copies with. */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    (void)err;
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(in, index != NULL ? index[i] : first + i, at);
        keeli_move_truth(in, host[0], at, &truth[i]);
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "copy.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = keeli_move_plan_space,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_copy = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_COPY | KEEL_OP_BITS,
    .name = "keel.copy",
    .family = "movement",
    .summary = "copies a tensor, whatever the strides of either side",
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = keeli_names_in_out,
    .infer = infer,
    .work = keeli_move_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
