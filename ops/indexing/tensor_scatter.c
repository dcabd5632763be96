/*
 * keel.tensor_scatter: a cache with new entries of its sequences written in, each batch entry from
 * a place of its own on. In place it writes the new entries only.
 */
#include "indexing/pick.h"
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define PAST 0
#define UPDATE 1
#define WRITE_INDICES 2 /* optional */
#define OUT 3

#define AXIS 0
#define MODE 1

#define ROLE_SEQUENCE 1 /* of the axis that must stay as it is */

/* Mirrors TENSOR_SCATTER_CIRCULAR and TENSOR_SCATTER_INDEXED of tensor_scatter.kc. */
#define FLAG_CIRCULAR 1
#define FLAG_INDEXED 2

extern const char keeli_text_copy[];
extern const char keeli_text_entry[];
extern const char keeli_text_rows[];
extern const char keeli_text_tensor_scatter[];

static const keel_attribute_rule attributes[] = {
    {.name = "axis", .kind = KEEL_ATTR_INT, .default_int = -2},
    {.name = "mode", .kind = KEEL_ATTR_BYTES}, /* "": linear */
};

static int is_circular(const keel_call *call)
{
    return keeli_attribute_is(call, MODE, "circular");
}

static int is_indexed(const keel_call *call)
{
    return call->operand[WRITE_INDICES].dtype != KEEL_DTYPE_NONE;
}

/* The axis of the sequence; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[PAST].rank, &axis,
                     NULL);
    return axis;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static keel_status check_attributes(const keel_call *call, keel_error *err)
{
    const keel_attribute *mode = &call->attribute[MODE];
    const int32_t alias = call->operand[OUT].alias;
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[PAST].rank,
                        &axis, err));
    if (axis == 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tensor_scatter: axis is %lld, axis 0 of past_cache, which is the "
                         "batch; must be another",
                         (long long)keeli_attribute_int(call, AXIS));
    }
    if (!is_circular(call) && !keeli_attribute_is(call, MODE, "linear") && mode->count != 0) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tensor_scatter: mode is \"%.*s\", must be linear or circular",
                         (int)mode->count, mode->value.bytes);
    }
    if (alias == UPDATE || alias == WRITE_INDICES) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tensor_scatter: out is the same view as %s; of the inputs only "
                         "past_cache may be",
                         call->op->operand_names[alias]);
    }
    return KEEL_OK;
}

static keel_status check_update(const keel_call *call, keel_error *err)
{
    const keel_desc *past = &call->operand[PAST];
    const keel_desc *update = &call->operand[UPDATE];
    const int32_t axis = axis_of(call);
    if (update->rank != past->rank) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tensor_scatter: update has rank %d, must have %d, that of "
                         "past_cache",
                         update->rank, past->rank);
    }
    for (int32_t a = 0; a < past->rank; a++) {
        if (a == axis ? update->shape[a] > past->shape[a] : update->shape[a] != past->shape[a]) {
            return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                             "keel.tensor_scatter: axis %d of update has %lld elements, must have "
                             "%s%lld, as past_cache",
                             a, (long long)update->shape[a], a == axis ? "at most " : "",
                             (long long)past->shape[a]);
        }
    }
    return KEEL_OK;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *past = &call->operand[PAST];
    const keel_desc *write = &call->operand[WRITE_INDICES];
    KEEL_TRY(check_attributes(call, err));
    KEEL_TRY(check_update(call, err));
    if (is_indexed(call) && (write->rank != 1 || write->shape[0] != past->shape[0])) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.tensor_scatter: write_indices has rank %d and %lld elements, must "
                         "have rank 1 and %lld, the batch of past_cache",
                         write->rank, (long long)keeli_desc_elements(write),
                         (long long)past->shape[0]);
    }
    outputs[0] = *past;
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *update = &call->operand[UPDATE];
    const int32_t axis = axis_of(call);
    out->rank = update->rank;
    out->operands = 4;
    for (int32_t a = 0; a < update->rank; a++) {
        const int moves = a != axis; /* along the sequence it depends on the write index */
        out->role[a] = moves ? KEEL_AXIS_MAP : ROLE_SEQUENCE;
        out->extent[a] = update->shape[a];
        out->stride[PAST][a] = moves ? call->operand[PAST].stride[a] : 0;
        out->stride[UPDATE][a] = update->stride[a];
        out->stride[WRITE_INDICES][a] =
            a == 0 && is_indexed(call) ? call->operand[WRITE_INDICES].stride[0] : 0;
        out->stride[OUT][a] = moves ? call->operand[OUT].stride[a] : 0;
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const double size = keel_dtype_size(call->operand[PAST].dtype);
    const double fresh = (double)keeli_desc_elements(&call->operand[UPDATE]) * size;
    const double whole = (double)keeli_desc_elements(&call->operand[PAST]) * size;
    *flops = 0;
    *bytes = call->operand[OUT].alias == PAST ? 2 * fresh : 2 * whole; /* what is written is read */
    if (is_indexed(call)) {
        *bytes += (double)call->operand[PAST].shape[0] *
                  keel_dtype_size(call->operand[WRITE_INDICES].dtype);
    }
}

