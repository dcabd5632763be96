/*
 * keel.gather: entries of one axis of data, chosen by indices. Negative indices count from the end;
 * one that is out of range gives zero and is never followed.
 */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define AXIS 0

#define DATA 0
#define INDICES 1
#define OUT 2

extern const char keeli_text_gather[];

static const keel_attribute_rule attributes[] = {{.name = "axis", .kind = KEEL_ATTR_INT}};

/* The gathered axis; the attribute has been checked. */
static int32_t axis_of(const keel_call *call)
{
    int32_t axis;
    (void)keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), call->operand[DATA].rank, &axis,
                     NULL);
    return axis;
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_desc *data = &call->operand[DATA];
    const keel_desc *indices = &call->operand[INDICES];
    int32_t axis;
    KEEL_TRY(keeli_axis(call, "axis", keeli_attribute_int(call, AXIS), data->rank, &axis, err));
    if (data->rank - 1 + indices->rank > KEEL_MAX_RANK) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.gather: data of rank %d and indices of rank %d give rank %d, at "
                         "most %d is allowed",
                         data->rank, indices->rank, data->rank - 1 + indices->rank, KEEL_MAX_RANK);
    }
    outputs[0].dtype = data->dtype;
    outputs[0].rank = data->rank - 1 + indices->rank;
    for (int32_t a = 0; a < outputs[0].rank; a++) {
        const int32_t k = a - axis;
        outputs[0].shape[a] = k < 0               ? data->shape[a]
                              : k < indices->rank ? indices->shape[k]
                                                  : data->shape[a - indices->rank + 1];
    }
    return KEEL_OK;
}

static void space(const keel_call *call, keel_space *out)
{
    const keel_desc *data = &call->operand[DATA];
    const keel_desc *indices = &call->operand[INDICES];
    const keel_desc *target = &call->operand[OUT];
    const int32_t axis = axis_of(call);
    out->rank = target->rank;
    out->operands = 3;
    for (int32_t a = 0; a < target->rank; a++) {
        const int32_t k = a - axis;
        const int chosen = k >= 0 && k < indices->rank;
        out->extent[a] = target->shape[a];
        out->stride[INDICES][a] = chosen ? indices->stride[k] : 0;
        out->stride[DATA][a] = chosen ? 0 : data->stride[k < 0 ? a : a - indices->rank + 1];
        out->stride[OUT][a] = target->stride[a];
    }
}

static void work(const keel_call *call, double *flops, double *bytes)
{
    const keel_desc *indices = &call->operand[INDICES];
    const keel_desc *data = &call->operand[DATA];
    const double written = (double)keeli_desc_elements(&call->operand[OUT]);
    const double held = (double)keeli_desc_elements(data);
    *flops = 0;
    *bytes = (double)keeli_desc_elements(indices) * keel_dtype_size(indices->dtype) +
             ((written < held ? written : held) + written) * keel_dtype_size(data->dtype);
}

static void truth_at(const keel_call *call, const void *const *host, int64_t position,
                     keel_truth *out)
{
    const keel_desc *data = &call->operand[DATA];
    const keel_desc *indices = &call->operand[INDICES];
    const int32_t axis = axis_of(call);
    int64_t at[KEEL_MAX_RANK] = {0};
    int64_t from[KEEL_MAX_RANK];
    keeli_coordinates(&call->operand[OUT], position, at);
    const int64_t chosen = keeli_offset(indices, at + axis, indices->rank);
    int64_t entry = keel_dtype_load_bits(indices->dtype, host[INDICES], chosen);
    entry = entry < 0 ? entry + data->shape[axis] : entry;
    if (entry < 0 || entry >= data->shape[axis]) {
        keeli_truth_bits(out, data->dtype, 0);
        return;
    }
    for (int32_t a = 0; a < data->rank; a++) {
        from[a] = a < axis ? at[a] : a == axis ? entry : at[a + indices->rank - 1];
    }
    keeli_move_truth(data, host[DATA], from, out);
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

/* Whether 32-bit indices reach all of every operand, the gathered axis of data included. */
static int fits_32_bits(const keel_space *space, int64_t extent, int64_t pitch)
{
    keel_space whole = *space;
    whole.operands = 1;
    whole.extent[whole.rank] = extent;
    whole.stride[DATA][whole.rank++] = pitch;
    for (int32_t a = 0; a < space->rank; a++) { /* only distances in data are of interest */
        whole.extent[a] = space->stride[DATA][a] != 0 ? space->extent[a] : 1;
    }
    return keeli_space_fits_32(space) && keeli_space_fits_32(&whole);
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    const int64_t extent = call->operand[DATA].shape[axis_of(call)];
    const int64_t pitch = call->operand[DATA].stride[axis_of(call)];
    const int fits = fits_32_bits(call->space, extent, pitch);
    int32_t kernel;
    KEEL_TRY(keel_plan_kernel(builder, fits ? "gather_32" : "gather_64", &kernel));

    keel_meta meta;
    keeli_meta_from_space(call->space, &meta);
    const keel_plan_arg args[] = {
        keeli_arg_operand(DATA),
        keeli_arg_operand(INDICES),
        keeli_arg_operand(OUT),
        keeli_arg_meta(&meta, 3, NULL),
        keeli_arg_value(&extent, sizeof extent),
        keeli_arg_value(&pitch, sizeof pitch),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(call->space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_gather, NULL};

static const keel_instance instances[] = {
    {"gather_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"gather_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "gather.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL,
                                     KEEL_DTYPE_BIT(KEEL_I32) | KEEL_DTYPE_BIT(KEEL_I64)};
static const uint8_t operand_types[] = {0, 1, 0};
static const char *const operand_names[] = {"data", "indices", "out"};

const keel_op keeli_op_gather = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.gather",
    .family = "movement",
    .summary = "entries of one axis, chosen by indices",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
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
