/*
 * keel.one_hot: along a new axis, one of two values at the place that an index names, the other one
 * elsewhere.
 */
#include <inttypes.h>

#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define DEPTH 0
#define AXIS 1

#define INDICES 0
#define VALUES 1
#define OUT 2

#define HOT 1 /* role of the new axis */

extern const char keeli_text_entry[];
extern const char keeli_text_one_hot[];

static const keel_attribute_rule rules[] = {
    {.name = "depth", .kind = KEEL_ATTR_INT, .flags = KEEL_ATTR_REQUIRED},
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
};

/* The new axis, counted in the output; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    const int64_t axis = keeli_attribute_int(call, AXIS);
    return (int32_t)(axis < 0 ? axis + call->operand[INDICES].rank + 1 : axis);
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *indices = &call->operand[INDICES];
    const keel_desc *values = &call->operand[VALUES];
    const int64_t depth = keeli_attribute_int(call, DEPTH);
    int32_t axis;
    if (indices->rank >= KEEL_MAX_RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: indices have rank %d, at most %d is allowed", call->op->name,
                         indices->rank, KEEL_MAX_RANK - 1);
    }
    if (depth < 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: depth is %" PRId64 ", must be at least 0", call->op->name, depth);
    }
    if (values->rank != 1 || values->shape[0] != 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "%s: values have rank %d and %" PRId64 " elements, must have rank 1 and 2",
                         call->op->name, values->rank, keeli_desc_elements(values));
    }
    KEEL_TRY(
        keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), indices->rank + 1, &axis, err));
    outputs[0].dtype = values->dtype;
    outputs[0].rank = indices->rank + 1;
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        outputs[0].shape[a] = a == axis ? depth : indices->shape[a < axis ? a : a - 1];
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *indices = &call->operand[INDICES];
    const keel_desc *target = &call->operand[OUT];
    const int32_t axis = axis_of(call);
    out->rank = target->rank;
    out->operands = 3;
    for (int32_t a = 0; a < target->rank; a++) {
        out->role[a] = a == axis ? HOT : KEEL_AXIS_MAP;
        out->extent[a] = target->shape[a];
        out->stride[INDICES][a] = a == axis ? 0 : indices->stride[a < axis ? a : a - 1];
        out->stride[OUT][a] = target->stride[a];
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 0;
    *bytes = keeli_compulsory_bytes(call);
}

static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *indices = &call->operand[INDICES];
    const keel_desc *values = &call->operand[VALUES];
    const int64_t depth = keeli_attribute_int(call, DEPTH);
    const int32_t axis = axis_of(call);
    int64_t at[KEEL_MAX_RANK] = {0};
    keeli_coordinates(&call->operand[OUT], position, at);
    const int64_t place = at[axis];
    for (int32_t a = axis; a < indices->rank; a++) {
        at[a] = at[a + 1];
    }
    const int64_t from = keeli_offset(indices, at, indices->rank);
    const int64_t index = keel_dtype_load_bits(indices->dtype, host[INDICES], from);
    const int is_on = index == place || (index < 0 && index + depth == place);
    const int64_t which = is_on ? values->stride[0] : 0;
    keeli_truth_bits(out, values->dtype, keel_dtype_load_bits(values->dtype, host[VALUES], which));
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

static int32_t hot_axis(const keel_space *space)
{
    int32_t a = 0;
    while (space->role[a] != HOT) {
        a++;
    }
    return a;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(
        builder, keeli_space_fits_32(call->space) ? "one_hot_32" : "one_hot_64", &kernel));
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const int64_t depth = keeli_attribute_int(call, DEPTH);
    const int64_t step = call->operand[VALUES].stride[0];
    const int32_t hot = hot_axis(call->space);
    const keel_plan_arg args[] = {
        keeli_arg_operand(INDICES),
        keeli_arg_operand(VALUES),
        keeli_arg_operand(OUT),
        keeli_arg_meta(&meta, 3, NULL),
        keeli_arg_value(&depth, sizeof depth),
        keeli_arg_value(&step, sizeof step),
        keeli_arg_value(&hot, sizeof hot),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_entry, keeli_text_one_hot, NULL};

static const keel_instance instances[] = {
    {"one_hot_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"one_hot_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "one_hot",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I64),
                                     KEEL_DTYPES_ALL};
static const uint8_t operand_types[] = {0, 1, 1};
static const char *const operand_names[] = {"indices", "values", "out"};

const keel_op keeli_op_one_hot = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.one_hot",
    .family = "generation",
    .summary = "one of two values where an index points, the other one elsewhere",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .inputs = 2,
    .inputs_required = 2,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
