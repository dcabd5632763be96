/*
 * keel.slice: every step-th element of ranges of some axes. A negative step walks its axis
 * backwards: the space says so by a role, since its strides are distances, and the plan negates the
 * stride. The kernels are those of keel.copy.
 */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define STARTS 0
#define ENDS 1
#define AXES 2
#define STEPS 3

#define BACKWARDS 1 /* role of an axis whose input is walked from the far end */

static const keel_attribute_rule attributes[] = {
    {.name = "starts", .kind = KEEL_ATTR_INTS, .flags = KEEL_ATTR_REQUIRED},
    {.name = "ends", .kind = KEEL_ATTR_INTS, .flags = KEEL_ATTR_REQUIRED},
    {.name = "axes", .kind = KEEL_ATTR_INTS},
    {.name = "steps", .kind = KEEL_ATTR_INTS},
};

/* What is taken of one axis: count elements, step apart, beginning at first. */
typedef struct range {
    int64_t first;
    int64_t step;
    int64_t count;
} range;

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Reads start, end and step as ONNX does: from the end if negative, then cut to the axis. */
static range range_of(int64_t extent, int64_t start, int64_t end, int64_t step)
{
    if (extent == 0) {
        return (range){0, 1, 0};
    }
    step = clamp(step, -extent, extent); /* one step leaves the axis either way */
    start = start < 0 ? start + extent : start;
    end = end < 0 ? end + extent : end;
    range taken = {.step = step};
    if (step > 0) {
        taken.first = clamp(start, 0, extent);
        end = clamp(end, 0, extent);
        taken.count = end > taken.first ? (end - taken.first - 1) / step + 1 : 0;
    } else {
        taken.first = clamp(start, 0, extent - 1);
        end = clamp(end, -1, extent - 1);
        taken.count = taken.first > end ? (taken.first - end - 1) / -step + 1 : 0;
    }
    return taken;
}

/* The axis that entry i of the arrays is about; may be out of range before they are checked. */
static int64_t axis_of(const keel_call *call, int32_t i)
{
    const keel_attribute *axes = &call->attribute[AXES];
    const int64_t axis = axes->count > 0 ? axes->value.ints[i] : i;
    return axis < 0 ? axis + call->operand[0].rank : axis;
}

static int64_t step_of(const keel_call *call, int32_t i)
{
    const keel_attribute *steps = &call->attribute[STEPS];
    return steps->count > 0 ? steps->value.ints[i] : 1;
}

/* The range taken of each axis of the input; the attributes have been checked. */
static void all_ranges(const keel_call *call, range *out)
{
    const keel_desc *in = &call->operand[0];
    for (int32_t a = 0; a < in->rank; a++) {
        out[a] = (range){0, 1, in->shape[a]};
    }
    for (int32_t i = 0; i < call->attribute[STARTS].count; i++) {
        const int64_t a = axis_of(call, i);
        out[a] = range_of(in->shape[a], call->attribute[STARTS].value.ints[i],
                          call->attribute[ENDS].value.ints[i], step_of(call, i));
    }
}

static keel_status check_counts(const keel_call *call, keel_error *err)
{
    const int32_t count = call->attribute[STARTS].count;
    const int32_t rank = call->operand[0].rank;
    if (count > rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.slice: starts has %d entries, must have at most %d, the rank of in",
                         count, rank);
    }
    for (int32_t i = ENDS; i <= STEPS; i++) {
        const keel_attribute *other = &call->attribute[i];
        if (other->count != count && (i == ENDS || other->count != 0)) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.slice: %s has %d entries, must have %d, as starts has",
                             other->name, other->count, count);
        }
    }
    return KEEL_OK;
}

static keel_status check_entries(const keel_call *call, keel_error *err)
{
    const int32_t rank = call->operand[0].rank;
    uint32_t seen = 0;
    for (int32_t i = 0; i < call->attribute[STARTS].count; i++) {
        const int64_t axis = axis_of(call, i);
        if (axis < 0 || axis >= rank) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.slice: axes[%d] is %lld, must be %d to %d", i,
                             (long long)call->attribute[AXES].value.ints[i], -rank, rank - 1);
        }
        if ((seen >> axis & 1) != 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.slice: axes[%d] is axis %lld, which is there already", i,
                             (long long)axis);
        }
        if (step_of(call, i) == 0) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.slice: steps[%d] is 0, must be another number", i);
        }
        seen |= 1u << axis;
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    range taken[KEEL_MAX_RANK];
    KEEL_TRY(check_counts(call, err));
    KEEL_TRY(check_entries(call, err));
    all_ranges(call, taken);
    outputs[0] = call->operand[0];
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        outputs[0].shape[a] = taken[a].count;
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *in = &call->operand[0];
    range taken[KEEL_MAX_RANK];
    all_ranges(call, taken);
    out->rank = in->rank;
    out->operands = 2;
    for (int32_t a = 0; a < in->rank; a++) {
        const int64_t step = taken[a].step;
        out->extent[a] = taken[a].count;
        out->role[a] = step < 0 && taken[a].count > 1 ? BACKWARDS : KEEL_AXIS_MAP;
        out->stride[0][a] = taken[a].count > 1 ? in->stride[a] * (step < 0 ? -step : step) : 0;
        out->stride[1][a] = call->operand[1].stride[a];
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *in = &call->operand[0];
    const keel_desc *out = &call->operand[1];
    double read = 1;
    for (int32_t a = 0; a < in->rank; a++) {
        read *= in->stride[a] != 0 || out->shape[a] == 0 ? (double)out->shape[a] : 1;
    }
    *flops = 0;
    *bytes = (read + (double)keeli_desc_elements(out)) * keel_dtype_size(in->dtype);
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[0];
    range taken[KEEL_MAX_RANK];
    all_ranges(call, taken);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(&call->operand[1], index != NULL ? index[i] : first + i, at);
        for (int32_t a = 0; a < in->rank; a++) {
            at[a] = taken[a].first + at[a] * taken[a].step;
        }
        keeli_move_truth(in, host[0], at, &truth[i]);
    }
    return KEEL_OK;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    range taken[KEEL_MAX_RANK];
    all_ranges(call, taken);
    keeli_move move = keeli_move_of_space(call->space, 0, 1);
    for (int32_t a = 0; a < call->operand[0].rank; a++) {
        move.base[KEELI_MOVE_SOURCE] += taken[a].first * call->operand[0].stride[a];
    }
    for (int32_t a = 0; a < move.space.rank; a++) {
        if (call->space->role[a] == BACKWARDS) {
            move.space.stride[KEELI_MOVE_SOURCE][a] *= -1;
        }
    }
    return keeli_move_plan(&move, limits, builder);
}

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "slice.any",
    .style = "any",
    .sources = keeli_move_sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_MOVE_INSTANCES,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_slice = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.slice",
    .family = "movement",
    .summary = "takes every step-th element of ranges of some axes",
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
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
