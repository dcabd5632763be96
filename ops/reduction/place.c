/*
 * Contracts of the ops that look for an element along one axis, keel.argmax and keel.argmin: a NaN
 * is the greatest value, -0 and +0 are equal, and of equals the first wins, or the last if
 * select_last_index asks for it.
 */
#include "reduction/place.h"

#include "reduction/reduce_space.h"
#include "support/truth.h"

#define AXIS 0
#define KEEPDIMS 1
#define SELECT_LAST_INDEX 2

#define PLACE_RUN 256 /* of argmax.kc: neighbouring outputs that a CPU item does at once */

const keel_attribute_rule keeli_place_attributes[KEELI_PLACE_ATTRIBUTES] = {
    {.name = "axis", .kind = KEEL_ATTR_INT},
    {.name = "keepdims", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "select_last_index", .kind = KEEL_ATTR_INT, .default_int = 0},
};

const uint64_t keeli_place_type_sets[KEELI_PLACE_TYPE_SETS] = {
    KEELI_TYPES_ARITHMETIC | KEEL_DTYPE_BIT(KEEL_BOOL), KEEL_DTYPE_BIT(KEEL_I64)};
const uint8_t keeli_place_operand_types[2] = {0, 1};

/* The axis; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[0].rank, &axis,
                     NULL);
    return axis;
}

keel_status keeli_place_infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *in = &call->operand[0];
    const int64_t last = keeli_attribute_int(call, SELECT_LAST_INDEX);
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), in->rank, &axis, err));
    if (in->shape[axis] == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: axis %d of in has 0 elements, must have at least 1", call->op->name,
                         axis);
    }
    if (last != 0 && last != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: select_last_index is %lld, must be 0 or 1", call->op->name,
                         (long long)last);
    }
    KEEL_TRY(
        keeli_reduce_shape(call, 1u << axis, keeli_attribute_int(call, KEEPDIMS), outputs, err));
    outputs[0].dtype = KEEL_I64;
    return KEEL_OK;
}

void keeli_place_space(const keel_call *call, keel_space *out)
{
    keeli_reduce_space_over(call, 1u << axis_of(call), out);
}

/* ---- truth ----------------------------------------------------------------------------------- */

static int64_t true_place(const keel_call *call, const void *host, int64_t position, int greatest)
{
    const int last_wins = keeli_attribute_int(call, SELECT_LAST_INDEX) != 0;
    const keel_dtype dtype = call->operand[0].dtype;
    keeli_reduce_walk walk = keeli_reduce_walk_over(call, 1u << axis_of(call), position);
    int64_t best = walk.offset;
    int64_t place = 0;
    for (int64_t k = 0; k < walk.count; k++, keeli_reduce_next(&walk)) {
        const int order = keeli_compare(dtype, host, walk.offset, best);
        if ((greatest ? order : -order) > -last_wins) {
            best = walk.offset;
            place = k;
        }
    }
    return place;
}

keel_status keeli_place_oracle(const keel_call *call, const void *const *host, const int64_t *index,
                               int64_t first, int64_t count, keel_truth *truth, int greatest)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t position = index != NULL ? index[i] : first + i;
        keeli_truth_bits(&truth[i], KEEL_I64, true_place(call, host[0], position, greatest));
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

keel_status keeli_place_plan(const keel_call *call, const keel_limits *limits,
                             keel_builder *builder, keel_error *err)
{
    (void)err;
    const keeli_reduce_request request = {.count = call->operand[0].shape[axis_of(call)],
                                          .partial = KEEL_I64,
                                          .per_part = 1,
                                          .run = PLACE_RUN,
                                          .instead_of_block =
                                              keeli_attribute_int(call, SELECT_LAST_INDEX)};
    return keeli_reduce_plan_loops(call, &request, limits, builder);
}
