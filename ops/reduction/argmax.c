/*
 * keel.argmax: the place of the greatest element along one axis. A NaN is the greatest value, -0
 * and +0 are equal, and of equals the first wins, or the last if select_last_index asks for it.
 */
#include <math.h>

#include "reduction/reduce.h"
#include "reduction/reduce_space.h"

#define AXIS 0
#define KEEPDIMS 1
#define SELECT_LAST_INDEX 2

extern const char keeli_text_argmax_key[];
extern const char keeli_text_key[];
extern const char keeli_text_argmax[];

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -1},
    {.name = "keepdims", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "select_last_index", .kind = KEEL_ATTR_INT, .default_int = 0},
};

/* The axis; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[0].rank, &axis,
                     NULL);
    return axis;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *in = &call->operand[0];
    const int64_t last = keeli_attribute_int(call, SELECT_LAST_INDEX);
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), in->rank, &axis, err));
    if (in->shape[axis] == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.argmax: axis %d of in has 0 elements, must have at least 1", axis);
    }
    if (last != 0 && last != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.argmax: select_last_index is %lld, must be 0 or 1", (long long)last);
    }
    KEEL_TRY(
        keeli_reduce_shape(call, 1u << axis, keeli_attribute_int(call, KEEPDIMS), outputs, err));
    outputs[0].dtype = KEEL_I64;
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    keeli_reduce_space_over(call, 1u << axis_of(call), out);
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* Below 0, 0 or above 0 as element a is less than, equal to or greater than element b. */
static int compare(keel_dtype dtype, const void *host, int64_t a, int64_t b)
{
    if (keel_dtype_in(dtype, KEEL_DTYPES_FLOAT)) {
        const double x = keel_dtype_load(dtype, host, a);
        const double y = keel_dtype_load(dtype, host, b);
        return isnan(x) || isnan(y) ? !!isnan(x) - !!isnan(y) : (x > y) - (x < y);
    }
    const int64_t x = keel_dtype_load_bits(dtype, host, a);
    const int64_t y = keel_dtype_load_bits(dtype, host, b);
    return keeli_integer_less(dtype, y, x) - keeli_integer_less(dtype, x, y);
}

static int64_t true_place(const keel_call *call, const void *host, int64_t position)
{
    const int last_wins = keeli_attribute_int(call, SELECT_LAST_INDEX) != 0;
    keeli_reduce_walk walk = keeli_reduce_walk_over(call, 1u << axis_of(call), position);
    int64_t best = walk.offset;
    int64_t place = 0;
    for (int64_t k = 0; k < walk.count; k++, keeli_reduce_next(&walk)) {
        if (compare(call->operand[0].dtype, host, walk.offset, best) > -last_wins) {
            best = walk.offset;
            place = k;
        }
    }
    return place;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    for (int64_t i = 0; i < count; i++) {
        const int64_t place = true_place(call, host[0], index != NULL ? index[i] : first + i);
        keeli_truth_bits(&truth[i], KEEL_I64, place);
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const keeli_reduce_request request = {.count = call->operand[0].shape[axis_of(call)],
                                          .partial = KEEL_I64,
                                          .instead_of_block =
                                              keeli_attribute_int(call, SELECT_LAST_INDEX)};
    return keeli_reduce_plan_loops(call, &request, limits, builder);
}

static const char *const sources[] = {keeli_text_argmax_key, keeli_text_key, keeli_text_locate,
                                      keeli_text_argmax, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "argmax.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_reduce_instances,
    .instance_count = KEELI_REDUCE_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEELI_TYPES_ARITHMETIC | KEEL_DTYPE_BIT(KEEL_BOOL),
                                     KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[] = {0, 1};

const keel_op keeli_op_argmax = {
    .struct_size = sizeof(keel_op),
    .name = "keel.argmax",
    .family = "reduction",
    .summary = "place of the greatest element along an axis",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 1,
    .inputs_required = 1,
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = keeli_names_in_out,
    .infer = infer,
    .space = space,
    .work = keeli_reduce_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
