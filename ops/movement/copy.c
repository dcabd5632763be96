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

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 0;
    *bytes = keeli_compulsory_bytes(call);
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

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keeli_move move = keeli_move_of_space(call->space, 0, 1);
    return keeli_move_plan(&move, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "copy.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};
static const uint8_t operand_types[] = {0, 0};
static const char *const operand_names[] = {"in", "out"};

extern const keel_op keeli_op_copy;
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
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
