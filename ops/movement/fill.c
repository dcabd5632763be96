/* keel.fill: sets every element to one value: value for floats, int_value for integers and bool. */
#include "movement/move.h"
#include "support/contract.h"
#include "support/truth.h"

#define VALUE 0
#define INT_VALUE 1

extern const char keeli_text_fill[];

static const keel_attribute_rule attributes[] = {
    {.name = "value", .kind = KEEL_ATTR_FLOAT},
    {.name = "int_value", .kind = KEEL_ATTR_INT},
};

static int is_float(keel_dtype dtype)
{
    return keel_dtype_in(dtype, KEEL_DTYPES_FLOAT | KEEL_DTYPES_F8);
}

/* The integers that int_value may name for a type. */
static void int_bounds(keel_dtype dtype, int64_t *out_least, int64_t *out_most)
{
    *out_least = keeli_integer_limit(dtype, 0);
    *out_most = dtype == KEEL_U64 ? INT64_MAX : keeli_integer_limit(dtype, 1);
}

static keel_status infer(const keel_call *call, keel_desc *outputs, keel_error *err)
{
    const keel_dtype dtype = call->operand[0].dtype;
    const double value = keeli_attribute_float(call, VALUE);
    const int64_t int_value = keeli_attribute_int(call, INT_VALUE);
    outputs[0] = call->operand[0];
    if (is_float(dtype)) {
        return int_value == 0 ? KEEL_OK
                              : keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                                          "keel.fill: int_value is %lld, but out is %s, which is "
                                          "filled with value",
                                          (long long)int_value, keel_dtype_name(dtype));
    }
    if (!(value == 0)) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.fill: value is %g, but out is %s, which is filled with int_value",
                         value, keel_dtype_name(dtype));
    }
    int64_t least;
    int64_t most;
    int_bounds(dtype, &least, &most);
    if (int_value < least || int_value > most) {
        return keel_fail(err, KEEL_ERR_INVALID_ARGUMENT,
                         "keel.fill: int_value is %lld, must be %lld to %lld for %s",
                         (long long)int_value, (long long)least, (long long)most,
                         keel_dtype_name(dtype));
    }
    return KEEL_OK;
}

/* The element that is stored everywhere, in the low bytes of the result. */
static uint64_t pattern_of(const keel_call *call)
{
    const keel_dtype dtype = call->operand[0].dtype;
    uint64_t pattern = 0;
    if (is_float(dtype)) {
        keel_dtype_store(dtype, &pattern, 0, keeli_attribute_float(call, VALUE), 0);
    } else {
        keel_dtype_store_bits(dtype, &pattern, 0, keeli_attribute_int(call, INT_VALUE));
    }
    return pattern;
}

static keel_status oracle(const keel_call *call, const void *const *host, uint32_t output,
                          const int64_t *index, int64_t first, int64_t count, keel_truth *truth)
{
    (void)host;
    (void)output;
    (void)index;
    (void)first;
    const keel_dtype dtype = call->operand[0].dtype;
    const uint64_t pattern = pattern_of(call);
    const int64_t bits = keel_dtype_load_bits(dtype, &pattern, 0);
    for (int64_t i = 0; i < count; i++) {
        keeli_truth_bits(&truth[i], dtype, bits);
    }
    return KEEL_OK;
}

static keel_status plan(const keel_call *call, const keel_limits *limits, keel_builder *builder,
                        keel_error *err)
{
    (void)err;
    keel_space space = *call->space;
    keeli_move_normalise(&space);
    int32_t kernel;
    KEEL_TRY(
        keel_plan_kernel(builder, keeli_space_fits_32(&space) ? "fill_32" : "fill_64", &kernel));
    keel_meta meta;
    keeli_meta_from_space(&space, &meta);
    const uint64_t pattern = pattern_of(call);
    const keel_plan_arg args[] = {
        keeli_arg_operand(0),
        keeli_arg_meta(&meta, 1, NULL),
        keeli_arg_value(&pattern, sizeof pattern),
    };
    const keeli_grid grid = keeli_grid_map(limits, keeli_space_volume(&space));
    return keeli_launch(builder, kernel, grid, args, KEEL_COUNT(args));
}

static const char *const sources[] = {keeli_text_fill, NULL};

static const keel_instance instances[] = {
    {"fill_32", "IDX=i32 KEEL_BLOCK=KEEL_BLOCK_MAP", 0, 0},
    {"fill_64", "IDX=i64 KEEL_BLOCK=KEEL_BLOCK_MAP", 1, 0},
};

static const keel_variant any = {
    .struct_size = sizeof(keel_variant),
    .kinds = KEEL_KINDS_ALL,
    .name = "fill.any",
    .style = "any",
    .sources = sources,
    .instances = instances,
    .instance_count = KEEL_COUNT(instances),
    .plan = plan,
};

static const keel_variant *const variants[] = {&any};
static const uint64_t type_sets[] = {KEEL_DTYPES_ALL};
static const uint8_t operand_types[] = {0};
static const char *const operand_names[] = {"out"};

const keel_op keeli_op_fill = {
    .struct_size = sizeof(keel_op),
    .flags = KEEL_OP_BITS,
    .name = "keel.fill",
    .family = "movement",
    .summary = "sets every element to one value",
    .attributes = attributes,
    .attribute_count = KEEL_COUNT(attributes),
    .outputs = 1,
    .type_sets = type_sets,
    .type_set_count = KEEL_COUNT(type_sets),
    .operand_types = operand_types,
    .operand_names = operand_names,
    .infer = infer,
    .work = keeli_move_work,
    .oracle = oracle,
    .variants = variants,
    .variant_count = KEEL_COUNT(variants),
};
