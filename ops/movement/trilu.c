/* keel.trilu: the upper or the lower triangle of matrices; zeros elsewhere. */
#include <inttypes.h>

#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define UPPER 0
#define K 1

/* Roles: the axes stay apart, since the triangle needs both coordinates. */
#define ROW 1
#define COLUMN 2

extern const char keeli_text_trilu[];

static const keel_attribute_rule rules[] = {
    {.name = "upper", .kind = KEEL_ATTR_INT, .default_int = 1},
    {.name = "k", .kind = KEEL_ATTR_INT},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t upper = keeli_attribute_int(call, UPPER);
    if (call->operand[0].rank < 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: in has rank %d, must have at least 2",
                         call->op->name, call->operand[0].rank);
    }
    if (upper != 0 && upper != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: upper is %" PRId64 ", must be 0 or 1",
                         call->op->name, upper);
    }
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *matrix = &call->operand[0];
    out->rank = matrix->rank;
    out->operands = 2;
    for (int32_t a = 0; a < matrix->rank; a++) {
        out->role[a] = a == matrix->rank - 1 ? COLUMN : a == matrix->rank - 2 ? ROW : KEEL_AXIS_MAP;
        out->extent[a] = matrix->shape[a];
        out->stride[0][a] = matrix->stride[a];
        out->stride[1][a] = call->operand[1].stride[a];
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[0];
    const int64_t k = keeli_attribute_int(call, K);
    const int upper = keeli_attribute_int(call, UPPER) != 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK] = {0};
        keeli_coordinates(in, index != NULL ? index[i] : first + i, at);
        const int64_t beside = at[in->rank - 1] - at[in->rank - 2];
        if (upper ? beside >= k : beside <= k) {
            keeli_move_truth(in, host[0], at, &truth[i]);
        } else {
            keeli_truth_bits(&truth[i], in->dtype, 0);
        }
    }
    return KEEL_OK;
}

/* k, brought to where a matrix of that many rows and columns still ends. */
static int64_t diagonal(const keel_call *call)
{
    const keel_desc *in = &call->operand[0];
    const int64_t k = keeli_attribute_int(call, K);
    const int64_t rows = in->shape[in->rank - 2];
    const int64_t columns = in->shape[in->rank - 1];
    return k < -rows ? -rows : k > columns ? columns : k;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, keeli_space_fits_32(call->space) ? "trilu_32" : "trilu_64",
                              &kernel));
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const int64_t k = diagonal(call);
    const int32_t upper = (int32_t)keeli_attribute_int(call, UPPER);
    const keel_plan_arg args[] = {
        keeli_arg_operand(0),
        keeli_arg_operand(1),
        keeli_arg_meta(&meta, 2, NULL),
        keeli_arg_value(&k, sizeof k),
        keeli_arg_value(&upper, sizeof upper),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_trilu, NULL};

static const keel_instance instances[] = {
    {"trilu_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"trilu_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "trilu.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};

const keel_op keeli_op_trilu = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS | KEEL_OP_IN_PLACE,
    .name = "keel.trilu",
    .family = "movement",
    .summary = "the upper or the lower triangle of matrices",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
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
