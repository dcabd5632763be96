/* keel.tile: a tensor repeated along its axes. The kernels are those of keel.copy. */
#include <inttypes.h>

#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define REPEATS 0

#define IN 0
#define OUT 1

#define REPEATED 1 /* role of an axis that is repeated */

static const keel_attribute_rule attributes[] = {
    {.name = "repeats", .kind = KEEL_ATTR_INTS, .flags = KEEL_ATTR_REQUIRED},
};

static int64_t repeats_of(const keel_call *call, int32_t a)
{
    return call->attribute[REPEATS].value.ints[a];
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *in = &call->operand[IN];
    const int32_t count = call->attribute[REPEATS].count;
    if (count != in->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tile: repeats has %d entries, must have %d, the rank of in", count,
                         in->rank);
    }
    outputs[0] = *in;
    for (int32_t a = 0; a < in->rank; a++) {
        if (repeats_of(call, a) < 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.tile: repeats[%d] is %" PRId64 ", must be at least 0", a,
                             repeats_of(call, a));
        }
        if (__builtin_mul_overflow(in->shape[a], repeats_of(call, a), &outputs[0].shape[a])) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.tile: repeats[%d] is %" PRId64 ", but axis %d of in has %" PRId64
                             " elements; must give at most 2^63 - 1 elements",
                             a, repeats_of(call, a), a, in->shape[a]);
        }
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *in = &call->operand[IN];
    out->rank = in->rank;
    out->operands = 2;
    for (int32_t a = 0; a < in->rank; a++) {
        const int repeated = repeats_of(call, a) != 1;
        out->role[a] = repeated ? REPEATED : KEEL_AXIS_MAP;
        out->extent[a] = call->operand[OUT].shape[a];
        out->stride[IN][a] = repeated ? 0 : in->stride[a];
        out->stride[OUT][a] = call->operand[OUT].stride[a];
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[IN];
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(&call->operand[OUT], index != NULL ? index[i] : first + i, at);
        for (int32_t a = 0; a < in->rank; a++) {
            at[a] %= in->shape[a];
        }
        keeli_move_truth(in, host[IN], at, &truth[i]);
    }
    return KEEL_OK;
}

/* ---- plan ------------------------------------------------------------------------------------ */

static void add_axis(keel_space *space, int64_t extent, int64_t source, int64_t target)
{
    space->extent[space->rank] = extent;
    space->stride[KEELI_MOVE_SOURCE][space->rank] = source;
    space->stride[KEELI_MOVE_TARGET][space->rank] = target;
    space->rank++;
}

/*
 * From in, into the first of each axis' repeats from axis 0 to late - 1, and into all repeats of
 * the others.
 */
static keeli_move first_move(const keel_call *call, int32_t late)
{
    const keel_desc *in = &call->operand[IN];
    const keel_desc *out = &call->operand[OUT];
    keeli_move move = {.operand = {IN, OUT}, .space = {.operands = 2}};
    for (int32_t a = 0; a < in->rank; a++) {
        const int64_t repeats = repeats_of(call, a);
        if (a >= late && repeats > 1) {
            add_axis(&move.space, repeats, 0, in->shape[a] * out->stride[a]);
        }
        add_axis(&move.space, in->shape[a], in->stride[a], out->stride[a]);
    }
    return move;
}

/* From out's first repeat along an axis into the others; axes after it are complete. */
static keeli_move late_move(const keel_call *call, int32_t axis)
{
    const keel_desc *in = &call->operand[IN];
    const keel_desc *out = &call->operand[OUT];
    const int64_t length = in->shape[axis] * out->stride[axis];
    keeli_move move = {.operand = {OUT, OUT}, .space = {.operands = 2}};
    add_axis(&move.space, repeats_of(call, axis) - 1, 0, length);
    for (int32_t a = 0; a < in->rank; a++) {
        const int64_t extent = a <= axis ? in->shape[a] : out->shape[a];
        add_axis(&move.space, extent, out->stride[a], out->stride[a]);
    }
    move.base[KEELI_MOVE_TARGET] = length;
    return move;
}

/*
 * One launch if the loops are few enough: an axis that is repeated takes two. Else the first axes
 * that are repeated take a launch each.
 */
static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int32_t rank = call->operand[IN].rank;
    int32_t late = rank; /* axes below it wait for a launch of their own */
    int32_t loops = rank;
    if (keeli_desc_elements(&call->operand[OUT]) == 0) {
        return KEEL_OK;
    }
    while (late > 0 && (repeats_of(call, late - 1) == 1 || loops < KEEL_SPACE_RANK)) {
        late--;
        loops += repeats_of(call, late) > 1;
    }
    keeli_move move = first_move(call, late);
    KEEL_TRY(keeli_move_plan(&move, limits, builder));
    for (int32_t a = late - 1; a >= 0; a--) {
        if (repeats_of(call, a) > 1) {
            move = late_move(call, a);
            KEEL_TRY(keeli_move_plan(&move, limits, builder));
        }
    }
    return KEEL_OK;
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "tile.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_tile = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.tile",
    .family = "movement",
    .summary = "a tensor repeated along its axes",
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