/* ---- truth ----------------------------------------------------------------------------------- */

/* Looks for the place of the update that lands on an element, by asking each where it lands. */
static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *write = &call->operand[WRITE_INDICES];
    const int32_t axis = axis_of(call);
    const int64_t extent = call->operand[PAST].shape[axis];
    int64_t at[KEEL_MAX_RANK];
    keeli_coordinates(&call->operand[OUT], position, at);
    int64_t start = 0;
    if (is_indexed(call)) {
        start = keel_dtype_load_bits(write->dtype, host[WRITE_INDICES], at[0] * write->stride[0]);
    }
    if (is_circular(call)) {
        start %= extent;
    } else if (start < -extent || start >= extent) {
        start = extent; /* nothing of it is in the cache */
    }
    const int64_t here = at[axis];
    for (int64_t s = 0; s < call->operand[UPDATE].shape[axis]; s++) {
        const int64_t lands = start + s;
        if (lands == here ||
            (is_circular(call) && (lands == here + extent || lands == here - extent))) {
            at[axis] = s;
            keeli_move_truth(&call->operand[UPDATE], host[UPDATE], at, out);
            return;
        }
    }
    keeli_move_truth(&call->operand[PAST], host[PAST], at, out);
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

static keel_status plan_update(const keel_call *call, const keel_limits *limits,
                               keel_builder *builder)
{
    const keel_space *loops = call->space;
    const int32_t axis = axis_of(call);
    const int64_t extent = call->operand[OUT].shape[axis];
    const int64_t pitch = call->operand[OUT].stride[axis];
    const keeli_pick pick = keeli_pick_axes(&call->operand[OUT], axis, 1, 0);
    const int32_t flags =
        (is_circular(call) ? FLAG_CIRCULAR : 0) | (is_indexed(call) ? FLAG_INDEXED : 0);
    const int fits = keeli_pick_fits_32(&pick, loops, WRITE_INDICES, OUT);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, fits ? "write_32" : "write_64", &kernel));
    keel_meta whole;
    keeli_meta_from_space(loops, &whole);
    keel_meta meta = whole;
    for (int32_t v = 0; v < 3; v++) {
        meta.view[v] = whole.view[v + 1]; /* without past_cache */
    }
    for (int32_t a = 0; a < loops->rank; a++) {
        meta.view[3].stride[a] = loops->role[a] == ROLE_SEQUENCE;
    }
    const int8_t starts = is_indexed(call) ? WRITE_INDICES : UPDATE; /* something to point at */
    const int8_t behind[] = {UPDATE, starts, OUT, UPDATE};
    const keel_plan_arg args[] = {
        keeli_arg_operand(UPDATE),
        keeli_arg_operand(starts),
        keeli_arg_operand(OUT),
        keeli_arg_meta(&meta, 4, behind),
        keeli_arg_value(&extent, sizeof extent),
        keeli_arg_value(&pitch, sizeof pitch),
        keeli_arg_value(&flags, sizeof flags),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(loops));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    if (call->operand[OUT].alias != PAST) {
        const keeli_move move =
            keeli_move_between(&call->operand[PAST], PAST, &call->operand[OUT], OUT);
        KEEL_TRY(keeli_move_plan_rows(&move, limits, builder));
    }
    return plan_update(call, limits, builder);
}

static const char *const sources[] = {keeli_text_entry, keeli_text_copy, keeli_text_rows,
                                      keeli_text_tensor_scatter, NULL};

static const keel_instance instances[] = {
    {"rows_32", "STEP=0 LAYOUT=0 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"rows_64", "STEP=0 LAYOUT=0 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
    {"write_32", "STEP=1 LAYOUT=9 IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"write_64", "STEP=1 LAYOUT=9 IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "tensor_scatter.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL, KEELI_TYPES_INDEX};
static const uint8_t operand_types[] = {0, 0, 1, 0};
static const char *const operand_names[] = {"past_cache", "update", "write_indices", "out"};

const keel_op keeli_op_tensor_scatter = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS | KEEL_OP_IN_PLACE,
    .name = "keel.tensor_scatter",
    .family = "indexing",
    .summary = "a cache of sequences with new entries written in, at a place for each batch entry",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .inputs = 3,
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
