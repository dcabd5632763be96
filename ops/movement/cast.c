/* keel.cast: converts between all pairs of element types, each value rounded once. */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define SATURATE 0

extern const char keeli_text_cast[];
extern const char keeli_text_rows[];

static const keel_attribute_rule attributes[] = {
    {.name = "saturate", .kind = KEEL_ATTR_INT, .default_int = 1},
};

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const int64_t saturate = keeli_attribute_int(call, SATURATE);
    if (saturate != 0 && saturate != 1) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.cast: saturate is %lld, must be 0 or 1", (long long)saturate);
    }
    outputs[0] = call->operand[0];
    outputs[0].dtype = call->operand[1].dtype;
    return KEEL_OK;
}

/* ---- truth ----------------------------------------------------------------------------------- */

static int is_float(keel_dtype dtype)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
}

/* Stores an element as another type. Integers wrap by dropping bits; all else rounds once. */
static void convert(keel_dtype from, const void *host, int64_t offset, keel_dtype to, int saturate,
                    void *out)
{
    if (!is_float(from) && !is_float(to)) {
        keel_dtype_store_bits(to, out, 0, keel_dtype_load_bits(from, host, offset));
        return;
    }
    const keeli_dd value = keeli_load(from, host, offset);
    if (saturate && keel_dtype_in(to, KEEL_DTYPES_F8)) {
        keel_dtype_store_saturate(to, out, 0, value.hi, value.lo);
    } else {
        keel_dtype_store(to, out, 0, value.hi, value.lo);
    }
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)output;
    const keel_desc *in = &call->operand[0];
    const keel_dtype to = call->operand[1].dtype;
    const int saturate = keeli_attribute_int(call, SATURATE) != 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t at[KEEL_MAX_RANK];
        uint64_t converted = 0;
        keeli_coordinates(in, index != NULL ? index[i] : first + i, at);
        convert(in->dtype, host[0], keeli_offset(in, at, in->rank), to, saturate, &converted);
        keeli_truth_bits(&truth[i], to, keel_dtype_load_bits(to, &converted, 0));
    }
    return KEEL_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    keeli_move move = keeli_move_of_space(call->space, 0, 1);
    move.mode = (int32_t)keeli_attribute_int(call, SATURATE);
    return keeli_move_plan_rows(&move, limits, builder);
}

static const char *const sources[] = {keeli_text_cast, keeli_text_rows, NULL};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "cast.any",
    .style = "any",
    .sources = sources,
    .instances = keeli_move_instances,
    .instance_count = KEELI_ROWS_INSTANCES,
    .supports = keeli_supports_types,
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL, KEEL_DTYPES_ALL};
static const uint8_t operand_types[] = {0, 1};

const keel_op keeli_op_cast = {
    .struct_size = sizeof(keel_op),
    .name = "keel.cast",
    .family = "movement",
    .summary = "converts to another element type, rounding once",
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
    .work = keeli_move_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
