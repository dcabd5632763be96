/* keel.space_to_depth: gathers blocks of the last two axes in the channels. */
#include <inttypes.h>

#include "movement/blocks.h"
#include "movement/move.h"
#include "support/contract.h"

#define DEEP 1 /* the operand whose channels hold the blocks */

static const keel_attribute_rule attributes[] = {
    {.name = "blocksize", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *in = &call->operand[0];
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    KEEL_TRY(keeli_blocks_check(call, err));
    outputs[0] = *in;
    for (int32_t a = 2; a < in->rank; a++) {
        if (in->shape[a] % block != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis %d of in has %" PRId64 " elements, must have a multiple of "
                             "blocksize, %" PRId64,
                             call->op->name, a, in->shape[a], block);
        }
        outputs[0].shape[a] /= block;
    }
    if (__builtin_mul_overflow(in->shape[1], block * block, &outputs[0].shape[1])) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: in has %" PRId64 " channels (axis 1), must have at most 2^63 - 1 "
                         "after times %" PRId64 ", the square of blocksize",
                         call->op->name, in->shape[1], block * block);
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_blocks_space(call, DEEP, 0, out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        keeli_blocks_truth(call, host[0], DEEP, 0, index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "space_to_depth.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = keeli_move_plan_space,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_space_to_depth = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.space_to_depth",
    .family = "movement",
    .summary = "gathers blocks of the last two axes in the channels",
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
