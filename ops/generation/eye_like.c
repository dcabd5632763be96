/* keel.eye_like: 1 on a diagonal of a matrix, 0 elsewhere. */
#include "support/contract.h"
#include "support/planning.h"
#include "support/truth.h"

#define K 0

/* Roles: the axes stay apart, since the diagonal needs both coordinates. */
#define ROW 1
#define COLUMN 2

extern const char keeli_text_eye_like[];

static const keel_attribute_rule rules[] = {{.name = "k", .kind = KEEL_ATTR_INT}};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    if (call->operand[0].rank != 2) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT, "%s: out has rank %d, must have 2",
                         call->op->name, call->operand[0].rank);
    }
    outputs[0] = call->operand[0];
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *matrix = &call->operand[0];
    out->rank = 2;
    out->operands = 1;
    for (int32_t a = 0; a < 2; a++) {
        out->role[a] = a == 0 ? ROW : COLUMN;
        out->extent[a] = matrix->shape[a];
        out->stride[0][a] = matrix->stride[a];
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    *flops = 0;
    *bytes = keeli_compulsory_bytes(call);
}

/* The element 1 in the low bytes. */
static uint64_t one_of(keel_dtype dtype)
{
    uint64_t pattern = 0;
    keel_dtype_store(dtype, &pattern, 0, 1.0, 0.0);
    return pattern;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)host;
    (void)output;
    const keel_dtype dtype = call->operand[0].dtype;
    const uint64_t one = one_of(dtype);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        keeli_coordinates(&call->operand[0], index != NULL ? index[i] : first + i, at);
        const int is_one = at[1] - at[0] == keeli_attribute_int(call, K);
        keeli_truth_bits(&truth[i], dtype, is_one ? keel_dtype_load_bits(dtype, &one, 0) : 0);
    }
    return KEEL_OK;
}

/* k, brought to where a matrix of that many rows and columns has no diagonal any more. */
static int64_t diagonal(const keel_call *call)
{
    const keel_desc *matrix = &call->operand[0];
    const int64_t k = keeli_attribute_int(call, K);
    return k < -matrix->shape[0] ? -matrix->shape[0] : k > matrix->shape[1] ? matrix->shape[1] : k;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(
        builder, keeli_space_fits_32(call->space) ? "eye_like_32" : "eye_like_64", &kernel));
    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const uint64_t one = one_of(call->operand[0].dtype);
    const int64_t k = diagonal(call);
    const keel_plan_arg args[] = {
        keeli_arg_operand(0),
        keeli_arg_meta(&meta, 1, NULL),
        keeli_arg_value(&one, sizeof one),
        keeli_arg_value(&k, sizeof k),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_eye_like, NULL};

static const keel_instance instances[] = {
    {"eye_like_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"eye_like_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "eye_like",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};
static const char *const operand_names[] = {"out"};

const keel_op keeli_op_eye_like = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.eye_like",
    .family = "generation",
    .summary = "1 on a diagonal of a matrix, 0 elsewhere",
    .attributes = rules,
    .attribute_count = KEEL_COUNT(rules),
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = keeli_types_same,
    .operand_names = operand_names,
    .infer = infer,
    .space = space,
    .work = work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
