/* keel.depth_to_space: spreads channels over blocks of the last two axes. */
#include <inttypes.h>

#include "movement/blocks.h"
#include "movement/move.h"
#include "support/contract.h"

#define MODE 1

#define DEEP 0 /* the operand whose channels hold the blocks */

static const keel_attribute_rule attributes[] = {
    {.name = "blocksize", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
    {.name = "mode", .kind = KEEL_ATTR_BYTES}, /* "": DCR */
};

static int columns_first(const keel_call *call)
{
    return keeli_attribute_is(call, MODE, "CRD");
}

static keel_status check_sizes(const keel_call *call, keel_error *err)
{
    const keel_desc *in = &call->operand[0];
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    int64_t size;
    if (in->shape[1] % (block * block) != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: in has %" PRId64 " channels (axis 1), must have a multiple of "
                         "%" PRId64 ", the square of blocksize",
                         call->op->name, in->shape[1], block * block);
    }
    for (int32_t a = 2; a < in->rank; a++) {
        if (__builtin_mul_overflow(in->shape[a], block, &size)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "%s: axis %d of in has %" PRId64 " elements, must have at most "
                             "2^63 - 1 after times blocksize, %" PRId64,
                             call->op->name, a, in->shape[a], block);
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t block = keeli_attribute_int(call, KEELI_BLOCKS_SIZE);
    const keel_attribute *mode = &call->attribute[MODE];
    KEEL_TRY(keeli_blocks_check(call, err));
    if (mode->count != 0 && !columns_first(call) && !keeli_attribute_is(call, MODE, "DCR")) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: mode is \"%.*s\", must be DCR or CRD",
                         call->op->name, (int)mode->count, mode->value.bytes);
    }
    KEEL_TRY(check_sizes(call, err));
    outputs[0] = call->operand[0];
    outputs[0].shape[1] /= block * block;
    outputs[0].shape[2] *= block;
    outputs[0].shape[3] *= block;
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_blocks_space(call, DEEP, columns_first(call), out);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        keeli_blocks_truth(call, host[0], DEEP, columns_first(call),
                           index != NULL ? index[i] : first + i, &truth[i]);
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "depth_to_space.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = keeli_move_plan_space,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_depth_to_space = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.depth_to_space",
    .family = "movement",
    .summary = "spreads channels over blocks of the last two axes",
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
